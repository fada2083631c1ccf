//! Tests of the construction of components.

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use tonic::Code;

use crate::engine::{OUTPUT, SECRET, UNKNOWN, bag, envelope, served, text};
use crate::sample::{Sample, detail};

/// The detail of the engine's InputPropertiesError, implemented independently.
#[derive(prost::Message)]
struct InputProperties {
    #[prost(message, repeated, tag = "1")]
    errors: Vec<InputProperty>,
}

#[derive(prost::Message)]
struct InputProperty {
    #[prost(string, tag = "1")]
    property_path: String,
    #[prost(string, tag = "2")]
    reason: String,
}

/// A request with a monitor that is not needed.
fn request() -> rpc::ConstructRequest {
    rpc::ConstructRequest {
        monitor_endpoint: "127.0.0.1:1".to_owned(),
        ..Default::default()
    }
}

#[tokio::test]
async fn wrong_inputs_of_a_component_are_text_and_those_that_may_be_shown_details() {
    let mut engine = served(Sample::default()).await;
    let status = engine.client.construct(request()).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    // Engines before 3.134 show the message alone.
    assert_eq!(
        status.message(),
        "invalid input: subnetIds[0]: is no subnet; password: is too short"
    );
    let detail: InputProperties = detail(&status, "InputPropertiesError");
    let errors: Vec<_> = detail
        .errors
        .iter()
        .map(|e| (&*e.property_path, &*e.reason))
        .collect();
    assert_eq!(errors, [("subnetIds[0]", "is no subnet")]);
}

#[tokio::test]
async fn a_component_answers_with_outputs_only_when_the_engine_takes_them() {
    let mut engine = served(Sample::default()).await;
    let urns = prost_types::value::Kind::ListValue(prost_types::ListValue {
        values: vec![text("urn:a")],
    });
    let output = envelope(
        OUTPUT,
        [
            ("value", text("v")),
            ("dependencies", prost_types::Value { kind: Some(urns) }),
        ],
    );
    for (accepts_output_values, expected) in [(true, output.clone()), (false, text("v"))] {
        let inputs = bag([("name", output.clone())]);
        let request = rpc::ConstructRequest {
            inputs,
            accepts_output_values,
            ..request()
        };
        let answer = engine.client.construct(request).await.unwrap().into_inner();
        assert_eq!(answer.urn, "urn:component");
        assert_eq!(answer.state, bag([("name", expected)]));
        assert_eq!(answer.state_dependencies["name"].urns, ["urn:a"]);
    }
}

#[tokio::test]
async fn dependencies_of_outputs_are_reported_with_their_values() {
    let mut engine = served(Sample::default()).await;
    let urns = rpc::construct_request::PropertyDependencies {
        urns: vec!["urn:a".to_owned()],
    };
    let request = rpc::ConstructRequest {
        inputs: bag([
            ("address", text("v")),
            ("password", envelope(SECRET, [("value", text("p"))])),
            ("later", text(UNKNOWN)),
        ]),
        input_dependencies: ["address", "password", "later"]
            .map(|name| (name.to_owned(), urns.clone()))
            .into(),
        accepts_output_values: true,
        ..request()
    };
    let answer = engine.client.construct(request).await.unwrap().into_inner();
    let state = answer.state.unwrap().fields;
    let dependencies = prost_types::Value {
        kind: Some(prost_types::value::Kind::ListValue(prost_types::ListValue {
            values: vec![text("urn:a")],
        })),
    };
    let output = |members: &[(&'static str, prost_types::Value)]| {
        let mut output = envelope(OUTPUT, [("dependencies", dependencies.clone())]);
        let Some(prost_types::value::Kind::StructValue(bag)) = &mut output.kind else {
            panic!("{output:?}")
        };
        let members = members.iter().cloned();
        bag.fields
            .extend(members.map(|(name, value)| (name.to_owned(), value)));
        output
    };
    let secret = prost_types::Value {
        kind: Some(prost_types::value::Kind::BoolValue(true)),
    };
    assert_eq!(state["address"], output(&[("value", text("v"))]));
    assert_eq!(
        state["password"],
        output(&[("value", text("p")), ("secret", secret)])
    );
    assert_eq!(state["later"], output(&[]));
    assert_eq!(answer.state_dependencies["later"].urns, ["urn:a"]);
}

#[tokio::test]
async fn a_malformed_provider_reference_is_refused() {
    let mut engine = served(Sample::default()).await;
    let providers = [("aws".to_owned(), "nothing".to_owned())].into();
    let request = rpc::ConstructRequest {
        providers,
        ..Default::default()
    };
    let status = engine.client.construct(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().contains("\"aws\""), "{status}");
}
