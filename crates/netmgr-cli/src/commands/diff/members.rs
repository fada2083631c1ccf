//! Members in which two objects differ.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Members that say which change of an object this is, and who made it when. Source: the VMware NSX REST API, type
/// `ManagedResource`.
const AUDIT: [&str; 9] = [
    "_create_time",
    "_create_user",
    "_last_modified_time",
    "_last_modified_user",
    "_last_sync_time",
    "_links",
    "_revision",
    "_schema",
    "_self",
];

/// Each member that differs, by its path (`attachment.id`), with both values; null where it is absent.
pub(super) fn differences(
    before: &RawValue,
    after: &RawValue,
    ignore: &[String],
) -> Vec<(String, Value, Value)> {
    if before.get() == after.get() {
        return Vec::new();
    }
    let value = |text: &RawValue| serde_json::from_str(text.get()).unwrap_or_default();
    let mut found = Vec::new();
    compare(String::new(), value(before), value(after), ignore, &mut found);
    found
}

fn compare(
    path: String,
    before: Value,
    after: Value,
    ignore: &[String],
    found: &mut Vec<(String, Value, Value)>,
) {
    match (before, after) {
        (before, after) if before == after => {}
        (Value::Object(before), Value::Object(after)) => compare_members(&path, before, after, ignore, found),
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            let pairs = before.into_iter().zip(after).enumerate();
            for (index, (before, after)) in pairs {
                compare(format!("{path}[{index}]"), before, after, ignore, found);
            }
        }
        (before, after) => found.push((path, before, after)),
    }
}

fn compare_members(
    path: &str,
    before: Map<String, Value>,
    mut after: Map<String, Value>,
    ignore: &[String],
    found: &mut Vec<(String, Value, Value)>,
) {
    let is_ignored = |name: &str| AUDIT.contains(&name) || ignore.iter().any(|ignored| ignored == name);
    let below = |name: &str| match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    };
    for (name, value) in before {
        let other = after.remove(&name).unwrap_or_default();
        if !is_ignored(&name) {
            compare(below(&name), value, other, ignore, found);
        }
    }
    for (name, value) in after {
        if !is_ignored(&name) && !value.is_null() {
            found.push((below(&name), Value::Null, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changed(before: Value, after: Value, ignore: &[&str]) -> Vec<String> {
        let raw = |value: Value| RawValue::from_string(value.to_string()).unwrap();
        let ignore: Vec<String> = ignore.iter().map(|&name| name.to_owned()).collect();
        let differences = differences(&raw(before), &raw(after), &ignore);
        let shown = |(member, before, after)| format!("{member}: {before} {after}");
        differences.into_iter().map(shown).collect()
    }

    #[test]
    fn members_are_compared_at_any_depth_without_those_of_the_audit() {
        let before =
            json!({"id": "a", "_revision": 1, "tags": [{"tag": "x", "_revision": 1}], "old": 1, "n": null});
        let after =
            json!({"id": "a", "_revision": 2, "tags": [{"tag": "y", "_revision": 2}], "new": {"b": 2}});
        assert_eq!(
            changed(before.clone(), after.clone(), &[]),
            [
                r#"old: 1 null"#,
                r#"tags[0].tag: "x" "y""#,
                r#"new: null {"b":2}"#
            ]
        );
        assert_eq!(changed(before, after, &["tag", "old", "new"]), [""; 0]);
    }

    #[test]
    fn lists_of_other_lengths_differ_as_a_whole() {
        let (before, after) = (json!({"l": [1, 2]}), json!({"l": [1]}));
        assert_eq!(changed(before, after, &[]), ["l: [1,2] [1]"]);
    }

    #[test]
    fn the_order_of_members_does_not_matter() {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        let differences = differences(&raw(r#"{"a":1,"b":2}"#), &raw(r#"{"b":2, "a":1}"#), &[]);
        assert_eq!(differences, []);
    }
}
