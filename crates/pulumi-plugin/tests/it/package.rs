//! Tests of a package of components that is served as a whole: its schema, remote children, existing resources and
//! methods.

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_plugin::components::{
    ChildOptions, ChildPackage, Component, ComponentEntry, ConstructError, Method, MethodEntry, Output,
    Resource, Scope, object, properties, record,
};
use pulumi_plugin::rpc::ComponentPackage;
use pulumi_plugin::schema::PackageMeta;
use pulumi_testing::{FakeMonitor, created};
use tonic::Code;

use crate::engine::{UNKNOWN, bag, envelope, served, text};

const REFERENCE: &str = "5cf8f73096256a8f31e491e813e4eb8e";

record! {
    /// Inputs of a front.
    pub struct FrontInputs {
        /// Identifier of the network.
        pub network: Output<String> = "main",
    }
    /// Arguments of `greet`.
    pub struct GreetArguments {
        /// Name of a person.
        pub name: Output<String>,
    }
}
object! {
    /// Outputs of a front.
    pub struct FrontOutputs {
        /// Address of the back.
        pub address: Output<String>,
        /// A token of the back.
        pub token: Output<String>,
    }
    /// Results of `greet`.
    pub struct GreetResults {
        /// The greeting.
        pub greeting: Output<String>,
    }
}

struct Front;
struct Greet;
/// A component with a bug.
struct Broken;

impl Component for Broken {
    const TOKEN: &'static str = "front:index:Broken";
    const PACKAGES: &'static [ChildPackage] = &[];
    type Inputs = FrontInputs;
    type Outputs = FrontOutputs;

    fn build(scope: &Scope, inputs: FrontInputs) -> Result<FrontOutputs, ConstructError> {
        assert_ne!(scope.name(), "built", "hunter2");
        let id = scope
            .register("back:index:Table", "table", properties! {}, ChildOptions::new())
            .id();
        Ok(FrontOutputs {
            address: id.map(|id| id.parse::<i32>().unwrap().to_string()),
            token: inputs.network,
        })
    }
}

impl Component for Front {
    const TOKEN: &'static str = "front:index:Front";
    const PACKAGES: &'static [ChildPackage] = &[ChildPackage {
        name: "back",
        version: "2.0.0",
        download_url: Some("https://back"),
    }];
    const METHODS: &'static [MethodEntry] = &[MethodEntry::of::<Greet>()];
    type Inputs = FrontInputs;
    type Outputs = FrontOutputs;

    fn build(scope: &Scope, inputs: FrontInputs) -> Result<FrontOutputs, ConstructError> {
        let zone = properties! { "zone": "a" };
        let network = scope.read(
            "back:index:Network",
            "network",
            inputs.network,
            zone,
            ChildOptions::new(),
        );
        let address = properties! { "address": network.id() };
        let back = scope.remote("back:index:Back", "back", address, ChildOptions::new());
        let zone = properties! { "zone": network.output::<String>("zone") };
        let options = ChildOptions::new().import("i-1");
        scope.register("back:index:Table", "table", zone, options);
        let token = scope.call_method(&back, "token", properties! { "token": "t" });
        Ok(FrontOutputs {
            address: back.output("address"),
            token: token.output("token"),
        })
    }
}

impl Method for Greet {
    type Component = Front;
    const NAME: &'static str = "greet";
    type Arguments = GreetArguments;
    type Results = GreetResults;

    fn call(_: &Scope, this: &Resource, arguments: GreetArguments) -> Result<GreetResults, ConstructError> {
        let both = pulumi_plugin::components::all((arguments.name, this.output::<String>("address")));
        Ok(GreetResults {
            greeting: both.map(|(name, address)| format!("{name} at {address}")),
        })
    }
}

const FRONT: &[ComponentEntry] = &[ComponentEntry::of::<Front>(), ComponentEntry::of::<Broken>()];
const PACKAGE: ComponentPackage = ComponentPackage::new(PackageMeta::new("front", "0.3.1"), FRONT);

async fn construct(
    monitor: &FakeMonitor,
    request: rpc::ConstructRequest,
) -> Result<rpc::ConstructResponse, tonic::Status> {
    let mut engine = served(PACKAGE).await;
    let request = rpc::ConstructRequest {
        name: "main".to_owned(),
        monitor_endpoint: monitor.serve().await,
        accepts_output_values: false,
        ..request
    };
    Ok(engine.client.construct(request).await?.into_inner())
}

fn front() -> rpc::ConstructRequest {
    rpc::ConstructRequest {
        r#type: Front::TOKEN.to_owned(),
        ..Default::default()
    }
}

#[tokio::test]
async fn the_schema_is_made_from_the_types() {
    let mut engine = served(PACKAGE).await;
    let answer = engine
        .client
        .get_schema(rpc::GetSchemaRequest::default())
        .await
        .unwrap();
    let schema: serde_json::Value = serde_json::from_str(&answer.into_inner().schema).unwrap();
    assert_eq!(
        (&schema["name"], &schema["version"]),
        (&"front".into(), &"0.3.1".into())
    );
    let component = &schema["resources"]["front:index:Front"];
    assert_eq!(component["inputProperties"]["network"]["default"], "main");
    assert_eq!(component["methods"]["greet"], "front:index:Front/greet");
}

#[tokio::test]
async fn a_type_that_is_not_of_the_package_is_refused() {
    let request = rpc::ConstructRequest {
        r#type: "front:index:Back".to_owned(),
        ..Default::default()
    };
    let refused = construct(&FakeMonitor::default(), request).await.unwrap_err();
    assert_eq!(
        refused.message(),
        "front:index:Back is not a component of this package; the components are front:index:Front, \
         front:index:Broken"
    );
    let mut engine = served(PACKAGE).await;
    let request = rpc::CallRequest {
        tok: "front:index:Front/leave".to_owned(),
        monitor_endpoint: "127.0.0.1:1".to_owned(),
        ..Default::default()
    };
    let refused = engine.client.call(request).await.unwrap_err();
    assert_eq!(refused.message(), "front:index:Front has no method \"leave\"");
}

#[tokio::test]
async fn a_component_that_panics_is_named_and_the_plugin_goes_on() {
    let monitor = FakeMonitor::default();
    let mut engine = served(PACKAGE).await;
    let request = |token: &str, name: &str, monitor_endpoint: &str| rpc::ConstructRequest {
        r#type: token.to_owned(),
        name: name.to_owned(),
        monitor_endpoint: monitor_endpoint.to_owned(),
        ..Default::default()
    };
    let monitor = monitor.serve().await;
    for name in ["built", "resolved"] {
        let broken = engine.client.construct(request(Broken::TOKEN, name, &monitor));
        let refused = broken.await.unwrap_err();
        let text = format!("front:index:Broken \"{name}\" panicked");
        assert!(refused.message().starts_with(&text), "{}", refused.message());
        assert!(!refused.message().contains("hunter2"));
    }
    let front = engine.client.construct(request(Front::TOKEN, "main", &monitor));
    front.await.unwrap();
}

#[tokio::test]
async fn remote_children_and_existing_resources_reach_the_engine() {
    let urns = rpc::register_resource_response::PropertyDependencies {
        urns: vec!["urn:inside".to_owned()],
    };
    let monitor = FakeMonitor::default().answers(move |request| {
        let mut answer = created(request);
        if request.remote {
            answer.property_dependencies = [("address".to_owned(), urns.clone())].into();
        }
        Ok(answer)
    });
    let answer = construct(&monitor, front()).await.unwrap();

    let expected = rpc::ReadResourceRequest {
        id: "main".into(),
        r#type: "back:index:Network".into(),
        name: "network".into(),
        parent: "urn:main".into(),
        properties: bag([("zone", text("a"))]),
        version: "2.0.0".into(),
        accept_secrets: true,
        accept_resources: true,
        plugin_download_url: "https://back".into(),
        ..Default::default()
    };
    assert_eq!(*monitor.read.lock().unwrap(), [expected]);
    let back = monitor.find("back");
    assert!(back.remote && !back.custom);
    assert_eq!(
        (&*back.version, &*back.plugin_download_url),
        ("2.0.0", "https://back")
    );
    assert_eq!(back.dependencies, ["urn:network"]);
    let table = monitor.find("table");
    assert_eq!((&*table.import_id, table.remote), ("i-1", false));

    let call = monitor.called.lock().unwrap()[0].clone();
    assert_eq!((&*call.tok, &*call.version), ("back:index:Back/token", "2.0.0"));
    let this = envelope(
        REFERENCE,
        [("urn", text("urn:back")), ("packageVersion", text("2.0.0"))],
    );
    assert_eq!(call.args, bag([("__self__", this), ("token", text("t"))]));
    assert_eq!(call.arg_dependencies["__self__"].urns, ["urn:back"]);

    assert_eq!(
        answer.state,
        bag([("address", text("main")), ("token", text("t"))])
    );
    assert_eq!(
        answer.state_dependencies["address"].urns,
        ["urn:back", "urn:inside"]
    );
}

#[tokio::test]
async fn an_existing_resource_with_an_unknown_identifier_is_read_as_unknown() {
    let monitor = FakeMonitor::default();
    let request = rpc::ConstructRequest {
        inputs: bag([("network", text(UNKNOWN))]),
        dry_run: true,
        ..front()
    };
    construct(&monitor, request).await.unwrap();
    assert_eq!(monitor.read.lock().unwrap()[0].id, UNKNOWN);
}

#[tokio::test]
async fn a_method_is_called_on_the_state_of_its_component() {
    let monitor = FakeMonitor::default().results(|request| {
        assert_eq!(request.tok, "pulumi:pulumi:getResource");
        assert_eq!(request.args, bag([("urn", text("urn:front"))]));
        let state = prost_types::value::Kind::StructValue(bag([("address", text("main"))]).unwrap());
        Ok(rpc::InvokeResponse {
            r#return: bag([("state", prost_types::Value { kind: Some(state) })]),
            ..Default::default()
        })
    });
    let mut engine = served(PACKAGE).await;
    let this = envelope(REFERENCE, [("urn", text("urn:front"))]);
    let request = |name| rpc::CallRequest {
        tok: "front:index:Front/greet".to_owned(),
        args: bag([("__self__", this.clone()), ("name", name)]),
        ..Default::default()
    };
    let endpoint = monitor.serve().await;
    let answer = engine.client.call(rpc::CallRequest {
        monitor_endpoint: endpoint.clone(),
        ..request(text("jane"))
    });
    let answer = answer.await.unwrap().into_inner();
    assert_eq!(answer.r#return, bag([("greeting", text("jane at main"))]));
    assert_eq!(answer.return_dependencies["greeting"].urns, ["urn:front"]);

    let refused = engine.client.call(rpc::CallRequest {
        monitor_endpoint: endpoint,
        args: bag([("__self__", this.clone())]),
        ..request(text(""))
    });
    let refused = refused.await.unwrap_err();
    assert_eq!(
        (refused.code(), refused.message()),
        (Code::InvalidArgument, "invalid input: name: is required")
    );
}
