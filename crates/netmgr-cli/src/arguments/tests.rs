//! Tests of command lines.

use heck::ToKebabCase as _;
use serde_json::json;
use std::time::Duration;

use super::*;
use crate::catalog::CATALOG;
use crate::commands::ALL;

fn parse_line(line: &str) -> Result<ParsedCommand, CliError> {
    parse(ALL, line.split(' ')).map(|parsed| parsed.expect("help is not requested"))
}

/// The name of the function and the options of the connection.
fn parse_get(line: &str) -> (String, ConnectionOptions) {
    let parsed = parse_line(line).unwrap();
    assert_eq!(parsed.subcommand.name, "get");
    let (function, _) = parsed.matches.subcommand().unwrap();
    (function.to_owned(), parsed.app.connection)
}

/// Help as it is printed, 100 columns wide.
fn help(line: &str) -> String {
    help_within(100, line)
}

fn help_within(width: usize, line: &str) -> String {
    let error = command(ALL)
        .term_width(width)
        .try_get_matches_from(line.split(' '))
        .unwrap_err();
    assert_eq!(error.exit_code(), 0, "{error}");
    error.to_string()
}

fn refusal(line: &str) -> String {
    let failure = parse_line(line).unwrap_err();
    assert_eq!(failure.exit(), crate::exit::Exit::Usage, "{failure}");
    failure.report()
}

#[test]
fn the_command_line_is_consistent() {
    // Finds flags of a function that collide with those of the connection, among other things.
    command(ALL).debug_assert();
}

#[test]
fn a_function_has_four_names() {
    for name in [
        "policy-edge-cluster",
        "get-policy-edge-cluster",
        "getPolicyEdgeCluster",
        "netmgr:index/getPolicyEdgeCluster:getPolicyEdgeCluster",
    ] {
        let (function, _) = parse_get(&format!("netmgr get {name} --display-name edge"));
        assert_eq!(function, "policy-edge-cluster");
    }
}

#[test]
fn every_function_has_a_command() {
    for function in CATALOG.iter() {
        let (name, _) = parse_get(&format!("netmgr get {} --input {{}}", function.entry.spec.name));
        assert_eq!(name, function.name);
    }
}

#[test]
fn an_unknown_function_suggests_near_names() {
    insta::assert_snapshot!(refusal("netmgr get policy-edge-clustre --id x"));
}

#[test]
fn an_unknown_flag_is_refused_by_name() {
    insta::assert_snapshot!(refusal("netmgr get policy-edge-cluster --display-nam edge"));
}

#[test]
fn an_argument_without_a_place_is_refused_by_its_text() {
    let message = refusal("netmgr get manager-info edge");
    assert!(
        message.starts_with("error: unexpected argument \"edge\""),
        "{message}"
    );
}

#[test]
fn a_function_without_get_has_its_call_in_the_error() {
    let message = refusal("netmgr getEdgeCluster --id x");
    assert!(
        message.ends_with("hint: `netmgr get edge-cluster` runs the function"),
        "{message}"
    );
}

#[test]
fn a_function_without_a_collection_is_not_called_unknown() {
    let message = refusal("netmgr list manager-info");
    assert!(message.contains("does not support lists"), "{message}");
    assert!(
        message.ends_with("hint: `netmgr get manager-info` runs the function"),
        "{message}"
    );
}

#[test]
fn a_secret_as_a_flag_is_refused_with_where_it_belongs_and_never_repeated() {
    for line in [
        "netmgr get manager-info --password hunter2",
        "netmgr get manager-info --password=hunter2",
        "netmgr get --password=hunter2 manager-info",
        "netmgr --password=hunter2 get manager-info",
    ] {
        let message = refusal(line);
        assert!(
            message.contains("set NETMGR_PASSWORD, or `password` in the configuration file"),
            "{message}"
        );
        assert!(!message.contains("hunter2"), "{message}");
    }
    for (flag, variable) in [
        ("client-auth-key", "NETMGR_CLIENT_AUTH_KEY"),
        ("cloud-token", "NETMGR_CLOUD_TOKEN"),
        ("cloud-client-secret", "NETMGR_CLOUD_CLIENT_SECRET"),
        ("license-keys", "NETMGR_LICENSE_KEYS"),
    ] {
        let message = refusal(&format!("netmgr get manager-info --{flag} hunter2"));
        assert!(message.contains(&format!("set {variable},")), "{message}");
    }
}

#[test]
fn only_required_flags_are_shown_as_required() {
    let message = refusal("netmgr get compute-manager-realization");
    assert!(
        message.ends_with("usage: netmgr get compute-manager-realization [OPTIONS] --id <TEXT>"),
        "{message}"
    );
}

#[test]
fn flags_and_input_do_not_mix() {
    insta::assert_snapshot!(refusal("netmgr get policy-edge-cluster --id x --input {}"));
}

#[test]
fn a_required_input_may_come_from_either_way() {
    let missing = refusal("netmgr get compute-manager-realization");
    assert!(missing.contains("--id <TEXT>"), "{missing}");
    parse_get("netmgr get compute-manager-realization --id cm-1");
    parse_get("netmgr get compute-manager-realization --input -");
}

#[test]
fn connection_flags_stand_before_or_after_the_function() {
    for line in [
        "netmgr --host m --max-retries 2 --simulate get manager-info --deadline 1.5",
        "netmgr get --host m --max-retries 2 manager-info --deadline 1.5 --simulate",
        "netmgr get manager-info --deadline 1.5 --simulate --host m --max-retries 2",
    ] {
        let (_, get) = parse_get(line);
        assert_eq!(
            serde_json::Value::Object(get.settings),
            json!({ "host": "m", "maxRetries": 2 }),
            "{line}"
        );
        assert_eq!(get.deadline, Some(Duration::from_millis(1500)), "{line}");
        assert!(get.simulate, "{line}");
    }
}

#[test]
fn a_deadline_that_is_too_long_is_not_called_too_short() {
    let refused = refusal("netmgr get manager-info --deadline 1e30");
    assert!(refused.contains("must be at most 31536000 (a year)"), "{refused}");
    let refused = refusal("netmgr get manager-info --deadline 0");
    assert!(refused.contains("must be more than 0"), "{refused}");
}

#[test]
fn a_deadline_is_a_positive_number_of_seconds() {
    for text in ["0", "-1", "soon", "inf", "NaN"] {
        refusal(&format!("netmgr get manager-info --deadline={text}"));
    }
}

#[test]
fn an_option_before_a_command_is_an_option_of_the_command() {
    for line in [
        "netmgr --host m get -v manager-info",
        "netmgr -v get --host m manager-info",
        "netmgr --host=x get -v manager-info --host m",
    ] {
        let parsed = parse_line(line).unwrap();
        assert_eq!(parsed.app.connection.settings["host"], "m", "{line}");
        assert_eq!(parsed.app.verbosity, 1, "{line}");
    }
}

#[test]
fn commands_without_a_connection_refuse_its_flags() {
    for line in [
        "netmgr --host m functions",
        "netmgr functions --host m",
        "netmgr --simulate simulate",
        "netmgr simulate --config file",
        "netmgr simulate -o json",
        "netmgr -o json simulate",
    ] {
        let message = refusal(line);
        assert!(message.contains(" has no effect on `netmgr "), "{message}");
    }
}

#[test]
fn the_program_explains_itself() {
    let help = help_within(80, "netmgr --help");
    assert!(help.lines().count() < 24, "it does not fit a screen:\n{help}");
    assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    insta::assert_snapshot!(help);
}

#[test]
fn a_function_explains_its_inputs_and_outputs() {
    insta::assert_snapshot!(help("netmgr get policy-edge-cluster -h"));
}

#[test]
fn every_command_has_two_examples() {
    for subcommand in ALL {
        let help = help(&format!("netmgr {} -h", subcommand.name));
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{help}"));
        let examples = examples
            .lines()
            .filter(|line| line.starts_with("  ") && line.contains("netmgr "));
        assert!(examples.count() >= 2, "{help}");
    }
}

#[test]
fn the_examples_of_every_function_are_command_lines() {
    for function in CATALOG.iter() {
        // Wide enough for the longest example.
        let help = help_within(400, &format!("netmgr get {} -h", function.name));
        let examples: Vec<&str> = help
            .lines()
            .filter(|line| line.starts_with("  netmgr get "))
            .collect();
        assert_eq!(examples.len(), 2, "{help}");
        for example in examples {
            parse(ALL, shlex::split(example).unwrap()).unwrap();
        }
    }
}

#[test]
fn full_help_lists_every_setting() {
    let help = help("netmgr options --help");
    let listed = |long: &str| {
        let mut names = help
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("--"));
        names.any(|line| line.strip_prefix(long).is_some_and(|rest| !rest.starts_with('-')))
    };
    for (property, _) in netmgr_types::ProviderConfig::ENV {
        let hidden =
            netmgr_types::ProviderConfig::SECRET.contains(property) || *property == "onDemandConnection";
        assert_eq!(listed(&property.to_kebab_case()), !hidden, "{property}");
    }
}

#[test]
fn every_function_is_listed() {
    let help = help("netmgr get -h");
    for function in CATALOG.iter() {
        let name = &function.name;
        assert!(
            help.lines()
                .any(|line| line.trim_start().split(" ").next() == Some(&*name)),
            "{name} is missing in {help}"
        );
    }
}

#[test]
fn the_help_of_a_function_begins_with_examples_and_inputs() {
    for words in [
        ["netmgr", "get", "edge-cluster", "--help"],
        ["netmgr", "list", "policy-edge-node", "--help"],
    ] {
        let help = command(ALL).try_get_matches_from(words).unwrap_err().to_string();
        let at = |heading: &str| help.find(&format!("\n{heading}:\n")).unwrap();
        assert!(
            at("Examples") < at("Inputs") && at("Inputs") < at("Output"),
            "{help}"
        );
        assert!(
            !help.contains("--profile") && !help.contains("\nOptions:"),
            "{help}"
        );
        assert!(help.trim_end().ends_with(options::HINT), "{help}");
    }
}
