//! Configurations of the provider `nsxt` that `netmgr convert-terraform` converts, in the real host. They have the
//! structure of public configurations: which objects are looked up, and how they refer to each other.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use netmgr_sim::{Manager, ManagerKind, ManagerSettings, Simulator};
use serde_json::{Value, json};

use super::support::{Module, host, manager, serve};

/// The configuration `name` before the conversion.
fn configuration(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data/terraform")
        .join(name)
}

/// The files of a configuration, by their names below its folder.
fn files(folder: &Path, below: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder.join(below)).unwrap().map(Result::unwrap);
    let files = entries.flat_map(|entry| {
        let name = Path::new(below).join(entry.file_name()).display().to_string();
        match entry.file_type().unwrap().is_dir() {
            true => files(folder, &name),
            false => vec![(name.clone(), fs::read_to_string(folder.join(name)).unwrap())],
        }
    });
    files.collect()
}

/// A module with the configuration `name`, converted, and the report of the conversion.
fn converted(host: &'static super::support::Host, name: &str) -> (Module, String) {
    let module = Module::new(host, "");
    fs::remove_dir_all(module.path("module")).unwrap();
    for (name, text) in files(&configuration(name), "") {
        module.write(&name, &text);
    }
    let mut command = Command::new(host.built("netmgr"));
    let output = command
        .arg("convert-terraform")
        .arg(module.path("module"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    (module, String::from_utf8(output.stdout).unwrap())
}

/// Steps that remain for every configuration with changes.
const ALWAYS_LEFT: &str = "\nManual steps:\n  environment: set NETMGR_*; the provider netmgr does not read NSXT_*\n  \
     changed folders: run terraform init, and compare the plan to one from before\n";

/// The outputs of a configuration, all of whose data sources are converted and planned.
async fn outputs(name: &str, host: &'static super::support::Host, manager: &Simulator) -> Value {
    let (module, report) = converted(host, name);
    assert!(report.ends_with(ALWAYS_LEFT), "{report}");
    finish(module.with(manager)).await
}

async fn finish(module: Module) -> Value {
    for (name, text) in files(&module.path("module"), "") {
        assert!(
            !text.contains("data \"nsxt_") && !text.contains("data.nsxt_"),
            "{name}: {text}"
        );
    }
    module.run("get").await.succeeded();
    module.run("apply -auto-approve").await.succeeded();
    module.outputs().await
}

#[tokio::test(flavor = "multi_thread")]
async fn machines_segments_and_groups_by_lists_of_names() {
    let host = host!("machines_segments_and_groups_by_lists_of_names");
    assert_eq!(
        outputs("tagged-machines", host, &manager().await).await,
        json!({
            "machines": {
                "app-01": "50260007-1111-4222-8333-000000000007",
                "app-02": "50260008-1111-4222-8333-000000000008",
                "db-01": "5026000c-1111-4222-8333-000000000012",
            },
            "paths": [
                "/infra/segments/app-tier",
                "/infra/domains/default/groups/db-servers",
                "/infra/segments/web-tier",
                "/infra/domains/default/groups/web-servers",
            ],
            "services": ["/infra/services/HTTPS", "/infra/services/SSH"],
        })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_from_its_project_to_its_port() {
    let host = host!("a_machine_from_its_project_to_its_port");
    let outputs = outputs("supervisor", host, &manager().await).await;
    assert_eq!(outputs["project"], "dev");
    let port = outputs["port"].as_str().unwrap();
    assert!(
        port.starts_with("/orgs/default/projects/dev/vpcs/web/subnets/frontend/ports/"),
        "{port}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_federation_with_a_provider_for_each_manager() {
    let host = host!("a_federation_with_a_provider_for_each_manager");
    let local = manager().await;
    let settings = ManagerSettings {
        kind: ManagerKind::Global,
        ..ManagerSettings::default()
    };
    let global = Manager::new(settings, netmgr_sim::Inventory::default());
    let global = serve(Simulator::builder().manager(global)).await;
    let (module, report) = converted(host, "federation");
    assert!(report.ends_with(ALWAYS_LEFT), "{report}");
    let mut module = module.with(&local);
    for (name, manager) in [("global", &global), ("local", &local)] {
        let (_, address) = manager
            .env()
            .into_iter()
            .find(|(name, _)| *name == "NETMGR_HOST")
            .unwrap();
        module.set(&format!("TF_VAR_{name}_manager"), address);
    }
    assert_eq!(
        finish(module).await,
        json!({
            "sites": { "london": "/global-infra/sites/london", "paris": "/global-infra/sites/paris" },
            "locale_service": "/global-infra/tier-0s/t0-global/locale-services/paris",
            "node": "/infra/sites/default/enforcement-points/default/edge-clusters/\
                     2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001/edge-nodes/0",
        })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn modules_without_requirements_and_a_folder_without_lookups() {
    let host = host!("modules_without_requirements_and_a_folder_without_lookups");
    let (module, report) = converted(host, "routers");
    assert!(report.ends_with(ALWAYS_LEFT), "{report}");
    // Each module requires the provider, and the folder without lookups is unchanged.
    let required = files(&module.path("module"), "").into_iter();
    let mut required: Vec<String> = required
        .filter_map(|(name, text)| text.contains("source = \"netmgr/netmgr\"").then_some(name))
        .collect();
    required.sort_unstable();
    assert_eq!(
        required,
        [
            "modules/edge/versions.tf",
            "modules/tenant/versions.tf",
            "versions.tf"
        ]
    );
    let before = fs::read_to_string(configuration("routers/addresses/main.tf")).unwrap();
    assert_eq!(module.read("addresses/main.tf"), before);
    let router = "8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40001@2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001";
    assert_eq!(
        finish(module.with(&manager().await)).await,
        json!({
            "router": router,
            "ports": {
                "zone": "1b3a2f36-bfd1-443e-a0f6-4de01abc963e",
                "services": ["6b5c4d3e-2f10-4bac-9d8e-7f6051420001", "6b5c4d3e-2f10-4bac-9d8e-7f6051420002"],
                "router": router,
            },
        })
    );
}
