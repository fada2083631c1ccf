//! Members in which two objects differ.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use netmgr_types::foreign::REDACTED;
use netmgr_types::sensitive::redact;
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

/// A member that differs. Secrets in its values are compared, but not shown.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberChange {
    /// Its path: `attachment.id`.
    pub member: String,
    /// The first value; null if it is absent.
    pub before: Value,
    /// The second value; null if it is absent.
    pub after: Value,
}

/// Each member that differs.
pub(super) fn differences(before: &RawValue, after: &RawValue, ignore: &[String]) -> Vec<MemberChange> {
    let mut comparison = Comparison {
        ignore,
        found: Vec::new(),
    };
    if before.get() != after.get() {
        let [shown_before, shown_after] = [before, after].map(|text| {
            let mut shown = representable(text, DEEPEST);
            redact(&mut shown);
            shown
        });
        let (before, after) = (DiffSide(before, &shown_before), DiffSide(after, &shown_after));
        comparison.compare(String::new(), before, after, DEEPEST);
    }
    comparison.found
}

/// The value of a member whose name is hidden.
static HIDDEN: LazyLock<Value> = LazyLock::new(|| REDACTED.into());

/// A value as the manager sent it, and as it is shown.
#[derive(Clone, Copy)]
struct DiffSide<'a>(&'a RawValue, &'a Value);

/// A comparison of two objects, level by level. Values that are the same text are not parsed, and numbers keep all digits.
struct Comparison<'a> {
    ignore: &'a [String],
    found: Vec<MemberChange>,
}

impl Comparison<'_> {
    fn compare(&mut self, path: String, before: DiffSide<'_>, after: DiffSide<'_>, levels: usize) {
        if before.0.get() == after.0.get() {
            return;
        }
        // A value that is hidden is shown as a text.
        match (levels.checked_sub(1), before.1, after.1) {
            (Some(levels), Value::Object(_), Value::Object(_)) => {
                if let (Some(parsed_before), Some(parsed_after)) = (parsed(before.0), parsed(after.0)) {
                    let members = [
                        SideMembers(parsed_before, before.1),
                        SideMembers(parsed_after, after.1),
                    ];
                    return self.compare_members(&path, &members, levels);
                }
            }
            (Some(levels), Value::Array(shown_before), Value::Array(shown_after))
                if shown_before.len() == shown_after.len() =>
            {
                let [before, after]: [Vec<&RawValue>; 2] =
                    [before, after].map(|side| parsed(side.0).unwrap_or_default());
                let before = before.into_iter().zip(shown_before);
                let after = after.into_iter().zip(shown_after);
                for (index, (before, after)) in before.zip(after).enumerate() {
                    let (before, after) = (DiffSide(before.0, before.1), DiffSide(after.0, after.1));
                    self.compare(format!("{path}[{index}]"), before, after, levels);
                }
                return;
            }
            _ => {}
        }
        let is_same = || parsed::<Value>(before.0).is_some_and(|value| parsed(after.0) == Some(value));
        if before.1 != after.1 || before.1 == REDACTED && !is_same() {
            self.found.push(MemberChange {
                member: path,
                before: before.1.clone(),
                after: after.1.clone(),
            });
        }
    }

    fn compare_members(&mut self, path: &str, [before, after]: &[SideMembers<'_>; 2], levels: usize) {
        let names: BTreeSet<&String> = before.0.keys().chain(after.0.keys()).collect();
        let is_compared =
            |name: &str| !AUDIT.contains(&name) && !self.ignore.iter().any(|ignored| ignored == name);
        let names: Vec<&String> = names.into_iter().filter(|name| is_compared(name)).collect();
        for name in names {
            let shown = match before.hides(name) || after.hides(name) {
                true => REDACTED,
                false => name,
            };
            let below = match path {
                "" => shown.to_owned(),
                path => format!("{path}.{shown}"),
            };
            self.compare(below, before.member(name), after.member(name), levels);
        }
    }
}

/// Members of an object, and the object as it is shown.
struct SideMembers<'a>(BTreeMap<String, &'a RawValue>, &'a Value);

impl SideMembers<'_> {
    fn member(&self, name: &str) -> DiffSide<'_> {
        match self.0.get(name) {
            Some(text) => DiffSide(text, self.1.get(name).unwrap_or(&HIDDEN)),
            None => DiffSide(RawValue::NULL, &Value::Null),
        }
    }

    /// Whether the object has a member with this name, and the name itself is a secret.
    fn hides(&self, name: &str) -> bool {
        self.0.contains_key(name) && self.1.get(name).is_none()
    }
}

fn parsed<'a, T: Deserialize<'a>>(text: &'a RawValue) -> Option<T> {
    serde_json::from_str(text.get()).ok()
}

/// The value as far as values can represent it: numbers with more digits and invalid Unicode are their text, and what is
/// below the deepest level is hidden.
fn representable(text: &RawValue, levels: usize) -> Value {
    let Some(levels) = levels.checked_sub(1) else {
        return REDACTED.into();
    };
    if let Some(members) = parsed::<BTreeMap<String, &RawValue>>(text) {
        let members = members
            .into_iter()
            .map(|(name, member)| (name, representable(member, levels)));
        return Value::Object(members.collect());
    }
    if let Some(items) = parsed::<Vec<&RawValue>>(text) {
        return items
            .into_iter()
            .map(|item| representable(item, levels))
            .collect();
    }
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
        let shown = |change: &MemberChange| {
            let MemberChange {
                member,
                before,
                after,
            } = change;
            format!("{member}: {before} {after}")
        };
        differences.iter().map(shown).collect()
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
    fn a_secret_that_changed_is_hidden_on_both_sides() {
        let object = |secret: &str| {
            json!({
                "psk": secret, "vlan": secret.len(), "url": format!("https://u:{secret}@h"),
                "l": [{"key": "password", "value": secret}, {"client-secret": {"a": [secret]}}], "same": {"psk": "x"},
            })
        };
        assert_eq!(
            changed(object("one"), object("three"), &[]),
            [
                r#"l[0].value: "[redacted]" "[redacted]""#,
                r#"l[1].client-secret: "[redacted]" "[redacted]""#,
                r#"psk: "[redacted]" "[redacted]""#,
                r#"url: "[redacted]" "[redacted]""#,
                "vlan: 3 5",
            ]
        );
        let absent = changed(json!({}), json!({"psk": "x", "l": [{"psk": "x"}]}), &[]);
        assert_eq!(
            absent,
            [r#"l: null [{"psk":"[redacted]"}]"#, r#"psk: null "[redacted]""#]
        );
        let lists = changed(json!({"l": [{"psk": "x"}]}), json!({"l": []}), &[]);
        assert_eq!(lists, [r#"l: [{"psk":"[redacted]"}] []"#]);
    }

    #[test]
    fn members_whose_names_are_secret_are_compared() {
        let object = |name: &str, value: &str| json!({ "m": { name: value, "same": 1 } });
        let url = "https://u:hidden-1@h";
        assert_eq!(
            changed(object(url, "x"), object(url, "y"), &[]),
            [r#"m.[redacted]: "[redacted]" "[redacted]""#]
        );
        assert_eq!(
            changed(object("password=1", "x"), object("password=2", "x"), &[]),
            [
                r#"m.[redacted]: "[redacted]" null"#,
                r#"m.[redacted]: null "[redacted]""#
            ]
        );
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
