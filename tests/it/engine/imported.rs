//! Objects that `netmgr adopt` lists for `pulumi import`, in the real engine and in a program in YAML, with a stand-in for
//! the provider `nsxt`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use netmgr_sim::{Inventory, Manager, ManagerSettings, Simulator};
use serde_json::{Value, json};
use tokio::process::Command;

use super::support::{Stack, serve, tools};
use crate::programs::programs;

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_imports_what_is_adopted_and_the_finished_program_changes_nothing() {
    let tools = tools!("the_engine_imports_what_is_adopted_and_the_finished_program_changes_nothing");
    let objects = json!({
        "/infra/domains/default/groups": [
            { "id": "web", "display_name": "Web Servers" },
            { "id": "tokyo", "display_name": "東京" },
        ],
        "/infra/tier-0s": [{ "id": "edge", "display_name": "true" }],
        "/infra/services": [{ "id": "HTTPS", "display_name": "Https" }],
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
    let mut stack = Stack::with_plugins(tools, "adopted-yaml", &[("nsxt", plugins.path())]).await;
    let program = stack.program();
    let adopt = async |arguments: &[&str]| {
        let mut command = Command::new(programs().join("netmgr"));
        let command = command.arg("adopt").args(arguments).env_clear();
        let run = command.envs(manager.env()).current_dir(&program).output().await;
        let run = run.unwrap();
        assert!(run.status.success(), "{run:?}");
        String::from_utf8(run.stdout).unwrap()
    };
    adopt(&["--type", "Group", "--type", "Tier0", "--to", "pulumi"]).await;
    let inputs = |id: &str, name: &str, members: &[&str]| json!({ "nsxId": id, "displayName": name, "memberPaths": members });
    let existing = json!({
        "/infra/domains/default/groups/web": inputs("web", "Web Servers", &["/infra/domains/default/groups/tokyo", "/infra/services/HTTPS"]),
        "/infra/domains/default/groups/tokyo": inputs("tokyo", "東京", &[]),
        "edge": { "nsxId": "edge", "displayName": "true" },
    });
    stack.set("STAND_IN_EXISTING", existing.to_string());
    let options = [
        "--out",
        "resources.yaml",
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
            ("tokyo", &json!("tokyo")),
            ("web_servers", &json!("web")),
        ]
    );

    let project = program.join("Pulumi.yaml");
    let read = |file: &Path| fs::read_to_string(file).unwrap();
    fs::write(&project, read(&project) + &read(&program.join("resources.yaml"))).unwrap();
    let report = adopt(&["--finish", "."]).await;
    assert!(
        report.starts_with("Pulumi.yaml: finished: 1 data source, 2 references\n"),
        "{report}"
    );
    let text = read(&project);
    assert!(
        text.contains("\n        - ${tokyo.path}\n        - ${https.path}\n"),
        "{text}"
    );
    stack.is_settled().await;
    assert_eq!(adopt(&["--finish", "."]).await, "nothing to change\n");
}
