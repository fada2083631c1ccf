//! A plugin that was started manually, which all providers of a program share.

use netmgr_sim::{Inventory, Manager, ManagerSettings, Simulator};
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_testing::bags::{bag, json_of};
use pulumi_testing::{Client, until};
use serde_json::{Value, json};
use tonic::Status;

use crate::plugin::{Plugin, serve, settings};

/// A manager with one compute manager, which is at `server`.
async fn manager_with(server: &str) -> Simulator {
    let mut inventory = Inventory::empty();
    let object = json!({"id": "cm", "display_name": "cm", "server": server});
    inventory.add("/api/v1/fabric/compute-managers", object).unwrap();
    serve(Simulator::builder().manager(Manager::new(ManagerSettings::default(), inventory))).await
}

async fn configure(provider: &Client, manager: &Simulator) {
    let request = rpc::ConfigureRequest {
        args: bag(settings(manager, json!({}))),
        ..Default::default()
    };
    provider.clone().configure(request).await.unwrap();
}

async fn server(provider: &Client) -> Result<Value, Status> {
    let request = rpc::InvokeRequest {
        tok: "netmgr:index/getComputeManager:getComputeManager".to_owned(),
        args: bag(json!({"displayName": "cm"})),
        preview: false,
    };
    let answer = provider.clone().invoke(request).await?.into_inner();
    Ok(json_of(answer.r#return)["server"].take())
}

#[tokio::test]
async fn each_provider_uses_the_manager_of_its_configuration() {
    let (one, other) = (manager_with("one").await, manager_with("other").await);
    let (_process, [first, second, schema]) = Plugin::attach_to().await;
    configure(&first, &one).await;
    configure(&second, &other).await;
    assert_eq!(server(&first).await.unwrap(), "one");
    assert_eq!(server(&second).await.unwrap(), "other");
    assert_eq!(
        server(&schema).await.unwrap_err().message(),
        "the provider netmgr is not configured"
    );
}

#[tokio::test]
async fn a_provider_that_is_done_ends_its_own_session_only() {
    let (one, other) = (manager_with("one").await, manager_with("other").await);
    let (_process, [mut first, second]) = Plugin::attach_to().await;
    configure(&first, &one).await;
    configure(&second, &other).await;
    for provider in [&first, &second] {
        server(provider).await.unwrap();
    }
    first.cancel(()).await.unwrap();
    until("logged out", || one.counters().sessions_destroyed == 1).await;
    assert_eq!(server(&second).await.unwrap(), "other");
    assert_eq!(other.counters().sessions_destroyed, 0);
}

#[tokio::test]
async fn an_engine_that_dies_without_cancel_leaves_no_session_behind() {
    let (one, other) = (manager_with("one").await, manager_with("other").await);
    let (_process, [first, second]) = Plugin::attach_to().await;
    configure(&first, &one).await;
    configure(&second, &other).await;
    for provider in [&first, &second] {
        server(provider).await.unwrap();
    }
    // The last handle of its connection.
    drop(first);
    until("logged out", || one.counters().sessions_destroyed == 1).await;
    assert_eq!(server(&second).await.unwrap(), "other");
    assert_eq!(other.counters().sessions_destroyed, 0);
}
