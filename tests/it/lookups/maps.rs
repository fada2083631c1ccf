//! The functions that return a whole table.

use netmgr_sim::Inventory;
use serde_json::{Value, json};

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
        let bench = world.start();
        let output = bench.answer(function, json!({})).await;
        let items = output["items"].as_object().unwrap();
        assert_eq!(items.len(), 2500, "{function}");
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

#[tokio::test(start_paused = true)]
async fn an_empty_table_is_an_empty_map() {
    for (function, collection, _) in MAPS {
        let mut world = World::local();
        world.inventory = Inventory::empty();
        // A list without objects below an enforcement point still exists.
        let bench = world.start();
        assert_eq!(
            bench.answer(function, json!({})).await,
            json!({"id": function, "items": {}}),
            "{collection}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn objects_without_a_name_stand_under_their_id() {
    let bench = World::local().start();
    let output: Value = bench.answer("getNsGroups", json!({})).await;
    let nameless = "5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0006";
    assert_eq!(output["items"][nameless], nameless);
}

#[tokio::test(start_paused = true)]
async fn objects_marked_for_deletion_are_not_in_the_map() {
    let bench = World::local().start();
    let output = bench.answer("getPolicyContainerClusters", json!({})).await;
    assert_eq!(output["items"].get("antrea-old"), None);
    assert!(output["items"].get("bm-1").is_some());
}
