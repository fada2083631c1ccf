//! Own values of a program for children.

use std::sync::LazyLock;

use serde_json::{Value as Json, json};

use super::super::{ConstructRequest, construct};
use crate::components::recording::RecordingEngine;
use crate::components::{
    Child, ChildKind, ChildOptions, ChildPackage, ChildValues, Component, ConstructError, InputFailure,
    Output, OutputData, Own, Plain, Scope, json_text, object, properties, record,
};
use crate::schema::ChildSchemas;
use crate::values::{Object, Value};

record! {
    /// Inputs of the component.
    #[derive(Default)]
    struct Inputs {
        /// Own values.
        children: Option<ChildValues>,
        /// Whether there is a log.
        logs: Option<Plain<bool>>,
    }
}
object! {
    /// No outputs.
    struct Nothing {}
}

const SERVER: ChildKind = ChildKind {
    token: "cloud:v1:Server",
    own: &[Own {
        paths: &["name", "network.role"],
        reason: "the component creates it",
    }],
    json_texts: &["policy"],
    keeps_null: &["chart"],
    instead: &[("network.all", "network.ports")],
    rules: |server| {
        let number = |name| server.get("network")?.as_object()?.get(name)?.as_number();
        let is_wrong = number("least") > number("most");
        let failure = InputFailure::new("network", "least exceeds most");
        is_wrong.then_some(failure).into_iter().collect()
    },
};
const LOG: ChildKind = ChildKind {
    token: "cloud:v1:Log",
    own: &[],
    json_texts: &[],
    keeps_null: &[],
    instead: &[],
    rules: |_| Vec::new(),
};

/// A server, a log, and a nested component with a server.
struct Site;
/// A server.
struct Part;

impl Component for Site {
    const TOKEN: &'static str = "test:index:Site";
    const PACKAGES: &'static [ChildPackage] = &[];
    const CHILDREN: &'static [Child] = &[
        Child::new("server", &SERVER, "The server")
            .registered_as("")
            .texts(&["policy.mode", "policy.env"]),
        Child::new("part-server", &SERVER, "The server of the part"),
        Child::new("log-*", &LOG, "A log").only("with `logs`"),
    ];
    type Inputs = Inputs;
    type Outputs = Nothing;

    fn child_values(inputs: &Inputs) -> Option<&ChildValues> {
        inputs.children.as_ref()
    }

    fn child_schemas() -> Option<&'static ChildSchemas> {
        static SCHEMAS: LazyLock<ChildSchemas> = LazyLock::new(|| {
            let text = json!({ "type": "string" });
            let any = json!({ "type": "object", "additionalProperties": {} });
            let list = json!({ "type": "array", "minItems": 1 });
            let server = json!({
                "inputProperties": {
                    "name": text, "image": text, "policy": text, "network": any, "chart": any, "disks": list,
                },
                "requiredInputs": ["chart"],
            });
            let log = json!({ "inputProperties": {
                "days": { "type": "integer", "minimum": 1, "maximum": 90 },
                "class": { "type": "string", "enum": ["STANDARD", "CHEAP"], "maxLength": 8 },
                "key": { "type": "string", "pattern": "^key-[0-9]+$" },
                "readers": { "type": "array", "items": text, "minItems": 2, "maxItems": 3 },
                "rules": { "type": "array", "items": {
                    "type": "object", "properties": { "key": text, "value": text }, "required": ["key"],
                } },
            } });
            let resources = json!({ "cloud:v1:Server": server, "cloud:v1:Log": log });
            let package = json!({ "name": "cloud", "resources": resources }).to_string();
            ChildSchemas::parse([package.as_str()]).unwrap()
        });
        Some(&SCHEMAS)
    }

    fn build(scope: &Scope, inputs: Inputs) -> Result<Nothing, ConstructError> {
        // Known only when the server is registered.
        let role = Output::later(async { Ok(OutputData::known("r".to_owned())) });
        let network = properties! { "role": role, "ports": [1, 2] };
        let server = properties! {
            "image": "linux",
            "policy": json_text(properties! { "a": "1" }),
            "network": network,
            "chart": properties! { "a": "1", "b": "2" },
        };
        scope.register("cloud:v2:Server", scope.name(), server, ChildOptions::new());
        if inputs.logs.is_some_and(|logs| *logs.get()) {
            let name = format!("{}-log-main", scope.name());
            scope.register("cloud:v1:Log", name, properties! {}, ChildOptions::new());
        }
        let name = format!("{}-part", scope.name());
        scope.component::<Part>(name, Inputs::default(), ChildOptions::new())?;
        Ok(Nothing {})
    }
}

impl Component for Part {
    const TOKEN: &'static str = "test:index:Part";
    const PACKAGES: &'static [ChildPackage] = &[];
    type Inputs = Inputs;
    type Outputs = Nothing;

    fn build(scope: &Scope, _: Inputs) -> Result<Nothing, ConstructError> {
        let name = format!("{}-server", scope.name());
        scope.register("cloud:v1:Server", name, properties! {}, ChildOptions::new());
        Ok(Nothing {})
    }
}

/// The inputs of each child of a site, by its name.
async fn site(inputs: impl Into<Value>) -> Result<Vec<(String, Object)>, (usize, String)> {
    let engine = RecordingEngine::new();
    let Value::Object(inputs) = inputs.into() else {
        panic!("inputs are an object")
    };
    let request = ConstructRequest {
        name: "x".to_owned(),
        inputs,
        ..ConstructRequest::default()
    };
    let made = construct::<Site>(engine.registrar(), request).await;
    let registrations = engine.record().registrations;
    match made {
        Ok(_) => Ok(registrations
            .into_iter()
            .filter(|one| one.custom)
            .map(|one| (one.name, one.inputs))
            .collect()),
        Err(error) => Err((registrations.len(), error.to_string())),
    }
}

fn json_inputs(inputs: Json) -> Value {
    Value::from_json(inputs).unwrap()
}

async fn refused(inputs: Json) -> String {
    let (registered, problems) = site(json_inputs(inputs)).await.unwrap_err();
    assert_eq!(registered, 0, "{problems}");
    problems
}

#[tokio::test]
async fn values_are_merged_over_those_of_the_component_at_any_depth() {
    let inputs = json!({ "logs": true, "children": {
        "server": {
            "image": null, "policy": { "b": "2" }, "network": { "ports": [3], "zone": "a" }, "chart": { "a": null },
        },
        "part-server": { "image": "linux" },
        "log-main": { "days": 3 },
    } });
    let made = site(json_inputs(inputs)).await.unwrap();
    let made: Vec<_> = made
        .iter()
        .map(|(name, inputs)| (name.as_str(), Value::Object(inputs.clone()).to_json()))
        .collect();
    let server = json!({
        "policy": r#"{"a":"1","b":"2"}"#,
        "network": { "role": "r", "ports": [3], "zone": "a" },
        "chart": { "a": null, "b": "2" },
    });
    let expected = [
        ("x", server),
        ("x-log-main", json!({ "days": 3 })),
        ("x-part-server", json!({ "image": "linux" })),
    ];
    let mut made = made;
    made.sort_by_key(|(name, _)| *name);
    assert_eq!(made, expected);
}

#[tokio::test]
async fn secret_and_unknown_values_are_sent_as_such() {
    let policy = Value::from([("b", Value::secret("2")), ("c", "3".into())]);
    let server = Value::from([
        ("policy", policy),
        ("image", Value::UNKNOWN),
        ("network", Value::from([("zone", Value::secret("a"))])),
    ]);
    let part = Value::secret(Value::from([("image", "hidden".into())]));
    let children = Value::from([("server", server), ("part-server", part)]);
    let made = site(Value::from([("children", children)])).await.unwrap();
    let of = |name: &str| &made.iter().find(|(child, _)| child == name).unwrap().1;
    assert_eq!(of("x")["policy"], Value::secret(r#"{"a":"1","b":"2","c":"3"}"#));
    assert_eq!(of("x")["image"], Value::UNKNOWN);
    assert_eq!(
        of("x")["network"].as_object().unwrap()["zone"],
        Value::secret("a")
    );
    assert_eq!(of("x-part-server")["image"], Value::secret("hidden"));
}

#[tokio::test]
async fn values_that_fit_no_child_are_refused_before_anything_is_registered() {
    let children = json!({
        "servr": {},
        "server": {
            "imge": "linux", "name": "y", "network": { "role": "s", "zone": 1 }, "policy": { "c": 1 }, "chart": "text",
        },
        "part-server": { "network": null, "policy": "[]", "disks": [] },
        "log-main": "text",
        "log-other": { "days": 1.5 },
        "log": {},
        "": {},
    });
    let problems = refused(json!({ "children": children })).await;
    assert_eq!(problems, r#"children["log-main"]: expected a map"#);
    let mut children = children;
    children.as_object_mut().unwrap().remove("log-main");
    let problems = refused(json!({ "children": children })).await;
    let expected = [
        r#"children[""]: is not the name of a child"#,
        "children.log: is not the name of a child",
        r#"children["log-other"]: does not exist: this child only exists with `logs`"#,
        r#"children["log-other"].days: must be of type "integer""#,
        r#"children["part-server"].network: cannot be changed: the component creates it"#,
        r#"children["part-server"].policy: must be an object, or the JSON text of one"#,
        r#"children["part-server"].disks: must not be empty"#,
        "children.server.name: cannot be changed: the component creates it",
        "children.server.network.role: cannot be changed: the component creates it",
        r#"children.server.chart: must be of type "object""#,
        "children.server.imge: is an unknown property; did you mean `image`?",
        "children.servr: is not the name of a child; did you mean `server`?",
    ];
    assert_eq!(problems, expected.join("; "));
}

#[tokio::test]
async fn a_child_that_does_not_exist_with_the_inputs_is_refused_with_its_condition() {
    let children = json!({ "log-main": { "days": 3 } });
    assert_eq!(
        refused(json!({ "children": children })).await,
        r#"children["log-main"]: does not exist: this child only exists with `logs`"#
    );
    let children = json!({ "log-mian": { "days": 3 } });
    assert!(
        refused(json!({ "logs": true, "children": children }))
            .await
            .ends_with("only exists with `logs`; did you mean `log-main`?")
    );
}

#[tokio::test]
async fn limits_of_a_schema_are_checked() {
    let log = json!({ "days": 91, "class": "EXPENSIVE", "key": "key", "readers": ["a"] });
    let problems = refused(json!({ "logs": true, "children": { "log-main": log } })).await;
    let expected = [
        "class: must be one of STANDARD, CHEAP",
        "days: must be from 1 to 90",
        "key: must match ^key-[0-9]+$",
        "readers: must have at least 2 elements, not 1",
    ];
    let expected = expected.map(|problem| format!(r#"children["log-main"].{problem}"#));
    assert_eq!(problems, expected.join("; "));
    for log in [json!({ "days": 0 }), json!({ "readers": ["a", "b", "c", "d"] })] {
        refused(json!({ "logs": true, "children": { "log-main": log } })).await;
    }
    let log = json!({ "rules": [{ "value": "a" }] });
    assert_eq!(
        refused(json!({ "logs": true, "children": { "log-main": log } })).await,
        r#"children["log-main"].rules[0].key: is required"#
    );
    let log = json!({ "days": 90, "class": "CHEAP", "key": "key-1", "readers": ["a", "b"] });
    let inputs = json!({ "logs": true, "children": { "log-main": log } });
    site(json_inputs(inputs)).await.unwrap();
}

#[tokio::test]
async fn a_property_that_excludes_another_one_removes_it() {
    let network = |network: Json| json!({ "children": { "server": { "network": network } } });
    let made = site(json_inputs(network(json!({ "all": true })))).await.unwrap();
    let server = &made.iter().find(|(name, _)| name == "x").unwrap().1;
    assert_eq!(server["network"].to_json(), json!({ "all": true, "role": "r" }));
    // A null is no value.
    let made = site(json_inputs(network(json!({ "all": null })))).await.unwrap();
    let server = &made.iter().find(|(name, _)| name == "x").unwrap().1;
    assert_eq!(server["network"].to_json()["ports"], json!([1, 2]));
    assert_eq!(
        refused(network(json!({ "all": true, "ports": [3] }))).await,
        "children.server.network.all: cannot be set together with network.ports"
    );
}

#[tokio::test]
async fn numbers_inside_texts_and_values_that_break_rules_are_refused() {
    let env = json!({ "a": 1, "b": "2", "c": { "d": 3 } });
    let policy = json!({ "mode": true, "env": env, "other": 4 });
    let expected = r#"children.server.policy.mode: must be text, such as "true"; children.server.policy.env.a: must be text, such as "1""#;
    for policy in [policy.clone(), json!(policy.to_string())] {
        let problems = refused(json!({ "children": { "server": { "policy": policy } } })).await;
        assert_eq!(problems, expected);
    }
    let network = |network: Json| json!({ "children": { "server": { "network": network } } });
    assert_eq!(
        refused(network(json!({ "least": 3, "most": 2 }))).await,
        "children.server.network: least exceeds most"
    );
    site(json_inputs(network(json!({ "least": 2, "most": 2 }))))
        .await
        .unwrap();
}

#[tokio::test]
async fn problems_that_need_the_component_are_reported_with_the_others() {
    let children = json!({
        "log-main": { "days": 91 },
        "part-server": { "without": ["chart"] },
        "server": { "without": ["chart"], "imge": "linux" },
        "servr": {},
    });
    let problems = refused(json!({ "children": children })).await;
    let expected = [
        r#"children["log-main"]: does not exist: this child only exists with `logs`"#,
        r#"children["log-main"].days: must be from 1 to 90"#,
        r#"children["part-server"].chart: is required"#,
        "children.server.imge: is an unknown property; did you mean `image`?",
        "children.server.chart: is required",
        "children.servr: is not the name of a child; did you mean `server`?",
    ];
    assert_eq!(problems, expected.join("; "));
    // With problems of other inputs, the component is not built.
    let problems = refused(json!({ "logs": "no", "children": children })).await;
    assert!(
        problems.contains("logs: ") && problems.contains("imge"),
        "{problems}"
    );
}

/// YAML programs cannot give nulls.
#[tokio::test]
async fn properties_are_also_removed_by_their_paths() {
    let server = json!({ "without": ["image", "chart.a"], "chart": { "c": "3" } });
    let inputs = json!({ "children": { "server": server } });
    let made = site(json_inputs(inputs)).await.unwrap();
    let server = &made.iter().find(|(name, _)| name == "x").unwrap().1;
    assert_eq!(server.get("image"), None);
    assert_eq!(
        server["chart"].to_json(),
        json!({ "a": null, "b": "2", "c": "3" })
    );
    for (without, expected) in [
        (json!("image"), "children.server.without: expected a list"),
        (
            json!(["chart[0]"]),
            "children.server.without[0]: must be the path of a property that has no value here",
        ),
        (json!(["chart"]), "children.server.chart: is required"),
        (
            json!(["network.role"]),
            "children.server.network.role: cannot be changed: the component creates it",
        ),
    ] {
        let inputs = json!({ "children": { "server": { "without": without } } });
        assert_eq!(refused(inputs).await, expected);
    }
}

#[tokio::test]
async fn names_must_be_known_but_values_need_not_be() {
    let unknown = Value::from([("children", Value::from([("server", Value::UNKNOWN)]))]);
    let (registered, problems) = site(unknown).await.unwrap_err();
    assert_eq!(registered, 0);
    assert_eq!(
        problems,
        "children.server: must be known during a preview, but depends on an unknown value"
    );
}
