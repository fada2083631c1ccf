//! Configurations of the provider `nsxt`: with another source and without edits, and with one line for each data source.

use netmgr_sim::{Inventory, Manager, ManagerSettings, Simulator};
use serde_json::json;

use super::support::{Module, host, serve};

/// A manager with all functions.
async fn manager() -> Simulator {
    let settings = ManagerSettings {
        version: "9.1.1.0.25108400".to_owned(),
        ..ManagerSettings::default()
    };
    serve(Simulator::builder().manager(Manager::new(settings, Inventory::default()))).await
}

/// A module as others write it: blocks, references to them, `for_each`, defaults, and whole objects in outputs.
const UNEDITED: &str = r#"
terraform {
  required_providers {
    nsxt = { source = "vmware/nsxt" }
  }
}

variable "project" {
  type    = string
  default = null
}

locals {
  scope = "env"
}

data "nsxt_policy_certificate" "in_project" {
  display_name = "lb-cert-web"
  context {
    project_id = "dev"
  }
}

data "nsxt_policy_certificate" "dynamic" {
  display_name = "lb-cert-web"
  dynamic "context" {
    for_each = var.project == null ? [] : [var.project]
    content {
      project_id = context.value
    }
  }
}

data "nsxt_policy_group" "each" {
  for_each     = toset(["web-servers", "app-servers"])
  display_name = each.key
}

data "nsxt_policy_vm" "web" {
  display_name = "web-01"
}

data "nsxt_policy_intrusion_service_policy" "ids" {
  display_name = "ids-east-west"
}

data "nsxt_policy_tier0_gateway" "vrf" {
  id          = "vrf-red"
  description = "ignored"
}

data "nsxt_policy_vms" "all" {}

data "nsxt_policy_project" "dev" {
  display_name = "dev"
}

output "project" {
  value = data.nsxt_policy_certificate.in_project.context[0].project_id
}
output "dynamic" {
  value = { context = data.nsxt_policy_certificate.dynamic.context, path = data.nsxt_policy_certificate.dynamic.path }
}
output "groups" {
  value = { for name, group in data.nsxt_policy_group.each : name => group.domain }
}
output "group" {
  value = data.nsxt_policy_group.each["web-servers"]
}
output "tags" {
  value = { for tag in data.nsxt_policy_vm.web.tag : tag.scope => tag.tag }
}
output "rule" {
  value = data.nsxt_policy_intrusion_service_policy.ids.rule[0].nsx_id
}
output "profiles" {
  value = [for profile in data.nsxt_policy_intrusion_service_policy.ids.rule[0].ids_profiles : basename(profile)]
}
output "gateway" {
  value = data.nsxt_policy_tier0_gateway.vrf.vrf_config[0].gateway_path
}
output "targets" {
  value = data.nsxt_policy_tier0_gateway.vrf.vrf_config[0].route_target[0].import_targets
}
output "description" {
  value = data.nsxt_policy_tier0_gateway.vrf.description
}
output "value_type" {
  value = data.nsxt_policy_vms.all.value_type
}
output "site" {
  value = data.nsxt_policy_project.dev.site_info
}
"#;

/// The outputs, which are those that the manager's objects have.
async fn check(module: &Module) {
    module.run("apply -auto-approve").await.succeeded();
    let outputs = module.outputs().await;
    let group = json!({
        "context": null,
        "description": "Virtual machines of the web tier",
        "display_name": "web-servers",
        "domain": "default",
        "id": "web-servers",
        "path": "/infra/domains/default/groups/web-servers",
    });
    assert_eq!(outputs["group"], group);
    for (name, expected) in [
        ("project", json!("dev")),
        (
            "dynamic",
            json!({ "context": null, "path": "/infra/certificates/lb-cert-web" }),
        ),
        (
            "groups",
            json!({ "app-servers": "default", "web-servers": "default" }),
        ),
        ("rule", json!("detect-all")),
        ("profiles", json!(["ids-strict"])),
        ("gateway", json!("/infra/tier-0s/t0-prod")),
        ("targets", json!(["65000:10"])),
        ("description", json!("Tenant red")),
        ("value_type", json!("bios_id")),
    ] {
        assert_eq!(outputs[name], expected, "{name}");
    }
    assert!(!outputs["tags"].as_object().unwrap().is_empty(), "{outputs}");
    assert!(!outputs["site"].as_array().unwrap().is_empty(), "{outputs}");
    let text = module.run("plan").await.succeeded();
    assert!(text.contains("No changes."), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_works_with_another_source_and_without_edits() {
    let host = host!("a_module_works_with_another_source_and_without_edits");
    let manager = manager().await;
    let module = Module::new(host, "").with(&manager);
    module.write("versions.tf", "");
    module.write("main.tf", &UNEDITED.replace("vmware/nsxt", "netmgr/netmgr"));
    check(&module).await;
    module
        .run("apply -auto-approve -var project=dev")
        .await
        .succeeded();
    let dynamic = &module.outputs().await["dynamic"];
    assert_eq!(dynamic["context"], json!([{ "project_id": "dev" }]));
    assert!(
        dynamic["path"]
            .as_str()
            .unwrap()
            .starts_with("/orgs/default/projects/dev/")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_works_with_one_line_for_each_data_source() {
    let host = host!("a_module_works_with_one_line_for_each_data_source");
    let manager = manager().await;
    let module = Module::new(host, "").with(&manager);
    module.write("versions.tf", "");
    let text = UNEDITED.replace(
        "nsxt = { source = \"vmware/nsxt\" }",
        "netmgr = { source = \"netmgr/netmgr\" }",
    );
    let text: String = text
        .lines()
        .flat_map(|line| {
            let is_data = line.starts_with("data ");
            let (line, provider) = match line.strip_suffix("{}").filter(|_| is_data) {
                Some(start) => (format!("{start}{{"), "  provider = netmgr\n}\n"),
                None if is_data => (line.to_owned(), "  provider = netmgr\n"),
                None => (line.to_owned(), ""),
            };
            [line, "\n".to_owned(), provider.to_owned()]
        })
        .collect();
    module.write("main.tf", &text);
    check(&module).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_arguments_in_blocks_are_refused_with_their_line() {
    let host = host!("wrong_arguments_in_blocks_are_refused_with_their_line");
    for (text, expected) in [
        (
            "  id = \"a\"\n  context {\n    project_id = \"default\"\n  }\n",
            "on main.tf line 5, in data \"nsxt_policy_group\" \"x\": 5: project_id = \"default\"",
        ),
        (
            "  id   = \"a\"\n  path = \"/infra\"\n",
            "`path` is set by the provider and cannot be configured.",
        ),
        (
            "  id = \"a\"\n  context {\n    project_id = \"a\"\n  }\n  context {\n    project_id = \"b\"\n  }\n",
            "No more than 1 \"context\" blocks are allowed",
        ),
    ] {
        let text = format!("data \"nsxt_policy_group\" \"x\" {{\n  provider = netmgr\n{text}}}\n");
        let errors = Module::new(host, &text).run("validate").await.failed();
        assert!(errors.contains(expected), "{errors}");
    }
}
