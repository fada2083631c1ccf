//! Tests of `lines.rs`.

use serde_json::json;

use super::*;

#[test]
fn a_line_is_a_function_with_its_input() {
    let line = |text: &str| BatchLine::new(3, 2, text.as_bytes());
    let good = line(r#"{"function": "getIpPool", "input": {"id": "x"}}"#);
    assert_eq!((good.problem, good.input), (None, json!({ "id": "x" })));
    assert_eq!(line(r#"{"function": "getManagerInfo"}"#).input, json!({}));
    for (text, problem) in [
        ("{", "the line is not JSON"),
        ("[]", "the line is not a JSON object"),
        ("{}", "`function` must be a function name"),
        (r#"{"function": 1}"#, "`function` must be a function name"),
        (r#"{"function": "f", "input": []}"#, "`input` must be an object"),
        (r#"{"function": "f", "inputs": {}}"#, "`inputs` is unknown"),
        (
            r#"{"function": "f", "input": {"a": 1, "a": 2}}"#,
            "the key \"a\" appears twice at line 1 column 39",
        ),
    ] {
        let found = line(text).problem.unwrap();
        assert!(found.starts_with(problem), "{text}: {found}");
    }
}
