//! Calls of a component's methods.

use crate::components::recording::RecordingEngine;
use crate::components::{
    ChildOptions, ChildPackage, Component, ConstructError, InputProblems, Method, MethodEntry, MethodRequest,
    MethodResult, Output, Resource, Scope, object, properties, record,
};
use crate::values::{ResourceReference, Value};

record! {
    /// No inputs.
    struct Nothing {}
    /// Arguments of `open`.
    struct OpenArguments {
        /// Who opens it.
        user: Output<String>,
    }
}
object! {
    /// No outputs.
    struct Empty {}
    /// Results of `open`.
    struct OpenResults {
        /// Address for the user.
        address: Output<String>,
        /// Identifier of the session.
        session: Output<String>,
    }
}

struct Store;
struct Open;

impl Component for Store {
    const TOKEN: &'static str = "shop:index:Store";
    const PACKAGES: &'static [ChildPackage] = &[];
    const METHODS: &'static [MethodEntry] = &[MethodEntry::of::<Open>()];
    type Inputs = Nothing;
    type Outputs = Empty;

    fn build(_: &Scope, _: Nothing) -> Result<Empty, ConstructError> {
        Ok(Empty {})
    }
}

impl Method for Open {
    type Component = Store;
    const NAME: &'static str = "open";
    type Arguments = OpenArguments;
    type Results = OpenResults;

    fn call(scope: &Scope, this: &Resource, arguments: OpenArguments) -> Result<OpenResults, ConstructError> {
        let domain = this.output::<String>("domain");
        let session = scope.register(
            "a:b:Session",
            format!("{}-session", scope.name()),
            properties! { "user": arguments.user.clone() },
            ChildOptions::new(),
        );
        let address =
            crate::components::all((domain, arguments.user)).map(|(domain, user)| format!("{user}.{domain}"));
        Ok(OpenResults {
            address,
            session: session.id(),
        })
    }
}

/// The component, as the engine would have registered it.
const STORE: &str = "urn:pulumi:dev::shop::shop:index:Store::main";

fn engine() -> RecordingEngine {
    RecordingEngine::new().results(|call| {
        assert_eq!(call.token, "pulumi:pulumi:getResource");
        assert_eq!(call.arguments["urn"], STORE.into());
        let state = Value::from([("domain", Value::secret("shop.example"))]);
        Some([("urn".to_owned(), STORE.into()), ("state".to_owned(), state)].into())
    })
}

async fn called<const N: usize>(
    engine: &RecordingEngine,
    arguments: [(&str, Value); N],
) -> Result<MethodResult, ConstructError> {
    let request = MethodRequest {
        token: "shop:index:Store/open".to_owned(),
        arguments: arguments.map(|(name, value)| (name.to_owned(), value)).into(),
        argument_dependencies: [("user".to_owned(), ["urn:user".into()].into())].into(),
        ..MethodRequest::default()
    };
    (Store::METHODS[0].call)(engine.registrar(), request).await
}

fn this() -> Value {
    Value::from(ResourceReference {
        urn: STORE.into(),
        ..ResourceReference::default()
    })
}

#[tokio::test]
async fn a_method_has_the_outputs_of_its_component_and_registers_children_of_it() {
    let engine = engine();
    let result = called(&engine, [("__self__", this()), ("user", "jane".into())])
        .await
        .unwrap();
    // The domain is secret, and so is the address that contains it.
    assert_eq!(result.values["address"], Value::secret("jane.shop.example"));
    assert_eq!(
        result.dependencies["address"],
        [STORE.into(), "urn:user".into()].into()
    );
    assert_eq!(result.values["session"], "main-session-id".into());
    let record = engine.record();
    let session = record.find("a:b:Session", "main-session").unwrap();
    assert_eq!(session.parent, Some(STORE.into()));
    assert_eq!(session.property_dependencies["user"], ["urn:user".into()].into());
}

#[tokio::test]
async fn outputs_of_a_component_that_does_not_exist_yet_are_unknown() {
    let engine = RecordingEngine::new().preview();
    let request = MethodRequest {
        token: "shop:index:Store/open".to_owned(),
        arguments: [
            ("__self__".to_owned(), this()),
            ("user".to_owned(), "jane".into()),
        ]
        .into(),
        preview: true,
        ..MethodRequest::default()
    };
    let result = (Store::METHODS[0].call)(engine.registrar(), request)
        .await
        .unwrap();
    assert_eq!(result.values["address"], Value::UNKNOWN);
    assert_eq!(result.values["session"], Value::UNKNOWN);
    assert_eq!(result.dependencies["address"], [STORE.into()].into());
}

#[tokio::test]
async fn wrong_arguments_are_refused_before_anything_happens() {
    for (arguments, expected) in [
        (
            [("__self__", this()), ("user", 1.into())],
            "user: expected a string",
        ),
        (
            [("__self__", this()), ("who", "jane".into())],
            "user: is required; who: is unknown; the known properties are user",
        ),
        (
            [("__self__", "main".into()), ("user", "jane".into())],
            "__self__: must be a reference to the component",
        ),
    ] {
        let engine = engine();
        let error = called(&engine, arguments).await.unwrap_err();
        let ConstructError::InvalidInput(problems) = error else {
            panic!("{error}")
        };
        assert_eq!(InputProblems::to_string(&problems), expected);
        assert!(engine.record().registrations.is_empty());
    }
}
