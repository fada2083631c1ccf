//! Functions that return all objects of a kind.

use netmgr_lookups::ErrorKind::{InvalidInput, NotFound};
use netmgr_types::Deployment;
use serde_json::{Value, json};

use super::harness::fits_schema;
use super::harness::{Bench, World};
use super::place::{PARENT, Place, Tree};
use super::table::{ROWS, Row};

/// Functions with a map of items, and whether it is keyed by id.
const MAPS: [(&str, bool); 4] = [
    ("getPolicyGroups", false),
    ("getPolicyServices", false),
    ("getPolicyTier0Gateways", true),
    ("getPolicyTier1Gateways", true),
];

/// The lines of functions with a map.
fn maps() -> impl Iterator<Item = (&'static Row, bool)> {
    MAPS.into_iter().map(|(function, by_id)| (row(function), by_id))
}

fn row(function: &str) -> &'static Row {
    ROWS.iter().find(|row| row.function == function).unwrap()
}

/// One member of each object.
fn column(output: &Value, member: &str) -> Vec<String> {
    let objects = output["objects"].as_array().unwrap().iter();
    objects
        .map(|object| object[member].as_str().unwrap().to_owned())
        .collect()
}

async fn answer(bench: &Bench, row: &Row, place: &Place, input: Value) -> Value {
    let output = bench.answer(row.function, input).await;
    let strangers = place.strangers(row, &bench.requests());
    assert_eq!(strangers, [""; 0], "{}", row.function);
    output
}

#[tokio::test(start_paused = true)]
async fn lists_are_complete_and_sorted_by_path() {
    for (row, by_id) in maps() {
        let place = Place::of(row);
        let mut world = row.world();
        world.settings.max_page_size = 2;
        for (id, name) in [
            ("b", "one"),
            ("c", "two"),
            ("a", "two"),
            ("d", "three"),
            ("e", "four"),
        ] {
            world = place.add(
                world,
                row,
                json!({"id": id, "display_name": name, "description": "text"}),
            );
        }
        world = place.add(
            world,
            row,
            json!({"id": "going", "display_name": "going", "marked_for_delete": true}),
        );
        let bench = world.start();
        let output = answer(&bench, row, &place, place.input(json!({}))).await;
        assert_eq!(
            column(&output, "id"),
            ["a", "b", "c", "d", "e"],
            "{}",
            row.function
        );
        let path = |id: &str| format!("{}/{id}", place.collection);
        assert_eq!(column(&output, "path"), ["a", "b", "c", "d", "e"].map(path));
        assert_eq!(
            column(&output, "displayName"),
            ["two", "one", "two", "three", "four"]
        );
        let expected = match by_id {
            true => json!({"a": "two", "b": "one", "c": "two", "d": "three", "e": "four"}),
            false => json!({"one": path("b"), "two": path("a"), "three": path("d"), "four": path("e")}),
        };
        assert_eq!(output["items"], expected, "{}", row.function);
        let warnings = bench.warnings();
        assert_eq!(
            warnings.len(),
            usize::from(!by_id),
            "{}: {warnings:?}",
            row.function
        );
    }
}

#[tokio::test(start_paused = true)]
async fn lists_are_filtered_by_name_and_tag() {
    for (row, by_id) in maps() {
        let place = Place::of(row);
        let mut world = row.world();
        for (id, name, scope, tag) in [
            ("a", "web", "tier", "web"),
            ("b", "web-2", "tier", "app"),
            ("c", "my-web", "site", "web"),
        ] {
            let body = json!({"id": id, "display_name": name, "tags": [{"scope": scope, "tag": tag}]});
            world = place.add(world, row, body);
        }
        let bench = world.start();
        // Gateways have a regular expression, the others a prefix of the name.
        let beginning: &[&str] = if by_id { &["a", "b", "c"] } else { &["a", "b"] };
        for (filter, expected) in [
            (json!({"displayName": "web"}), beginning),
            (json!({"displayName": "my-"}), &["c"]),
            (json!({"displayName": "none"}), &[]),
            (json!({"tagScope": "tier"}), &["a", "b"]),
            (json!({"tag": "web"}), &["a", "c"]),
            (json!({"tagScope": "tier", "tag": "web"}), &["a"]),
            (json!({"displayName": "web", "tag": "app"}), &["b"]),
        ] {
            let output = answer(&bench, row, &place, place.input(filter.clone())).await;
            assert_eq!(column(&output, "id"), expected, "{} {filter}", row.function);
            assert_eq!(output["items"].as_object().unwrap().len(), expected.len());
        }
        if by_id {
            for (pattern, expected) in [
                ("^web$", vec!["a"]),
                ("(?i)^WEB", vec!["a", "b"]),
                (r"\p{Lu}", vec![]),
            ] {
                let input = place.input(json!({ "displayName": pattern }));
                let output = answer(&bench, row, &place, input).await;
                assert_eq!(column(&output, "id"), expected, "{pattern}");
            }
            let error = bench.failure(row.function, json!({"displayName": "("})).await;
            assert_eq!(error.kind(), InvalidInput, "{error}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn lists_stay_in_their_context() {
    for (row, _) in maps() {
        let mut trees = vec![Tree::Default, Tree::Project("dev"), Tree::Project("dev2")];
        if row.function == "getPolicyTier0Gateways" {
            trees.truncate(1);
        }
        if row.contexts.from_global {
            trees.push(Tree::FromGlobal);
        }
        let mut world = row.world();
        for (number, tree) in trees.iter().enumerate() {
            let place = Place::below(row, *tree, PARENT);
            world = place.add(world, row, json!({"id": format!("id-{number}")}));
        }
        let bench = world.start();
        for (number, tree) in trees.iter().enumerate() {
            let place = Place::below(row, *tree, PARENT);
            let output = answer(&bench, row, &place, place.input(json!({}))).await;
            assert_eq!(
                column(&output, "id"),
                [format!("id-{number}")],
                "{} {tree:?}",
                row.function
            );
        }
        if row.managers.is_empty() || row.managers.contains(&Deployment::GlobalManager) {
            let place = Place::below(row, Tree::Global, PARENT);
            let world = place.add(World::global().bare(), row, json!({"id": "global"}));
            let output = answer(&world.start(), row, &place, place.input(json!({}))).await;
            assert_eq!(column(&output, "id"), ["global"]);
        }
    }
}

/// A project with its own object, and objects of the default space that are shared with it.
fn shared(row: &Row) -> World {
    let (infra, project) = (Place::of(row), Place::below(row, Tree::Project("dev"), PARENT));
    let path = |id: &str| json!([{"resource_path": format!("{}/{id}", infra.collection)}]);
    let mut world = row.world();
    for (id, is_default) in [("built-in", true), ("own", false), ("private", false)] {
        world = infra.add(
            world,
            row,
            json!({"id": id, "display_name": id, "is_default": is_default}),
        );
    }
    world = project.add(world, row, json!({"id": "mine", "display_name": "mine"}));
    let (org, dev) = (
        "/orgs/default/shared-with-me",
        "/orgs/default/projects/dev/shared-with-me",
    );
    // Another type that is also shared.
    let certificate = json!([{"resource_path": "/infra/certificates/c"}]);
    world
        .with("/orgs/default/projects", json!({"id": "dev"}))
        .with("/infra/certificates", json!({"id": "c"}))
        .with(
            org,
            json!({"id": "1", "display_name": "built-in", "resource_objects": path("built-in")}),
        )
        .with(
            dev,
            json!({"id": "2", "display_name": "own", "resource_objects": path("own")}),
        )
        .with(
            dev,
            json!({"id": "3", "display_name": "c", "resource_objects": certificate}),
        )
}

#[tokio::test(start_paused = true)]
async fn objects_that_are_shared_with_a_project_are_listed_if_wanted() {
    let dev = json!({"projectId": "dev"});
    let items =
        |output: &Value| -> Vec<String> { output["items"].as_object().unwrap().keys().cloned().collect() };
    let groups = row("getPolicyGroups");
    let bench = shared(groups).start();
    let output = bench.answer(groups.function, json!({"context": dev})).await;
    assert_eq!(items(&output), ["mine"]);
    let output = bench
        .answer(
            groups.function,
            json!({"context": dev, "includeSharedGroups": true}),
        )
        .await;
    fits_schema(groups.function, &output).unwrap();
    assert_eq!(items(&output), ["mine", "own"]);
    assert_eq!(output["items"]["own"], "/infra/domains/default/groups/own");
    let services = row("getPolicyServices");
    let bench = shared(services).start();
    for (input, expected) in [
        (json!({"context": dev}), vec!["mine"]),
        (
            json!({"context": dev, "includeSharedServices": true}),
            vec!["built-in", "mine", "own"],
        ),
        (json!({"context": dev, "builtInOnly": true}), vec![]),
        (
            json!({"context": dev, "includeSharedServices": true, "builtInOnly": true}),
            vec!["built-in"],
        ),
    ] {
        let output = bench.answer(services.function, input.clone()).await;
        fits_schema(services.function, &output).unwrap();
        assert_eq!(items(&output), expected, "{input}");
    }
}

#[tokio::test(start_paused = true)]
async fn filters_hold_for_shared_objects_as_well() {
    for (function, include) in [
        ("getPolicyGroups", "includeSharedGroups"),
        ("getPolicyServices", "includeSharedServices"),
    ] {
        let row = row(function);
        let (infra, project) = (Place::of(row), Place::below(row, Tree::Project("dev"), PARENT));
        let mut world = row.world().with("/orgs/default/projects", json!({"id": "dev"}));
        for (id, tier) in [("web", "a"), ("db", "b")] {
            let tags = json!([{"scope": "tier", "tag": tier}]);
            let shared = json!([{"resource_path": format!("{}/{id}", infra.collection)}]);
            world = infra.add(world, row, json!({"id": id, "display_name": id, "tags": tags}));
            let mine = format!("{id}-mine");
            world = project.add(
                world,
                row,
                json!({"id": mine, "display_name": mine, "tags": tags}),
            );
            world = world.with(
                "/orgs/default/projects/dev/shared-with-me",
                json!({"id": id, "display_name": id, "resource_objects": shared}),
            );
        }
        let bench = world.start();
        // The tags of shared groups are not known.
        let tagged: &[&str] = match function {
            "getPolicyGroups" => &["web-mine"],
            _ => &["web", "web-mine"],
        };
        for (filter, expected) in [
            (json!({"displayName": "web"}), &["web", "web-mine"][..]),
            (json!({"tagScope": "tier", "tag": "a"}), tagged),
            (json!({"tag": "a", "displayName": "db"}), &[]),
        ] {
            let mut input = project.input(filter.clone());
            input[include] = json!(true);
            let output = bench.answer(function, input).await;
            let mut ids = column(&output, "id");
            ids.sort_unstable();
            assert_eq!(ids, expected, "{function} {filter}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn lists_of_a_project_that_does_not_exist_are_an_error() {
    for (row, _) in maps() {
        let bench = row.world().start();
        let input = json!({"context": {"projectId": "missing"}});
        if row.function == "getPolicyTier0Gateways" || row.function == "getPolicyTier1Gateways" {
            continue;
        }
        let error = bench.failure(row.function, input).await;
        assert_eq!(error.kind(), NotFound, "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn groups_are_listed_by_domain() {
    let bench = World::local().start();
    let output = bench.answer("getPolicyGroups", json!({"domain": "cgw"})).await;
    assert_eq!(
        output["items"],
        json!({"web-servers": "/infra/domains/cgw/groups/web-servers"})
    );
    let error = bench
        .failure("getPolicyGroups", json!({"domain": "missing"}))
        .await;
    assert_eq!(error.kind(), NotFound, "{error}");
}

#[tokio::test(start_paused = true)]
async fn segment_ports_are_listed_by_attachment_segment_and_name() {
    const FUNCTION: &str = "getPolicySegmentPorts";
    let row = row(FUNCTION);
    let places = ["one", "one-2"].map(|segment| Place::below(row, Tree::Default, segment));
    let mut world = row.world();
    for (place, id, name, attachment) in [
        (&places[0], "a", "web", "vif-1"),
        (&places[0], "b", "web-2", "vif-10"),
        (&places[1], "c", "web", "vif-2"),
    ] {
        let body =
            json!({"id": id, "display_name": name, "description": "text", "attachment": {"id": attachment}});
        world = place.add(world, row, body);
    }
    let bench = world.start();
    let (one, two) = ("/infra/segments/one", "/infra/segments/one-2");
    for (input, expected) in [
        (json!({"segmentPath": one}), vec!["a", "b"]),
        (json!({"segmentPath": two}), vec!["c"]),
        (json!({"displayName": "web"}), vec!["c", "a"]),
        (json!({"vifId": "vif-1"}), vec!["a"]),
        (json!({"vifId": "vif-1", "segmentPath": two}), vec![]),
        (json!({"displayName": "web", "segmentPath": one}), vec!["a"]),
        (json!({"displayName": "we"}), vec![]),
    ] {
        let output = bench.answer(FUNCTION, input.clone()).await;
        let mut ids: Vec<String> = column(&output, "id");
        let mut expected = expected.clone();
        assert!(column(&output, "path").is_sorted());
        ids.sort_unstable();
        expected.sort_unstable();
        assert_eq!(ids, expected, "{input}");
        assert_eq!(output["items"], output["objects"]);
        for request in bench.requests() {
            let path = request.split(' ').nth(1).unwrap();
            let is_list =
                path == format!("/policy/api/v1{one}/ports") || path == format!("/policy/api/v1{two}/ports");
            assert!(
                is_list || request.contains("resource_type:SegmentPort "),
                "{request}"
            );
        }
    }
    let output = bench.answer(FUNCTION, json!({"vifId": "vif-10"})).await;
    for (name, value) in [
        ("id", "b"),
        ("displayName", "web-2"),
        ("description", "text"),
        ("path", "/infra/segments/one/ports/b"),
        ("vifId", "vif-10"),
        ("segmentPath", one),
    ] {
        assert_eq!(output["items"][0][name], value, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn tags_of_a_scope_are_listed() {
    const FUNCTION: &str = "getPolicyTags";
    let mut world = World::local().bare();
    world.settings.max_page_size = 2;
    for (id, scope, tag) in [
        ("a", "tier", "web"),
        ("b", "tier", "app"),
        ("c", "tier", "db"),
        ("d", "site", "x"),
    ] {
        let body = json!({"id": id, "tags": [{"scope": scope, "tag": tag}]});
        world = world.with("/infra/segments", body);
    }
    let bench = world.start();
    let output = bench.answer(FUNCTION, json!({"scope": "tier"})).await;
    let mut items: Vec<&str> = output["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    items.sort_unstable();
    assert_eq!(items, ["app", "db", "web"]);
    for request in bench.requests() {
        assert!(
            request.starts_with("GET /policy/api/v1/infra/tags ") && request.contains("scope=tier"),
            "{request}"
        );
    }
    let none = bench.answer(FUNCTION, json!({"scope": "none"})).await;
    assert_eq!(none["items"], json!([]));
    let error = bench.failure(FUNCTION, json!({})).await;
    assert_eq!(error.kind(), InvalidInput, "{error}");
}
