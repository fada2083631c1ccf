//! From the first call to the last: sessions, licence keys, and calls that are not implemented.

use netmgr_sim::Simulator;
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_testing::until;
use serde_json::{Value, json};
use tonic::Code;

use crate::plugin::{Plugin, manager, settings};

const KEY: &str = "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE";

#[tokio::test]
async fn schema_and_version_are_those_of_the_package() {
    let mut plugin = Plugin::start().await;
    let schema = plugin
        .client
        .get_schema(rpc::GetSchemaRequest::default())
        .await
        .unwrap()
        .into_inner()
        .schema;
    assert_eq!(schema, include_str!("../../../../schema/netmgr.package.json"));
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let info = plugin.client.get_plugin_info(()).await.unwrap().into_inner();
    assert_eq!(schema["version"], json!(info.version));
}

#[tokio::test]
async fn mappings_are_those_of_one_terraform_provider() {
    let mut plugin = Plugin::start().await;
    let mut providers = Vec::new();
    for key in ["terraform", "another"] {
        let key = key.to_owned();
        let listed = plugin.client.get_mappings(rpc::GetMappingsRequest { key }).await;
        providers.push(listed.unwrap().into_inner().providers);
    }
    assert_eq!(providers, [vec!["nsxt".to_owned()], vec![]]);

    let mapping = include_bytes!("../../../../schema/netmgr.terraform.json");
    // Older engines leave the provider out.
    for (key, provider, found) in [
        ("terraform", "nsxt", true),
        ("terraform", "", true),
        ("terraform", "aws", false),
        ("another", "nsxt", false),
    ] {
        let request = rpc::GetMappingRequest {
            key: key.to_owned(),
            provider: provider.to_owned(),
        };
        let answer = plugin.client.get_mapping(request).await.unwrap().into_inner();
        let expected = if found {
            ("nsxt", &mapping[..])
        } else {
            ("", &[][..])
        };
        assert_eq!(
            (answer.provider.as_str(), &answer.data[..]),
            expected,
            "{key} {provider}"
        );
    }
}

#[tokio::test]
async fn what_a_package_of_functions_does_not_have_is_unimplemented() {
    let mut plugin = Plugin::start().await;
    let refusals = [
        plugin
            .client
            .construct(rpc::ConstructRequest {
                monitor_endpoint: "127.0.0.1:1".to_owned(),
                ..Default::default()
            })
            .await
            .unwrap_err(),
        plugin
            .client
            .create(rpc::CreateRequest::default())
            .await
            .unwrap_err(),
        plugin
            .client
            .call(rpc::CallRequest {
                monitor_endpoint: "127.0.0.1:1".to_owned(),
                ..Default::default()
            })
            .await
            .unwrap_err(),
        plugin
            .client
            .parameterize(rpc::ParameterizeRequest::default())
            .await
            .unwrap_err(),
    ];
    assert!(
        refusals
            .iter()
            .all(|refusal| refusal.code() == Code::Unimplemented),
        "{refusals:?}"
    );
}

#[tokio::test]
async fn the_session_opens_when_configured_and_ends_with_the_command() {
    let manager = manager().await;
    let mut plugin = Plugin::start().await;
    plugin.configure(settings(&manager, json!({}))).await.unwrap();
    until("logged in", || manager.counters().logins == 1).await;
    plugin.client.cancel(()).await.unwrap();
    until("logged out", || manager.counters().sessions_destroyed == 1).await;
}

#[tokio::test]
async fn the_session_ends_when_the_engine_goes_away() {
    let manager = manager().await;
    let mut plugin = Plugin::start().await;
    plugin.configure(settings(&manager, json!({}))).await.unwrap();
    until("logged in", || manager.counters().logins == 1).await;
    drop(plugin.process.stdin.take());
    assert!(plugin.process.wait().await.unwrap().success());
    assert_eq!(manager.counters().sessions_destroyed, 1);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_session_ends_with_a_signal() {
    for signal in ["-TERM", "-HUP"] {
        let manager = manager().await;
        let mut plugin = Plugin::start().await;
        plugin.configure(settings(&manager, json!({}))).await.unwrap();
        until("logged in", || manager.counters().logins == 1).await;
        let id = plugin.process.id().unwrap().to_string();
        // Child processes of `nohup` ignore hangups.
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let ignored = status
            .lines()
            .find_map(|line| line.strip_prefix("SigIgn:"))
            .unwrap();
        if signal == "-HUP" && u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 1 {
            continue;
        }
        let sent = std::process::Command::new("kill").args([signal, &id]).status();
        assert!(sent.unwrap().success());
        let status = plugin.process.wait().await.unwrap();
        assert!(status.success(), "{signal}: {status}");
        assert_eq!(manager.open_sessions(), 0, "{signal}");
    }
}

#[tokio::test]
async fn on_demand_nothing_is_sent_before_the_first_lookup() {
    let manager = manager().await;
    let mut plugin = Plugin::start().await;
    plugin
        .configure(settings(&manager, json!({"onDemandConnection": "true"})))
        .await
        .unwrap();
    plugin.client.cancel(()).await.unwrap();
    drop(plugin.process.stdin.take());
    assert!(plugin.process.wait().await.unwrap().success());
    assert_eq!(manager.counters().connections, 0);
}

#[tokio::test]
async fn after_a_cancel_the_manager_is_asked_nothing() {
    let manager = manager().await;
    let plugin = Plugin::start().await;
    plugin
        .configure(settings(
            &manager,
            json!({"onDemandConnection": true, "licenseKeys": [KEY]}),
        ))
        .await
        .unwrap();
    plugin.client.clone().cancel(()).await.unwrap();
    for _ in 0..20 {
        let refused = plugin.invoke("getComputeManager", json!({"displayName": "vc-prod"}));
        assert_eq!(refused.await.unwrap_err().code(), Code::Cancelled);
    }
    assert_eq!(manager.counters().connections, 0);
}

/// A manager and a plugin with a licence key for it.
async fn licensed(plugin: Plugin) -> (Simulator, Plugin) {
    let manager = manager().await;
    plugin
        .configure(settings(&manager, json!({"licenseKeys": [KEY]})))
        .await
        .unwrap();
    (manager, plugin)
}

async fn ask(plugin: &Plugin, preview: bool) {
    let arguments = json!({"displayName": "vc-prod"});
    let answer = match preview {
        true => plugin.preview("getComputeManager", arguments).await,
        false => plugin.invoke("getComputeManager", arguments).await,
    };
    answer.unwrap().unwrap();
}

#[tokio::test]
async fn licence_keys_are_added_once_in_an_update_and_never_in_a_preview() {
    let (manager, plugin) = licensed(Plugin::start().await).await;
    ask(&plugin, true).await;
    assert_eq!(manager.license_keys(), [""; 0]);
    futures_util::future::join_all((0..10).map(|_| ask(&plugin, false))).await;
    assert_eq!(manager.license_keys(), [KEY]);
    assert_eq!(manager.counters().writes, 1);
}

#[tokio::test]
async fn licence_keys_are_not_added_for_an_engine_that_does_not_mark_previews() {
    let (manager, plugin) = licensed(Plugin::start_of_old([]).await).await;
    ask(&plugin, false).await;
    assert_eq!(manager.counters().writes, 0);
}

#[tokio::test]
async fn help_and_version_are_printed_instead_of_a_port() {
    let first = format!("pulumi-resource-netmgr {}\n", env!("CARGO_PKG_VERSION"));
    for argument in ["--help", "--version"] {
        let printed = Plugin::print(argument).await;
        assert!(printed.starts_with(&first), "{printed}");
        assert_eq!(printed.contains("Usage: "), argument == "--help", "{printed}");
    }
}
