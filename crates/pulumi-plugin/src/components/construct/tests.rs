//! Tests with a small component and the recorder: order, previews, secrets, failures, options.

use std::time::Duration;

use crate::values::{ReferenceId, ResourceReference};

use super::*;
use crate::components::recording::{EventKind, RecordingEngine};
use crate::components::{Alias, Severity};

mod checked;
mod children;
mod family;
mod fixture;
mod methods;
mod remote;
mod settings;

use fixture::{Inputs, Outer};

fn engine() -> RecordingEngine {
    RecordingEngine::new()
        .outputs(|registration| [("arn".to_owned(), format!("arn:{}", registration.name).into())].into())
        .results(|call| {
            call.arguments
                .contains_key("text")
                .then(|| [("id".to_owned(), "1234".into())].into())
        })
}

fn request<const N: usize>(inputs: [(&str, Value); N]) -> ConstructRequest {
    ConstructRequest {
        name: "x".to_owned(),
        inputs: inputs
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        ..ConstructRequest::default()
    }
}

async fn made(engine: &RecordingEngine, request: ConstructRequest) -> Result<Constructed, ConstructError> {
    construct::<Outer>(engine.registrar(), request).await
}

fn names(engine: &RecordingEngine) -> Vec<String> {
    engine
        .record()
        .registrations
        .into_iter()
        .map(|registration| registration.name)
        .collect()
}

#[tokio::test(start_paused = true)]
async fn children_wait_for_what_they_depend_on_and_for_nothing_else() {
    let engine = engine().latency(Duration::from_millis(100));
    made(&engine, request([("text", "t".into())])).await.unwrap();

    let record = engine.record();
    let arrivals: Vec<_> = record
        .events
        .iter()
        .filter(|event| event.what == EventKind::Arrived)
        .map(|event| (event.urn.parts().unwrap().name.to_owned(), event.at.as_millis()))
        .collect();
    let expected = [
        ("x", 0),
        ("x-first", 100),
        ("x-k8s", 100),
        ("x-second", 200),
        ("x-inner", 200),
        ("x-inner-map", 300),
        ("x-third", 400),
    ];
    assert_eq!(arrivals, expected.map(|(name, at)| (name.to_owned(), at)));
    assert_eq!(record.critical_path(), 5);
    assert_eq!(record.elapsed(), Duration::from_millis(500));
}

#[tokio::test]
async fn a_registration_carries_what_it_was_given() {
    let engine = engine();
    let aws = ProviderReference {
        urn: "urn:aws".into(),
        id: Some("p".to_owned()),
    };
    let request = ConstructRequest {
        providers: [("aws".to_owned(), aws.clone())].into(),
        input_dependencies: [("text".to_owned(), ["urn:pulumi:other".into()].into())].into(),
        ..request([("text", "t".into())])
    };
    made(&engine, request).await.unwrap();

    let record = engine.record();
    let first = record.find("aws:test:First", "x-first").unwrap();
    assert_eq!(first.dependencies, ["urn:pulumi:other".into()].into());
    assert_eq!(
        first.property_dependencies,
        [("text".to_owned(), ["urn:pulumi:other".into()].into())].into()
    );
    assert_eq!(
        (first.provider.as_ref(), first.options.version.as_deref()),
        (Some(&aws), Some("7.48.0"))
    );
    assert_eq!(
        first.parent,
        Some("urn:pulumi:test::test::test:index:Outer::x".into())
    );

    let second = record.find("aws:test:Second", "x-second").unwrap();
    let first_urn: Urn = "urn:pulumi:test::test::test:index:Outer$aws:test:First::x-first".into();
    assert_eq!(second.parent.as_ref(), Some(&first_urn));
    assert_eq!(second.inputs["account"], Value::from("1234"));
    assert_eq!(second.property_dependencies["arn"], [first_urn.clone()].into());
    assert_eq!(second.options.ignore_changes, ["arn"]);
    assert_eq!(second.options.aliases, [Alias::Urn("urn:old".into())]);

    let inner = record.find("test:index:Inner", "x-inner").unwrap();
    let map = record
        .find("kubernetes:core/v1:ConfigMap", "x-inner-map")
        .unwrap();
    assert!(!inner.custom && map.custom);
    assert_eq!(map.provider, inner.providers.get("kubernetes").cloned());
    assert_eq!(map.provider.as_ref().unwrap().id.as_deref(), Some("x-k8s-id"));
    assert_eq!(
        map.options.plugin_download_url.as_deref(),
        Some("https://plugins.example")
    );

    let third = record.find("aws:test:Third", "x-third").unwrap();
    let after: Vec<_> = third
        .dependencies
        .iter()
        .map(|urn| urn.parts().unwrap().name.to_owned())
        .collect();
    assert_eq!(after, ["x-second", "x-inner-map", "x-inner"]);
    assert_eq!(third.deleted_with, Some(first_urn));
    assert_eq!(third.options.timeouts.delete.as_deref(), Some("60s"));
    assert_eq!(third.provider, Some(aws));

    assert_eq!(
        record.calls[0].parent,
        Some("urn:pulumi:test::test::test:index:Outer::x".into())
    );
    assert_eq!(record.calls[0].version.as_deref(), Some("7.48.0"));
}

#[tokio::test]
async fn outputs_are_stored_and_answered_alike() {
    let engine = engine();
    let made = made(&engine, request([("text", "t".into())])).await.unwrap();

    let first_urn: Urn = "urn:pulumi:test::test::test:index:Outer$aws:test:First::x-first".into();
    assert_eq!(made.state["arn"], Value::from("arn:x-third"));
    assert_eq!(
        made.state["first"],
        Value::from(ResourceReference {
            urn: first_urn.clone(),
            id: Some(ReferenceId::Known("x-first-id".to_owned())),
            package_version: Some("7.48.0".to_owned()),
            ..ResourceReference::default()
        })
    );
    assert_eq!(made.state_dependencies["first"], [first_urn].into());
    let record = engine.record();
    assert_eq!(record.outputs[&made.urn], made.state);
    let inner: Urn = "urn:pulumi:test::test::test:index:Outer$test:index:Inner::x-inner".into();
    assert_eq!(record.outputs[&inner]["arn"], Value::from("arn:x-inner-map"));
    assert_eq!(record.messages[0].text, "made arn:x-third");
    assert_eq!(
        (record.messages[0].severity, record.messages[0].urn.as_ref()),
        (Severity::Warning, Some(&made.urn))
    );
}

#[tokio::test]
async fn a_preview_of_unknown_inputs_ends_with_unknown_outputs() {
    let engine = engine().preview();
    let request = ConstructRequest {
        preview: true,
        ..request([("text", Value::UNKNOWN), ("labels", Value::UNKNOWN)])
    };
    let made = made(&engine, request).await.unwrap();

    assert_eq!(names(&engine).len(), 7);
    assert_eq!(made.state["arn"], Value::UNKNOWN);
    assert!(matches!(
        &made.state["first"],
        Value::Resource(reference) if reference.id == Some(ReferenceId::Unknown)
    ));
    let record = engine.record();
    assert_eq!(record.calls, [], "a call with an unknown argument is not made");
    assert_eq!(record.messages, []);
    let second = record.find("aws:test:Second", "x-second").unwrap();
    assert_eq!(
        second.inputs,
        [
            ("account".to_owned(), Value::UNKNOWN),
            ("arn".to_owned(), Value::UNKNOWN)
        ]
        .into()
    );
    let map = record
        .find("kubernetes:core/v1:ConfigMap", "x-inner-map")
        .unwrap();
    assert_eq!(map.provider.as_ref().unwrap().id, None);
}

/// The engine does not call a provider with an unknown configuration; it returns an empty result.
#[tokio::test]
async fn an_empty_answer_in_a_preview_is_unknown() {
    let engine = engine().preview().results(|_| Some(Object::new()));
    let request = ConstructRequest {
        preview: true,
        ..request([("text", "t".into())])
    };
    made(&engine, request).await.unwrap();
    let record = engine.record();
    let second = record.find("aws:test:Second", "x-second").unwrap();
    assert_eq!(second.inputs["account"], Value::UNKNOWN);
}

#[tokio::test]
async fn an_empty_answer_in_an_update_is_wrong() {
    let engine = engine().results(|_| Some(Object::new()));
    let error = made(&engine, request([("text", "t".into())])).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "unexpected response of aws:test:getAccount: id: is missing"
    );
}

#[tokio::test]
async fn secrets_stay_secret_where_they_are() {
    let engine = engine();
    let elements = Value::Array(vec!["a".into(), Value::secret("b")]);
    made(
        &engine,
        request([("text", Value::secret("t")), ("elements", elements.clone())]),
    )
    .await
    .unwrap();

    let record = engine.record();
    let first = record.find("aws:test:First", "x-first").unwrap();
    assert_eq!(first.inputs["text"], Value::secret("t"));
    assert_eq!(first.inputs["elements"], elements);
    assert!(
        first.property_dependencies["elements"].is_empty(),
        "reported, although there are none"
    );
    assert_eq!(record.calls[0].arguments["text"], Value::from("t"));
    let second = record.find("aws:test:Second", "x-second").unwrap();
    assert_eq!(
        second.inputs["account"],
        Value::secret("1234"),
        "made from a secret argument"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failed_child_is_named_and_ends_everything() {
    let engine = engine()
        .latency(Duration::from_millis(100))
        .fail("x-inner", "quota exceeded");
    let error = made(&engine, request([("text", "t".into())])).await.unwrap_err();

    assert_eq!(
        error.to_string(),
        r#"could not register test:index:Inner "x-inner""#
    );
    assert_eq!(
        std::error::Error::source(&error).unwrap().to_string(),
        "quota exceeded"
    );
    assert_eq!(names(&engine), ["x", "x-first", "x-k8s", "x-second", "x-inner"]);
    assert!(engine.record().outputs.is_empty());
}

#[tokio::test(start_paused = true)]
async fn dropping_the_construction_abandons_what_is_outstanding() {
    let engine = engine().latency(Duration::from_secs(600));
    let _ = tokio::time::timeout(
        Duration::from_secs(900),
        made(&engine, request([("text", "t".into())])),
    )
    .await;

    let record = engine.record();
    let abandoned: Vec<_> = record
        .events
        .iter()
        .filter(|event| event.what == EventKind::Abandoned)
        .collect();
    assert_eq!(abandoned.len(), 2);
    assert!(abandoned.iter().all(|event| event.at == Duration::from_secs(900)));
}

#[tokio::test]
async fn a_failed_call_is_named() {
    let engine = engine().results(|_| None);
    let error = made(&engine, request([("text", "t".into())])).await.unwrap_err();
    assert_eq!(error.to_string(), "could not call aws:test:getAccount");
    let reason = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(reason, "no result is configured for aws:test:getAccount");
}

#[tokio::test]
async fn an_answer_without_a_promised_output_is_named() {
    let engine = engine().outputs(|_| Object::new());
    let error = made(&engine, request([("text", "t".into())])).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "unexpected response of aws:test:First \"x-first\": arn: is missing"
    );
}

#[tokio::test]
async fn every_problem_is_reported_before_anything_is_registered() {
    let rules = Value::Array(vec![
        Value::from([("times", 0.into())]),
        Value::from([("times", 1.5.into()), ("oddNAME", true.into())]),
        Value::from([
            ("oddName", Value::Null),
            ("surplus", 1.into()),
            ("time", 1.into()),
        ]),
    ]);
    let engine = engine();
    let inputs = request([
        ("elements", Value::from([("a", 1.into())])),
        ("nested", Value::UNKNOWN),
        ("rules", rules),
    ]);
    let ConstructError::InvalidInput(problems) = made(&engine, inputs).await.unwrap_err() else {
        panic!("wrong kind")
    };

    let found: Vec<_> = problems
        .iter()
        .map(|problem| format!("{} {}", problem.property, problem.reason))
        .collect();
    assert_eq!(
        found,
        [
            "text is required",
            "elements expected a list",
            "nested must be known during a preview, but depends on an unknown value",
            "rules[1].times expected an integer",
            "rules[1].oddNAME expected a string",
            "rules[2].times is required",
            "rules[2].surplus is unknown; the known properties are times, oddNAME",
            "rules[2].time is unknown; did you mean `times`?",
            "rules[0].times must be at least 1",
        ]
    );
    assert!(engine.record().registrations.is_empty());
}

#[tokio::test]
async fn null_is_the_same_as_absent() {
    let engine = engine();
    made(
        &engine,
        request([
            ("text", "t".into()),
            ("elements", Value::secret(Value::Null)),
            ("other", Value::Null),
        ]),
    )
    .await
    .unwrap();
    assert!(
        !engine
            .record()
            .find("aws:test:First", "x-first")
            .unwrap()
            .inputs
            .contains_key("elements")
    );
}

#[tokio::test]
async fn two_children_of_one_name_and_type_are_refused_by_the_recorder() {
    let engine = engine();
    made(&engine, request([("text", "t".into())])).await.unwrap();
    let error = made(&engine, request([("text", "t".into())])).await.unwrap_err();
    let reason = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(
        reason,
        "duplicate resource URN 'urn:pulumi:test::test::test:index:Outer::x'"
    );
}

#[test]
fn the_schema_says_what_is_plain_required_and_renamed() {
    let mut generator = schemars::SchemaGenerator::default();
    let schema = <Inputs as schemars::JsonSchema>::json_schema(&mut generator);
    assert_eq!(schema.get("required").unwrap(), &serde_json::json!(["text"]));
    assert_eq!(
        schema.pointer("/properties/nested/x-plain").unwrap(),
        &serde_json::json!(true)
    );
    assert_eq!(
        schema.pointer("/properties/elements/description").unwrap(),
        "Elements passed to the first child."
    );
    let definitions = generator.take_definitions(true);
    let rule = &definitions["Rule"];
    assert_eq!(rule["required"], serde_json::json!(["times"]));
    assert!(rule["properties"]["oddNAME"].is_object());
}

#[tokio::test]
async fn a_recorded_graph_can_be_drawn() {
    let engine = engine().preview().results(|_| None);
    let request = ConstructRequest {
        preview: true,
        ..request([("text", "t".into()), ("nested", false.into())])
    };
    made(&engine, request).await.unwrap();
    insta::assert_snapshot!(engine.record().mermaid());
}

#[tokio::test]
async fn the_recorder_refuses_what_comes_before_its_parent() {
    let registration = Registration {
        token: "aws:test:Child".to_owned(),
        name: "child".to_owned(),
        parent: Some("urn:pulumi:test::test::aws:test:Parent::parent".into()),
        ..Registration::default()
    };
    let error = RecordingEngine::new().register(registration).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "urn:pulumi:test::test::aws:test:Parent$aws:test:Child::child was registered before \
         urn:pulumi:test::test::aws:test:Parent::parent was resolved"
    );
}

#[test]
fn debug_shows_no_configuration_that_is_secret() {
    let config = Config {
        values: [("a:password", "hunter2"), ("a:host", "h")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
        secret_keys: vec!["a:password".to_owned()],
    };
    assert_eq!(
        format!("{config:?}"),
        r#"{"a:host": "h", "a:password": "[secret]"}"#
    );
}
