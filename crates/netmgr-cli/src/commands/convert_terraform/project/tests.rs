//! Whole configurations.

use super::*;

/// A file that requires the provider.
const REQUIRED: &str =
    "terraform {\n  required_providers {\n    nsxt = { source = \"vmware/nsxt\" }\n  }\n}\n";

/// Converts files, each with its name.
fn convert(files: &[(&str, &str)]) -> Converted {
    let sources = files.iter().map(|(name, text)| SourceFile {
        name: (*name).to_owned(),
        text: (*text).to_owned(),
    });
    let project = Project {
        sources: sources.collect(),
        left: Vec::new(),
    };
    project.convert()
}

/// Converts one file, of which nothing may be left.
#[track_caller]
fn one(text: &str) -> String {
    let converted = match text.contains("required_providers") {
        true => convert(&[("main.tf", text)]),
        false => convert(&[("main.tf", text), ("versions.tf", REQUIRED)]),
    };
    assert_eq!(converted.left, [""; 0]);
    let [source, ..] = &converted.changed[..] else {
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
  teams = [data.nsxt_policy_certificate.web.context[0].project_id, data.nsxt_policy_certificate.web.context.0.project_id]
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
        .replace("data.nsxt_ip_pool.pool", "data.netmgr_ip_pool.pool")
        .replace(
            "data.nsxt_policy_certificate.web",
            "data.netmgr_policy_certificate.web",
        )
        .replace("context {", "context = {")
        .replace("context[0]", "context")
        .replace("context.0", "context");
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
fn a_requirement_in_one_line_is_left_and_listed() {
    let line = "required_providers { nsxt = { source = \"vmware/nsxt\" } }";
    let before = format!(
        "terraform {{\n  {line}\n}}\ndata \"nsxt_ip_pool\" \"x\" {{ id = \"1\" }}\n\
         resource \"nsxt_policy_group\" \"g\" {{}}\n"
    );
    let converted = convert(&[("main.tf", &before)]);
    assert_eq!(
        converted.left,
        ["main.tf:2: add netmgr = { source = \"netmgr/netmgr\" } to required_providers"]
    );
    assert_eq!(
        converted.changed[0].text,
        before.replace("data \"nsxt_", "data \"netmgr_")
    );
    let without = before.replace("resource \"nsxt_policy_group\" \"g\" {}\n", "");
    assert!(one(&without).contains("\n  required_providers { netmgr = { source = \"netmgr/netmgr\" } }\n"));
}

#[test]
fn members_that_the_host_ignores_are_listed() {
    let before = "data \"nsxt_policy_certificate\" \"x\" {\n  context {\n    project_id = \"p\"\n    \
                  vpc_id = \"v\"\n  }\n}\n";
    let converted = convert(&[("main.tf", before), ("versions.tf", REQUIRED)]);
    assert_eq!(
        converted.left,
        ["main.tf:4: `context` has no member `vpc_id`; the host ignores it"]
    );
    assert!(converted.changed[0].text.contains("  context = {\n"));
}

#[test]
fn blocks_that_no_attribute_can_replace_are_left_and_listed() {
    let inside = "  context {\n    project_id = \"p\"\n    tag {\n      scope = \"s\"\n    }\n  }\n";
    let twice = "  context {\n    project_id = \"p\"\n  }\n  context {\n    project_id = \"q\"\n  }\n";
    for (body, left) in [
        (
            inside,
            &["main.tf:2: `context` becomes an attribute, which cannot contain blocks: remove `tag`"][..],
        ),
        (
            twice,
            &[
                "main.tf:2: `context` is an attribute: write it once",
                "main.tf:5: `context` is an attribute: write it once",
            ],
        ),
    ] {
        let before = format!("data \"nsxt_policy_certificate\" \"x\" {{\n{body}}}\n");
        let converted = convert(&[("main.tf", &before), ("versions.tf", REQUIRED)]);
        assert_eq!(converted.left, left);
        let after = &converted.changed[0].text;
        assert_eq!(*after, before.replace("nsxt_policy", "netmgr_policy"));
        assert!(after.parse::<hcl_edit::structure::Body>().is_ok(), "{after}");
    }
}

#[test]
fn blocks_that_are_made_by_expressions_are_left_and_listed() {
    let before = "data \"nsxt_policy_certificate\" \"x\" {\n  display_name = \"x\"\n  dynamic \"context\" {\n    \
                  for_each = var.projects\n    content {\n      project_id = context.value\n    }\n  }\n}\n\
                  output \"x\" {\n  value = data.nsxt_policy_certificate.x.context[*].project_id\n}\n\
                  output \"y\" {\n  value = data.nsxt_policy_certificate.context.path\n}\n";
    let versions = "terraform {\n  required_providers {\n    nsxt = { source = \"vmware/nsxt\" }\n  }\n}\n";
    let converted = convert(&[("main.tf", before), ("versions.tf", versions)]);
    assert_eq!(
        converted.left,
        [
            "main.tf:3: `context` is an attribute: set it to an object or to null instead of a dynamic block",
            "main.tf:11: `context` is an object here, not a list of blocks",
        ]
    );
    let mut texts = converted.changed.iter().map(|source| &source.text);
    assert!(texts.any(|text| text.contains("dynamic \"context\" {")));
}

#[test]
fn what_has_no_counterpart_is_left_and_listed_with_its_line() {
    let main = "provider \"nsxt\" {\n  host = \"m\"\n  nothing = 1\n}\n\n\
                data \"nsxt_policy_nothing\" \"s\" {\n  display_name = data.nsxt_ip_pool.x.id\n}\n\
                output \"s\" {\n  value = data.nsxt_policy_nothing.s.path\n}\n";
    let converted = convert(&[
        ("main.tf", main),
        ("versions.tf", REQUIRED),
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
            "main.tf:6: netmgr has no data source for nsxt_policy_nothing",
        ]
    );
    let text = &converted.changed[0].text;
    assert!(text.contains("data \"nsxt_policy_nothing\" \"s\""), "{text}");
    assert!(text.contains("data.nsxt_policy_nothing.s.path"), "{text}");
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
    let converted = convert(&[("main.tf", main), ("versions.tf", REQUIRED)]);
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

#[test]
fn a_second_conversion_changes_nothing() {
    let main = "terraform {\n  required_providers {\n    nsxt = { source = \"vmware/nsxt\" }\n  }\n}\n\
                provider \"nsxt\" {\n  host = \"m\"\n}\n\
                provider \"nsxt\" {\n  alias = \"b\"\n  host = data.nsxt_ip_pool.x.description\n}\n\
                data \"nsxt_ip_pool\" \"x\" { id = \"1\" }\n\
                resource \"nsxt_policy_group\" \"g\" {}\n";
    let first = convert(&[("main.tf", main)]);
    let text = &first.changed[0].text;
    assert_eq!(text.matches("provider \"netmgr\"").count(), 2, "{text}");
    assert!(!text.contains("data.nsxt_ip_pool"), "{text}");
    let second = convert(&[("main.tf", text)]);
    assert!(second.changed.is_empty() && second.left.is_empty(), "{second:?}");
    // When nothing needs the other provider any more, its blocks stay for the user to remove.
    let without = text.replace("resource \"nsxt_policy_group\" \"g\" {}\n", "");
    let third = convert(&[("main.tf", &without)]);
    assert!(third.changed.is_empty());
    assert_eq!(
        third.left,
        [
            "main.tf:3: netmgr is required already; remove nsxt if nothing needs it",
            "main.tf:7: netmgr is configured already; remove this block if nothing needs it",
            "main.tf:14: netmgr is configured already; remove this block if nothing needs it",
        ]
    );
}

#[test]
fn byte_order_marks_and_line_ends_stay() {
    let before = "\u{feff}terraform {\r\n  required_providers {\r\n    nsxt = { source = \"vmware/nsxt\" }\r\n  }\r\n}\r\n\
                  provider \"nsxt\" {\r\n  host = \"é\"\r\n}\r\n\
                  data \"nsxt_ip_pool\" \"x\" { id = \"1\" }\r\nresource \"nsxt_policy_group\" \"g\" {}\r\n";
    let after = one(before);
    assert!(after.starts_with("\u{feff}terraform"), "{after:?}");
    assert_eq!(
        after.matches('\n').count(),
        after.matches("\r\n").count(),
        "{after:?}"
    );
    assert!(after.contains("data \"netmgr_ip_pool\" \"x\""), "{after:?}");
}

#[test]
fn files_that_are_not_converted_are_listed_when_they_refer_to_the_provider() {
    let main = "terraform {\n  required_providers {\n    nsxt = { source = \"vmware/nsxt\" }\n  }\n}\n\
                data \"nsxt_ip_pool\" \"x\" { id = \"1\" }\n";
    let converted = convert(&[
        ("main.tf", main),
        (
            "o.tf.json",
            "{\"output\": {\"o\": {\"value\": \"${data.nsxt_ip_pool.x.id}\"}}}",
        ),
        (
            "a.tftest.hcl",
            "override_data {\n  target = data.nsxt_ip_pool.x\n}\n",
        ),
        ("b.tftest.hcl", "run \"a\" {}\n"),
    ]);
    assert_eq!(
        converted.left,
        [
            "o.tf.json: JSON is not converted",
            "a.tftest.hcl: tests are not converted"
        ]
    );
}

#[test]
fn a_module_without_a_requirement_is_listed_once() {
    let text = "data \"nsxt_ip_pool\" \"x\" { id = \"1\" }\n";
    let converted = convert(&[("m/a.tf", text), ("m/b.tf", text)]);
    assert_eq!(
        converted.left,
        [
            "m/a.tf:1: its folder does not require nsxt; add netmgr = { source = \"netmgr/netmgr\" } to required_providers"
        ]
    );
}

#[test]
fn arguments_without_counterpart_are_listed_and_quoted_providers_are_renamed() {
    let main = "terraform {\n  required_providers {\n    nsxt = { source = \"vmware/nsxt\" }\n  }\n}\n\
                data \"nsxt_ip_pool\" \"x\" {\n  provider = \"nsxt.b\"\n  count = 1\n  id = \"1\"\n  nothing = 1\n}\n\
                module \"m\" {\n  source = \"./m\"\n  providers = { \"nsxt\" = nsxt.b }\n}\n";
    let converted = convert(&[("main.tf", main)]);
    assert_eq!(
        converted.left,
        ["main.tf:10: netmgr_ip_pool has no argument nothing"]
    );
    let text = &converted.changed[0].text;
    assert!(text.contains("provider = \"netmgr.b\"\n"), "{text}");
    assert!(text.contains("{ \"netmgr\" = netmgr.b }"), "{text}");
}
