//! Values that can fail although nothing uses them.

use crate::components::recording::RecordingEngine;
use crate::components::{
    ChildOptions, ChildPackage, Component, ConstructError, Constructed, Output, Scope, object, properties,
    record,
};

use super::super::{ConstructRequest, construct};

record! {
    /// Inputs of both components.
    #[derive(Default)]
    struct Inputs {
        /// The port.
        port: Option<Output<String>> where default("80"),
    }
}
object! {
    /// No outputs.
    struct Nothing {}
}

/// Two nested components, each of which checks its port.
struct Pair;
/// A server whose port and address are checked, without a use of the results.
struct Server;

impl Component for Pair {
    const TOKEN: &'static str = "test:index:Pair";
    const PACKAGES: &'static [ChildPackage] = &[];
    type Inputs = Inputs;
    type Outputs = Nothing;

    fn build(scope: &Scope, inputs: Inputs) -> Result<Nothing, ConstructError> {
        scope.component::<Server>("first", Inputs::default(), ChildOptions::new())?;
        scope.component::<Server>("second", inputs, ChildOptions::new())?;
        Ok(Nothing {})
    }
}

impl Component for Server {
    const TOKEN: &'static str = "test:index:Server";
    const PACKAGES: &'static [ChildPackage] = &[];
    type Inputs = Inputs;
    type Outputs = Nothing;

    fn build(scope: &Scope, inputs: Inputs) -> Result<Nothing, ConstructError> {
        let _ = inputs.port().try_map(|port| port.parse::<u16>());
        let name = format!("{}-server", scope.name());
        let server = scope.register("a:b:Server", name, properties! {}, ChildOptions::new());
        let _ = server
            .output::<String>("address")
            .try_map(|address| match address.as_str() {
                "0.0.0.0" => Err("the server has no address"),
                _ => Ok(()),
            });
        Ok(Nothing {})
    }
}

async fn built(engine: &RecordingEngine, port: &str) -> Result<Constructed, ConstructError> {
    let request = ConstructRequest {
        name: "pair".to_owned(),
        inputs: [("port".to_owned(), port.into())].into(),
        ..ConstructRequest::default()
    };
    construct::<Pair>(engine.registrar(), request).await
}

fn engine(second: &'static str) -> RecordingEngine {
    RecordingEngine::new().outputs(move |registration| {
        let address = match registration.name.as_str() {
            "second-server" => second,
            _ => "10.0.0.1",
        };
        [("address".to_owned(), address.into())].into()
    })
}

#[tokio::test]
async fn a_value_that_fails_fails_the_component_even_if_nothing_uses_it() {
    built(&engine("10.0.0.2"), "8080").await.unwrap();
    let error = built(&engine("10.0.0.2"), "high").await.unwrap_err();
    assert_eq!(error.to_string(), "invalid digit found in string");
    let error = built(&engine("0.0.0.0"), "8080").await.unwrap_err();
    assert_eq!(error.to_string(), "the server has no address");
}

#[tokio::test]
async fn a_check_of_a_child_that_failed_is_not_reported_again() {
    built(&engine("10.0.0.2").lose("second-server"), "8080")
        .await
        .unwrap();
}
