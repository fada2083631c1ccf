//! Configurations of the provider `nsxt` that `netmgr convert-terraform` converts and reverts, in the real host. They have the structure of
//! public configurations: which objects are looked up, and how they refer to each other.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use netmgr_sim::{Manager, ManagerKind, ManagerSettings, Simulator};
use serde_json::{Value, json};

use super::support::{Host, Module, host, install, manager, serve};
use crate::programs::program;

/// The files of a folder, by their names below it.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                files.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    files
}

/// A configuration in a module.
struct Converted {
    module: Module,
    before: BTreeMap<String, String>,
}

impl Converted {
    /// Converts the configuration `name`. In place of the provider `nsxt`, which it keeps for resources, is a second
    /// provider that reaches no manager, unless the variable `NETMGR_TERRAFORM_PEER` is the path of that provider.
    fn new(host: &'static Host, name: &str) -> Self {
        let module = Module::new(host, "");
        let (bin, program) = (module.path("bin"), program("terraform-provider-netmgr"));
        match std::env::var_os("NETMGR_TERRAFORM_PEER") {
            Some(peer) => install(Path::new(&peer), &bin.join("terraform-provider-nsxt")),
            None => module.wrap(
                "nsxt",
                &format!("NETMGR_HOST= exec {} \"$@\"\n", program.display()),
            ),
        }
        let overrides = ["netmgr/netmgr", "vmware/nsxt", "hashicorp/nsxt"];
        let overrides = overrides.map(|name| format!("    \"{name}\" = \"{}\"\n", bin.display()));
        let overrides = overrides.concat();
        module.configure_host(&format!(
            "provider_installation {{\n  dev_overrides {{\n{overrides}  }}\n  direct {{}}\n}}\n"
        ));
        fs::remove_dir_all(module.path("module")).unwrap();
        let before = files(
            &Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("data/terraform")
                .join(name),
        );
        for (name, text) in &before {
            module.write(name, text);
        }
        let converted = Self { module, before };
        converted.convert(&[]);
        converted
    }

    fn convert(&self, options: &[&str]) {
        let mut command = Command::new(program("netmgr"));
        let command = command.arg("convert-terraform").args(options);
        let output = command.arg(self.module.path("module")).output().unwrap();
        let report = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success() && !report.contains("Manual steps"),
            "{report}"
        );
    }

    /// The outputs of the configuration, which is as before after a revert.
    async fn outputs(mut self, manager: &Simulator) -> Value {
        self.module = self.module.with(manager);
        self.module.run("get").await.succeeded();
        self.module.run("apply -auto-approve").await.succeeded();
        self.convert(&["--revert"]);
        let mut after = files(&self.module.path("module"));
        after.retain(|name, _| !name.starts_with(".terraform/") && !name.starts_with("terraform.tfstate"));
        assert_eq!(after, self.before);
        self.module.outputs().await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn machines_segments_and_groups_by_lists_of_names() {
    let host = host!("machines_segments_and_groups_by_lists_of_names");
    assert_eq!(
        Converted::new(host, "tagged-machines")
            .outputs(&manager().await)
            .await,
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
    let outputs = Converted::new(host, "supervisor").outputs(&manager().await).await;
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
    let mut converted = Converted::new(host, "federation");
    for (name, manager) in [("global", &global), ("local", &local)] {
        let settings = manager.env().into_iter();
        let (_, address) = settings.clone().find(|(name, _)| *name == "NETMGR_HOST").unwrap();
        converted.module.set(&format!("TF_VAR_{name}_manager"), address);
    }
    let outputs = converted.outputs(&local).await;
    assert_eq!(
        outputs["sites"],
        json!({ "london": "/global-infra/sites/london", "paris": "/global-infra/sites/paris" })
    );
    assert_eq!(
        outputs["locale_service"],
        "/global-infra/tier-0s/t0-global/locale-services/paris"
    );
    let cluster =
        "/infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001";
    assert_eq!(outputs["cluster"]["path"], cluster);
    assert_eq!(outputs["node"], format!("{cluster}/edge-nodes/0"));
}

#[tokio::test(flavor = "multi_thread")]
async fn modules_without_requirements_and_a_folder_without_lookups() {
    let host = host!("modules_without_requirements_and_a_folder_without_lookups");
    let converted = Converted::new(host, "routers");
    // Each module requires the provider, and the folder without lookups is unchanged.
    let mut added = files(&converted.module.path("module"));
    added.retain(|name, _| !converted.before.contains_key(name));
    assert_eq!(
        added.into_keys().collect::<Vec<_>>(),
        ["modules/edge/netmgr.tf", "modules/tenant/netmgr.tf", "netmgr.tf"]
    );
    let router = "8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40001@2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001";
    assert_eq!(
        converted.outputs(&manager().await).await,
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
