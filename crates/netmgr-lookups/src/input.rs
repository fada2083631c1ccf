//! Decoding an input object, with reasons for the person who wrote it.
//!
//! Reasons name what a value is, never the value: inputs can carry secrets.

use netmgr_types::object::Object;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Track;

use crate::error::Problem;

/// Decodes an input object, naming the property that does not fit. `null` is an empty object.
pub(crate) fn decode<T: DeserializeOwned>(input: Value) -> Result<T, Problem> {
    let input = if input.is_null() {
        Value::Object(serde_json::Map::new())
    } else {
        input
    };
    let mut track = Track::new();
    let input = Object(serde_path_to_error::Deserializer::new(input, &mut track));
    T::deserialize(input).map_err(|error| {
        let path = track.path().to_string();
        problem(if path == "." { "" } else { &path }, &error.to_string())
    })
}

/// What serde says, in the words of the property's author.
fn problem(path: &str, message: &str) -> Problem {
    if let Some((field, expected)) = between(message, "unknown field `", "`, expected ") {
        let known = expected.trim_start_matches("one of ");
        return Problem::new(
            inside(path, field),
            format!("is not an input; the inputs are {known}"),
        );
    }
    if let Some((field, "")) = between(message, "unknown field `", "`, there are no fields") {
        return Problem::new(inside(path, field), "is not an input; there are none");
    }
    if let Some((field, "")) = between(message, "missing field `", "`") {
        return Problem::new(inside(path, field), "is required");
    }
    if let Some((found, expected)) = between(message, "invalid type: ", ", expected ") {
        return Problem::new(
            path,
            format!("must be {}, not {}", wanted(expected), given(found)),
        );
    }
    Problem::new(path, message)
}

/// The text between `start` and the last `end`, and the text after that.
fn between<'a>(message: &'a str, start: &str, end: &str) -> Option<(&'a str, &'a str)> {
    message.strip_prefix(start)?.rsplit_once(end)
}

/// Path of `field`, which serde names and the path may end with already.
fn inside(path: &str, field: &str) -> String {
    match path.rsplit_once('.') {
        _ if path.is_empty() || path == field => field.to_owned(),
        Some((_, last)) if last == field => path.to_owned(),
        _ => format!("{path}.{field}"),
    }
}

fn wanted(expected: &str) -> &str {
    match expected {
        "f64" => "a number",
        other if other.starts_with("struct ") => "an object",
        other => other,
    }
}

fn given(found: &str) -> &'static str {
    match found.split_whitespace().next() {
        Some("string") => "a string",
        Some("integer" | "floating") => "a number",
        Some("boolean") => "a boolean",
        Some("sequence") => "an array",
        Some("map") => "an object",
        Some("null" | "unit") => "null",
        _ => "something else",
    }
}

#[cfg(test)]
mod tests {
    use netmgr_types::shapes::{ContextInput, MapInput};
    use serde_json::json;

    use super::*;
    use crate::typed::{GetComputeCollection, GetManagementCluster, GetPolicyEdgeNode};

    fn refused<T: DeserializeOwned>(input: Value) -> String {
        decode::<T>(input).err().expect("the input is bad").to_string()
    }

    #[test]
    fn an_unknown_property_is_refused_by_name_with_those_there_are() {
        assert_eq!(
            refused::<ContextInput>(json!({ "displayNam": "x" })),
            "`displayNam` is not an input; the inputs are `context`, `description`, `displayName`, `id`"
        );
        assert_eq!(
            refused::<MapInput>(json!({ "x": 1 })),
            "`x` is not an input; the inputs are `id`"
        );
        assert_eq!(
            refused::<GetManagementCluster>(json!({ "x": 1 })),
            "`x` is not an input; there are none"
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
    }

    #[test]
    fn a_required_property_is_asked_for() {
        assert_eq!(
            refused::<GetComputeCollection>(json!({ "id": "1" })),
            "`displayName` is required"
        );
    }

    #[test]
    fn a_wrong_type_is_told_without_the_value() {
        let input = json!({ "edgeClusterPath": "/infra", "displayName": ["hunter2"] });
        assert_eq!(
            refused::<GetPolicyEdgeNode>(input),
            "`displayName` must be a string, not an array"
        );
        let input = json!({ "edgeClusterPath": "/infra", "memberIndex": "hunter2" });
        assert_eq!(
            refused::<GetPolicyEdgeNode>(input),
            "`memberIndex` must be a whole number, not a string"
        );
        assert_eq!(
            refused::<MapInput>(json!(["hunter2"])),
            "must be an object, not an array"
        );
        assert_eq!(
            refused::<ContextInput>(json!({ "context": ["hunter2"] })),
            "`context` must be an object, not an array"
        );
        assert_eq!(
            refused::<MapInput>(json!("hunter2")),
            "must be an object, not a string"
        );
    }

    #[test]
    fn a_number_out_of_bounds_is_told_as_it_is() {
        let input = json!({ "edgeClusterPath": "/infra", "memberIndex": 1.5 });
        assert_eq!(
            refused::<GetPolicyEdgeNode>(input),
            "`memberIndex` 1.5 is not a whole number"
        );
    }

    #[test]
    fn null_is_an_empty_input() {
        assert!(decode::<MapInput>(Value::Null).is_ok());
    }
}
