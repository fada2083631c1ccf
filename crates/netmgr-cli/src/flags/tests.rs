//! Tests of flags.

use clap::Command;
use serde_json::json;

use super::*;

fn property(name: &str, shape: Shape, properties: Vec<Property>) -> Property {
    Property {
        name: name.to_owned(),
        shape,
        required: false,
        secret: name == "password",
        secret_if: None,
        deprecation: None,
        description: format!("The {name}."),
        properties,
    }
}

fn sample() -> Vec<Flag> {
    of(&[
        property("displayName", Shape::String, vec![]),
        property("checkRegistration", Shape::Boolean, vec![]),
        property("delay", Shape::Number, vec![]),
        property("memberIndex", Shape::Integer, vec![]),
        property("statusCodes", Shape::Numbers, vec![]),
        property(
            "context",
            Shape::Object,
            vec![property("projectId", Shape::String, vec![])],
        ),
        property("password", Shape::String, vec![]),
        property("items", Shape::Map, vec![]),
    ])
}

fn parse(arguments: &[&str]) -> Result<Value, clap::Error> {
    let flags = sample();
    let command = Command::new("sample").args(flags.iter().map(Flag::argument));
    let matches = command.try_get_matches_from(["sample"].iter().chain(arguments))?;
    Ok(Value::Object(object(&flags, &matches)))
}

#[test]
fn values_are_typed_and_nested_objects_are_built() {
    let cases = [
        (vec![], json!({})),
        (
            vec!["--display-name", "edge 1"],
            json!({ "displayName": "edge 1" }),
        ),
        (vec!["--display-name", "true"], json!({ "displayName": "true" })),
        (vec!["--display-name="], json!({ "displayName": "" })),
        (vec!["--check-registration"], json!({ "checkRegistration": true })),
        (
            vec!["--check-registration=false"],
            json!({ "checkRegistration": false }),
        ),
        (vec!["--delay", "0.5"], json!({ "delay": 0.5 })),
        (vec!["--delay", "2"], json!({ "delay": 2 })),
        (vec!["--member-index", "-1"], json!({ "memberIndex": -1 })),
        (
            vec!["--status-codes", "429,503"],
            json!({ "statusCodes": [429, 503] }),
        ),
        (
            vec!["--context-project-id", "dev"],
            json!({ "context": { "projectId": "dev" } }),
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(parse(&arguments).unwrap(), expected, "{arguments:?}");
    }
}

#[test]
fn a_value_of_the_wrong_type_is_refused() {
    for arguments in [
        ["--delay", "soon"],
        ["--delay", "inf"],
        ["--member-index", "1.5"],
        ["--check-registration=yes", "--delay=1"],
        ["--status-codes", "429,many"],
    ] {
        assert_eq!(parse(&arguments).unwrap_err().exit_code(), 2, "{arguments:?}");
    }
}

#[test]
fn secrets_and_maps_have_no_flag() {
    assert!(parse(&["--password", "x"]).is_err());
    assert!(parse(&["--items", "x"]).is_err());
}

#[test]
fn a_word_for_a_shell_is_one_word() {
    for text in [
        "",
        "plain-1.2:/,_",
        "two words",
        "o'clock",
        "'",
        "a'b'c",
        "$x `y` \\ \"z\"",
        "a\nb",
    ] {
        let words = shlex::split(&shell_word(text)).unwrap();
        assert_eq!(words, [text]);
    }
}
