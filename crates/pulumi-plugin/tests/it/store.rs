//! A component, and a monitor to build it with.

use std::time::Duration;

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_plugin::components as sdk;
use pulumi_plugin::components::{
    ChildOptions, ChildPackage, Component, ComponentEntry, ConstructError, InputProblems, Map, Output,
    Resource, Scope, object, properties, record,
};
use pulumi_plugin::rpc::{
    ConstructRequest, Constructed, Context, EngineLog, Error, Monitor, construct_component,
};
use pulumi_plugin::values::{Object, Value};
use pulumi_testing::{FakeMonitor, created};

use crate::engine::{bag, text};

record! {
    /// Inputs of the component.
    pub struct StoreInputs {
        /// A password of at least three letters.
        pub password: Option<Output<String>>,
        /// Its owner.
        pub owner: Option<Output<String>>,
        /// Labels.
        pub labels: Option<Map<String>>,
    }
}

object! {
    /// Outputs of the component.
    pub struct StoreOutputs {
        /// The table.
        pub table: Resource,
        /// Its address.
        pub address: Output<String>,
        /// The password.
        pub password: Option<Output<String>>,
        /// The account.
        pub account: Output<String>,
    }
}

/// A provider and a table of it, and two resources that use the options of registrations.
pub(crate) struct Store;

impl Component for Store {
    const TOKEN: &'static str = "shop:index:Store";
    const PACKAGES: &'static [ChildPackage] = &[ChildPackage {
        name: "db",
        version: "7.1.0",
        download_url: Some("https://db"),
    }];
    type Inputs = StoreInputs;
    type Outputs = StoreOutputs;

    fn check(_: &str, inputs: &StoreInputs, problems: &mut InputProblems) {
        let short = |text: &Option<Output<String>>| {
            let text = text.as_ref().and_then(Output::peek_known);
            text.is_some_and(|text| text.len() < 3)
        };
        if short(&inputs.password) {
            problems.add("password", "is too short");
        }
        if short(&inputs.owner) {
            problems.add("owner", "is too short");
        }
    }

    fn build(scope: &Scope, inputs: StoreInputs) -> Result<StoreOutputs, ConstructError> {
        let name = scope.name();
        let account = scope.call(
            "db:index:getAccount",
            properties! { "owner": inputs.owner.clone() },
        );
        let account = account.output::<String>("id");
        let server = scope.register(
            "pulumi:providers:db",
            format!("{name}-server"),
            properties! { "account": account.clone() },
            ChildOptions::new(),
        );
        let table = scope.register(
            "db:index:Table",
            format!("{name}-table"),
            properties! { "password": inputs.password.clone(), "owner": inputs.owner },
            ChildOptions::below(&server).provider(&server),
        );
        let options = ChildOptions::new()
            .depends_on([&server])
            .deleted_with(&table)
            .delete_before_replace(false)
            .ignore_changes(["tags"])
            .replace_on_changes(["table"])
            .alias(sdk::Alias::Urn("urn:old".into()))
            .alias(sdk::Alias::Spec {
                name: Some("old".to_owned()),
                resource_type: None,
                stack: None,
                project: None,
                parent: Some(sdk::AliasParent::Urn("urn:elsewhere".into())),
            })
            .create_timeout(Duration::from_secs(1800))
            .delete_timeout(Duration::from_millis(1500))
            .version("7.2.0")
            .additional_secret_outputs(["key"])
            .protect(true)
            .retain_on_delete(false);
        let inputs_of_index =
            properties! { "table": table.clone(), "address": table.output::<String>("address") };
        scope.register(
            "db:index:Index",
            format!("{name}-index"),
            inputs_of_index,
            options,
        );
        scope.warn("stores are expensive");
        Ok(StoreOutputs {
            address: table.output("address"),
            table,
            password: inputs.password,
            account,
        })
    }
}

pub(crate) const STORE: ComponentEntry = ComponentEntry::of::<Store>();

/// A monitor whose tables have an address, and whose function knows an account.
pub(crate) fn monitor() -> FakeMonitor {
    FakeMonitor::default()
        .answers(|request| {
            let mut answer = created(request);
            if request.r#type == "db:index:Table" {
                let outputs = answer.object.get_or_insert_default();
                outputs.fields.insert("address".to_owned(), text("db.example"));
            }
            Ok(answer)
        })
        .results(|_| {
            Ok(rpc::InvokeResponse {
                r#return: bag([("id", text("a-1"))]),
                ..Default::default()
            })
        })
}

pub(crate) fn inputs<const N: usize>(members: [(&str, Value); N]) -> Object {
    members.map(|(name, value)| (name.to_owned(), value)).into()
}

pub(crate) fn request(inputs: Object) -> ConstructRequest {
    ConstructRequest {
        resource_type: Store::TOKEN.to_owned(),
        name: "main".to_owned(),
        parent: Some("urn:stack".into()),
        inputs,
        ..ConstructRequest::default()
    }
}

pub(crate) async fn build(monitor: &FakeMonitor, request: ConstructRequest) -> Result<Constructed, Error> {
    let monitor = reached(monitor, EngineLog::default()).await;
    construct_component(&Context::default(), &STORE, request, monitor).await
}

/// The monitor as a component sees it.
pub(crate) async fn reached(monitor: &FakeMonitor, log: EngineLog) -> Monitor {
    Monitor::at(&monitor.serve().await, "trace", log).unwrap()
}
