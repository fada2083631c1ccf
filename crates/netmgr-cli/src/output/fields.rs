//! The fields of `--fields`. A dot reaches into an object: `context.projectId`.

use serde_json::{Map, Value};

use crate::failure::CliError;
use crate::suggest;

/// The value at `path` of `value`.
pub(crate) fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    // A field may itself have a dot in its name.
    value.get(path).or_else(|| {
        let (first, rest) = path.split_once('.')?;
        at(value.get(first)?, rest)
    })
}

/// Names of the fields of `value`; none if it is not an object.
pub(crate) fn names(value: &Value) -> Vec<String> {
    value
        .as_object()
        .map(|object| object.keys().cloned().collect())
        .unwrap_or_default()
}

/// Rejects a field that no object has. If no names are known, all are accepted.
pub(super) fn check(wanted: &[String], known: &[String]) -> Result<(), CliError> {
    let is_unknown = |field: &&String| !known.is_empty() && are_further(std::slice::from_ref(*field), known);
    match wanted.iter().find(is_unknown) {
        None => Ok(()),
        Some(field) => Err(CliError::usage(
            format!("--fields: there is no field {field:?}"),
            suggest::hint(field, known, &format!("the fields are {}", known.join(", "))),
        )),
    }
}

/// Rejects a field that is unknown, but similar to a known one.
pub(super) fn check_similar(wanted: &[String], known: &[String]) -> Result<(), CliError> {
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    let is_mistake = |field: &&String| {
        let is_unknown = are_further(std::slice::from_ref(*field), known);
        is_unknown && !suggest::near(field, &names).is_empty()
    };
    match wanted.iter().find(is_mistake) {
        Some(field) => check(std::slice::from_ref(field), known),
        None => Ok(()),
    }
}

/// Whether one of the `wanted` fields is not among the `known` ones.
pub(super) fn are_further(wanted: &[String], known: &[String]) -> bool {
    wanted.iter().any(|field| {
        let first = field.split('.').next().unwrap_or(field);
        !known.iter().any(|name| name == field || name == first)
    })
}

/// The object with only the wanted fields; all of them if none is named.
pub(super) fn keep(value: &Value, wanted: &[String]) -> Value {
    if wanted.is_empty() {
        return value.clone();
    }
    let kept: Map<String, Value> = wanted
        .iter()
        .map(|field| (field.clone(), at(value, field).cloned().unwrap_or(Value::Null)))
        .collect();
    Value::Object(kept)
}
