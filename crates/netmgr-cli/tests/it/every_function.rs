//! Every function of the list, with the flags of its documented example, on a manager in another process. The tables of
//! the workspace's suite have the other inputs.

use heck::ToKebabCase as _;
use netmgr_lookups::Description;
use serde_json::json;

use crate::support::{Manager, flags, netmgr};

#[test]
fn every_listed_function_prints_what_it_finds() {
    let (local, global) = (Manager::start(), Manager::with(&["--kind", "global"]));
    let listed = netmgr(&["types", "-o", "json"]).answer();
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), netmgr_lookups::ALL.len());
    for function in listed {
        let name = function["name"].as_str().unwrap();
        let flags = flags(&function["example"]);
        let mut arguments: Vec<&str> = vec![name];
        arguments.extend(flags.iter().map(String::as_str));
        let is_here = function["availableOn"]
            .as_array()
            .is_none_or(|kinds| kinds.contains(&"policy manager".into()));
        let manager = if is_here { &local } else { &global };
        let run = manager.get(&arguments);
        assert_eq!(run.code, 0, "{name}: {run:?}");
        let found = run.json();
        for output in function["outputs"].as_array().unwrap() {
            let property = output["name"].as_str().unwrap();
            let missing = output["required"] == true && found.get(property).is_none();
            assert!(!missing, "{name}: {property} is missing in {found}");
        }
    }
}

#[test]
fn the_management_cluster_has_the_thumbprint_of_the_node_that_answers() {
    let manager = Manager::start();
    let answer = manager.get(&["management-cluster"]).answer();
    let thumbprint = answer["nodeSha256Thumbprint"].as_str().unwrap();
    assert_eq!(thumbprint.len(), 64, "{thumbprint}");
    assert!(!answer["id"].as_str().unwrap().is_empty());
}

/// The text without what stands in double quotes.
fn unquoted(text: &str) -> String {
    let mut letters = text.chars();
    let mut is_quoted = false;
    let mut kept = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if is_quoted => drop(letters.next()),
            '"' => is_quoted = !is_quoted,
            letter if !is_quoted => kept.push(letter),
            _ => {}
        }
    }
    kept
}

/// A report names inputs as flags, and its hint only flags that the command has and that were not given, unless it is
/// about their values. Returns the words that are wrong.
fn wrong_words(function: &Description, given: &[String], report: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let text = unquoted(report);
    let function_name = |word: &str| word == function.name;
    let is_word = |letter: char| !letter.is_alphanumeric();
    for word in text.split(is_word).filter(|word| !function_name(word)) {
        let is_input = function.inputs.iter().any(|input| input.name == word);
        let is_camel = word.contains(|letter: char| letter.is_ascii_uppercase());
        if is_input && is_camel {
            wrong.push(word.to_owned());
        }
    }
    for name in text.split('`').skip(1).step_by(2) {
        let is_input = function.inputs.iter().any(|input| input.name == name);
        if is_input || name.starts_with("context") {
            wrong.push(name.to_owned());
        }
    }
    for hint in text.lines().filter_map(|line| line.trim().strip_prefix("hint: ")) {
        // The usage lists required inputs.
        if hint.starts_with("usage: ") {
            continue;
        }
        let is_flag = |letter: char| letter.is_alphanumeric() || letter == '-';
        for (at, _) in hint.match_indices("--") {
            let flag = hint[at..].split(|letter| !is_flag(letter)).next().unwrap();
            let known = function.inputs.iter().any(|input| {
                let name = format!("--{}", input.name.to_kebab_case());
                let is_project = input.name == "context" && flag == "--project";
                is_project || flag == name || flag.starts_with(&format!("{name}-"))
            });
            let is_option = ["--help", "--deadline"].contains(&flag) || hint.contains("settings are read");
            let before = hint[..at].trim_end_matches('`');
            let is_about_value = ["check ", "instead of ", "omit ", "increase ", " of "]
                .iter()
                .any(|words| before.ends_with(words));
            let is_given = given.iter().any(|given| given.split('=').next() == Some(flag));
            if !(known || is_option) || (is_given && !is_about_value) {
                wrong.push(flag.to_owned());
            }
        }
    }
    wrong
}

#[test]
fn reports_of_failed_lookups_name_flags_that_help() {
    let manager = Manager::serve(&[]);
    let mut problems = Vec::new();
    for entry in netmgr_lookups::ALL.iter() {
        let function = entry.describe();
        let command = function.name.strip_prefix("get").unwrap().to_kebab_case();
        let mut other = function.example.clone();
        if function.inputs.iter().any(|input| input.name == "timeout") {
            other["timeout"] = 1.into();
            other["delay"] = 0.into();
        }
        for (name, value) in other.as_object_mut().unwrap() {
            if value.is_string() && !name.ends_with("Path") {
                *value = "no-such".into();
            }
        }
        let context = function.inputs.iter().find(|input| input.name == "context");
        if context.is_some_and(|context| !context.required) {
            other["context"] = json!({"projectId": "no-such"});
        }
        let input = flags(&other);
        let mut arguments = vec![command.as_str(), "--max-retries=0", "--session-auth=false"];
        arguments.extend(input.iter().map(String::as_str));
        let run = manager.get(&arguments);
        for word in wrong_words(&function, &input, &run.stderr) {
            problems.push(format!("{word}: {arguments:?}\n{}", run.stderr));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
