//! The list of functions and the help.

use serde_json::Value;

use crate::support::{assert_shown, netmgr};

#[test]
fn the_list_has_all_functions_with_all_that_is_known_of_them() {
    let functions = netmgr(&["types", "-o", "json"]).answer();
    let functions = functions.as_array().unwrap();
    assert_eq!(functions.len(), netmgr_lookups::ALL.len());
    for function in functions {
        let name = function["name"].as_str().unwrap();
        assert_eq!(function["token"], format!("netmgr:index/{name}:{name}"));
        for properties in ["inputs", "outputs"] {
            for property in function[properties].as_array().unwrap() {
                for key in ["name", "type", "description"] {
                    assert!(
                        property[key].as_str().is_some_and(|text| !text.is_empty()),
                        "{name}: {property}"
                    );
                }
                assert!(property["required"].is_boolean(), "{name}: {property}");
            }
        }
        assert!(!function["outputs"].as_array().unwrap().is_empty(), "{name}");
        assert!(function["minimumVersions"].is_array(), "{name}");
        assert!(
            function.as_object().unwrap().contains_key("availableOn"),
            "{name}"
        );
    }
    let facts = |name: &str, key: &str| {
        let function = functions
            .iter()
            .find(|function| function["name"] == name)
            .unwrap();
        function[key].clone()
    };
    assert_eq!(
        facts("getPolicyBfdProfile", "availableOn"),
        serde_json::json!(["global manager", "policy manager", "hosted cloud"])
    );
    assert_eq!(facts("getNsGroups", "availableOn"), Value::Null);
    assert_eq!(
        facts("getPolicyEdgeTransportNode", "minimumVersions")[0]["version"],
        "9.0.0"
    );
    assert_eq!(
        facts("getPolicyClusterSecurityConfig", "minimumVersions")[0]["version"],
        "9.1.0"
    );
}

#[test]
fn the_list_has_command_names_by_group_by_default() {
    let run = netmgr(&["types"]);
    assert_eq!(
        run.stdout,
        netmgr(&["functions"]).stdout,
        "the older name of the command"
    );
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    let names: Vec<&str> = run
        .stdout
        .lines()
        .filter_map(|row| row.strip_prefix("  ")?.split(' ').next())
        .collect();
    assert!(run.stdout.starts_with("Groups and services:\n"), "{run:?}");
    let where_available = netmgr(&["types", "-o", "csv", "--fields", "on,since"]).stdout;
    assert!(
        where_available.contains("\nall managers,all\n"),
        "{where_available}"
    );
    assert_eq!(names.len(), netmgr_lookups::ALL.len());
    for name in names {
        assert_eq!(netmgr(&["get", name, "-h"]).code, 0, "{name}");
    }
}

#[test]
fn the_filter_in_the_help_of_types_has_results() {
    let help = netmgr(&["types", "--help"]).stdout;
    let (_, filter) = help.split_once("--query '.[]").unwrap();
    let (filter, _) = filter.split_once('\'').unwrap();
    let names = netmgr(&["types", "-o", "json", "--query", &format!(".[]{filter}")]);
    assert!(names.stdout.contains("\"getPolicySecurityPolicy\""), "{names:?}");
}

#[test]
fn help_goes_to_standard_output_and_reports_the_exit_codes() {
    for arguments in [
        &["--help"][..],
        &["get", "--help"],
        &["help"],
        &["get", "ip-pool", "-h"],
    ] {
        let run = netmgr(arguments);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
        let options = ["`netmgr options` lists", "\n  options  "];
        assert!(options.iter().any(|text| run.stdout.contains(text)), "{run:?}");
        assert!(!run.stdout.contains("--profile"), "{run:?}");
    }
    let options = netmgr(&["options"]);
    assert_eq!((options.code, options.stderr.as_str()), (0, ""), "{options:?}");
    for part in [
        "--profile <NAME>",
        "--ca-file <TEXT>",
        "--password-stdin",
        "-v...",
        "--query",
        "\n  130  interrupted",
    ] {
        assert!(options.stdout.contains(part), "{part}: {options:?}");
    }
    assert_eq!(options.stdout, netmgr(&["options", "--help"]).stdout);
    let run = netmgr(&["simulate", "--help"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    assert_shown!("help_simulate", run.stdout);
}

#[test]
fn every_function_has_a_help_with_its_inputs_and_outputs() {
    let functions = netmgr(&["types", "-o", "json"]).answer();
    for function in functions.as_array().unwrap() {
        let run = netmgr(&["get", function["token"].as_str().unwrap(), "-h"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
        assert!(
            run.stdout.starts_with(function["summary"].as_str().unwrap()),
            "{run:?}"
        );
        for output in function["outputs"].as_array().unwrap() {
            let name = output["name"].as_str().unwrap();
            assert!(run.stdout.contains(&format!("\n  {name}")), "{name}: {run:?}");
        }
    }
}

#[test]
fn an_incomplete_command_lists_what_there_is_as_an_error() {
    for (name, arguments) in [("alone", &[][..]), ("get_alone", &["get"])] {
        assert_shown!(name, netmgr(arguments).failure(2));
    }
}

#[test]
fn nothing_that_is_shown_of_a_function_has_internal_terms() {
    let functions = netmgr(&["types", "-o", "json"]);
    let mut shown = functions.stdout.clone();
    for function in functions.answer().as_array().unwrap() {
        let name = function["name"].as_str().unwrap();
        shown.push_str(&netmgr(&["schema", name]).stdout);
        shown.push_str(&netmgr(&["get", name, "--help"]).stdout);
    }
    for term in ["shape A", "shape C", "shape P", "lookup-provider"] {
        assert!(!shown.contains(term), "{term}");
    }
}
