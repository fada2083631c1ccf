//! The commands of README and of the page for newcomers print the output that these pages show.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Manager, Run};

const GETTING_STARTED: &str = include_str!("../../../../docs/getting-started.md");

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn the_hashes_of_other_platforms_are_those_of_this_provider_alone() {
    let page = include_str!("../../../../docs/terraform.md");
    let commands: Vec<&str> = page
        .match_indices("terraform providers lock ")
        .map(|(at, _)| &page[at..])
        .collect();
    assert!(!commands.is_empty());
    for command in commands {
        let command = command.split('`').next().unwrap();
        // Other providers of a configuration are not in the mirror.
        assert!(command.ends_with(" netmgr/netmgr"), "{command}");
        assert!(command.matches(" -platform=").count() > 1, "{command}");
    }
}

#[test]
fn the_page_on_the_architecture_is_included_and_drawn() {
    let book = fs::read_to_string(format!("{REPOSITORY}/book.toml")).unwrap();
    let page = include_str!("../../../../docs/architecture.md");
    let included = page
        .split("{{#include ")
        .nth(1)
        .and_then(|rest| rest.split("}}").next());
    let file = included.expect("the page includes the one in the root");
    let text = fs::read_to_string(format!("{REPOSITORY}/docs/{file}")).unwrap();
    assert!(text.lines().count() > 20 && text.contains("```mermaid"), "{file}");
    // GitHub does not expand it.
    assert!(
        page.contains("](https://github.com/netmgr/netmgr/blob/main/ARCHITECTURE.md)"),
        "{page}"
    );
    assert!(book.lines().any(|line| line == "[preprocessor.links]"), "{book}");
    assert!(book.contains(r#"additional-js = ["docs/mermaid.js"]"#), "{book}");
}

#[test]
fn each_example_is_a_project_of_its_own() {
    let mut names = Vec::new();
    for example in fs::read_dir(format!("{REPOSITORY}/examples")).unwrap() {
        let Ok(project) = fs::read_to_string(example.unwrap().path().join("Pulumi.yaml")) else {
            continue;
        };
        let name = project.lines().find_map(|line| line.strip_prefix("name: "));
        names.push(name.expect("a project has a name").trim().to_owned());
    }
    let distinct: BTreeSet<&String> = names.iter().collect();
    assert!(names.len() > 5 && distinct.len() == names.len(), "{names:?}");
}

/// The folders of the program and of the shell.
fn path() -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_netmgr"));
    format!("{}:/usr/bin:/bin", program.parent().unwrap().display())
}

/// Runs the commands of `page` in a shell, and returns their number. An indented line that begins with `$` is a command; the
/// indented lines below it are its output. `cat` shows a file that is in the folder.
fn run_all(page: &str) -> usize {
    let path = path();
    let folder = tempfile::tempdir().unwrap();
    let blocks: Vec<&str> = page.split("\n    $ ").skip(1).collect();
    for block in &blocks {
        let mut lines = block.lines();
        let command = lines.next().unwrap();
        let shown = lines.map_while(|line| line.strip_prefix("    ").or((line.is_empty()).then_some("")));
        let shown = shown.collect::<Vec<_>>().join("\n");
        let shown = shown.trim_end();
        if let Some(file) = command.strip_prefix("cat ") {
            fs::write(folder.path().join(file), shown).unwrap();
        }
        let mut shell = Command::new("sh");
        shell.env_clear().env("PATH", &path).args(["-c", command]);
        let run = Run::of(shell.current_dir(folder.path()));
        let printed = run.stdout.clone() + &run.stderr;
        assert_eq!(printed.trim_end(), shown, "{command}: {run}");
    }
    blocks.len()
}

#[test]
fn the_commands_of_readme_print_what_it_shows() {
    assert_eq!(run_all(include_str!("../../../../README.md")), 3);
}

#[test]
fn the_commands_of_who_and_check_print_what_their_pages_show() {
    assert_eq!(run_all(include_str!("../../../../docs/who.md")), 1);
    assert_eq!(run_all(include_str!("../../../../docs/check.md")), 2);
}

/// The words of a page that name functions: after `get` and `list`, in programs, and in data sources.
fn functions(page: &str) -> Vec<&str> {
    let is_part = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
    let words: Vec<&str> = page
        .split(|letter| !is_part(letter))
        .filter(|word| !word.is_empty())
        .collect();
    let typed = words
        .windows(3)
        .filter(|words| words[0] == "netmgr" || words[0] == "simulate");
    let typed = typed
        .filter(|words| ["get", "list"].contains(&words[1]))
        .map(|words| words[2]);
    let tokens = words.iter().copied().filter_map(|word| {
        let token = word
            .strip_suffix("Output")
            .unwrap_or(word)
            .trim_end_matches("_output");
        let name = token.strip_prefix("get_").or_else(|| token.strip_prefix("get"));
        let name =
            name.filter(|name| name.starts_with(|letter: char| letter.is_uppercase()) || token.contains('_'));
        name.or_else(|| token.strip_prefix("netmgr_"))
    });
    typed.chain(tokens).collect()
}

#[test]
fn the_first_examples_use_functions_that_every_version_has() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = [
        "README.md",
        "docs/getting-started.md",
        "docs/pulumi.md",
        "crates/netmgr-cli/README.md",
        "examples/edge-cluster-python/__main__.py",
        "examples/edge-cluster-typescript/index.ts",
        "examples/edge-cluster-yaml/Pulumi.yaml",
    ];
    for page in pages {
        let text = fs::read_to_string(root.join(page)).unwrap();
        let named = functions(&text);
        let known = named
            .iter()
            .filter_map(|word| Some((word, netmgr_lookups::Lookups::function_named(word)?)));
        let known: Vec<_> = known.collect();
        assert!(!known.is_empty(), "{page}: {named:?}");
        for (word, function) in known {
            assert_eq!(function.spec.removed_in, None, "{page}: {word}");
        }
    }
}

#[test]
fn the_commands_of_getting_started_print_what_it_shows() {
    // `terraform::getting_started` tests the step with Terraform.
    let (steps, _) = GETTING_STARTED.split_once("\n## 4.").unwrap();
    assert_eq!(run_all(steps), 4);
}

#[test]
fn the_steps_of_getting_started_with_a_manager_succeed() {
    let manager = Manager::start();
    let (_, step) = GETTING_STARTED.split_once("\n## 5.").unwrap();
    let commands: Vec<&str> = step
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .collect();
    assert_eq!(commands.len(), 5, "{commands:?}");
    // As written, except for the names.
    let script = commands
        .join(" && ")
        .replace("manager.example.com", manager.variable("NETMGR_HOST"))
        .replace("auditor", manager.variable("NETMGR_USERNAME"))
        .replace(" NAME", " edge-cluster-prod");
    let mut shell = Command::new("sh");
    shell.env_clear().env("PATH", path()).args(["-c", &script]);
    for name in ["NETMGR_PASSWORD", "NETMGR_CA_FILE"] {
        shell.env(name, manager.variable(name));
    }
    let run = Run::of(&mut shell);
    assert_eq!(run.code, 0, "{script}: {run}");
    assert!(run.stdout.contains("\nid           2b1c0d9e"), "{run}");
}
