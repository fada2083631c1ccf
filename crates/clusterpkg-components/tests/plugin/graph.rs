//! Pictures of components.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// Exit code, stdout and stderr of `graph` with these arguments.
fn graph(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_pulumi-resource-clusterpkg"))
        .arg("graph")
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn other_than_warnings(complaints: &str) -> Vec<&str> {
    let lines = complaints.lines();
    lines.filter(|line| !line.starts_with("warning: ")).collect()
}

const LEAST: &str = r#"{"clusterSubnetIds": ["subnet-1", "subnet-2"], "systemNodeSubnetIds": ["subnet-3"]}"#;

#[test]
fn what_a_cluster_consists_of() {
    let (code, picture, complaints) = graph(&["Cluster", "--input", LEAST]);
    assert_eq!((code, other_than_warnings(&complaints)), (Some(0), vec![]));
    assert!(
        complaints.contains("warning: the external ingress controller is enabled by default"),
        "{complaints}"
    );
    let lines = || picture.lines().map(str::trim);
    let mut drawn: Vec<&str> = lines()
        .filter_map(|line| Some(line.split_once("[\"")?.0))
        .collect();
    let arrows: Vec<(&str, &str)> = lines().filter_map(|line| line.split_once(" --> ")).collect();
    for (before, after) in &arrows {
        assert!(
            drawn.contains(after) && drawn.contains(before),
            "{before} --> {after}"
        );
    }
    drawn.sort_unstable();
    drawn.dedup();
    // The snapshots of clusterpkg-components have their names and inputs.
    assert_eq!((drawn.len(), arrows.len()), (76, 121));
}

#[test]
fn inputs_may_come_from_a_file_and_decide_what_is_shown() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let inputs = r#"{"clusterName": "blue", "subnetIds": ["subnet-1"]}"#;
    file.write_all(inputs.as_bytes()).unwrap();
    let input = format!("--input=@{}", file.path().display());
    let (code, picture, complaints) = graph(&["clusterpkg:index:AttachedNodeGroup", &input]);
    assert_eq!((code, complaints.as_str()), (Some(0), ""));
    insta::assert_snapshot!(picture);
}

#[cfg(unix)]
#[test]
fn inputs_without_an_end_are_refused() {
    let (code, _, complaints) = graph(&["Cluster", "--input=@/dev/zero"]);
    assert_ne!(code, Some(0));
    assert!(complaints.contains("larger than 16 MiB"), "{complaints}");
}

#[test]
fn inputs_may_come_from_a_pipe() {
    let mut drawing = Command::new(env!("CARGO_BIN_EXE_pulumi-resource-clusterpkg"))
        .args(["graph", "Cluster", "--input", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drawing.stdin.take().unwrap().write_all(LEAST.as_bytes()).unwrap();
    let drawn = drawing.wait_with_output().unwrap();
    let (_, expected, _) = graph(&["Cluster", "--input", LEAST]);
    assert_eq!(String::from_utf8(drawn.stdout).unwrap(), expected);
}

/// Each with inputs that are not known yet, in the engine's encoding.
#[test]
fn every_component_is_drawn() {
    let unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    for (component, inputs, children) in [
        ("Cluster", &["clusterSubnetIds", "systemNodeSubnetIds"][..], 60),
        ("AttachedNodeGroup", &["clusterName", "subnetIds"], 5),
        (
            "AttachedServerlessProfile",
            &["clusterName", "subnetIds", "selectors"],
            4,
        ),
        (
            "AutoscaledNodeGroup",
            &["nodeRole", "subnetIds", "securityGroupIds", "requirements"],
            2,
        ),
        ("IamRoleMapping", &["roleArn", "username", "groups"], 1),
        (
            "IamServiceAccountRole",
            &[
                "oidcProviderArn",
                "oidcProviderUrl",
                "namespaceName",
                "serviceAccountName",
            ],
            1,
        ),
    ] {
        let members: Vec<_> = inputs
            .iter()
            .map(|name| format!("\"{name}\": \"{unknown}\""))
            .collect();
        let (code, picture, complaints) =
            graph(&[component, "--input", &format!("{{{}}}", members.join(", "))]);
        let other = other_than_warnings(&complaints);
        assert_eq!((code, other), (Some(0), vec![]), "{component}");
        let drawn = picture.matches("<small>").count();
        assert!(drawn > children, "{component}: {drawn} resources");
    }
}

#[test]
fn wrong_inputs_are_all_reported() {
    let (code, picture, complaints) = graph(&["AttachedNodeGroup", "--input", r#"{"subnetIds": []}"#]);
    assert_eq!((code, picture.as_str()), (Some(1), ""));
    insta::assert_snapshot!(complaints);
}

#[test]
fn a_call_that_makes_no_sense_shows_how_it_is_done() {
    let usage = "usage: pulumi-resource-clusterpkg graph COMPONENT [--input JSON|@FILE|-]\n";
    let cases: [(&[&str], &str); 4] = [
        (&[], "the name of a component is missing"),
        (&["Cluster", "--output", "x"], "unknown argument --output"),
        (&["Cluster", "--input"], "--input requires a value"),
        (
            &["Clutter"],
            "Clutter is not a component; the components are Cluster, AttachedNodeGroup, AttachedServerlessProfile, \
             AutoscaledNodeGroup, IamRoleMapping, IamServiceAccountRole",
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(
            graph(arguments),
            (Some(2), String::new(), format!("{expected}\n{usage}"))
        );
    }
}

#[test]
fn inputs_that_are_none_are_refused() {
    for (input, expected) in [
        ("[]", "the inputs are not a JSON object"),
        ("{", "the inputs are not JSON"),
        ("@/nowhere/at/all", "/nowhere/at/all cannot be read"),
    ] {
        let (code, picture, complaints) = graph(&["Cluster", "--input", input]);
        assert_eq!((code, picture.as_str()), (Some(1), ""));
        assert!(complaints.starts_with(expected), "{complaints}");
    }
}
