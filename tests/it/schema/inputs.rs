//! The input schemas against the decoders: an input is accepted by both or rejected by both.
//!
//! The exceptions are problems of several properties, and problems that depend on the kind of manager. The schemas
//! leave both to the function: [`BEYOND_SCHEMAS`].

use std::cell::Cell;

use bytes::Bytes;
use http::Response;
use netmgr_lookups::{ALL, Call, Error, FunctionEntry, InvalidProperty, Lookups};
use netmgr_transport::{Client, Stack};
use netmgr_types::{Deployment, ProviderConfig};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};

use super::{errors, input_schema, target, validator};

/// Problems that concern several properties, or the kind of manager.
const BEYOND_SCHEMAS: &[&str] = &[
    "is not a valid regular expression",
    "is required on a global manager",
    "is required unless `gatewayPath` is set",
    "is required unless `id` is `VERSION/ID`",
    "cannot be combined with `context.fromGlobal`",
    "is not in the `context`; change one of them",
    "cannot be combined with `id`",
    "cannot be combined with `path`",
    "cannot be combined with `displayName`",
    "cannot be combined with `",
    "is required, because each ",
    "must be a type of policy object",
    "is no type of members of this group",
    "must be an IPv4 or IPv6 address without",
    "is a site of a global manager; use a site of this manager, such as `/infra/sites/default`, or set \
     `globalManager` in the provider's configuration",
];

/// Lookups of a manager without responses, on which the function is available: invalid input is rejected before any
/// request.
fn lookups(entry: &FunctionEntry) -> Lookups {
    let stack = Stack::new(tower::service_fn(|_: http::Request<Bytes>| async {
        let reply = Response::builder().status(403).body(Bytes::new());
        Ok(reply.expect("a valid reply"))
    }));
    let is_global = !entry.spec.availability.includes(Deployment::PolicyManager);
    let config = json!({
        "host": "manager.test", "username": "admin", "password": "secret", "globalManager": is_global,
    });
    let connection = ProviderConfig::from_json(config).unwrap().resolve().unwrap();
    Lookups::new(Client::new(connection, stack))
}

/// The problems that the function finds in `input`.
fn problems(lookups: &Lookups, entry: &FunctionEntry, input: &Value) -> Vec<InvalidProperty> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let answer = runtime.block_on(lookups.invoke(entry.spec.name, input.clone(), &Call::default()));
    match answer {
        Err(Error::InvalidInput { problems, .. }) => problems,
        Err(_) => Vec::new(),
        // The only function that sends no request.
        Ok(_) if entry.spec.name == "getProviderInfo" => Vec::new(),
        Ok(output) => panic!("unexpected output: {output}"),
    }
}

/// Any value: often `example`, and usually a value that `schema` might accept.
fn any_value(schema: &Value, example: Option<&Value>) -> BoxedStrategy<Value> {
    let text = || {
        let node = "/infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-01";
        let plausible = prop::sample::select(vec!["edge", "/infra/sites/default", node]);
        let known = prop::sample::select(vec![
            "",
            "default",
            "a/b",
            "a&b",
            "/infra/sites/default/",
            "/global-infra/sites/paris",
            "/sites/default",
            "/infra/sites/",
            "/infra/sites/a/b",
            "/infra",
            "/infra//",
            "/infra/a//b",
            "/infra/a/b//",
            "/orgs/default/projects/dev/infra/a",
            "/tenants/a",
            "/infra/sites/a/enforcement-points/b/edge-transport-nodes",
            "/infra/enforcement-points/b/edge-transport-nodes/c",
        ]);
        prop_oneof![4 => plausible.prop_map(Value::from), 4 => known.prop_map(Value::from), 1 => "\\PC{0,8}".prop_map(Value::from)].boxed()
    };
    let number = || {
        prop::sample::select(vec![
            json!(0),
            json!(1),
            json!(5.0),
            json!(1.5),
            json!(0.5),
            json!(-1),
            json!(-0.5),
            json!(600),
            json!(4_294_967_295_u32),
            json!(4_294_967_296_u64),
            json!(1e19),
            json!(1e20),
            json!(1e300),
        ])
        .boxed()
    };
    let object = || {
        prop::sample::select(vec![
            json!({}),
            json!({ "projectId": "dev" }),
            json!({ "projectId": "" }),
            json!({ "projectId": "default" }),
            json!({ "projectId": "a/b" }),
            json!({ "projectId": "a&b" }),
            json!({ "projectId": null }),
            json!({ "projectId": 1 }),
            json!({ "projectId": "dev", "id": "a" }),
        ])
        .boxed()
    };
    let flag = || any::<bool>().prop_map(Value::from).boxed();
    let elements = || {
        let words = schema["items"]["enum"].as_array().cloned();
        let words = words.unwrap_or_else(|| vec![json!("a")]);
        let count = 0..=words.len();
        prop::sample::subsequence(words, count)
            .prop_map(Value::from)
            .boxed()
    };
    let types = schema["type"].to_string();
    let fitting = match () {
        () if types.contains("string") => text(),
        () if types.contains("number") || types.contains("integer") => number(),
        () if types.contains("boolean") => flag(),
        () if types.contains("array") => elements(),
        () => object(),
    };
    let fitting = match example.cloned() {
        Some(example) => prop_oneof![Just(example), fitting].boxed(),
        None => fitting,
    };
    prop_oneof![
        12 => fitting,
        1 => Just(Value::Null),
        1 => text(),
        1 => number(),
        1 => flag(),
        1 => object(),
        1 => Just(json!(["a"])),
    ]
    .boxed()
}

/// Any input: a subset of the properties, and rarely an unknown one.
fn any_input(schema: &Value, example: &Value) -> BoxedStrategy<Value> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut properties: Vec<BoxedStrategy<Option<(String, Value)>>> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let likely = if required.iter().any(|required| required == name) {
                0.95
            } else {
                0.4
            };
            let value = any_value(schema, example.get(name));
            let name = name.clone();
            let value = value.prop_map(move |value| (name.clone(), value));
            prop::option::weighted(likely, value).boxed()
        })
        .collect();
    let stranger = prop::sample::select(vec!["displayname", "display_name", "Id", "", "name"])
        .prop_map(|name| (name.to_owned(), json!("a")));
    properties.push(prop::option::weighted(0.1, stranger).boxed());
    properties
        .prop_map(|properties| Value::Object(properties.into_iter().flatten().collect::<Map<_, _>>()))
        .boxed()
}

#[test]
fn prop_what_a_schema_accepts_decodes_and_what_is_refused_it_refuses_too() {
    // Functions of which no input was accepted, or none refused.
    let mut undecided = Vec::new();
    for entry in ALL.iter() {
        let lookups = lookups(entry);
        let schema = input_schema(entry);
        let validator = validator(&schema);
        let config = Config {
            cases: 256,
            failure_persistence: None,
            max_global_rejects: 65_536,
            ..Config::default()
        };
        let (accepted, refused) = (Cell::new(0), Cell::new(0));
        let inputs = any_input(target(&schema), &entry.describe().example);
        let outcome = TestRunner::new(config).run(&inputs, |input| {
            let by_schema = errors(&validator, &input);
            let problems = problems(&lookups, entry, &input);
            // A problem of several properties does not name one.
            let beyond = |problem: &InvalidProperty| {
                let is_known = |reason: &&str| problem.reason.starts_with(reason);
                problem.property.is_empty() || BEYOND_SCHEMAS.iter().any(is_known)
            };
            prop_assume!(problems.is_empty() || !problems.iter().all(beyond));
            prop_assert_eq!(
                by_schema.is_empty(),
                problems.is_empty(),
                "{} {}: the schema says {:?}, the function {:?}",
                entry.spec.name,
                input,
                by_schema,
                problems
            );
            let count = if problems.is_empty() { &accepted } else { &refused };
            count.set(count.get() + 1);
            Ok(())
        });
        outcome.unwrap_or_else(|error| panic!("{error}"));
        if accepted.get() == 0 || refused.get() == 0 {
            undecided.push(entry.spec.name);
        }
    }
    assert_eq!(undecided, [""; 0]);
}

#[test]
fn anything_but_an_object_or_null_is_refused_by_both() {
    for entry in ALL.iter() {
        let lookups = lookups(entry);
        let validator = validator(&input_schema(entry));
        for input in [json!(["a"]), json!("a"), json!(1), json!(true)] {
            assert!(!validator.is_valid(&input), "{} {input}", entry.spec.name);
            assert!(
                !problems(&lookups, entry, &input).is_empty(),
                "{} {input}",
                entry.spec.name
            );
        }
    }
}
