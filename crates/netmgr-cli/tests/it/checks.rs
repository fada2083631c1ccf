//! `netmgr check`: what it finds in configurations, and how many requests it takes.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::support::{Manager, Run, netmgr};

#[test]
fn a_check_names_what_is_wrong_on_its_line_and_counts_what_it_cannot_decide() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::create_dir_all(file("called")).unwrap();
    let text = r#"locals {
  prefix = "web"
  found  = "${local.prefix}-network"
}
variable "group" {
  default = "nothing"
}
variable "group_path" {
  default = "/infra/domains/default/groups/web-serverz" # missing, web-servers
}
module "called" {
  source = "./called"
  group  = "x"
}
data "nsxt_policy_group" "local" {
  display_name = local.found
}
data "nsxt_policy_group" "value" {
  display_name = var.group
}
data "netmgr_policy_group" "missing" { # missing, web-network
  display_name = "web-netwrok"
}
data "nsxt_policy_group" "several" { # ambiguous
  provider     = netmgr
  display_name = "web-servers-twin"
}
data "nsxt_policy_group" "prefix" { # prefix, "web-network"
  display_name = "web-netw"
}
data "nsxt_policy_edge_node" "wrong" {
  edge_cluster_path = "cluster"
  display_name      = "x"
}
data "nsxt_ip_pool" "old" { # removed
  display_name = "ip-pool-prod"
}
resource "nsxt_policy_group" "new" {
  nsx_id = "new"
}
resource "nsxt_policy_segment" "web" {
  description         = "/infra/nothing"
  transport_zone_path = "/infra/segments/web-tier" # kind
  connectivity_path   = "/infra/tier-1s/none" # missing
  other               = true ? "/infra/tier-1s/none" : null
  paths = concat(["/infra/services/HTTPS"], ["/infra/../services"]) # invalid, ".."
  group = ["/infra/domains/default/groups/new", "/infra/domains/default/groups/web-servers"]
}
check "each" {
  data "nsxt_policy_group" "each" {
    for_each     = toset(["a"])
    display_name = each.key
  }
}
output "path" {
  value = startswith("/infra/x", "/infra/y") ? "" : format("/infra/segments/%s", local.prefix)
}
output "other" {
  value = "/infra/segments/${local.prefix}"
}
output "lines" {
  value = split("\n", <<-EOT
    /infra/services/none
  EOT
  )
}
data "nsxt_policy_group" "elsewhere" {
  provider     = nsxt.west
  display_name = "nothing"
}
data "nsxt_policy_group_of_others" "unknown" {}
locals {
  root   = "/infra"
  joined = "${local.root}/tier-1s/none"
  chosen = "%{ if local.root == "" }/infra/tier-1s/none%{ else }/infra/tier-1s/none-either%{ endif }"
  file   = "${path.module}/files"
}
resource "nsxt_policy_segment" "joined" {
  connectivity_path = "${var.root}/tier-1s/none"
  cidr              = "${var.address}/24"
}
"#;
    fs::write(file("main.tf"), text).unwrap();
    fs::write(file("terraform.tfvars"), "group = \"web-network\"\n").unwrap();
    fs::write(
        file("called/main.tf"),
        "variable \"group\" {\n  default = \"nothing\"\n}\ndata \"nsxt_policy_group\" \"v\" {\n  display_name = var.group\n}\n",
    )
    .unwrap();
    fs::write(
        file("json.tf.json"),
        "{\"data\": {\"nsxt_policy_group\": {\n  \"j\": {\"display_name\": \"nothing\"}}},\n\"locals\": {\"x\": \"/infra/services/none\"}}",
    )
    .unwrap();
    fs::write(
        file("Pulumi.yaml"),
        "resources:\n  a:\n    properties:\n      zones: [true, \"/infra/segments/none-either\"]\n      other: /infra/${x}\n  \
         b:\n    properties:\n      transportZonePath: /infra/segments/web-tier\n    type: nsxt:PolicySegment\n",
    )
    .unwrap();
    fs::write(file("broken.tf"), "data {").unwrap();
    let sarif = file("findings.sarif");
    let run = netmgr(&[
        "check",
        folder.path().to_str().unwrap(),
        "--simulate",
        "--for",
        "9",
        "--undecided",
        "--sarif",
        sarif.to_str().unwrap(),
    ]);
    assert_eq!(run.code, 1, "{run:?}");

    // Each finding is on the line that the comments of the configuration announce, with its words.
    let announced = text
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| Some((number, line.split_once(" # ")?.1)));
    let main = run.stdout.lines().filter(|line| line.starts_with("main.tf:"));
    let main: Vec<&str> = main.collect();
    let mut left = main.clone();
    for (number, words) in announced {
        let (rule, word) = words.split_once(", ").unwrap_or((words, ""));
        let begin = format!("main.tf:{number}: {rule}: ");
        let found = left
            .iter()
            .position(|line| line.starts_with(&begin) && line.contains(word.trim_matches('"')));
        left.remove(found.unwrap_or_else(|| panic!("no {begin} {word} in {main:#?}")));
    }
    assert_eq!(left, Vec::<&str>::new());
    let others: Vec<&str> = run
        .stdout
        .lines()
        .filter(|line| !line.starts_with("main.tf:"))
        .collect();
    assert!(
        others[0].starts_with("Pulumi.yaml:4: missing: there is no object /infra/segments/none-either"),
        "{others:#?}"
    );
    assert!(
        others[1]
            .starts_with("Pulumi.yaml:8: kind: transport_zone_path requires an object in transport-zones"),
        "{others:#?}"
    );
    assert!(
        others[2].starts_with("json.tf.json:2: missing: nsxt_policy_group.j: no group"),
        "{others:#?}"
    );
    assert!(others[3].starts_with("json.tf.json:3: missing: "), "{others:#?}");
    assert_eq!(others.len(), 4, "{others:#?}");
    for undecided in [
        "called/main.tf:4: nsxt_policy_group.v depends on other values",
        "the text has interpolations",
        "the text has several lines",
        "nsxt_policy_group.each depends on other values",
        "nsxt_policy_group.elsewhere depends on other values",
        "the configuration makes the object",
        "nsxt_policy_edge_node.wrong: `edge_cluster_path` must be",
        "only one of two values is used",
        "nsxt_policy_group_of_others.unknown is not known",
        "main.tf:74: the text has interpolations",
        "main.tf:79: the text has interpolations",
        "not read: broken.tf: ",
    ] {
        assert!(run.stderr.contains(undecided), "{undecided}: {}", run.stderr);
    }
    let chosen = run
        .stderr
        .matches("main.tf:75: only one of several texts is used");
    assert_eq!(chosen.count(), 2, "{}", run.stderr);
    for decided in ["main.tf:76: ", "main.tf:80: "] {
        assert!(!run.stderr.contains(decided), "{decided}: {}", run.stderr);
    }
    let document: Value = serde_json::from_str(&fs::read_to_string(sarif).unwrap()).unwrap();
    let results = document["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), run.stdout.lines().count());
    assert!(results.iter().any(|one| {
        one["ruleId"] == "kind"
            && one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                .as_str()
                .unwrap()
                .ends_with("/main.tf")
    }));
    // A file of the configuration is not replaced.
    let broken = file("broken.tf");
    let arguments = ["check", folder.path().to_str().unwrap(), "--simulate", "--sarif"];
    let refused = netmgr(&[&arguments[..], &[broken.to_str().unwrap()]].concat());
    assert!(
        refused
            .failure(2)
            .contains("has the name of a configuration file"),
        "{refused:?}"
    );
    assert_eq!(fs::read_to_string(broken).unwrap(), "data {");
}

/// Correct references, and references that cannot be decided, are not reported.
#[test]
fn a_check_has_no_false_alarms() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    write(
        "main.tf",
        r#"locals {
  two      = 2
  groups   = "/infra/domains/default/groups"
  services = ["/infra/segments/web-tier"]
}
variable "json" { default = "nothing" }
variable "flag" { default = "nothing" }
variable "null" {
  default  = "nothing"
  nullable = false
}
data "netmgr_policy_object" "tolerated" {
  path       = "/infra/domains/default/groups/none"
  on_missing = "null"
}
data "nsxt_policy_group" "number" { display_name = "web-servers-${local.two}" }
data "nsxt_policy_group" "json" { display_name = var.json }
data "nsxt_policy_group" "flag" { display_name = var.flag }
data "nsxt_policy_group" "null" { display_name = var.null }
data "nsxt_policy_group" "overridden" { display_name = "nothing" }
data "nsxt_policy_group" "described" {
  display_name = "web-network"
  description  = "nothing"
}
data "nsxt_policy_group" "both" {
  id           = "web-network"
  display_name = "web-network"
}
data "nsxt_policy_group" "later" {
  display_name = "nothing"
  depends_on   = [nsxt_policy_group.new]
}
data "nsxt_policy_group" "elsewhere" {
  provider     = nsxt_b
  display_name = "nothing"
}
data "nsxt_policy_gateway_locale_service" "new" {
  gateway_path = "/infra/tier-0s/new-t0"
  display_name = "x"
}
data "nsxt_policy_tier0_gateway" "strip" { display_name = "x ${~ local.two}" }
resource "nsxt_policy_tier0_gateway" "new" { nsx_id = "new-t0" }
resource "nsxt_policy_group" "new" { nsx_id = each.value }
resource "nsxt_policy_segment" "west" {
  provider          = nsxt.west
  connectivity_path = "/infra/tier-1s/none"
}
resource "nsxt_policy_segment" "none" {
  count             = 0
  connectivity_path = "/infra/tier-1s/none"
  provisioner "file" { destination = "/infra/segments/none" }
}
resource "aws_ssm_parameter" "billing" { name = "/infra/services/billing" }
module "west" {
  source    = "${path.module}/west"
  providers = { nsxt = nsxt.west }
}
module "gateways" {
  source  = "git::https://example.com/modules//gateways"
  gateway = "/infra/segments/web-tier"
}
output "paths" {
  value = [
    "${local.groups}/web", "/infra/tier-0s/new-t0/locale-services/default", "/infra/domains/default/groups/any",
    try(var.json, "/infra/services/none"), "/infra/services/old is gone", "/infra/realized-state/realized-entities",
  ]
}
"#,
    );
    write(
        "main_override.tf",
        "data \"nsxt_policy_group\" \"overridden\" {\n  display_name = \"web-network\"\n}\n",
    );
    write(
        "terraform.tfvars.json",
        "{\"json\": \"web-network\", \"dev\": \"dev-servers\"}\n",
    );
    write("prod.tfvars", "flag = \"web-network\"\n");
    write("a.auto.tfvars", "null = null\n");
    write(
        "json.tf.json",
        "{\"data\": {\"nsxt_policy_group\": {\"j\": {\"context\": [{\"project_id\": \"dev\"}], \"display_name\": \"${var.dev}\"}}}}\n",
    );
    write(
        "blocks.tf.json",
        &json!({
            "//": "/infra/services/none",
            "terraform": {"backend": {"s3": {"key": "/infra/services/none"}}},
            "provider": {"aws": {"path": "/infra/services/none"}},
            "resource": {
                "aws_ssm_parameter": {"p": {"name": "/infra/services/none"}},
                "nsxt_policy_group": {
                    "made": {"//": "/infra/services/none", "nsx_id": "json-made"},
                    "west": [{"provider": "nsxt.west", "path": "/infra/services/none"}],
                    "unused": {"count": 0, "path": "/infra/services/none"},
                },
            },
            "locals": {"made": "/infra/domains/default/groups/json-made"},
        })
        .to_string(),
    );
    for module in ["west", "gateways"] {
        write(
            &format!("{module}/main.tf"),
            "variable \"x\" {\n  default = \"nothing\"\n}\ndata \"nsxt_policy_group\" \"x\" {\n  display_name = var.x\n}\n",
        );
    }
    write(
        "west/paths.tf",
        "locals {\n  path = \"/infra/services/none\"\n}\n",
    );
    write(
        "Pulumi.yaml",
        "# path: /infra/services/none\nresources:\n  billing:\n    type: aws:ssm:Parameter\n    properties:\n      name: /infra/services/billing\n  a:\n    description: |\n      /infra/services/none\n    paths: [\"/infra/services/HTTPS\",\n      \"/infra/segments/web-tier\",]\n    \
         joined:\n      fn::join:\n        - /\n        - - /infra/services/\n    nsxId: new-seg\n    path: /infra/segments/new-seg # mine\n    long: a text\n      /infra/services/none\n",
    );
    let path = folder.path().to_str().unwrap();
    let run = netmgr(&["check", path, "--simulate", "--undecided"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{run}");
    assert!(!run.stderr.contains("not read: "), "{run}");
    // A single file has the values of the files beside it.
    let run = netmgr(&["check", &format!("{path}/main.tf"), "--simulate"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{run}");
}

#[test]
fn thousands_of_paths_take_few_requests_and_only_missing_ones_are_found() {
    const GROUPS: usize = 1000;
    let folder = tempfile::tempdir().unwrap();
    let is_removed = |number: usize| number % 33 == 7;
    let groups = (0..GROUPS).filter(|number| !is_removed(*number));
    let groups: Vec<Value> = groups
        .map(|number| json!({ "id": format!("g{number}"), "display_name": format!("group {number}") }))
        .collect();
    let inventory = folder.path().join("inventory.json");
    fs::write(
        &inventory,
        json!({ "/infra/domains/default/groups": groups }).to_string(),
    )
    .unwrap();
    let mut text = "locals {\n  groups = [\n".to_owned();
    for number in 0..GROUPS {
        writeln!(text, "    \"/infra/domains/default/groups/g{number}\",").unwrap();
    }
    let file = folder.path().join("groups.tf");
    fs::write(&file, text + "  ]\n}\n").unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", inventory.to_str().unwrap()]);
    let mut check = manager.program(&["check", file.to_str().unwrap(), "--stats", "--query", ".[].line"]);
    let run = Run::of(&mut check);
    assert_eq!(run.code, 1, "{run:?}");
    let found: Vec<usize> = run.stdout.lines().map(|line| line.parse().unwrap()).collect();
    let expected: Vec<usize> = (0..GROUPS)
        .filter(|number| is_removed(*number))
        .map(|number| number + 3)
        .collect();
    assert_eq!(found, expected);
    let requests = run
        .stderr
        .split("requests ")
        .nth(1)
        .and_then(|rest| rest.split(',').next());
    let requests: usize = requests.unwrap().parse().unwrap();
    assert!(requests <= 150, "{requests} requests");
}

#[test]
fn files_that_cannot_be_read_are_named_and_fail_the_check_of_the_others() {
    let empty = tempfile::tempdir().unwrap();
    let nothing = netmgr(&["check", "--simulate", empty.path().to_str().unwrap()]);
    assert!(
        nothing
            .failure(2)
            .contains(" has no files of Terraform, OpenTofu or Pulumi\n")
    );
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let large = fs::File::create(file("large.tf")).unwrap();
    large.set_len((16 << 20) + 1).unwrap();
    fs::write(file("latin.tf"), b"# caf\xe9\n").unwrap();
    fs::write(file("torn.tf"), "locals {\n").unwrap();
    fs::write(file("good.tf"), "locals { a = \"/infra/services/HTTPS\" }\n").unwrap();
    std::os::unix::fs::symlink(file("good.tf"), file("link.tf")).unwrap();
    let path = folder.path().to_str().unwrap();
    let check = || netmgr(&["check", path, "--simulate", "--undecided"]);
    let run = check();
    assert_eq!((run.code, run.stdout.as_str()), (13, ""), "{run:?}");
    for expected in [
        "not read: large.tf: it cannot be read: it is larger than 16 MiB",
        "not read: latin.tf: the text is not UTF-8",
        "not read: torn.tf",
        "not decided: link.tf: links are not followed",
        "0 findings; checked 1 path and 0 data sources of 5 files; 1 place not decided",
    ] {
        assert!(run.stderr.contains(expected), "{expected}: {run:?}");
    }
    fs::write(file("good.tf"), "locals { a = \"/infra/services/none\" }\n").unwrap();
    let pulumi =
        "variables:\n  a: &anchor /infra/services/none\n  b: *anchor\n  c: !!str /infra/services/none\n";
    fs::write(file("Pulumi.yaml"), pulumi).unwrap();
    fs::write(
        file("wrong.tf.json"),
        json!([{"resource": {"nsxt_policy_group": {"g": [{"member_paths": ["/infra/services/none"]}]}}}])
            .to_string(),
    )
    .unwrap();
    let run = check();
    let places = ["Pulumi.yaml:2", "Pulumi.yaml:4", "good.tf:1", "wrong.tf.json:1"];
    let lines: Vec<String> = places
        .iter()
        .map(|place| format!("{place}: missing: there is no object /infra/services/none\n"))
        .collect();
    assert_eq!((run.code, run.stdout), (1, lines.concat()));
    for name in ["Pulumi.yaml", "wrong.tf.json", "large.tf", "latin.tf", "torn.tf"] {
        fs::remove_file(file(name)).unwrap();
    }
    fs::write(file("good.tf"), "").unwrap();
    assert_eq!(check().code, 0);
}

#[test]
fn a_recording_replaces_the_manager() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let recorded = netmgr(&["export", "--simulate", "-o", &file("demo.json")]);
    assert_eq!(recorded.code, 0, "{recorded:?}");
    fs::write(
        file("main.tf"),
        "locals { a = [\"/infra/services/HTTPS\", \"/infra/services/NONE\"] }\n",
    )
    .unwrap();
    let check = |recording: &str| netmgr(&["check", &file("main.tf"), "--recording", &file(recording)]);
    let run = check("demo.json");
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (1, "main.tf:1: missing: there is no object /infra/services/NONE\n"),
        "{run:?}"
    );
    fs::write(file("other.json"), "{\"/infra/services\": []}").unwrap();
    assert!(check("other.json").failure(2).contains("not a recording"));
    let some = netmgr(&[
        "export",
        "--simulate",
        "--type",
        "Group",
        "-o",
        &file("groups.json"),
    ]);
    assert_eq!(some.code, 0, "{some:?}");
    assert!(check("groups.json").failure(2).contains("only contains"));
}

#[test]
fn a_manager_that_fails_decides_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("main.tf");
    fs::write(&file, "locals { a = \"/infra/services/HTTPS\" }\n").unwrap();
    let manager = Manager::with(&["--fault", "GET /policy/* status=503"]);
    let check = ["check", file.to_str().unwrap(), "--max-retries=0"];
    Run::of(&mut manager.program(&check)).failure(12);
}

#[test]
fn a_suggestion_is_not_part_of_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let text = "data \"nsxt_policy_group\" \"a\" {\n  display_name = \"web-netwrok\"\n}\n";
    fs::write(folder.path().join("main.tf"), text).unwrap();
    let run = netmgr(&[
        "check",
        folder.path().to_str().unwrap(),
        "--simulate",
        "--query",
        ".[] | [(.what | contains(\"did you mean\")), (.suggestion | startswith(\"did you mean\"))] | @csv",
    ]);
    assert_eq!(run.stdout, "false,true\n", "{run:?}");
}
