//! Members in which two objects differ.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// Members with the revision of an object, and the user and time of its changes. Source: the VMware NSX REST API, type
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

/// Levels of members that are compared one by one. Deeper ones are compared as text.
const DEEPEST: usize = 100;

/// Each member that differs, by its path (`attachment.id`), with both values; null where it is absent.
pub(super) fn differences(
    before: &RawValue,
    after: &RawValue,
    ignore: &[String],
) -> Vec<(String, Value, Value)> {
    let mut comparison = Comparison {
        ignore,
        found: Vec::new(),
    };
    comparison.compare(String::new(), before, after, DEEPEST);
    comparison.found
}

/// A comparison of two objects, level by level. Values that are the same text are not parsed, and numbers keep all digits.
struct Comparison<'a> {
    ignore: &'a [String],
    found: Vec<(String, Value, Value)>,
}

impl Comparison<'_> {
    fn compare(&mut self, path: String, before: &RawValue, after: &RawValue, levels: usize) {
        if before.get() == after.get() {
            return;
        }
        if let Some(levels) = levels.checked_sub(1) {
            if let (Some(before), Some(after)) = (parsed(before), parsed(after)) {
                return self.compare_members(&path, &before, &after, levels);
            }
            if let (Some(before), Some(after)) =
                (parsed::<Vec<&RawValue>>(before), parsed::<Vec<&RawValue>>(after))
                && before.len() == after.len()
            {
                for (index, (before, after)) in before.into_iter().zip(after).enumerate() {
                    self.compare(format!("{path}[{index}]"), before, after, levels);
                }
                return;
            }
        }
        let (before, after) = (shown(before), shown(after));
        if before != after {
            self.found.push((path, before, after));
        }
    }

    fn compare_members(&mut self, path: &str, before: &Members<'_>, after: &Members<'_>, levels: usize) {
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let is_compared =
            |name: &str| !AUDIT.contains(&name) && !self.ignore.iter().any(|ignored| ignored == name);
        let names: Vec<&String> = names.into_iter().filter(|name| is_compared(name)).collect();
        for name in names {
            let below = match path {
                "" => name.clone(),
                path => format!("{path}.{name}"),
            };
            self.compare(below, member(before, name), member(after, name), levels);
        }
    }
}

type Members<'a> = BTreeMap<String, &'a RawValue>;

fn member<'a>(members: &Members<'a>, name: &str) -> &'a RawValue {
    members.get(name).copied().unwrap_or(RawValue::NULL)
}

fn parsed<'a, T: Deserialize<'a>>(text: &'a RawValue) -> Option<T> {
    serde_json::from_str(text.get()).ok()
}

/// The value, or its text if it is a number with more digits than values can hold, or is not valid Unicode.
fn shown(text: &RawValue) -> Value {
    match parsed(text) {
        Some(Value::Number(number)) if number.to_string() != text.get() => text.get().into(),
        Some(value) => value,
        None => text.get().into(),
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
                r#"new: null {"b":2}"#,
                r#"old: 1 null"#,
                r#"tags[0].tag: "x" "y""#,
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

    #[test]
    fn values_that_no_program_can_represent_are_compared_as_text() {
        let differ = |before: &str, after: &str| {
            let raw = |text: &str| RawValue::from_string(format!("{{\"a\": {text}}}")).unwrap();
            !differences(&raw(before), &raw(after), &[]).is_empty()
        };
        let deep = |leaf: &str| format!("{}{leaf}{}", "[".repeat(5_000), "]".repeat(5_000));
        assert!(differ(r#""\ud800 1""#, r#""\ud800 2""#), "they are not Unicode");
        assert!(differ("1e999", "-1e999"));
        assert!(differ("10000000000000000000000001", "10000000000000000000000002"));
        assert!(differ(&deep("1"), &deep("2")));
        assert!(!differ(r#""\u0041""#, r#""A""#));
        assert!(!differ(&deep("1"), &deep("1")));
    }
}
