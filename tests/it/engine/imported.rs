//! Objects that `netmgr adopt` lists for `pulumi import`, in the real engine, with a stand-in for the provider `nsxt`.

use std::os::unix::fs::symlink;

use netmgr_sim::{Inventory, Manager, ManagerSettings, Simulator};
use serde_json::{Value, json};
use tokio::process::Command;

use super::support::{Stack, serve, target, tools};

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_imports_what_is_adopted() {
    let tools = tools!("the_engine_imports_what_is_adopted");
    let objects = json!({
        "/infra/domains/default/groups": [
            { "id": "web", "display_name": "Web Servers" },
            { "id": "tokyo", "display_name": "東京" },
        ],
        "/infra/tier-0s": [{ "id": "edge", "display_name": "true" }],
    });
    let mut inventory = Inventory::empty();
    inventory.add_document(&objects.to_string()).unwrap();
    let manager = Manager::new(ManagerSettings::default(), inventory);
    let manager = serve(Simulator::builder().manager(manager)).await;
    let plugins = tempfile::tempdir().unwrap();
    symlink(
        env!("CARGO_BIN_EXE_stand-in"),
        plugins.path().join("pulumi-resource-nsxt"),
    )
    .unwrap();
    let mut stack = Stack::with_plugins(tools, "ask-typescript", &[("nsxt", plugins.path())]).await;
    let adopted = Command::new(target().join("netmgr"))
        .args(["adopt", "--type", "Group", "--type", "Tier0", "--to", "pulumi"])
        .env_clear()
        .envs(manager.env())
        .current_dir(stack.program())
        .output()
        .await
        .unwrap();
    assert!(adopted.status.success(), "{adopted:?}");
    let inputs = |id: &str, name: &str| json!({ "nsxId": id, "displayName": name });
    let existing = json!({
        "/infra/domains/default/groups/web": inputs("web", "Web Servers"),
        "/infra/domains/default/groups/tokyo": inputs("tokyo", "東京"),
        "edge": inputs("edge", "true"),
    });
    stack.set("STAND_IN_EXISTING", existing.to_string());
    // The host of the tests generates no programs.
    let options = [
        "--generate-code=false",
        "--yes",
        "--skip-preview",
        "--non-interactive",
    ];
    let import = [&["import", "--file", "import.json"][..], &options].concat();
    stack.run(&import).await.succeeded();
    let resources = stack.resources().await;
    let imported = resources
        .iter()
        .filter(|one| one["type"].as_str().unwrap().starts_with("nsxt:"));
    let mut imported: Vec<(&str, &Value)> = imported
        .map(|one| {
            (
                one["urn"].as_str().unwrap().rsplit("::").next().unwrap(),
                &one["id"],
            )
        })
        .collect();
    imported.sort_by_key(|(name, _)| *name);
    assert_eq!(
        imported,
        [
            ("tier0_gateway_true", &json!("edge")),
            ("tokyo", &json!("/infra/domains/default/groups/tokyo")),
            ("web_servers", &json!("/infra/domains/default/groups/web")),
        ]
    );
}
