//! The examples of the documentation.

use heck::ToSnakeCase as _;
use netmgr_lookups::ALL;
use netmgr_sim::{Inventory, Manager, ManagerKind, ManagerSettings, Simulator};
use netmgr_types::Deployment;

use super::support::{Module, host, manager, serve};
use crate::programs::root;

#[tokio::test(flavor = "multi_thread")]
async fn every_example_of_the_documentation_is_valid_and_returns_results() {
    let host = host!("every_example_of_the_documentation_is_valid_and_returns_results");
    let folder = root().join("docs/registry/terraform/data-sources");
    let (mut local, mut global) = (String::new(), String::new());
    for entry in ALL.iter() {
        let name = entry.spec.name.strip_prefix("get").unwrap();
        let page = folder.join(format!("{}.md", name.to_snake_case()));
        let page = std::fs::read_to_string(page).unwrap();
        let mut blocks = page.split("```terraform\n").skip(1);
        let mut example = blocks.next().unwrap().split("```").next().unwrap().to_owned();
        // Waits poll at once.
        if entry.describe().inputs.iter().any(|input| input.name == "delay") && !example.contains(" delay ") {
            example = example.replacen("{\n", "{\n  delay = 0\n", 1);
        }
        match entry.spec.availability.includes(Deployment::PolicyManager) {
            true => local.push_str(&example),
            false => global.push_str(&example),
        }
    }
    let manager = manager().await;
    let module = Module::new(host, &local).with(&manager);
    module.run("plan").await.succeeded();
    let settings = ManagerSettings {
        kind: ManagerKind::Global,
        ..ManagerSettings::default()
    };
    let federation = Manager::new(settings, Inventory::default());
    let manager = serve(Simulator::builder().manager(federation)).await;
    let mut module = Module::new(host, &global).with(&manager);
    module.set("NETMGR_GLOBAL_MANAGER", "true");
    module.run("plan").await.succeeded();
}
