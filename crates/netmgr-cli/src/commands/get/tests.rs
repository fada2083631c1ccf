//! Tests of the inputs and the help of `get`.

use serde_json::json;

use super::*;

/// Any text is either rejected because it is not a JSON object, or checked by every function, whose problems name a
/// property.
#[test]
fn fuzz_input() {
    let words = [
        "\"id\":",
        "\"displayName\":",
        "\"context\":",
        "\"projectId\":",
        "\"delay\":",
        "\"timeout\":",
        "hunter2",
        "null",
        "true",
        "\\u0000",
        "\\ud800",
    ];
    fuzz_testing::fuzz("input", &words, |input| {
        let text = String::from_utf8_lossy(input).into_owned();
        if text == "-" || text.starts_with('@') {
            return "elsewhere".to_owned();
        }
        let object = match read_input(&text) {
            Ok(object) => object,
            Err(failure) => {
                let report = failure.report();
                assert!(report.contains("--input: "), "{report}");
                assert!(!report.contains("hunter2"), "the input is quoted: {report}");
                return report;
            }
        };
        let given = object.as_object().expect("only objects are accepted");
        let mut outcome = String::new();
        for entry in netmgr_lookups::ALL.iter() {
            let inputs = entry.describe().inputs;
            for problem in entry.check(object.clone()) {
                let name = problem.property.split(['.', '[']).next().unwrap_or_default();
                let is_known = inputs.iter().any(|input| input.name == name);
                let is_given = given.keys().any(|key| problem.property.starts_with(key.as_str()));
                assert!(
                    is_known || is_given || name.is_empty(),
                    "{}: {problem}",
                    entry.spec.name
                );
                outcome += &problem.reason;
            }
        }
        outcome
    });
}

fn read(source: &str) -> Result<Value, String> {
    read_input(source).map_err(|failure| failure.report())
}

#[test]
fn an_input_is_a_json_object() {
    for text in [r#"{ "id": "x" }"#, "\u{feff}{ \"id\": \"x\" }"] {
        assert_eq!(read(text).unwrap(), json!({ "id": "x" }));
    }
    let hint = "\n  hint: an input is an object such as {\"id\": \"x\"}; `netmgr schema` prints its schema";
    assert_eq!(
        read("[]").unwrap_err(),
        format!("error: --input: the input is not a JSON object{hint}")
    );
    assert_eq!(
        read("{id}").unwrap_err(),
        format!(
            "error: --input: the input is not JSON\n  caused by: key must be a string at line 1 column 2{hint}"
        )
    );
}

#[test]
fn an_input_file_that_cannot_be_read_is_named() {
    let error = read("@/nonexistent/input.json").unwrap_err();
    assert!(
        error.starts_with("error: cannot read /nonexistent/input.json\n  caused by: "),
        "{error}"
    );
}

#[test]
fn a_description_that_is_too_long_for_a_table_keeps_its_indentation() {
    let mut described = function("policy-edge-node").description().outputs.clone();
    let short = outputs(&described);
    assert!(
        short.contains("\n  memberIndex       integer  Member index"),
        "{short}"
    );
    described[0].description = "word ".repeat(30).trim_end().to_owned();
    let long = outputs(&described);
    assert!(
        long.starts_with("  description*  string\n          word word "),
        "{long}"
    );
}
