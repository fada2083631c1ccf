//! Components of other packages, existing resources, and methods of the former.

use crate::components::recording::RecordingEngine;
use crate::components::{
    ChildOptions, ChildPackage, Component, ConstructError, Constructed, MethodCall, Output, Resource, Scope,
    object, properties, record,
};
use crate::values::{OutputValue, ProviderReference, ReferenceId, Value};

use super::super::{ConstructRequest, construct};

record! {
    /// Inputs.
    struct Inputs {
        /// Identifier of a network that exists.
        network: Output<String>,
    }
}
object! {
    /// Outputs.
    struct Outputs {
        /// The cluster.
        cluster: Resource,
        /// A token for it.
        token: Output<String>,
        /// Range of the network.
        range: Output<String>,
    }
}

/// A cluster of another package in a network that exists.
struct Shop;

impl Component for Shop {
    const TOKEN: &'static str = "shop:index:Shop";
    const PACKAGES: &'static [ChildPackage] = &[ChildPackage {
        name: "far",
        version: "2.0.0",
        download_url: Some("https://far"),
    }];
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn build(scope: &Scope, inputs: Inputs) -> Result<Outputs, ConstructError> {
        let state = properties! { "zone": "a" };
        let network = scope.read(
            "far:index:Network",
            "network",
            inputs.network,
            state,
            ChildOptions::new(),
        );
        let range = network.output::<String>("range");
        let inputs = properties! { "range": range.clone() };
        let cluster = scope.remote("far:index:Cluster", "cluster", inputs, ChildOptions::new());
        let token = scope.call_method(&cluster, "token", properties! { "user": network.id() });
        Ok(Outputs {
            cluster,
            token: token.output("token"),
            range,
        })
    }
}

fn engine() -> RecordingEngine {
    RecordingEngine::new()
        .outputs(|registration| match registration.token.as_str() {
            "far:index:Network" => [("range".to_owned(), "10.0.0.0/8".into())].into(),
            _ => [].into(),
        })
        .method_results(|_| Some([("token".to_owned(), Value::secret("t"))].into()))
}

async fn built(
    engine: &RecordingEngine,
    preview: bool,
    network: Value,
) -> Result<Constructed, ConstructError> {
    let provider = ProviderReference {
        urn: "urn:far".into(),
        id: Some("p".to_owned()),
    };
    let request = ConstructRequest {
        name: "x".to_owned(),
        preview,
        inputs: [("network".to_owned(), network)].into(),
        providers: [("far".to_owned(), provider)].into(),
        ..ConstructRequest::default()
    };
    construct::<Shop>(engine.registrar(), request).await
}

#[tokio::test]
async fn a_remote_component_is_registered_as_such_with_the_providers_of_the_scope() {
    let engine = engine();
    let made = built(&engine, false, "n-1".into()).await.unwrap();
    let record = engine.record();
    let cluster = record.find("far:index:Cluster", "cluster").unwrap();
    assert!(cluster.remote && !cluster.custom);
    assert_eq!(cluster.providers["far"].urn, "urn:far".into());
    assert_eq!(
        (
            cluster.options.version.as_deref(),
            cluster.options.plugin_download_url.as_deref()
        ),
        (Some("2.0.0"), Some("https://far"))
    );
    let network = "urn:pulumi:test::test::shop:index:Shop$far:index:Network::network";
    assert_eq!(cluster.property_dependencies["range"], [network.into()].into());
    // A component has no identifier.
    let Value::Resource(reference) = &made.state["cluster"] else {
        panic!("{:?}", made.state)
    };
    assert_eq!(reference.id, None);
}

#[tokio::test]
async fn an_existing_resource_is_read_by_its_identifier() {
    let engine = engine();
    let made = built(&engine, false, "n-1".into()).await.unwrap();
    assert_eq!(made.state["range"], "10.0.0.0/8".into());
    let record = engine.record();
    assert!(record.find("far:index:Network", "network").is_none());
    let [(read, id)] = &record.reads[..] else {
        panic!("{:?}", record.reads)
    };
    assert_eq!(
        (read.token.as_str(), id.as_deref()),
        ("far:index:Network", Some("n-1"))
    );
    assert_eq!(read.inputs["zone"], "a".into());
    assert_eq!(read.provider.as_ref().unwrap().urn, "urn:far".into());
}

#[tokio::test]
async fn a_resource_that_does_not_exist_fails_the_component() {
    let engine = engine().fail("network", "no such network");
    let error = built(&engine, false, "n-1".into()).await.unwrap_err();
    assert_eq!(error.to_string(), r#"could not read far:index:Network "network""#);
}

#[tokio::test]
async fn a_preview_reads_what_exists_unless_its_identifier_is_unknown() {
    let made = built(&engine().preview(), true, "n-1".into()).await.unwrap();
    assert_eq!(made.state["range"], "10.0.0.0/8".into());

    let engine = engine().preview();
    let given = OutputValue {
        value: None,
        secret: false,
        dependencies: vec!["urn:other".into()],
    };
    let made = built(&engine, true, given.into()).await.unwrap();
    assert_eq!(made.state["range"], Value::UNKNOWN);
    let record = engine.record();
    let (read, id) = &record.reads[0];
    assert_eq!(id, &None);
    assert_eq!(read.dependencies, ["urn:other".into()].into());
}

#[tokio::test]
async fn a_method_of_a_remote_component_is_called_with_a_reference_to_it() {
    let engine = engine();
    let made = built(&engine, false, "n-1".into()).await.unwrap();
    assert_eq!(made.state["token"], Value::secret("t"));
    let record = engine.record();
    let [call] = &record.method_calls[..] else {
        panic!("{:?}", record.method_calls)
    };
    let MethodCall {
        token,
        arguments,
        version,
        ..
    } = call;
    assert_eq!(
        (token.as_str(), version.as_deref()),
        ("far:index:Cluster/token", Some("2.0.0"))
    );
    assert_eq!(arguments["user"], "n-1".into());
    let Value::Resource(this) = &arguments["__self__"] else {
        panic!("{arguments:?}")
    };
    assert_eq!(this.urn.parts().unwrap().name, "cluster");
    assert_eq!(this.id, None::<ReferenceId>);
}

#[tokio::test]
async fn a_method_without_a_result_in_a_preview_is_unknown_and_otherwise_a_failure() {
    let silent = engine().method_results(|_| None);
    let made = built(&silent.clone().preview(), true, "n-1".into())
        .await
        .unwrap();
    assert_eq!(made.state["token"], Value::UNKNOWN);
    let silent = engine().method_results(|_| None);
    let error = built(&silent, false, "n-1".into()).await.unwrap_err();
    assert_eq!(error.to_string(), "could not call far:index:Cluster/token");
}
