//! The functions that return a whole table.

use serde_json::json;

use super::harness::World;

const MAPS: [(&str, &str, &str); 3] = [
    ("getNsGroups", "/api/v1/ns-groups", "id"),
    ("getNsServices", "/api/v1/ns-services", "id"),
    (
        "getPolicyContainerClusters",
        "/infra/sites/default/enforcement-points/default/cluster-control-planes",
        "path",
    ),
];

#[tokio::test(start_paused = true)]
async fn a_map_is_complete_whatever_its_size() {
    for (function, collection, value) in MAPS {
        let mut world = World::local().bare();
        world.settings.max_page_size = 70;
        for number in 0..2500 {
            let body = json!({"id": format!("id-{number}"), "display_name": format!("name {number:04}")});
            world.inventory.add(collection, body).unwrap();
        }
        let nameless = json!({"id": "nameless", "display_name": null});
        let going = json!({"id": "going", "marked_for_delete": true});
        let world = world.with(collection, nameless);
        // Objects of the manager API cannot be marked.
        let bench = match value {
            "path" => world.with(collection, going),
            _ => world,
        };
        let bench = bench.start();
        let output = bench.answer(function, json!({})).await;
        let items = output["items"].as_object().unwrap();
        assert_eq!(items.len(), 2501, "{function}");
        assert!(items["nameless"].as_str().unwrap().ends_with("nameless"));
        for number in [0, 69, 70, 1234, 2499] {
            let id = format!("id-{number}");
            let wanted = if value == "path" {
                format!("{collection}/{id}")
            } else {
                id
            };
            assert_eq!(items[&format!("name {number:04}")], wanted);
        }
        assert_eq!(bench.requests().len(), 36);
        assert_eq!(bench.warnings(), [""; 0]);
    }
}

#[tokio::test(start_paused = true)]
async fn of_objects_with_one_name_a_map_keeps_the_smallest_and_names_the_others() {
    for (function, collection, value) in MAPS {
        let mut world = World::local().bare();
        for id in ["b", "c", "a"] {
            world = world.with(collection, json!({"id": id, "display_name": "one"}));
        }
        let bench = world.start();
        let output = bench.answer(function, json!({})).await;
        let of = |id: &str| {
            if value == "path" {
                format!("{collection}/{id}")
            } else {
                id.to_owned()
            }
        };
        assert_eq!(output, json!({"id": function, "items": {"one": of("a")}}));
        let [warning] = &bench.warnings()[..] else {
            panic!("one warning")
        };
        assert!(
            warning.ends_with(&format!(
                "have display name \"one\": the map contains {} but not {}, {}",
                of("a"),
                of("b"),
                of("c")
            )),
            "{warning}"
        );
    }
}
