//! `netmgr adopt`: imports of objects, and references in generated resources.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{Manager, Run, netmgr, signal};

/// Objects with odd names, and objects that are left out.
const INVENTORY: &str = r#"
/infra/domains/default/groups:
  - {id: web, display_name: Web Servers}
  - {id: web-2, display_name: web-servers}
  - {id: "a:b", display_name: "10.0.0.0/8"}
  - {id: "q\"${x}", display_name: "a\"${b}\nc"}
  - {id: tokyo, display_name: 東京}
  - {id: "true", display_name: "true"}
  - {id: own, display_name: Own, _system_owned: true}
  - {id: other, display_name: Other, _create_user: system}
  - {id: managed, display_name: Managed, _protection: REQUIRE_OVERRIDE}
  - {id: gone, display_name: Gone, marked_for_delete: true}
/orgs/default/projects/dev/infra/domains/default/groups:
  - {id: web, display_name: Web of dev}
/orgs/default/projects/dev/vpcs:
  - {id: shop, display_name: Shop}
/orgs/default/projects/dev/vpcs/shop/groups:
  - {id: web, display_name: Web of shop}
/orgs/default/projects/dev2/infra/domains/default/groups:
  - {id: web, display_name: Web of dev2}
/orgs/default/projects:
  - {id: dev, display_name: dev}
  - {id: dev2, display_name: dev2}
/infra/tier-1s/t1/segments:
  - {id: fixed, display_name: net}
/infra/services:
  - {id: web, display_name: Web Servers}
  - {id: HTTPS, display_name: HTTPS, is_default: true}
/infra/tier-0s:
  - {id: edge, display_name: Edge}
/infra/tier-0s/edge/prefix-lists:
  - {id: any, display_name: any}
/infra/segments:
  - {id: overlay, display_name: net}
  - {id: vlan, display_name: net, vlan_ids: ["12"]}
/infra/certificates:
  - {id: cert, display_name: cert}
/global-infra/tier-0s:
  - {id: edge, display_name: Stretched edge}
"#;

/// A manager with these objects.
fn manager(folder: &Path, inventory: &str) -> Manager {
    let file = folder.join("inventory.yaml");
    fs::write(&file, inventory).unwrap();
    Manager::with(&["--no-demo", "--inventory", file.to_str().unwrap()])
}

#[test]
fn imports_have_the_form_of_their_resource_and_readable_names() {
    let folder = tempfile::tempdir().unwrap();
    let manager = manager(folder.path(), INVENTORY);
    let out = folder.path().join("new/infrastructure");
    let out = out.to_str().unwrap();
    let types = [
        "Group",
        "service",
        "tier0s",
        "PrefixList",
        "Segment",
        "TlsCertificate",
    ];
    let types = types.join(",");
    let adopt = |more: &[&str]| {
        let mut command = manager.program(&["adopt", "--out", out]);
        Run::of(command.args(["--type", &types]).args(more))
    };
    let run = adopt(&["--to", "terraform"]);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{run:?}");
    let text = fs::read_to_string(Path::new(out).join("imports.tf")).unwrap();
    insta::assert_snapshot!("imports", format!("{text}\n{}", run.stdout.replace(out, "DIR")));

    let refused = adopt(&["--to", "terraform"]);
    assert!(
        refused.failure(2).contains("the file exists already"),
        "{refused:?}"
    );
    let again = adopt(&["--to", "terraform", "--force", "-o", "json"]);
    let rows = again.answer();
    let row = |path: &str| {
        rows.as_array()
            .unwrap()
            .iter()
            .find(|row| row["path"] == path)
            .unwrap()
    };
    assert_eq!(
        *row("/infra/tier-0s/edge/prefix-lists/any"),
        json!({
            "resource": "nsxt_policy_gateway_prefix_list", "name": "any", "importId": "edge/any",
            "displayName": "any", "resourceType": "PrefixList", "path": "/infra/tier-0s/edge/prefix-lists/any",
        })
    );
    assert_eq!(
        row("/infra/certificates/cert")["leftOut"],
        "nsxt has no resource for it"
    );
    // The provider would import the gateway of the same id on this manager.
    assert_eq!(
        row("/global-infra/tier-0s/edge")["leftOut"],
        "of the global manager"
    );
    assert_eq!(
        text,
        fs::read_to_string(Path::new(out).join("imports.tf")).unwrap()
    );
}

#[test]
fn pulumi_imports_a_project_with_names_that_are_unique_across_types() {
    let folder = tempfile::tempdir().unwrap();
    let manager = manager(folder.path(), INVENTORY);
    let file = folder.path().join("import.json");
    let imported = |options: &[&str]| {
        let mut command = manager.program(&["adopt", "--to", "pulumi", "--force"]);
        let run = Run::of(command.args(options).current_dir(folder.path()));
        assert_eq!(run.code, 0, "{run:?}");
        let text = fs::read_to_string(&file).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["resources"].clone()
    };
    let id = "/orgs/default/projects/dev/infra/domains/default/groups/web";
    assert_eq!(
        imported(&["--type", "Group", "--project", "dev"]),
        json!([
            { "type": "nsxt:index/policyGroup:PolicyGroup", "name": "web_of_dev", "id": id },
            { "type": "nsxt:index/vpcGroup:VpcGroup", "name": "web_of_shop",
              "id": "/orgs/default/projects/dev/vpcs/shop/groups/web" },
        ])
    );
    let mut command = manager.program(&["adopt", "--to", "pulumi", "--type", "Group", "--force"]);
    let run = Run::of(command.args(["--project", "nothing"]).current_dir(folder.path()));
    assert!(
        run.failure(3).contains("project nothing does not exist"),
        "{run:?}"
    );
    let both = imported(&["--type", "Group", "--type", "Service", "--type", "Tier0"]);
    let names = both.as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|resource| resource["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"web_servers_group_web"), "{names:?}");
    assert!(names.contains(&"web_servers_service"), "{names:?}");
    let last = both.as_array().unwrap().last().unwrap();
    assert_eq!(last["type"], "nsxt:index/policyTier0Gateway:PolicyTier0Gateway");
    assert_eq!(last["id"], "edge");
}

/// Resources as the host generates them, with a few changes by hand.
const GENERATED: &str = r#"# __generated__ by Terraform from "/infra/domains/default/groups/web"
resource "nsxt_policy_group" "web" {
  display_name = "Web"
  group_type   = null
  nsx_id       = "web" # the id
  criteria {
    path_expression {
      member_paths = ["/infra/domains/default/groups/db", "/infra/segments/web", "/infra/segments/web/ports/1"]
    }
  }
}

resource "nsxt_policy_group" "db" {
  display_name = "DB"
  description  = <<-EOT
    /infra/domains/default/groups/web
  EOT
  criteria {
    path_expression { member_paths = ["/infra/domains/default/groups/web"] }
  }
}

resource "nsxt_policy_security_policy" "shop" {
  count        = length(["/infra/domains/default/groups/web"])
  description  = jsonencode({ "/infra/domains/default/groups/web" = ["/infra/domains/default/groups/web"] })
  display_name = "${"/infra/domains/default/groups/web"} and /infra/domains/default/groups/web"
  rule {
    source_groups      = toset(["/infra/domains/default/groups/web"])
    destination_groups = ["/infra/domains/default/groups/gone", "/infra/domains/default/groups/outside"]
    services           = ["/infra/services/HTTPS"]
    scope              = ["/infra/tier-0s/edge", "/infra/tier-0s/edge-2"]
    notes              = null /* none */ # at all
    profiles           = [null]
  }
  lifecycle {
    precondition {
      condition     = "/infra/domains/default/groups/web" != ""
      error_message = "/infra/domains/default/groups/web"
    }
  }
}

resource "nsxt_policy_bgp_neighbor" "peer" {
  password = null # sensitive
  bgp_path = "/infra/tier-0s/edge/locale-services/default/bgp"
  tag { scope = null }
}

resource "aws_thing" "other" {
  path = "/infra/domains/default/groups/web"
}
"#;

const IMPORTS: &str = r#"import {
  to = nsxt_policy_group.web
  id = "/infra/domains/default/groups/web"
}
import {
  to = nsxt_policy_group.db
  id = "/infra/domains/default/groups/db"
}
import {
  to = nsxt_policy_tier0_gateway.edge
  id = "edge"
}
import {
  to = nsxt_policy_group.removed
  id = "/infra/domains/default/groups/outside"
}
resource "nsxt_policy_tier0_gateway" "edge" {
  nsx_id = "edge"
}
"#;

#[test]
fn paths_become_references_or_data_sources_once() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = r#"
/infra/domains/default/groups:
  - {id: web, display_name: Web}
  - {id: db, display_name: DB}
  - {id: outside, display_name: Existing}
/infra/services:
  - {id: HTTPS, display_name: HTTPS}
/infra/segments:
  - {id: web, display_name: Web}
/infra/segments/web/ports:
  - {id: "1", display_name: "1"}
/infra/tier-0s:
  - {id: edge, display_name: Edge}
  - {id: edge-2, display_name: Edge 2}
/orgs/default/projects:
  - {id: dev, display_name: dev}
/orgs/default/projects/dev/infra/services:
  - {id: web, display_name: Web}
"#;
    let manager = manager(folder.path(), inventory);
    let module = folder.path().join("module");
    let file = |name: &str| module.join(name);
    fs::create_dir_all(file("called")).unwrap();
    fs::write(file("generated.tf"), GENERATED).unwrap();
    fs::write(file("imports.tf"), IMPORTS).unwrap();
    let existing = "data \"nsxt_policy_service\" \"tls\" {\n  id = \"HTTPS\"\n}\n\
                    data \"nsxt_policy_group\" \"existing\" {\n  id = \"x\"\n}\n";
    fs::write(file("main.tf"), existing).unwrap();
    fs::write(file("called/main.tf"), GENERATED).unwrap();
    fs::write(file("broken.tf"), "resource {").unwrap();
    fs::write(file("notes.txt"), "/infra/domains/default/groups/web").unwrap();
    let finish = |options: &[&str]| {
        let run = Run::of(
            manager
                .program(&["adopt", "--finish", "module"])
                .args(options)
                .current_dir(folder.path()),
        );
        assert_eq!((run.code, &*run.stderr), (0, ""), "{run:?}");
        run
    };
    let read = |name: &str| fs::read_to_string(file(name)).unwrap();
    let report = finish(&[]).stdout;
    insta::assert_snapshot!(
        "finished",
        format!("{}\n{}\n{report}", read("generated.tf"), read("adopted-data.tf"))
    );
    for (name, text) in [
        ("imports.tf", IMPORTS),
        ("main.tf", existing),
        ("called/main.tf", GENERATED),
    ] {
        assert_eq!(read(name), text, "{name}");
    }

    let before = [read("generated.tf"), read("adopted-data.tf")];
    let again = finish(&["-o", "json"]).json();
    assert_eq!([read("generated.tf"), read("adopted-data.tf")], before);
    let rows = again.as_array().unwrap();
    assert!(rows.iter().all(|row| row["outcome"] == "left"), "{again}");
    assert_eq!(rows[1]["file"], "generated.tf");

    // Data sources are added to those of earlier runs.
    let more = "resource \"nsxt_policy_group\" \"more\" {\n  a = \"/orgs/default/projects/dev/infra/services/web\"\n}\n";
    fs::write(file("more.tf"), more).unwrap();
    let report = finish(&[]).stdout;
    assert!(
        report.contains("adopted-data.tf: finished: 1 data source\n"),
        "{report}"
    );
    assert_eq!(
        read("more.tf"),
        more.replace(
            "\"/orgs/default/projects/dev/infra/services/web\"",
            "data.nsxt_policy_service.web.path"
        )
    );
    let added = "\ndata \"nsxt_policy_service\" \"web\" {\n  id = \"web\"\n\n  context {\n    project_id = \"dev\"\n  }\n}\n";
    assert_eq!(read("adopted-data.tf"), before[1].clone() + added);
}

/// A program with resources as `pulumi import` generates them.
const PROGRAM: &str = r#"name: shop
runtime: yaml
resources:
  web: # adopted
    type: nsxt:PolicyGroup
    properties:
      displayName: Web
  edge:
    type: nsxt:PolicyTier0Gateway
    properties:
      displayName: Edge
  shop:
    type: nsxt:PolicySecurityPolicy
    properties:
      rules:
        - sourceGroups:
            - /infra/domains/default/groups/web
          scopes: [/infra/tier-0s/edge, "/infra/tier-0s/gone"]
          services:
            - /infra/services/HTTPS
"#;

#[test]
fn paths_in_a_program_of_pulumi_become_references_or_variables_once() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = "/infra/services:\n  - {id: HTTPS, display_name: Https}\n";
    let manager = manager(folder.path(), inventory);
    let file = |name: &str| folder.path().join(name);
    fs::write(file("Pulumi.yaml"), PROGRAM).unwrap();
    let row = |class: &str, name: &str, id: &str| json!({ "type": format!("nsxt:index/{class}"), "name": name, "id": id });
    let imports = json!({ "resources": [
        row("policyGroup:PolicyGroup", "web", "/infra/domains/default/groups/web"),
        row("policyTier0Gateway:PolicyTier0Gateway", "edge", "edge"),
        row("policyGroup:PolicyGroup", "gone", "/infra/services/HTTPS"),
    ] });
    fs::write(file("import.json"), imports.to_string()).unwrap();
    let finish = || {
        let mut command = manager.program(&["adopt", "--finish", "."]);
        let run = Run::of(command.current_dir(folder.path()));
        assert_eq!((run.code, &*run.stderr), (0, ""), "{run:?}");
        (run.stdout, fs::read_to_string(file("Pulumi.yaml")).unwrap())
    };
    let left = "\nLeft to you:\n  Pulumi.yaml:18: /infra/tier-0s/gone stays: there is no such object\n";
    let (report, text) = finish();
    assert_eq!(
        report,
        format!(
            "Pulumi.yaml: finished: 1 data source, 3 references\n\n\
             Run `pulumi preview`. It must not create, update or delete anything.\n{left}"
        )
    );
    let expected = PROGRAM
        .replace("- /infra/domains/default/groups/web", "- ${web.path}")
        .replace("[/infra/tier-0s/edge,", "[\"${edge.path}\",")
        .replace("- /infra/services/HTTPS", "- ${https.path}");
    let variables = "variables:\n  https:\n    fn::invoke:\n      function: nsxt:getPolicyService\n      arguments:\n        id: \"HTTPS\"\n";
    assert_eq!(text, expected + variables);
    assert_eq!(finish(), (format!("nothing to change\n{left}"), text));
}

#[test]
fn a_killed_run_leaves_whole_files_and_can_be_repeated() {
    const FILES: usize = 60;
    let folder = tempfile::tempdir().unwrap();
    let manager = manager(folder.path(), INVENTORY);
    let module = folder.path().join("module");
    let file = |number: usize| module.join(format!("rule{number}.tf"));
    fs::create_dir(&module).unwrap();
    let adopted = "import {\n  to = nsxt_policy_group.web\n  id = \"/infra/domains/default/groups/web\"\n}\n\
                   resource \"nsxt_policy_group\" \"web\" {\n  display_name = \"Web\"\n}\n";
    fs::write(module.join("main.tf"), adopted).unwrap();
    let text = |number: usize, path: &str| {
        format!("resource \"nsxt_policy_security_policy\" \"rule{number}\" {{\n  scope = [{path}]\n}}\n")
    };
    let before = |number| text(number, "\"/infra/domains/default/groups/web\"");
    let after = |number| text(number, "nsxt_policy_group.web.path");
    for number in 0..FILES {
        fs::write(file(number), before(number)).unwrap();
    }
    let read = |number| fs::read_to_string(file(number)).unwrap();
    let mut command = manager.program(&["adopt", "--finish", module.to_str().unwrap()]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while (0..FILES).all(|number| read(number) == before(number)) && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    signal(&child, "-KILL");
    child.wait().unwrap();
    for number in 0..FILES {
        assert!(
            [before(number), after(number)].contains(&read(number)),
            "{number}"
        );
    }
    let run = Run::of(&mut command);
    assert_eq!(run.code, 0, "{run:?}");
    for number in 0..FILES {
        assert_eq!(read(number), after(number));
    }
    assert_eq!(fs::read_dir(&module).unwrap().count(), FILES + 1);
}

#[test]
fn a_folder_without_imports_and_a_manager_that_fails_leave_all_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let generated = folder.path().join("generated.tf");
    fs::write(&generated, GENERATED).unwrap();
    let run = netmgr(&["adopt", "--finish", path]);
    assert!(run.failure(2).contains("no import block in"), "{run:?}");
    fs::write(&generated, "resource {").unwrap();
    let run = netmgr(&["adopt", "--finish", path]);
    assert!(run.failure(2).contains("correct generated.tf: line 1"), "{run:?}");
    let program = folder.path().join("Pulumi.yaml");
    fs::write(&program, "name: adopted\nruntime: yaml\n").unwrap();
    let run = netmgr(&["adopt", "--finish", path]);
    assert!(
        run.failure(2).contains("only programs in YAML are edited"),
        "{run:?}"
    );
    fs::remove_file(program).unwrap();
    fs::write(&generated, GENERATED).unwrap();
    fs::write(folder.path().join("imports.tf"), IMPORTS).unwrap();
    let manager = Manager::with(&["--fault", "GET /policy/* status=503"]);
    let run = Run::of(&mut manager.program(&["adopt", "--finish", path, "--max-retries=0"]));
    run.failure(12);
    assert_eq!(fs::read_to_string(&generated).unwrap(), GENERATED);
    assert_eq!(fs::read_dir(path).unwrap().count(), 2);
    let run = Run::of(&mut manager.program(&[
        "adopt",
        "--type",
        "Group",
        "--to",
        "pulumi",
        "--out",
        path,
        "--max-retries=0",
    ]));
    run.failure(12);
    assert_eq!(fs::read_dir(path).unwrap().count(), 2);
}

#[test]
fn options_of_the_two_steps_are_not_mixed() {
    for (arguments, problem) in [
        (&["adopt"][..], "--type"),
        (&["adopt", "--type", "Group"], "--to"),
        (
            &["adopt", "--type", "Grup", "--to", "pulumi"],
            "did you mean `Group`",
        ),
        (&["adopt", "--finish", ".", "--force"], "--force"),
        (&["adopt", "--finish", "/nowhere"], "cannot read /nowhere"),
    ] {
        let run = netmgr(arguments);
        assert!(run.failure(2).contains(problem), "{run:?}");
    }
}

#[test]
fn types_without_objects_are_not_found_and_no_file_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = "/orgs/default/projects: [{id: dev}]\n/orgs/default/projects/dev/vpcs: [{id: shop}]\n";
    let manager = manager(folder.path(), inventory);
    let out = folder.path().join("out");
    let adopt = |more: &[&str]| {
        let mut command = manager.program(&["adopt", "--to", "terraform", "--out", out.to_str().unwrap()]);
        Run::of(command.args(more))
    };
    for (arguments, problem) in [
        (
            &["--type", "vpc"][..],
            "there is no object of Vpc outside all projects\n  hint: projects have 1 such object; select a project with --project",
        ),
        (
            &["--type", "Group,Service", "--project", "dev"],
            "there is no object of Group, Service in the project \"dev\"",
        ),
    ] {
        let run = adopt(arguments);
        assert!(run.failure(3).contains(problem), "{run:?}");
        assert!(!out.exists());
    }
    assert_eq!(adopt(&["--type", "vpc", "--project", "dev"]).code, 0);
}
