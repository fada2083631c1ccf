//! Limits of values in JSON schemas: permitted values, patterns, ranges and sizes.

use regex::Regex;
use serde_json::Value as Json;

use crate::values::Value;

/// The member of a schema with the reason for rejecting a value, such as `must be a version`. Values that are empty or too
/// large are rejected with reasons of their own.
pub(crate) const REASON: &str = "x-reason";

/// The reason why a value violates a schema. Its elements and members are not checked.
pub(crate) fn violation(schema: &Json, value: &Value) -> Option<String> {
    let sizes = match value {
        Value::String(text) => Some(("Length", text.chars().count(), "characters")),
        Value::Array(elements) => Some(("Items", elements.len(), "elements")),
        Value::Object(members) => Some(("Properties", members.len(), "entries")),
        _ => None,
    };
    let stated = |reason: String| schema[REASON].as_str().map_or(reason, str::to_owned);
    if let Some(reason) = not_permitted(schema, value) {
        return Some(stated(reason));
    }
    let mut general = other_form(schema, value).or_else(|| out_of_range(schema, value));
    if let Some((what, size, unit)) = sizes {
        let limit = |bound: &str| schema[format!("{bound}{what}")].as_u64();
        let (least, size) = (limit("min").unwrap_or(0), size as u64);
        if size == 0 && least > 0 {
            return Some("must not be empty".to_owned());
        }
        if let Some(most) = limit("max").filter(|most| size > *most) {
            return Some(format!("must have at most {most} {unit}, not {size}"));
        }
        if size < least {
            general = Some(format!("must have at least {least} {unit}, not {size}"));
        }
    }
    general.map(stated).or_else(|| excluded(schema, value))
}

fn not_permitted(schema: &Json, value: &Value) -> Option<String> {
    let is_scalar = matches!(value, Value::Bool(_) | Value::Number(_) | Value::String(_));
    let permitted = schema["enum"].as_array().filter(|_| is_scalar)?;
    let text = |one: &Json| one.as_str().map_or_else(|| one.to_string(), str::to_owned);
    let texts: Vec<_> = permitted.iter().map(text).collect();
    (!permitted.contains(&value.to_json())).then(|| format!("must be one of {}", texts.join(", ")))
}

fn other_form(schema: &Json, value: &Value) -> Option<String> {
    let (text, pattern) = (value.as_str()?, schema["pattern"].as_str()?);
    let is_other = Regex::new(pattern).is_ok_and(|pattern| !pattern.is_match(text));
    is_other.then(|| format!("must match {pattern}"))
}

fn excluded(schema: &Json, value: &Value) -> Option<String> {
    let excluded = schema.get("not").filter(|one| violation(one, value).is_none())?;
    Some(excluded[REASON].as_str().unwrap_or("is reserved").to_owned())
}

fn out_of_range(schema: &Json, value: &Value) -> Option<String> {
    let number = value.as_number()?;
    let (least, most) = (schema["minimum"].as_f64(), schema["maximum"].as_f64());
    let step = schema["multipleOf"].as_f64();
    let is_between = least.is_none_or(|least| least <= number) && most.is_none_or(|most| number <= most);
    (!is_between || step.is_some_and(|step| number % step != 0.0)).then(|| match (least, most) {
        (Some(least), Some(most)) => format!("must be from {least} to {most}"),
        (Some(least), None) => format!("must be at least {least}"),
        (None, Some(most)) => format!("must be at most {most}"),
        (None, None) => "must be a whole number".to_owned(),
    })
}
