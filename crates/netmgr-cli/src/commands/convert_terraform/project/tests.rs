//! Whole configurations.

use super::*;

/// Converts files, each with its name.
fn convert(files: &[(&str, &str)]) -> Converted {
    let sources = files.iter().map(|(name, text)| Source {
        name: (*name).to_owned(),
        text: (*text).to_owned(),
    });
    Project::new(sources.collect()).convert()
}

/// Converts one file, of which nothing may be left.
#[track_caller]
fn one(text: &str) -> String {
    let converted = convert(&[("main.tf", text)]);
    assert_eq!(converted.left, [""; 0]);
    let [source] = &converted.changed[..] else {
        panic!("{converted:?}")
    };
    source.text.clone()
}

#[test]
fn data_sources_and_references_are_renamed_and_all_else_stays() {
    let before = r#"# Pools.
terraform {
  required_providers {
    nsxt = {
      source  = "vmware/nsxt"
      version = "~> 3.0"
    }
    aws = { source = "hashicorp/aws" } # stays
  }
}

provider "nsxt" {
  host          = var.host   # the manager
  vmc_token     = var.token
  max_retries   = 4
}

data "nsxt_ip_pool"   "pool" {
	display_name = "${var.prefix}-pool"   // a tab
}

data nsxt_policy_certificate "web" {
  display_name = "web"
  context {
    project_id = data.nsxt_ip_pool.pool.id
  }
  depends_on = [data.nsxt_ip_pool.pool]
}

locals {
  all   = [for pool in [data.nsxt_ip_pool.pool] : pool.id if pool.id != data.nsxt_ip_pool.pool.id]
  text  = "pool ${data.nsxt_ip_pool.pool.id} of data.nsxt_ip_pool"
  doc   = <<-EOT
    %{ if true }${data.nsxt_ip_pool.pool["id"]}%{ endif }
  EOT
  other = data.nsxt_ip_pools.pool.id
  key   = { nsxt = "nsxt" }
}
"#;
    let after = before
        .replace(
            "nsxt = {\n      source  = \"vmware/nsxt\"\n      version = \"~> 3.0\"\n    }",
            "netmgr = { source = \"netmgr/netmgr\" }",
        )
        .replace("provider \"nsxt\"", "provider \"netmgr\"")
        .replace("vmc_token ", "cloud_token ")
        .replace("data \"nsxt_ip_pool\"", "data \"netmgr_ip_pool\"")
        .replace("data nsxt_policy_certificate", "data netmgr_policy_certificate")
        .replace("data.nsxt_ip_pool.pool", "data.netmgr_ip_pool.pool");
    assert_eq!(one(before), after);
}

#[test]
fn a_provider_that_resources_need_stays_beside_the_new_one() {
    let before = "terraform {\n  required_providers {\n    nsxt = { source = \"vmware/nsxt\" }\n  }\n}\n\
                  provider \"nsxt\" {\n  alias    = \"a\"\n  host     = \"m\"\n  vmc_token = \"t\"\n}\n\
                  data \"nsxt_ip_pool\" \"x\" {\n  provider = nsxt.a\n  id = \"1\"\n}\n\
                  resource \"nsxt_policy_group\" \"g\" {\n  provider = nsxt.a\n  \
                  description = data.nsxt_ip_pool.x.display_name\n}\n";
    let after = "terraform {\n  required_providers {\n    nsxt = { source = \"vmware/nsxt\" }\n    \
                 netmgr = { source = \"netmgr/netmgr\" }\n  }\n}\n\
                 provider \"nsxt\" {\n  alias    = \"a\"\n  host     = \"m\"\n  vmc_token = \"t\"\n}\n\n\
                 provider \"netmgr\" {\n  alias    = \"a\"\n  host     = \"m\"\n  cloud_token = \"t\"\n}\n\
                 data \"netmgr_ip_pool\" \"x\" {\n  provider = netmgr.a\n  id = \"1\"\n}\n\
                 resource \"nsxt_policy_group\" \"g\" {\n  provider = nsxt.a\n  \
                 description = data.netmgr_ip_pool.x.display_name\n}\n";
    assert_eq!(one(before), after);
}

#[test]
fn what_has_no_counterpart_is_left_and_listed_with_its_line() {
    let main = "provider \"nsxt\" {\n  host = \"m\"\n  nothing = 1\n}\n\n\
                data \"nsxt_policy_segment\" \"s\" {\n  display_name = data.nsxt_ip_pool.x.id\n}\n\
                output \"s\" {\n  value = data.nsxt_policy_segment.s.path\n}\n";
    let converted = convert(&[
        ("main.tf", main),
        ("broken.tf", "data \"nsxt_ip_pool\" {{\n"),
        ("pools.tf.json", "{\"data\": {\"nsxt_ip_pool\": {}}}"),
        ("other.tf.json", "{}"),
    ]);
    assert_eq!(
        converted.left,
        [
            "broken.tf: line 1, column 22: cannot be read",
            "pools.tf.json: JSON is not converted",
            "main.tf:3: netmgr has no argument nothing",
            "main.tf:6: netmgr has no data source for nsxt_policy_segment",
        ]
    );
    let text = &converted.changed[0].text;
    assert!(text.contains("data \"nsxt_policy_segment\" \"s\""), "{text}");
    assert!(text.contains("data.nsxt_policy_segment.s.path"), "{text}");
    assert!(text.contains("data.netmgr_ip_pool.x.id"), "{text}");
    assert!(text.contains("provider \"nsxt\""), "{text}");
}

#[test]
fn providers_that_are_passed_to_modules_of_the_configuration_are_renamed() {
    let main =
        "module \"a\" {\n  source = \"./a\"\n  providers = {\n    nsxt = nsxt.b\n    nsxt.c = nsxt\n  }\n}\n";
    let inner = "terraform {\n  required_providers {\n    nsxt = {\n      source = \"vmware/nsxt\"\n      \
                 configuration_aliases = [nsxt.c]\n    }\n  }\n}\ndata \"nsxt_ip_pool\" \"x\" { id = \"1\" }\n";
    let converted = convert(&[("a/main.tf", inner), ("main.tf", main)]);
    assert_eq!(converted.left, [""; 0]);
    assert!(
        converted.changed[0]
            .text
            .contains("netmgr = { source = \"netmgr/netmgr\", configuration_aliases = [netmgr.c] }"),
        "{}",
        converted.changed[0].text
    );
    assert!(
        converted.changed[1]
            .text
            .contains("netmgr = netmgr.b\n    netmgr.c = netmgr\n"),
        "{}",
        converted.changed[1].text
    );
}

#[test]
fn modules_from_elsewhere_may_need_the_other_provider() {
    let main =
        "provider \"nsxt\" {}\nmodule \"a\" {\n  source = \"acme/a\"\n  providers = { nsxt = nsxt }\n}\n";
    let converted = convert(&[("main.tf", main)]);
    assert_eq!(
        converted.left,
        ["main.tf:4: the module may need nsxt and netmgr; add the latter if it does"]
    );
    assert!(
        converted.changed[0]
            .text
            .starts_with("provider \"nsxt\" {}\n\nprovider \"netmgr\" {}\nmodule")
    );
}

#[test]
fn a_converted_configuration_is_not_converted_again() {
    let text = "provider \"netmgr\" {}\ndata \"netmgr_ip_pool\" \"x\" { id = \"nsxt_ip_pool\" }\n";
    let converted = convert(&[("main.tf", text)]);
    assert!(converted.changed.is_empty() && converted.left.is_empty());
    assert_eq!(converted.report(false), "nothing to convert\n");
}
