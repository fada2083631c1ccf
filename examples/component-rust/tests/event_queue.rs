//! The component with an engine for tests, and its children against the schema of their package.

use pulumi_plugin::components::recording::RecordingEngine;
use pulumi_plugin::components::{ConstructError, ConstructRequest, Constructed, construct};
use pulumi_plugin::schema::{ChildSchemas, Package};
use pulumi_plugin::values::{ReferenceId, ResourceReference, Value};
use pulumi_resource_events::{COMPONENTS, EventQueue, PACKAGE};

/// Printed by `pulumi package get-schema aws@7.48.0`, reduced to what is used here.
const AWS: &str = include_str!("../../../tests/data/providers/aws.package.json");

fn engine() -> RecordingEngine {
    RecordingEngine::new().outputs(|registration| {
        let arn = format!("arn:aws:{}", registration.name);
        let role = ResourceReference {
            urn: "urn:role".into(),
            id: Some(ReferenceId::Known("role-1".to_owned())),
            ..ResourceReference::default()
        };
        [
            ("arn".to_owned(), arn.into()),
            ("name".to_owned(), "rule-1".into()),
            ("role".to_owned(), role.into()),
        ]
        .into()
    })
}

async fn built<const N: usize>(
    engine: &RecordingEngine,
    inputs: [(&str, Value); N],
) -> Result<Constructed, ConstructError> {
    let request = ConstructRequest {
        name: "orders".to_owned(),
        inputs: inputs.map(|(name, value)| (name.to_owned(), value)).into(),
        ..ConstructRequest::default()
    };
    construct::<EventQueue>(engine.registrar(), request).await
}

#[tokio::test]
async fn children_are_what_their_package_accepts() {
    let engine = engine();
    let made = built(&engine, [("pattern", r#"{"source":["shop"]}"#.into())])
        .await
        .unwrap();
    assert_eq!(made.state["url"], "orders-id".into());
    let record = engine.record();
    assert_eq!(record.registrations.len(), 5);
    let queue = record.find("aws:sqs/queue:Queue", "orders").unwrap();
    assert_eq!(queue.inputs["messageRetentionSeconds"], 345_600.into());
    let schemas = ChildSchemas::parse([AWS]).unwrap();
    assert_eq!(schemas.refusals(&record), [""; 0]);
}

#[tokio::test]
async fn a_consumer_has_a_role_of_another_package_and_rejected_events_a_queue_that_exists() {
    let engine = engine();
    let text = |name: &str| Value::from(name);
    let consumer = Value::from([
        ("oidcProviderArn", text("arn:oidc")),
        ("oidcProviderUrl", text("https://oidc")),
        ("namespaceName", text("shop")),
        ("serviceAccountName", text("orders")),
    ]);
    built(
        &engine,
        [
            ("pattern", "{}".into()),
            ("consumer", consumer.clone()),
            ("deadLetterQueueUrl", "https://sqs/dead".into()),
        ],
    )
    .await
    .unwrap();
    let record = engine.record();
    let role = record
        .find("clusterpkg:index:IamServiceAccountRole", "orders-consumer")
        .unwrap();
    assert!(role.remote);
    assert_eq!(Value::Object(role.inputs.clone()), consumer);
    let policy = record
        .find("aws:iam/rolePolicy:RolePolicy", "orders-consumer")
        .unwrap();
    assert_eq!(policy.inputs["role"], "role-1".into());
    let queue = record.find("aws:sqs/queue:Queue", "orders").unwrap();
    let policy = r#"{"deadLetterTargetArn":"arn:aws:orders-dead-letters","maxReceiveCount":3}"#;
    assert_eq!(queue.inputs["redrivePolicy"], policy.into());
    assert_eq!(record.reads[0].1.as_deref(), Some("https://sqs/dead"));
}

#[tokio::test]
async fn a_pattern_that_is_not_json_fails_the_component() {
    let engine = engine();
    let error = built(&engine, [("pattern", "[]".into())]).await.unwrap_err();
    assert_eq!(error.to_string(), "the pattern must be a JSON object");
}

#[tokio::test]
async fn a_retention_that_aws_refuses_is_refused_early() {
    let engine = engine();
    let error = built(
        &engine,
        [("pattern", "{}".into()), ("retentionSeconds", 59.into())],
    )
    .await
    .unwrap_err();
    assert_eq!(error.to_string(), "retentionSeconds: must be from 60 to 1209600");
    assert!(engine.record().registrations.is_empty());
}

#[test]
fn the_package_has_a_schema() {
    let schema = Package::of_components(PACKAGE, COMPONENTS).document().unwrap();
    let component = &schema["resources"]["events:index:EventQueue"];
    assert_eq!(
        component["inputProperties"]["retentionSeconds"]["default"],
        345_600
    );
    assert_eq!(
        component["methods"]["consumerPolicy"],
        "events:index:EventQueue/consumerPolicy"
    );
}
