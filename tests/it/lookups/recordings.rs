//! Every function returns the same result from the simulator of a recording as from the recorded manager.

use std::collections::BTreeSet;

use netmgr_lookups::{ALL, Call, FunctionEntry, ListOptions, Waits};
use netmgr_recording::{END, RecordOptions, Recorded, Recording, Redaction, header};
use netmgr_sim::{CombinedSearches, Inventory, Manager, ManagerSettings};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::harness::{Bench, World, chain};

/// A recording of the manager, as text.
async fn record(bench: &Bench, options: RecordOptions) -> String {
    let client = bench.lookups.client();
    let header = header(client.connection(), &options);
    let mut text = json!({ "inventory": [header] }).to_string();
    let mut recording = Recording::new(client.clone(), options, bench.call().observer).unwrap();
    while let Some(step) = recording.next().await.unwrap() {
        match step {
            Recorded::Objects(objects) => text.extend(objects.iter().map(|object| object.document())),
            Recorded::Absent(path) => text.push_str(&json!({"absent": [path]}).to_string()),
            _ => {}
        }
    }
    text.push_str(&json!({ END: [] }).to_string());
    text
}

/// The redacted recording.
fn redacted(redaction: &Redaction, recording: &str) -> String {
    let mut text = Vec::new();
    redaction.copy(recording.as_bytes(), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// The manager of a recording, with the same configuration.
fn replay(world: &World, recording: &str) -> Bench {
    let mut inventory = Inventory::empty();
    inventory.add_document(recording).unwrap();
    assert_eq!(inventory.ignored().count(), 0);
    let settings = inventory.settings(ManagerSettings::default());
    let world = World {
        settings,
        inventory,
        ..world.clone()
    };
    world.start()
}

/// Inputs of a function: its example, the same with other names, and the id of the found object.
fn inputs(example: &Value) -> Vec<Value> {
    let mut inputs = vec![example.clone()];
    if let Some(name) = example["displayName"].as_str() {
        let prefix: String = name.chars().take(3).collect();
        for other in [
            format!("{name}-2"),
            format!("{name}-twin"),
            format!("{name}-old"),
            prefix,
        ] {
            let mut input = example.clone();
            input["displayName"] = other.into();
            inputs.push(input);
        }
    }
    inputs
}

/// States in addition to the states of the examples.
const STATES: [(&str, &str, &str); 4] = [
    (
        "getPolicyEdgeTransportNodeRealization",
        "path",
        "/infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-failing",
    ),
    (
        "getPolicyEdgeTransportNodeRealization",
        "path",
        "/infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-down",
    ),
    (
        "getComputeManagerRealization",
        "id",
        "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0012",
    ),
    (
        "getComputeManagerRealization",
        "id",
        "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0015",
    ),
];

async fn answers(bench: &Bench) -> Vec<String> {
    let call = Call::default().waits(Waits::ReportOnce);
    let mut answers = Vec::new();
    let states = STATES.map(|(function, input, value)| (function, json!({ input: value })));
    let examples = ALL.iter().flat_map(|entry| {
        let inputs = inputs(&entry.describe().example);
        inputs.into_iter().map(|input| (entry.spec.name, input))
    });
    for (function, input) in states.into_iter().chain(examples) {
        let question = format!("{function} {input}");
        let answer = match bench.lookups.invoke(function, input.clone(), &call).await {
            Ok(output) => {
                if let Some(id) = output["id"].as_str()
                    && input.get("displayName").is_some()
                {
                    let by_id = json!({ "id": id });
                    let again = bench.lookups.invoke(function, by_id, &call).await;
                    let again = again.map_or_else(|error| chain(&error), |output| output.to_string());
                    format!("{output}, by id {again}")
                } else {
                    output.to_string()
                }
            }
            Err(error) => chain(&error),
        };
        answers.push(format!("{question}: {answer}"));
    }
    answers
}

fn worlds() -> impl Strategy<Value = World> {
    const VERSIONS: &[&str] = &["3.2.0", "4.1.0", "4.2.1", "9.0.0", "9.1.1"];
    prop_oneof![
        3 => prop::sample::select(VERSIONS).prop_map(|version| World::local().version(version)),
        1 => Just(World::local()),
        1 => Just({
            let mut world = World::local();
            world.settings.manager_mode = netmgr_sim::ManagerMode::Gone;
            world
        }),
        1 => Just(World::global()),
        1 => Just(World::cloud()),
    ]
}

/// Removes and renames some of the objects, depending on `seed`. Parents of other objects are kept, as on a manager.
fn change(manager: &Manager, inventory: &Inventory, seed: u64) {
    let is_above = |path: &str| {
        let below = format!("{path}/");
        inventory.paths().any(|other| other.starts_with(&below))
    };
    let mut state = seed | 1;
    for path in inventory.paths() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        match state >> 60 {
            0 | 1 if !is_above(path) => manager.remove(path).unwrap(),
            2 => {
                let tags = json!([{"scope": "env", "tag": (state >> 50).to_string()}]);
                manager.update(path, json!({"tags": tags})).unwrap();
            }
            3 => {
                let name = format!("web-{}", state >> 50 & 3);
                manager.update(path, json!({"display_name": name})).unwrap();
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn prop_every_function_answers_from_a_recording_as_from_the_manager(world in worlds(), seed: u64) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            // States begin with their first read, so that another manager is recorded.
            let [asked, recorded] = [(), ()].map(|()| {
                let bench = world.clone().start();
                change(&bench.manager, &world.inventory, seed);
                bench
            });
            let recording = record(&recorded, RecordOptions::default()).await;
            let replayed = replay(&world, &recording);
            let (expected, actual) = (answers(&asked).await, answers(&replayed).await);
            assert_eq!(expected.len(), actual.len());
            let pairs = expected.iter().zip(&actual);
            let others = pairs.filter(|(expected, actual)| expected != actual);
            let others: Vec<String> = others.map(|(expected, actual)| format!("{expected}\n  not {actual}")).collect();
            assert!(others.is_empty(), "{}", others.join("\n"));
        });
    }
}

#[tokio::test(start_paused = true)]
async fn a_recording_takes_the_pages_of_its_objects_and_a_request_for_each_collection() {
    let mut world = World::local();
    world.inventory = Inventory::generated(5000, 7);
    let collections: std::collections::BTreeSet<_> = world
        .inventory
        .paths()
        .filter_map(|path| path.rsplit_once('/'))
        .map(|(above, _)| above.to_owned())
        .collect();
    let objects = world.inventory.paths().count();
    let bench = world.start();
    let recording = record(&bench, RecordOptions::default().states(0_usize)).await;
    assert!(recording.contains("machine-"));
    let requests = bench.requests();
    let most = objects.div_ceil(1000) + collections.len() + 10;
    assert!(
        requests.len() <= most,
        "{} requests, at most {most}",
        requests.len()
    );
    // Each state takes a request; those of many objects are left out.
    bench.warnings();
    record(&bench, RecordOptions::default()).await;
    let states = bench.requests().len() - requests.len();
    assert!((20..200).contains(&states), "{states}");
    let warnings = bench.warnings();
    let left_out = "edge-transport-nodes/state left out, because it takes 2";
    assert!(
        warnings.iter().any(|warning| warning.starts_with(left_out)),
        "{warnings:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn further_types_are_one_search_or_one_each_where_it_is_refused() {
    for combined in [CombinedSearches::Answered, CombinedSearches::Refused] {
        let mut world = World::local();
        world.settings.combined_searches = combined;
        let bench = world.start();
        let types = ["Rule", "StaticRoutes"].map(str::to_owned).to_vec();
        let recording = record(&bench, RecordOptions::default().types(types)).await;
        assert!(recording.contains(r#"{"/infra/domains/default/security-policies/web-to-db/rules":["#));
        assert!(!recording.contains(r#"{"/infra/domains/default/groups":["#));
        let requests = bench.requests();
        let searches = requests
            .iter()
            .filter(|request| request.contains("resource_type:"));
        let expected = if combined == CombinedSearches::Answered {
            1
        } else {
            3
        };
        assert_eq!(searches.count(), expected, "{requests:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_recording_of_a_project_has_nothing_else() {
    let bench = World::local().start();
    let recording = record(&bench, RecordOptions::default().project("dev")).await;
    let documents = serde_json::Deserializer::from_str(&recording).into_iter::<Value>();
    let mut of_project = 0;
    for document in documents {
        for path in document.unwrap().as_object().unwrap().keys() {
            let is_setting = path.starts_with("/api/v1/") || path.contains("intrusion-services");
            let is_of_project = path.starts_with("/orgs/default/projects");
            of_project += usize::from(is_of_project);
            let is_mark = ["inventory", "end"].contains(&path.as_str());
            assert!(is_of_project || is_setting || is_mark, "{path}");
            assert!(!path.contains("/projects/dev2"), "{path}");
        }
    }
    assert!(of_project > 10, "{of_project}");
}

#[tokio::test]
async fn an_unknown_type_is_refused() {
    let bench = World::local().start();
    let options = RecordOptions::default().types(vec!["Grop".to_owned()]);
    let client = bench.lookups.client().clone();
    let error = Recording::new(client, options, None).unwrap_err();
    assert!(chain(&error).contains("\"Grop\" is not a type"), "{error}");
}

/// The members that the objects of a list have.
async fn shapes(bench: &Bench, entry: &FunctionEntry, input: &Value) -> Result<Vec<String>, String> {
    let call = Call::default();
    let input = input.as_object().unwrap().clone();
    let listing = bench
        .lookups
        .list(entry.spec.name, input, ListOptions::default(), &call);
    let mut listing = listing.map_err(|error| chain(&error))?;
    let mut shapes = Vec::new();
    while let Some(page) = listing.next().await.map_err(|error| chain(&error))? {
        shapes.extend(page.rows.iter().map(|row| shape(row).to_string()));
    }
    shapes.sort();
    Ok(shapes)
}

/// A value without its strings.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), shape(value)))
            .collect(),
        Value::Array(values) => values.iter().map(shape).collect(),
        Value::String(text) => text.is_empty().into(),
        other => other.clone(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_redacted_recording_has_what_functions_return() {
    let world = World::local();
    let redaction = Redaction::new();
    let recording = record(&world.clone().start(), RecordOptions::default()).await;
    let whole = replay(&world, &recording);
    let less = replay(&world, &redacted(&redaction, &recording));
    let (mut compared, mut others) = (0, Vec::new());
    for entry in ALL.iter().filter(|entry| entry.is_listed()) {
        let example = entry.describe().example;
        let (mut input, mut replaced) = (json!({}), json!({}));
        for name in entry.list_inputs() {
            // Paths and contexts name the location of objects; other inputs select among them.
            let value = &example[&name];
            let id = |id: &str| redaction.list(&format!("/{id}"), Vec::new()).0[1..].to_owned();
            match value {
                Value::String(path) if path.starts_with('/') => {
                    input[&name] = value.clone();
                    replaced[&name] = redaction.list(path, Vec::new()).0.into();
                }
                Value::Object(context) => {
                    input[&name] = value.clone();
                    let ids = context
                        .iter()
                        .filter_map(|(name, value)| Some((name.clone(), Value::from(id(value.as_str()?)))));
                    replaced[&name] = ids.collect();
                }
                _ => {}
            }
        }
        let (expected, actual) = (
            shapes(&whole, entry, &input).await,
            shapes(&less, entry, &replaced).await,
        );
        compared += expected.as_ref().map_or(0, Vec::len);
        if expected != actual {
            others.push(format!(
                "{} {input}: {expected:?}\n  not {actual:?}; members that lookups need are listed in `redaction/members.rs`",
                entry.spec.name
            ));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
    assert!(compared > 200, "{compared}");
}

/// Ids, names, descriptions, tags and addresses of objects and everything that they contain, as JSON text.
fn private_texts(value: &Value, name: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                private_texts(value, name, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| private_texts(value, name, found)),
        Value::String(text) => {
            let is_name = [
                "id",
                "display_name",
                "description",
                "tag",
                "scope",
                "fqdn",
                "external_id",
            ];
            let address = text.split(['/', '-']).next().unwrap_or_default();
            let is_address = address.parse::<std::net::IpAddr>().is_ok();
            if is_address || is_name.contains(&name) && text.len() > 3 {
                found.insert(value.to_string());
            }
        }
        _ => {}
    }
}

#[tokio::test(start_paused = true)]
async fn a_redacted_recording_has_no_name_and_no_address() {
    let recording = record(&World::local().start(), RecordOptions::default()).await;
    let mut private = BTreeSet::new();
    for document in serde_json::Deserializer::from_str(&recording).into_iter::<Value>() {
        private_texts(&document.unwrap(), "", &mut private);
    }
    assert!(private.len() > 300, "{}", private.len());
    let redacted = redacted(&Redaction::new(), &recording);
    let left = private.iter().filter(|text| redacted.contains(*text));
    let left: Vec<&str> = left.map(|text| text.trim_matches('"')).collect();
    // Types and roles, which are also in other members, and ids of objects that every manager has.
    let allowed = [
        "EDGE",
        "HTTPS",
        "INTERNAL",
        "NAT64",
        "Proxy",
        "USER",
        "custom-signatures-diff",
        "default",
        "dns-forwarder",
        "intrusion-services",
        "network",
        "security-config",
        "settings",
    ];
    assert_eq!(left, allowed);
}
