//! Tests of decoding of inputs.

use serde::Deserialize;
use serde_json::json;

use super::*;
use crate::shapes::TenantContext;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[allow(dead_code, reason = "only decoding is tested")]
struct ContextInput {
    #[serde(default, deserialize_with = "crate::object::optional")]
    context: Option<TenantContext>,
    display_name: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only decoding is tested")]
struct MapInput {
    id: Option<String>,
}

fn refused<T: DeserializeOwned>(input: Value) -> String {
    decode::<T>(input).err().expect("the input is bad").to_string()
}

#[test]
fn an_unknown_property_is_refused_by_name_with_the_known_ones() {
    assert_eq!(
        refused::<ContextInput>(json!({ "displayNam": "x" })),
        "`displayNam` is not an input; the inputs are `context`, `displayName`"
    );
    assert_eq!(
        refused::<MapInput>(json!({ "x": 1 })),
        "`x` is not an input; the inputs are `id`"
    );
}

#[test]
fn a_nested_property_is_named_with_its_path() {
    assert_eq!(
        refused::<ContextInput>(json!({ "context": { "project": "dev" } })),
        "`context.project` is not an input; the inputs are `projectId`"
    );
    assert_eq!(
        refused::<ContextInput>(json!({ "context": {} })),
        "`context.projectId` is required"
    );
    assert_eq!(
        refused::<ContextInput>(json!({ "context": { "projectId": 5 } })),
        "`context.projectId` must be a string, not a number"
    );
    assert_eq!(
        refused::<ContextInput>(json!({ "context": "dev" })),
        "`context` must be an object, not a string"
    );
    assert_eq!(
        refused::<ContextInput>(json!({ "context": ["hunter2"] })),
        "`context` must be an object, not an array"
    );
}

#[test]
fn the_whole_input_must_be_an_object() {
    assert_eq!(
        refused::<MapInput>(json!(["hunter2"])),
        "must be an object, not an array"
    );
    assert_eq!(
        refused::<MapInput>(json!("hunter2")),
        "must be an object, not a string"
    );
    assert!(decode::<MapInput>(Value::Null).is_ok());
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only decoding is tested")]
struct Needy {
    name: String,
    #[serde(default, deserialize_with = "crate::number::whole")]
    index: Option<u32>,
}

#[test]
fn a_property_is_required_or_superfluous() {
    assert_eq!(refused::<Needy>(json!({})), "`name` is required");
    assert_eq!(
        refused::<Needy>(json!({ "name": null })),
        "`name` must be a string, not null"
    );
    assert_eq!(
        refused::<Needy>(json!({ "name": "a", "index": 1.5 })),
        "`index` must be a whole number, not 1.5"
    );
    assert_eq!(
        refused::<Needy>(json!({ "name": "a", "index": "hunter2" })),
        "`index` must be a whole number, not a string"
    );
    assert_eq!(
        refused::<Nothing>(json!({ "x": 1 })),
        "`x` is not an input; there are no inputs"
    );
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only decoding is tested")]
struct Every {
    flag: Option<bool>,
    ratio: Option<f64>,
    count: Option<u8>,
    names: Option<Vec<String>>,
    mode: Option<Mode>,
}

#[derive(Debug, Deserialize)]
enum Mode {
    Default,
    Basic,
}

#[test]
fn a_wrong_type_is_reported_without_the_value() {
    for (input, reason) in [
        (
            json!({ "flag": "hunter2" }),
            "`flag` must be a boolean, not a string",
        ),
        (
            json!({ "ratio": "hunter2" }),
            "`ratio` must be a number, not a string",
        ),
        (
            json!({ "count": true }),
            "`count` must be a whole number, not a boolean",
        ),
        (json!({ "names": {} }), "`names` must be an array, not an object"),
        (
            json!({ "names": ["a", null] }),
            "`names[1]` must be a string, not null",
        ),
        (
            json!({ "mode": "hunter2" }),
            "`mode` must be one of `Default`, `Basic`",
        ),
        (json!({ "mode": 5 }), "`mode` must be a string, not a number"),
    ] {
        assert_eq!(refused::<Every>(input), reason);
    }
    for input in [
        json!({ "flag": true, "ratio": 5, "count": 5, "names": ["a"], "mode": "Basic" }),
        json!({ "flag": null, "ratio": -0.5, "mode": "Default", "unknown": [1, { "a": null }] }),
    ] {
        decode::<Every>(input).unwrap();
    }
}
