//! Failures of a component's own, and options that change registrations.

use crate::components::recording::RecordingEngine;
use crate::components::{
    ChildOptions, ChildPackage, Component, ConstructError, Constructed, InputProblems, Output, Scope,
    Severity, object, properties, record,
};
use crate::values::Value;

use super::super::{ConstructRequest, construct};

record! {
    /// Inputs.
    struct Inputs {
        /// Number of the port, as text.
        port: Output<String> = "80",
        /// The step that fails.
        fails: Option<crate::components::Plain<String>>,
    }
}
object! {
    /// Outputs.
    struct Outputs {
        /// The port.
        port: Output<i32>,
    }
}

/// A server with a rule, and a nested component.
struct Server;
struct Inner;

impl Component for Server {
    const TOKEN: &'static str = "test:index:Server";
    const PACKAGES: &'static [ChildPackage] = &[];
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn build(scope: &Scope, inputs: Inputs) -> Result<Outputs, ConstructError> {
        let fails = inputs.fails.as_ref().map_or("", |fails| fails.get());
        if fails == "text" {
            return Err(ConstructError::failed("there is no licence"));
        }
        if fails == "problems" {
            let mut problems = InputProblems::new();
            problems.add("port", "is taken");
            return Err(problems.into());
        }
        let port = inputs.port.clone().try_map(|text| text.parse::<i32>());
        let options = ChildOptions::new().import("i-1").transform(|server| {
            server.options.protect = Some(true);
            server.inputs.insert(
                "by".to_owned(),
                format!("{} {}", server.token, server.name).into(),
            );
        });
        let server = scope.register(
            "a:b:Server",
            "server",
            properties! { "port": port.clone() },
            options,
        );
        let options = ChildOptions::below(&server).transform(|rule| {
            // The transform of the parent comes later.
            assert_eq!(rule.options.protect, None);
            rule.options.ignore_changes.push("port".to_owned());
        });
        scope.register("a:b:Rule", "rule", properties! {}, options);
        let nested = ChildOptions::new().transform(|any| any.options.retain_on_delete = Some(true));
        scope.component::<Inner>("inner", inputs, nested)?;
        if scope.preview() {
            scope.info("this is a preview");
        }
        Ok(Outputs { port })
    }
}

impl Component for Inner {
    const TOKEN: &'static str = "test:index:Inner";
    const PACKAGES: &'static [ChildPackage] = &[];
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn build(scope: &Scope, inputs: Inputs) -> Result<Outputs, ConstructError> {
        if inputs.fails.is_some_and(|fails| fails.get() == "inside") {
            return Err(ConstructError::failed("the inner one fails"));
        }
        scope.register("a:b:Leaf", "leaf", properties! {}, ChildOptions::new());
        Ok(Outputs { port: 1.into() })
    }
}

async fn built<const N: usize>(
    engine: &RecordingEngine,
    inputs: [(&str, Value); N],
) -> Result<Constructed, ConstructError> {
    let request = ConstructRequest {
        name: "x".to_owned(),
        preview: true,
        inputs: inputs.map(|(name, value)| (name.to_owned(), value)).into(),
        ..ConstructRequest::default()
    };
    construct::<Server>(engine.registrar(), request).await
}

fn names(engine: &RecordingEngine) -> Vec<String> {
    let registrations = engine.record().registrations.into_iter();
    registrations.map(|registration| registration.name).collect()
}

#[tokio::test]
async fn a_component_that_fails_registers_nothing() {
    for (fails, expected) in [
        ("text", "there is no licence"),
        ("problems", "port: is taken"),
        ("inside", "the inner one fails"),
    ] {
        let engine = RecordingEngine::new().preview();
        let error = built(&engine, [("fails", fails.into())]).await.unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(names(&engine), [""; 0], "{fails}");
        assert_eq!(
            matches!(error, ConstructError::InvalidInput(_)),
            fails == "problems"
        );
    }
}

#[tokio::test]
async fn a_value_that_cannot_be_computed_fails_what_is_made_from_it() {
    let engine = RecordingEngine::new().preview();
    let error = built(&engine, [("port", "high".into())]).await.unwrap_err();
    assert_eq!(error.to_string(), "invalid digit found in string");
    assert!(!names(&engine).contains(&"server".to_owned()));

    let engine = RecordingEngine::new().preview();
    let made = built(&engine, [("port", Value::UNKNOWN)]).await.unwrap();
    assert_eq!(made.state["port"], Value::UNKNOWN);
}

#[tokio::test]
async fn a_default_stands_for_an_absent_input_and_for_null() {
    for inputs in [vec![], vec![("port", Value::Null)], vec![("port", "80".into())]] {
        let engine = RecordingEngine::new().preview();
        let request = ConstructRequest {
            name: "x".to_owned(),
            inputs: inputs
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            ..ConstructRequest::default()
        };
        construct::<Server>(engine.registrar(), request).await.unwrap();
        let record = engine.record();
        assert_eq!(
            record.find("a:b:Server", "server").unwrap().inputs["port"],
            80.into()
        );
    }
}

#[tokio::test]
async fn transforms_change_a_child_and_those_below_it_from_inside_to_outside() {
    let engine = RecordingEngine::new().preview();
    built(&engine, []).await.unwrap();
    let record = engine.record();
    let [server, rule, inner, leaf] = [
        ("a:b:Server", "server"),
        ("a:b:Rule", "rule"),
        ("test:index:Inner", "inner"),
        ("a:b:Leaf", "leaf"),
    ]
    .map(|(token, name)| record.find(token, name).unwrap());
    assert_eq!(server.options.import_id.as_deref(), Some("i-1"));
    assert_eq!(server.options.protect, Some(true));
    assert_eq!(server.inputs["by"], "a:b:Server server".into());
    assert_eq!(rule.inputs["by"], "a:b:Rule rule".into());
    assert_eq!(rule.options.ignore_changes, ["port"]);
    assert_eq!(rule.options.import_id, None);
    assert_eq!(inner.options.retain_on_delete, Some(true));
    assert_eq!(
        (leaf.options.retain_on_delete, leaf.options.protect),
        (Some(true), None)
    );
}

#[tokio::test]
async fn information_is_shown_with_the_component() {
    let engine = RecordingEngine::new().preview();
    let made = built(&engine, []).await.unwrap();
    let messages = engine.record().messages;
    let [message] = &messages[..] else {
        panic!("{messages:?}")
    };
    assert_eq!(
        (message.severity, message.text.as_str(), message.urn.as_ref()),
        (Severity::Info, "this is a preview", Some(&made.urn))
    );
}
