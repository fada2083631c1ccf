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
    project.convert(None, None)
}

/// The manual steps, as the report lists them.
fn left(converted: &Converted) -> Vec<String> {
    converted.left.iter().map(ManualStep::to_string).collect()
}

/// The new text of a file.
#[track_caller]
fn text<'a>(converted: &'a Converted, name: &str) -> &'a str {
    let mut changed = converted.changed.iter();
    let found = changed.find(|source| source.name == name);
    &found
        .unwrap_or_else(|| panic!("{name} is not changed: {converted:?}"))
        .text
}

/// Converts one file, for which no manual step may remain.
#[track_caller]
fn one(text: &str) -> String {
    let converted = match text.contains("required_providers") {
        true => convert(&[("main.tf", text)]),
        false => convert(&[("main.tf", text), ("versions.tf", REQUIRED)]),
    };
    assert_eq!(left(&converted), [""; 0]);
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
        left(&converted),
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
        left(&converted),
        ["main.tf:4: `context` has no member `vpc_id`; the host ignores it"]
    );
    assert!(converted.changed[0].text.contains("  context = {\n"));
}

#[test]
fn blocks_that_no_attribute_can_replace_are_left_and_listed() {
    let inside = "  context {\n    project_id = \"p\"\n    tag {\n      scope = \"s\"\n    }\n  }\n";
    let twice = "  context {\n    project_id = \"p\"\n  }\n  context {\n    project_id = \"q\"\n  }\n";
    for (body, steps) in [
        (
            inside,
            &["main.tf:2: `context` becomes an attribute, which cannot contain blocks: remove `tag`"][..],
        ),
        (
            twice,
            &[
                "main.tf:2: `context` is an attribute: set it only once",
                "main.tf:5: `context` is an attribute: set it only once",
            ],
        ),
    ] {
        let before = format!("data \"nsxt_policy_certificate\" \"x\" {{\n{body}}}\n");
        let converted = convert(&[("main.tf", &before), ("versions.tf", REQUIRED)]);
        assert_eq!(left(&converted), steps);
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
        left(&converted),
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
                data \"nsxt_ip_pool\" \"x\" {}\n\
                output \"s\" {\n  value = data.nsxt_policy_nothing.s.path\n}\n";
    let converted = convert(&[
        ("main.tf", main),
        ("versions.tf", REQUIRED),
        ("broken.tf", "data \"nsxt_ip_pool\" {{\n"),
        ("pools.tf.json", "{\"data\": {\"nsxt_ip_pool\": {}}}"),
        ("other.tf.json", "{}"),
    ]);
    assert_eq!(
        left(&converted),
        [
            "broken.tf: line 1, column 22: cannot be parsed",
            "main.tf:3: netmgr has no argument nothing",
            "main.tf:6: netmgr has no data source for nsxt_policy_nothing",
            "pools.tf.json: JSON is not converted",
        ]
    );
    let text = &converted.changed[0].text;
    assert!(text.contains("data \"nsxt_policy_nothing\" \"s\""), "{text}");
    assert!(text.contains("data.nsxt_policy_nothing.s.path"), "{text}");
    assert!(text.contains("data.netmgr_ip_pool.x.id"), "{text}");
    assert!(text.contains("provider \"nsxt\""), "{text}");
}

/// A module that looks up a pool.
const LOOKS_UP: &str = "terraform {\n  required_providers {\n    nsxt = {\n      source = \"vmware/nsxt\"\n      \
    configuration_aliases = [nsxt.c]\n    }\n  }\n}\ndata \"nsxt_ip_pool\" \"x\" { id = \"1\" }\n";

/// A module that makes a group.
const MAKES: &str = "terraform {\n  required_providers {\n    nsxt = { source = \"vmware/nsxt\" }\n  }\n}\n\
    resource \"nsxt_policy_group\" \"g\" {}\n";

#[test]
fn providers_that_are_passed_to_modules_of_the_configuration_are_renamed() {
    let main =
        "module \"a\" {\n  source = \"./a\"\n  providers = {\n    nsxt = nsxt.b\n    nsxt.c = nsxt\n  }\n}\n";
    let converted = convert(&[
        ("a/main.tf", LOOKS_UP),
        ("main.tf", main),
        ("versions.tf", REQUIRED),
    ]);
    assert_eq!(left(&converted), [""; 0]);
    let inner = text(&converted, "a/main.tf");
    assert!(
        inner.contains("netmgr = { source = \"netmgr/netmgr\", configuration_aliases = [netmgr.c] }"),
        "{inner}"
    );
    assert!(text(&converted, "main.tf").contains("netmgr = netmgr.b\n    netmgr.c = netmgr\n"));
}

#[test]
fn modules_that_need_both_providers_are_passed_both() {
    let main = "module \"a\" {\n  source = \"./a/../a\"\n  providers = {\n    nsxt   = nsxt.b # first\n    \
                nsxt.c = nsxt\n  }\n}\n\
                module \"b\" {\n  source    = \"./b\"\n  providers = { nsxt = nsxt.b }\n}\n\
                module \"c\" {\n  source    = \"./c\"\n  providers = { nsxt = nsxt.b }\n}\n";
    let both = format!("{LOOKS_UP}resource \"nsxt_policy_group\" \"g\" {{}}\n");
    let converted = convert(&[
        ("a/main.tf", &both),
        ("b/main.tf", &both),
        ("c/main.tf", MAKES),
        ("main.tf", main),
        ("versions.tf", REQUIRED),
    ]);
    assert_eq!(left(&converted), [""; 0]);
    assert_eq!(
        text(&converted, "main.tf"),
        main.replace(
            "nsxt   = nsxt.b # first\n    nsxt.c = nsxt\n",
            "nsxt   = nsxt.b\n    netmgr   = netmgr.b # first\n    nsxt.c = nsxt\n    netmgr.c = netmgr\n"
        )
        .replacen("{ nsxt = nsxt.b }", "{ nsxt = nsxt.b, netmgr = netmgr.b }", 1)
    );
}

#[test]
fn folders_without_conversions_stay_as_they_are() {
    let root = "provider \"nsxt\" {\n  host = \"m\"\n}\nmodule \"a\" {\n  source = \"../makes\"\n}\n\
                module \"b\" {\n  source = \"acme/b\"\n  providers = { nsxt = nsxt }\n}\n";
    let callers = "provider \"nsxt\" {\n  host = \"m\"\n}\nmodule \"a\" {\n  source = \"../looks-up\"\n}\n";
    let converted = convert(&[
        ("live/main.tf", root),
        ("live/versions.tf", REQUIRED),
        ("makes/main.tf", MAKES),
        ("looks-up/main.tf", LOOKS_UP),
        ("calls/main.tf", callers),
        ("calls/versions.tf", REQUIRED),
    ]);
    assert_eq!(left(&converted), [""; 0]);
    let mut changed: Vec<&str> = converted
        .changed
        .iter()
        .map(|source| source.name.as_str())
        .collect();
    changed.sort_unstable();
    // The provider of a module that looks up objects is configured by its caller.
    assert_eq!(
        changed,
        ["calls/main.tf", "calls/versions.tf", "looks-up/main.tf"]
    );
    assert_eq!(
        text(&converted, "calls/main.tf"),
        callers.replace("provider \"nsxt\"", "provider \"netmgr\"")
    );
}

#[test]
fn requirements_are_written_where_a_module_has_none_of_the_provider() {
    const DATA: &str = "data \"nsxt_ip_pool\" \"x\" { id = \"1\" }\n";
    let entry = "netmgr = { source = \"netmgr/netmgr\" }";
    for (before, after) in [
        (
            "terraform {\n  required_providers {\n    aws = { source = \"hashicorp/aws\" } # a\n  }\n}\n",
            format!(
                "terraform {{\n  required_providers {{\n    aws = {{ source = \"hashicorp/aws\" }} # a\n    {entry}\n  }}\n}}\n"
            ),
        ),
        (
            "terraform {\n  # at least\n  required_version = \">= 1.0\" // this\n}\n",
            format!(
                "terraform {{\n  # at least\n  required_version = \">= 1.0\" // this\n  \
                 required_providers {{\n    {entry}\n  }}\n}}\n"
            ),
        ),
        (
            "# Nothing yet.",
            format!("# Nothing yet.\n\nterraform {{\n  required_providers {{\n    {entry}\n  }}\n}}\n"),
        ),
    ] {
        let converted = convert(&[("main.tf", DATA), ("versions.tf", before)]);
        assert_eq!(left(&converted), [""; 0]);
        assert_eq!(text(&converted, "versions.tf"), after);
        let again = [("main.tf", text(&converted, "main.tf")), ("versions.tf", &after)];
        assert!(convert(&again).changed.is_empty());
    }
    let converted = convert(&[("m/a.tf", DATA), ("m/b.tf", DATA)]);
    assert_eq!(left(&converted), [""; 0]);
    assert_eq!(
        text(&converted, "m/versions.tf"),
        format!("terraform {{\n  required_providers {{\n    {entry}\n  }}\n}}\n")
    );
}

#[test]
fn requirements_that_cannot_be_written_are_listed() {
    const DATA: &str = "data \"nsxt_ip_pool\" \"x\" { id = \"1\" }\n";
    let one_line = "terraform {\n  required_providers { aws = { source = \"hashicorp/aws\" } }\n}\n";
    let converted = convert(&[("main.tf", DATA), ("versions.tf", one_line)]);
    assert_eq!(
        left(&converted),
        ["versions.tf:2: add netmgr = { source = \"netmgr/netmgr\" } to required_providers"]
    );
    let converted = convert(&[
        ("m/main.tf", DATA),
        ("m/versions.tf.json", "{\"required_providers\": []}"),
    ]);
    assert_eq!(
        left(&converted),
        [
            "m: add netmgr = { source = \"netmgr/netmgr\" } to required_providers; it may be in a file that is \
             not converted",
            "m/versions.tf.json: JSON is not converted",
        ]
    );
}

#[test]
fn data_sources_that_a_manager_does_not_have_are_listed_with_their_successors() {
    let main = "data \"nsxt_ns_group\" \"a\" {}\n\ndata \"netmgr_edge_cluster\" \"b\" {}\n\
                data \"nsxt_policy_group\" \"c\" {}\n";
    let for_version = |version: &str| {
        let sources = [("main.tf", main), ("versions.tf", REQUIRED)].map(|(name, text)| SourceFile {
            name: name.to_owned(),
            text: text.to_owned(),
        });
        let project = Project {
            sources: sources.into(),
            left: Vec::new(),
        };
        left(&project.convert(Some(&version.parse().unwrap()), None))
    };
    assert_eq!(
        for_version("9"),
        [
            "main.tf:1: managers of version 9.0.0 and later do not have netmgr_ns_group; use netmgr_policy_group",
            "main.tf:3: managers of version 9.0.0 and later do not have netmgr_edge_cluster; \
             use netmgr_policy_edge_cluster",
        ]
    );
    assert_eq!(for_version("4.2.3"), [""; 0]);
}

#[test]
fn attributes_with_another_name_are_renamed_and_unknown_ones_are_listed() {
    let main = "data \"nsxt_policy_vm\" \"x\" {\n  for_each = var.names\n}\n\
                output \"a\" {\n  value = [data.nsxt_policy_vm.x[\"a\"].tag, data.nsxt_policy_vm.x[\"a\"].nothing]\n}\n";
    let converted = convert(&[("main.tf", main), ("versions.tf", REQUIRED)]);
    assert_eq!(
        left(&converted),
        ["main.tf:5: the data source here has no attribute nothing"]
    );
    assert!(
        text(&converted, "main.tf")
            .contains("[data.netmgr_policy_vm.x[\"a\"].tags, data.netmgr_policy_vm.x[\"a\"].nothing]")
    );
}

#[test]
fn a_collection_in_a_template_and_a_quoted_dependency_are_references() {
    let before = "data \"nsxt_ip_pool\" \"x\" {\n  depends_on = [\"data.nsxt_ip_pool.y\", \"aws_vpc.z\"]\n}\n\
                  output \"o\" {\n  value = <<-EOT\n    %{ for pool in data.nsxt_ip_pool.all ~}\n    ${pool.id}\n    \
                  %{ endfor ~}\n  EOT\n}\n";
    assert_eq!(one(before), before.replace("nsxt_", "netmgr_"));
}

#[test]
fn data_sources_of_checks_need_the_provider() {
    let before = "provider \"nsxt\" {\n  host = \"m\"\n}\ncheck \"c\" {\n  data \"nsxt_ip_pool\" \"x\" {\n    \
                  id = \"1\"\n  }\n  assert {\n    condition = data.nsxt_ip_pool.x.id != \"\"\n    \
                  error_message = \"none\"\n  }\n}\n";
    let converted = convert(&[("main.tf", before), ("versions.tf", REQUIRED)]);
    assert_eq!(left(&converted), [""; 0]);
    assert_eq!(
        text(&converted, "main.tf"),
        before
            .replace("nsxt_ip", "netmgr_ip")
            .replace("\"nsxt\"", "\"netmgr\"")
    );
    assert!(text(&converted, "versions.tf").contains("netmgr = {"));
}

#[test]
fn a_resource_that_is_removed_or_imported_needs_the_other_provider() {
    for address in ["nsxt_policy_group.old", "module.a.nsxt_policy_group.old[\"b\"]"] {
        for block in [
            format!("removed {{\n  from = {address}\n}}\n"),
            format!("import {{\n  to = {address}\n  id = \"1\"\n}}\n"),
        ] {
            let main = format!(
                "provider \"nsxt\" {{\n  host = \"m\"\n}}\ndata \"nsxt_ip_pool\" \"x\" {{ id = \"1\" }}\n{block}"
            );
            let converted = convert(&[("main.tf", &main), ("versions.tf", REQUIRED)]);
            assert_eq!(left(&converted), [""; 0]);
            let main = text(&converted, "main.tf");
            assert!(
                main.contains("provider \"nsxt\" {") && main.ends_with(&block),
                "{main}"
            );
            assert!(text(&converted, "versions.tf").contains("nsxt = { source = \"vmware/nsxt\" }"));
        }
    }
}

#[test]
fn a_provider_with_another_name_is_listed() {
    let main = "data \"nsxt_ip_pool\" \"x\" {\n  provider = vmware.a\n  id = \"1\"\n}\n\
                data \"nsxt_ip_pool\" \"y\" {\n  provider = netmgr\n}\n";
    let converted = convert(&[("main.tf", main), ("versions.tf", REQUIRED)]);
    assert_eq!(
        left(&converted),
        ["main.tf:2: `provider` is not nsxt: set it to netmgr or to one of its aliases"]
    );
}

#[test]
fn objects_and_tags_inside_of_attributes_are_converted_as_well() {
    let before = "data \"nsxt_policy_tier0_gateway\" \"t\" {}\ndata \"nsxt_policy_intrusion_service_policy\" \"i\" {}\n\
                  data \"nsxt_policy_vm\" \"v\" {}\nlocals {\n  \
                  vrf = data.nsxt_policy_tier0_gateway.t.vrf_config[0].gateway_path\n  \
                  rule = data.nsxt_policy_intrusion_service_policy.i.rule[0].tag[0].tag\n  \
                  rule_id = data.nsxt_policy_intrusion_service_policy.i.rule[0].nsx_id\n  \
                  tag = data.nsxt_policy_vm.v.tag[0].tag\n}\n";
    assert_eq!(
        one(before),
        before
            .replace("nsxt_", "netmgr_")
            .replace("vrf_config[0]", "vrf_config")
            .replace("rule[0].tag[0]", "rules[0].tags[0]")
            .replace("rule[0].nsx_id", "rules[0].id")
            .replace("v.tag[0]", "v.tags[0]")
    );
}

#[test]
fn a_whole_value_with_attributes_that_are_named_otherwise_is_listed() {
    let main = "data \"nsxt_policy_vm\" \"v\" {\n  count = 2\n}\n\
                data \"nsxt_ip_pool\" \"x\" {\n  depends_on = [data.nsxt_policy_vm.v]\n}\n\
                output \"o\" {\n  value = [for vm in data.nsxt_policy_vm.v : vm.tag]\n}\n";
    let converted = convert(&[("main.tf", main), ("versions.tf", REQUIRED)]);
    assert_eq!(
        left(&converted),
        ["main.tf:8: `tag` is named `tags` here: rename it where this value is used"]
    );
    // The members of rules.
    let main =
        "locals {\n  ids = [for rule in data.nsxt_policy_intrusion_service_policy.i.rule : rule.nsx_id]\n}\n";
    let policy = "data \"nsxt_policy_intrusion_service_policy\" \"i\" {}\n";
    let converted = convert(&[
        ("main.tf", main),
        ("policy.tf", policy),
        ("versions.tf", REQUIRED),
    ]);
    assert_eq!(
        left(&converted),
        ["main.tf:2: `nsx_id` is named `id` here: rename it where this value is used"]
    );
    // The value is used in another file.
    let main = "data \"nsxt_policy_vm\" \"v\" {}\nlocals {\n  vm = data.nsxt_policy_vm.v\n}\n";
    let outputs = "output \"tags\" {\n  value = local.vm.tag\n}\n";
    let converted = convert(&[
        ("main.tf", main),
        ("outputs.tf", outputs),
        ("versions.tf", REQUIRED),
    ]);
    assert_eq!(
        left(&converted),
        ["main.tf:3: `tag` is named `tags` here: rename it where this value is used"]
    );
}

#[test]
fn the_report_ends_with_one_list_of_what_is_left() {
    let main = "data \"nsxt_ip_pool\" \"x\" {\n  nothing = 1\n}\ndata \"nsxt_policy_nothing\" \"y\" {}\n";
    let converted = convert(&[("main.tf", main)]);
    insta::assert_snapshot!(converted.report(false));
}

#[test]
fn a_converted_configuration_is_not_converted_again() {
    let text = "provider \"netmgr\" {}\ndata \"netmgr_ip_pool\" \"x\" { id = \"nsxt_ip_pool\" }\n";
    let required = REQUIRED
        .replace("vmware/nsxt", "netmgr/netmgr")
        .replace("nsxt =", "netmgr =");
    let converted = convert(&[("main.tf", text), ("versions.tf", &required)]);
    assert!(converted.changed.is_empty() && converted.left.is_empty());
    let report = converted.report(false);
    assert!(
        report.starts_with("nothing to convert\n\nManual steps:\n  environment: "),
        "{report}"
    );
}

#[test]
fn open_steps_are_listed_again_and_a_conversion_that_stopped_is_completed() {
    let main = "provider \"nsxt\" {\n  nothing = 1\n}\n\
                data \"nsxt_policy_certificate\" \"x\" {\n  nothing = 1\n  context {\n    other = 1\n  }\n}\n\
                output \"x\" {\n  value = data.nsxt_policy_certificate.x.absent\n}\n";
    let first = convert(&[("main.tf", main)]);
    assert_eq!(
        left(&first),
        [
            "main.tf:2: netmgr has no argument nothing",
            "main.tf:5: netmgr_policy_certificate has no argument nothing",
            "main.tf:7: `context` has no member `other`; the host ignores it",
            "main.tf:11: the data source here has no attribute absent",
        ]
    );
    let required = text(&first, "versions.tf");
    let second = convert(&[("main.tf", text(&first, "main.tf")), ("versions.tf", required)]);
    assert!(second.changed.is_empty(), "{second:?}");
    assert_eq!(left(&second), left(&first));
    // Without the requirement, which a run that stopped did not write.
    let again = convert(&[("main.tf", text(&first, "main.tf"))]);
    assert_eq!(text(&again, "versions.tf"), required);
}

#[test]
fn expressions_that_exceed_the_limits_of_the_parser_are_named() {
    let repeated = |before: &str, middle: &str, after: &str| {
        format!(
            "locals {{\n  a = {}{middle}{}\n}}\n",
            before.repeat(300),
            after.repeat(300)
        )
    };
    for text in [
        repeated("1 + ", "1", ""),
        repeated("(", "1", ")"),
        repeated("[", "1", "]"),
        repeated("{ a = ", "1", " }"),
        repeated("!", "true", ""),
        repeated("a ? b : ", "c", ""),
        repeated("\"${", "c", "}\""),
        format!(
            "locals {{\n  a = \"{}{}\"\n}}\n",
            "%{ if a }".repeat(300),
            "%{ endif }".repeat(300)
        ),
        format!("{}{}", "a {\n".repeat(300), "}\n".repeat(300)),
        format!(
            "locals {{\n  a = <<A\n{}${{{}1{}}}\nA\n}}\n",
            "x",
            "(".repeat(300),
            ")".repeat(300)
        ),
    ] {
        let converted = convert(&[("main.tf", &text)]);
        let [step] = &left(&converted)[..] else {
            panic!("{text}: {converted:?}")
        };
        assert!(
            step.ends_with("the expression is too long or too deeply nested"),
            "{text}: {step}"
        );
    }
}

#[test]
fn a_second_conversion_changes_nothing() {
    let main = "terraform {\n  required_providers {\n    nsxt = { source = \"vmware/nsxt\" }\n  }\n}\n\
                provider \"nsxt\" {\n  host = \"m\"\n}\n\
                provider \"nsxt\" {\n  alias = \"b\"\n  host = data.nsxt_ip_pool.x.description\n}\n\
                data \"nsxt_ip_pool\" \"x\" { id = \"1\" }\n\
                resource \"nsxt_policy_group\" \"g\" {}\n";
    let first = convert(&[("main.tf", main)]);
    let text = text(&first, "main.tf");
    assert_eq!(text.matches("provider \"netmgr\"").count(), 2, "{text}");
    assert!(!text.contains("data.nsxt_ip_pool"), "{text}");
    let second = convert(&[("main.tf", text)]);
    assert!(second.changed.is_empty() && second.left.is_empty(), "{second:?}");
    // If nothing needs the other provider, its blocks are kept for the user to remove.
    let without = text.replace("resource \"nsxt_policy_group\" \"g\" {}\n", "");
    let third = convert(&[("main.tf", &without)]);
    assert!(third.changed.is_empty());
    assert_eq!(
        left(&third),
        [
            "main.tf:3: netmgr is already required; remove nsxt if it is unused",
            "main.tf:7: netmgr is already configured; remove this block if it is unused",
            "main.tf:14: netmgr is already configured; remove this block if it is unused",
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
        left(&converted),
        [
            "a.tftest.hcl: tests are not converted",
            "o.tf.json: JSON is not converted"
        ]
    );
}

#[test]
fn arguments_without_counterpart_are_listed_and_quoted_providers_are_renamed() {
    let main = "terraform {\n  required_providers {\n    nsxt = { source = \"vmware/nsxt\" }\n  }\n}\n\
                data \"nsxt_ip_pool\" \"x\" {\n  provider = \"nsxt.b\"\n  count = 1\n  id = \"1\"\n  nothing = 1\n}\n\
                module \"m\" {\n  source = \"./m\"\n  providers = { \"nsxt\" = nsxt.b }\n}\n";
    let converted = convert(&[("main.tf", main), ("m/main.tf", LOOKS_UP)]);
    assert_eq!(
        left(&converted),
        ["main.tf:10: netmgr_ip_pool has no argument nothing"]
    );
    let text = text(&converted, "main.tf");
    assert!(text.contains("provider = \"netmgr.b\"\n"), "{text}");
    assert!(text.contains("{ \"netmgr\" = netmgr.b }"), "{text}");
}
