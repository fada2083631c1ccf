//! The fields of `--fields`. A dot reaches into an object (`context.projectId`), or into the objects of a list
//! (`tags.scope`).

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::failure::CliError;
use crate::suggest;

/// The value at `path` of `value`. The values in objects of a list are a list.
pub(crate) fn at<'a>(value: &'a Value, path: &str) -> Option<Cow<'a, Value>> {
    // A field may itself have a dot in its name.
    if let Some(value) = value.get(path) {
        return Some(Cow::Borrowed(value));
    }
    let (first, rest) = path.split_once('.')?;
    match value.get(first)? {
        Value::Array(items) => {
            let values = items.iter().filter_map(|item| at(item, rest));
            let values: Vec<Value> = values.map(Cow::into_owned).collect();
            (!values.is_empty()).then(|| Cow::Owned(values.into()))
        }
        inner => at(inner, rest),
    }
}

/// Names of the fields of `value`; none if it is not an object.
pub(crate) fn names(value: &Value) -> Vec<String> {
    value
        .as_object()
        .map(|object| object.keys().cloned().collect())
        .unwrap_or_default()
}

/// Rejects a field of the option `flag` that is not among the `known` ones. If none are known, all are accepted.
pub(crate) fn check(flag: &str, wanted: &[String], known: &[String]) -> Result<(), CliError> {
    let is_unknown = |field: &&String| are_further(std::slice::from_ref(*field), known);
    match wanted.iter().find(is_unknown).filter(|_| !known.is_empty()) {
        None => Ok(()),
        Some(field) => {
            let all = format!("the fields are {}", known.join(", "));
            Err(match field.is_empty() {
                true => CliError::usage(format!("{flag} requires the names of fields"), all),
                false => CliError::usage(
                    format!("{flag}: there is no field {field:?}"),
                    suggest::hint(field, known, &all),
                ),
            })
        }
    }
}

/// Members that any of the manager's objects can have, and that may be in none of those that were read.
const OPTIONAL: [&str; 2] = ["description", "tags"];

/// The same for fields that can also be `members` of the objects that were read, if there are any.
pub(crate) fn check_members(
    flag: &str,
    wanted: &[String],
    known: &[String],
    mut members: BTreeSet<String>,
) -> Result<(), CliError> {
    if members.is_empty() {
        return Ok(());
    }
    members.extend(OPTIONAL.map(str::to_owned));
    members.extend(known.iter().cloned());
    check(flag, wanted, &Vec::from_iter(members))
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
        .map(|field| {
            let value = at(value, field).map_or(Value::Null, Cow::into_owned);
            (field.clone(), value)
        })
        .collect();
    Value::Object(kept)
}
