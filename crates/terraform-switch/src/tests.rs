//! Whole configurations, switched and reverted. Those in `cases/` consist of files before, files that differ
//! afterwards, and the steps that are left.

use std::collections::BTreeMap;

use serde_json::Value;

use super::*;

const PROVIDERS: Providers<'_> = Providers {
    from: "nsxt",
    to: "netmgr",
    source: "netmgr/netmgr",
    copies: &|argument| !["version", "license_keys"].contains(&argument),
    serves: &|kind| kind != "nsxt_policy_nothing",
    remark: &|kind| (kind == "nsxt_policy_old").then(|| format!("{kind} is old")),
};

/// A file that requires the provider.
const REQUIRED: &str =
    "terraform {\n  required_providers {\n    nsxt = { source = \"vmware/nsxt\" }\n  }\n}\n";

type Files = BTreeMap<String, String>;

fn files<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Files {
    let files = files.into_iter();
    files
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .collect()
}

/// The files afterwards, and the steps that are left.
fn run(files: &Files, direction: Direction) -> (Files, Vec<String>) {
    let sources = files.iter().map(|(name, text)| SourceFile {
        name: name.clone(),
        text: Ok(text.clone()),
    });
    let outcome = switch(sources.collect(), &PROVIDERS, direction);
    let mut files = files.clone();
    for Changed { name, what, text } in outcome.changed {
        assert!(text.as_ref() != files.get(&name) && !what.is_empty(), "{name}");
        match text {
            Some(text) => drop(files.insert(name, text)),
            None => drop(files.remove(&name)),
        }
    }
    let steps = outcome.left.iter().map(Step::to_string);
    (files, steps.collect())
}

/// Switches files and back. A second switch changes nothing, and the files are as before afterwards.
#[track_caller]
fn switched(before: &Files) -> (Files, Vec<String>) {
    let (after, left) = run(before, Direction::Switch);
    assert_eq!(run(&after, Direction::Switch), (after.clone(), left.clone()));
    assert_eq!(run(&after, Direction::Revert).0, *before, "{after:#?}");
    assert_eq!(run(before, Direction::Revert).0, *before);
    (after, left)
}

/// A switch or a revert that has written any part of its files is completed or reverted by the next one.
#[track_caller]
fn stopped(before: &Files, after: &Files) {
    let differing: Vec<&String> = after
        .keys()
        .filter(|name| before.get(*name) != after.get(*name))
        .collect();
    for written in 0..1 << differing.len() {
        let mut part = before.clone();
        let names = differing
            .iter()
            .enumerate()
            .filter(|(bit, _)| written >> bit & 1 == 1);
        part.extend(names.map(|(_, name)| ((*name).clone(), after[*name].clone())));
        assert_eq!(run(&part, Direction::Switch).0, *after, "{part:#?}");
        assert_eq!(run(&part, Direction::Revert).0, *before, "{part:#?}");
    }
}

/// The files before and afterwards, and the steps that are left.
fn case(text: &str) -> (Files, Files, Vec<String>) {
    let sections = || text.split("--- ").filter_map(|section| section.split_once('\n'));
    let named =
        |kind| files(sections().filter_map(move |(name, text)| Some((name.strip_prefix(kind)?, text))));
    let (before, mut after) = (named("before "), named("before "));
    after.extend(named("after "));
    let left = sections().filter(|(name, _)| *name == "left");
    let left = left.flat_map(|(_, text)| text.lines());
    (before, after, left.map(str::to_owned).collect())
}

#[track_caller]
fn check(text: &str) {
    let (before, after, left) = case(text);
    assert_eq!(switched(&before), (after.clone(), left));
    stopped(&before, &after);
}

#[test]
fn data_sources_are_switched_and_everything_else_stays() {
    check(include_str!("cases/one-file.txt"));
}

#[test]
fn modules_get_the_provider_and_its_requirement() {
    check(include_str!("cases/modules.txt"));
}

#[test]
fn what_is_not_switched_is_listed() {
    check(include_str!("cases/left.txt"));
}

#[test]
fn any_formatting_is_restored() {
    for body in include_str!("cases/bodies.txt").lines() {
        let block = format!(
            "data \"nsxt_ip_pool\" \"x\" {}",
            body.replace("\\n", "\n").replace("\\t", "\t")
        );
        for text in [
            block.clone(),
            format!("\u{feff}check \"a\" {{\n  {block}\n}}\n"),
            format!("# a\r\n{}\r\n", block.replace('\n', "\r\n")),
            format!("\n\n{block} # c\n\t{block}\n"),
        ] {
            let (after, left) = switched(&files([("a.tf", &*text), ("versions.tf", REQUIRED)]));
            assert!(after["a.tf"].contains("netmgr"), "{text}");
            assert!(
                left.is_empty() && parsed::parse(&after["a.tf"]).is_ok(),
                "{after:#?}"
            );
        }
    }
}

#[test]
fn what_has_been_edited_stays_and_is_listed_but_formatters_may_align_it() {
    let (before, after, left) = case(include_str!("cases/reverted.txt"));
    assert_eq!(run(&before, Direction::Revert), (after, left));
}

#[test]
fn data_sources_of_the_provider_itself_need_its_requirement() {
    let own = files([
        ("a.tf", "data \"netmgr_ip_pool\" \"y\" {}\n"),
        ("b.tf", "provider \"nsxt\" {}\n"),
    ]);
    let (after, _) = run(&own, Direction::Switch);
    assert!(after["netmgr.tf"].contains("netmgr/netmgr") && after.len() == 3 && after["b.tf"] == own["b.tf"]);
    assert_eq!(run(&after, Direction::Revert).0, after);
}

#[test]
fn long_expressions_are_parsed() {
    let sum = |count| format!("1{}", " + 1".repeat(count));
    for long in [
        sum(1000),
        format!("({})", sum(1000).replace("+ ", "+\n  ")),
        format!("[\"a ${{{}}}\", f(true{})]", sum(1000), "&&true".repeat(1000)),
        format!("a ? {} : {}", sum(100), sum(1000)),
    ] {
        let text = format!("locals {{\n  a = {long}\n}}\ndata \"nsxt_ip_pool\" \"x\" {{ id = {long} }}\n");
        let (after, left) = switched(&files([("a.tf", &*text), ("b.tf", REQUIRED)]));
        assert!(
            left.is_empty() && after["a.tf"].contains("provider = netmgr"),
            "{left:?}"
        );
        let provider = format!("provider \"nsxt\" {{\n  max_retries = {long}\n}}\n");
        let (_, left) = run(&files([("a.tf", &*provider)]), Direction::Switch);
        assert!(left[0].ends_with("provider's argument is too long"), "{left:?}");
    }
}

#[test]
fn no_expression_overflows_the_stack() {
    for nested in ["(1)", "[1]", "{ a = 1 }", "!1", "a ? b : 1", "\"${1}\"", "0 + 1"] {
        let (before, after) = nested.split_once('1').unwrap();
        let text = [&before.repeat(50_000), "1", &after.repeat(50_000)].concat();
        let text = format!("locals {{\n  a = {text}\n}}\n");
        let (_, left) = run(&files([("a.tf", &*text)]), Direction::Switch);
        assert!(
            left[0].ends_with(" too long or too deeply nested"),
            "{nested}: {left:?}"
        );
    }
}

/// What a reading contains, without the place of each part.
fn read_one(name: &str, text: &str) -> Literals {
    let source = SourceFile {
        name: name.to_owned(),
        text: Ok(text.to_owned()),
    };
    let wanted = ReadFilter {
        begins: &|text| text.starts_with('/'),
        providers: &["nsxt"],
        id: "nsx_id",
    };
    read(vec![source], wanted)
}

#[test]
fn reading_evaluates_only_constants() {
    let reading = read_one(
        "main.tf",
        "\u{feff}locals {\r\n  a = { b = [\"x\", true] }\r\n  loop = local.loop\r\n}\r\ndata \"nsxt_a\" \"b\" {\r\n  \
         c = \"${local.a.b[0]}-${local.a[\"b\"][1]}\"\r\n  context {\r\n    d = null\r\n  }\r\n}\r\n\
         data \"nsxt_a\" \"loop\" {\r\n  c = local.loop\r\n}\r\ndata \"other_a\" \"b\" {}\r\n",
    );
    let [block] = &reading.data[..] else {
        panic!("{reading:?}")
    };
    assert_eq!((block.place.line, &*block.name), (5, "b"));
    let arguments = serde_json::json!({ "c": "x-true", "context": { "d": null } });
    assert_eq!(Value::from(block.arguments.clone()), arguments);
    assert_eq!(reading.undecided.len(), 1, "{reading:?}");
}

#[test]
fn texts_in_interpolations_heredocs_and_keys_are_not_decided() {
    let text = "locals {\n  a = \"${true ? \"/a\" : \"\"}\"\n  b = \"%{ if true }${\"/b\"}%{ endif }\"\n  \
                c = <<-EOT\n    ${\"/c\"}\n  EOT\n  d = <<EOT\n/d\nEOT\n  e = \"e ${1}\"\n  f = { \"/f\" = 1, \"g\" = 2 }\n}\n";
    let reading = read_one("main.tf", text);
    let lines: Vec<_> = reading.undecided.iter().filter_map(|step| step.line).collect();
    assert_eq!(
        (lines, reading.texts),
        (vec![2, 3, 5, 7, 11], Vec::new()),
        "{:?}",
        reading.undecided
    );
}

#[test]
fn fuzz_reading_any_text_ends() {
    let words = [
        "${", "%{", "<<EOT\n", "local.a", "data", "{", "}", "[", "]", "\"", "?", ":", "\u{feff}",
    ];
    fuzz_testing::fuzz("terraform", &words, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        ["a.tf", "a.tf.json", "terraform.tfvars", "Pulumi.yaml"].map(|name| read_one(name, &text))
    });
}

#[test]
fn fuzz_finishing_any_text_leaves_a_configuration() {
    let words = [
        "resource \"a_b\" \"c\" {",
        "a = null",
        "# sensitive",
        "\"/a\"",
        "\"",
        "<<EOT\n",
        "${",
        "}",
        "[",
        "]",
        "\r\n",
        "\u{feff}",
    ];
    fuzz_testing::fuzz("terraform", &words, |bytes| {
        let source = |text: &str| SourceFile {
            name: "a.tf".to_owned(),
            text: Ok(text.to_owned()),
        };
        let generated = Generated::read(vec![source(&String::from_utf8_lossy(bytes))], "a");
        let is_read = generated.unread().is_empty();
        let texts = generated.texts().into_iter();
        let targets = texts.map(|text| (text.to_owned(), Ok("a_b.d".to_owned())));
        let targets = targets.collect();
        let outcome = generated.finish(&targets);
        let mut changed = outcome
            .changed
            .iter()
            .filter_map(|changed| changed.text.as_deref());
        let is_broken = |text: &str| !Generated::read(vec![source(text)], "a").unread().is_empty();
        assert!(!is_read || !changed.any(is_broken), "{outcome:?}");
    });
}

#[test]
fn empty_texts_of_opentofu_are_unset() {
    for (host, left) in [("OpenTofu", ""), ("Terraform", "  asn = \"\"\n")] {
        let head = format!("# __generated__ by {host} from \"edge\"\nresource \"a_gateway\" \"edge\" {{\n");
        let source = SourceFile {
            name: "generated.tf".to_owned(),
            text: Ok(format!("{head}  asn = \"\"\n  bgp = null\n  name = \"x\"\n}}\n")),
        };
        let outcome = Generated::read(vec![source], "a").finish(&BTreeMap::new());
        let text = outcome.changed[0].text.as_deref().unwrap();
        assert_eq!(text, format!("{head}{left}  name = \"x\"\n}}\n"));
    }
}

/// A program that `pulumi import` has generated, with changes by hand.
const PROGRAM: &str = r#"name: shop
runtime: yaml
resources:
  # The servers.
  web: # web
    type: nsxt:PolicyGroup
    properties:
      description: >
        /g/db
      criterias:
        - pathExpression:
            memberPaths: [/g/db, "/g/tls"] # both
  db:
    type: nsxt:PolicyGroup
    properties: {memberPaths: ['/g/web']}
    options:
      protect: true
  rule:
    type: nsxt:PolicySecurityPolicy
    properties:
      sourceGroups:
      - /g/web
      - ${db.path}
      - /g/none
      scope: &scope /g/https
      note: to /g/web
      again: *scope
outputs:
  group: /g/web
"#;

fn finished(program: &str) -> (Outcome, String) {
    let import = |address: &str| Import {
        kind: "nsxt_policy_group".to_owned(),
        address: address.to_owned(),
        id: format!("/g/{address}"),
    };
    let imports = ["web", "db", "gone"].map(import).into();
    let mut generated = Generated::program("Pulumi.yaml".to_owned(), program.to_owned(), imports).unwrap();
    let mut targets = BTreeMap::new();
    for import in generated.imports() {
        targets.insert(import.id.clone(), Ok(import.address.clone()));
    }
    assert_eq!(targets.len(), 2);
    for (path, id, project) in [
        ("/g/https", "HTTPS", None),
        ("/g/tls", "a\"${b}", Some("dev".to_owned())),
    ] {
        if generated.texts().contains(path) {
            let target = generated.data_source(&DataSource {
                kind: "nsxt_policy_service".to_owned(),
                name: "web".to_owned(),
                id: id.to_owned(),
                project,
            });
            targets.insert(path.to_owned(), Ok(target));
        }
    }
    targets.insert("/g/none".to_owned(), Err("there is no such object".to_owned()));
    let outcome = generated.finish(&targets);
    let changed = outcome.changed.first();
    let text = changed
        .map_or(program, |changed| changed.text.as_deref().unwrap())
        .to_owned();
    (outcome, text)
}

#[test]
fn paths_in_programs_become_references_once() {
    let (outcome, text) = finished(PROGRAM);
    let added = r#"variables:
  web_2:
    fn::invoke:
      function: nsxt:getPolicyService
      arguments:
        id: "HTTPS"
  web_3:
    fn::invoke:
      function: nsxt:getPolicyService
      arguments:
        id: "a\"$${b}"
        context:
          projectId: "dev"
"#;
    let expected = PROGRAM
        .replace("[/g/db, \"/g/tls\"]", "[\"${db.path}\", \"${web_3.path}\"]")
        .replace("- /g/web", "- ${web.path}")
        .replace("&scope /g/https", "&scope ${web_2.path}");
    assert_eq!(text, expected + added);
    assert_eq!(outcome.changed[0].what, "2 data sources, 4 references");
    let left = [
        "15: /g/web stays: a reference to web would create a cycle",
        "24: /g/none stays: there is no such object",
    ];
    let steps = left.map(|step| format!("Pulumi.yaml:{step}"));
    assert_eq!(
        outcome.left.iter().map(Step::to_string).collect::<Vec<_>>(),
        steps
    );

    let (again, same) = finished(&text);
    assert_eq!((again.changed, same), (Vec::new(), text.clone()));
    assert_eq!(again.left, outcome.left);
    // A variable of an earlier run is used again.
    let more = "resources:\n  more: {properties: {a: /g/https}}\n";
    let (_, text) = finished(&text.replace("resources:\n", more));
    assert!(
        text.contains("{a: \"${web_2.path}\"}}") && !text.contains("web_4"),
        "{text}"
    );
}
