//! Tests of command lines.

use heck::ToKebabCase as _;
use serde_json::json;

use super::*;

fn parse_line(line: &str) -> Result<Invocation, clap::Error> {
    parse(line.split(' '))
}

fn parse_get(line: &str) -> Get {
    match parse_line(line).unwrap().task {
        Task::Get(get) => get,
        other => panic!("{other:?}"),
    }
}

/// Help as it is printed, 100 columns wide.
fn help(line: &str) -> String {
    let error = command()
        .term_width(100)
        .try_get_matches_from(line.split(' '))
        .unwrap_err();
    assert_eq!(error.exit_code(), 0, "{error}");
    error.to_string()
}

fn refusal(line: &str) -> String {
    let error = parse_line(line).unwrap_err();
    assert_eq!(error.exit_code(), 2, "{error}");
    error.to_string()
}

#[test]
fn the_command_line_is_consistent() {
    // Finds flags of a function that collide with those of the connection, among other things.
    command().debug_assert();
}

#[test]
fn a_function_has_four_names() {
    for name in [
        "policy-edge-cluster",
        "get-policy-edge-cluster",
        "getPolicyEdgeCluster",
        "netmgr:index/getPolicyEdgeCluster:getPolicyEdgeCluster",
    ] {
        let get = parse_get(&format!("netmgr get {name} --display-name edge"));
        assert_eq!(get.function, "getPolicyEdgeCluster");
        let expected = json!({ "displayName": "edge" });
        assert_eq!(get.input, Input::Flags(expected.as_object().unwrap().clone()));
    }
}

#[test]
fn every_function_has_a_command() {
    for entry in ALL {
        let get = parse_get(&format!("netmgr get {} --input {{}}", entry.spec.name));
        assert_eq!(get.function, entry.spec.name);
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
fn a_function_without_get_is_told_how_it_is_asked() {
    let message = refusal("netmgr getEdgeCluster --id x");
    assert!(
        message.contains("tip: to run this function, use 'netmgr get edge-cluster'"),
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
            message.contains("set NETMGR_PASSWORD, or 'password' in the file"),
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
        message.contains("Usage: netmgr get compute-manager-realization [OPTIONS] --id <TEXT>\n"),
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
    let get = parse_get("netmgr get compute-manager-realization --input -");
    assert_eq!(get.input, Input::Source("-".to_owned()));
}

#[test]
fn connection_flags_stand_before_or_after_the_function() {
    for line in [
        "netmgr --host m --max-retries 2 --simulate get manager-info --deadline 1.5",
        "netmgr get --host m --max-retries 2 manager-info --deadline 1.5 --simulate",
        "netmgr get manager-info --deadline 1.5 --simulate --host m --max-retries 2",
    ] {
        let get = parse_get(line);
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
        assert!(message.contains("is an option of `netmgr get`"), "{message}");
    }
}

#[test]
fn the_program_explains_itself() {
    insta::assert_snapshot!(help("netmgr -h"));
}

#[test]
fn a_function_explains_its_inputs_and_outputs() {
    insta::assert_snapshot!(help("netmgr get policy-edge-cluster -h"));
}

#[test]
fn a_description_that_is_too_long_for_a_table_keeps_its_indentation() {
    let entry = ALL
        .iter()
        .find(|entry| entry.spec.name == "getPolicyEdgeNode")
        .unwrap();
    let mut function = entry.describe();
    let short = outputs(&function);
    assert!(
        short.contains("\n  memberIndex       integer  Member index"),
        "{short}"
    );
    function.outputs[0].description = "word ".repeat(30).trim_end().to_owned();
    let long = outputs(&function);
    assert!(
        long.starts_with("  description*  string\n          word word "),
        "{long}"
    );
}

#[test]
fn full_help_lists_every_setting() {
    let help = help("netmgr get manager-info --help");
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
    for entry in ALL {
        let name = command_name(entry.spec.name);
        assert!(
            help.lines().any(|line| line.trim() == name),
            "{name} is missing in {help}"
        );
    }
}
