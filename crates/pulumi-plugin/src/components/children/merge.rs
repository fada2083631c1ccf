//! Merging of a program's values over the values of a component.

use crate::values::{Marks, Object, Value};

/// Merges `theirs` over `ours`: objects member by member; other values and lists replace. A null removes a member, or is
/// kept if `keeps_null`. A part that is secret on one side is secret in the result.
pub(super) fn merge(ours: Value, theirs: Value, keeps_null: bool) -> Value {
    match (ours, theirs) {
        (ours, Value::Secret(theirs)) => secret(merge(ours, *theirs, keeps_null)),
        (Value::Secret(ours), theirs @ Value::Object(_)) => secret(merge(*ours, theirs, keeps_null)),
        // What the members are merged into is not known yet.
        (ours @ Value::Unknown(_), Value::Object(_)) => ours,
        (ours, Value::Object(theirs)) => {
            let mut members = match ours {
                Value::Object(members) => members,
                _ => Object::new(),
            };
            for (name, theirs) in theirs {
                let ours = members.remove(&name).unwrap_or_default();
                let merged = merge(ours, theirs, keeps_null);
                if keeps_null || !merged.is_null() {
                    members.insert(name, merged);
                }
            }
            Value::Object(members)
        }
        (_, theirs) => theirs,
    }
}

/// A secret, unless the value was removed.
fn secret(value: Value) -> Value {
    match value {
        Value::Null => Value::Null,
        value => Value::secret(value),
    }
}

/// Merges an object over JSON text. The result is text, which is unknown or secret if any part is. Anything but an object
/// replaces the text.
pub(super) fn json_text(ours: Value, theirs: Value) -> Value {
    let Some(Value::Object(_)) = theirs.known() else {
        return merge(ours, theirs, false);
    };
    let (ours, marks) = ours.strip();
    let (theirs, others) = theirs.strip();
    let object = match ours {
        Value::String(text) => Value::from_json_text(&text).unwrap_or_default(),
        _ => Value::Null,
    };
    let marks = Marks {
        secret: marks.secret || others.secret,
        unknown: marks.unknown || others.unknown,
        ..Marks::default()
    };
    let merged = match marks.unknown {
        true => Value::UNKNOWN,
        false => merge(object, theirs, false).to_json().to_string().into(),
    };
    marks.apply(merged)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn merged(ours: serde_json::Value, theirs: serde_json::Value, keeps_null: bool) -> serde_json::Value {
        let [ours, theirs] = [ours, theirs].map(|value| Value::from_json(value).unwrap());
        merge(ours, theirs, keeps_null).to_json()
    }

    #[test]
    fn objects_are_merged_and_everything_else_replaces() {
        let ours = json!({ "a": { "b": 1, "c": [1, 2] }, "d": "x" });
        let theirs = json!({ "a": { "c": [3], "e": { "f": true } }, "d": { "g": 1 } });
        let expected = json!({ "a": { "b": 1, "c": [3], "e": { "f": true } }, "d": { "g": 1 } });
        assert_eq!(merged(ours, theirs, false), expected);
    }

    #[test]
    fn null_removes_or_stays() {
        let (ours, theirs) = (
            json!({ "a": 1, "b": { "c": 1 } }),
            json!({ "a": null, "b": { "d": null } }),
        );
        assert_eq!(
            merged(ours.clone(), theirs.clone(), false),
            json!({ "b": { "c": 1 } })
        );
        assert_eq!(
            merged(ours, theirs, true),
            json!({ "a": null, "b": { "c": 1, "d": null } })
        );
    }

    #[test]
    fn only_parts_that_were_secret_or_unknown_are_in_the_result() {
        let ours = Value::from([
            ("a", Value::secret("x")),
            ("b", Value::UNKNOWN),
            ("c", "y".into()),
        ]);
        let theirs = Value::from([
            ("b", Value::from([("d", "z".into())])),
            ("c", Value::secret(Value::from([("e", 1.0.into())]))),
            ("f", Value::UNKNOWN),
        ]);
        let expected = Value::from([
            ("a", Value::secret("x")),
            ("b", Value::UNKNOWN),
            ("c", Value::secret(Value::from([("e", 1.0.into())]))),
            ("f", Value::UNKNOWN),
        ]);
        assert_eq!(merge(ours, theirs, false), expected);
        let ours = Value::secret(Value::from([("a", 1.0.into())]));
        let both = Value::from([("a", 1.0.into()), ("b", 2.0.into())]);
        assert_eq!(
            merge(ours, Value::from([("b", 2.0.into())]), false),
            Value::secret(both)
        );
    }

    #[test]
    fn text_stays_text() {
        let ours = || Value::from(r#"{"env":{"A":"1","B":"2"}}"#);
        let theirs = |value: Value| Value::from([("env", Value::from([("A", Value::Null), ("C", value)]))]);
        assert_eq!(
            json_text(ours(), theirs("3".into())),
            r#"{"env":{"B":"2","C":"3"}}"#.into()
        );
        assert_eq!(
            json_text(ours(), theirs(Value::secret("3"))),
            Value::secret(r#"{"env":{"B":"2","C":"3"}}"#)
        );
        assert_eq!(json_text(ours(), theirs(Value::UNKNOWN)), Value::UNKNOWN);
        assert_eq!(
            json_text(Value::Null, theirs("3".into())),
            r#"{"env":{"C":"3"}}"#.into()
        );
        assert_eq!(json_text(ours(), "{}".into()), "{}".into());
    }
}
