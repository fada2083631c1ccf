//! Values of configurations and results. Their encoding is in `codec`.

use std::collections::BTreeMap;
use std::fmt;

/// The attributes and blocks of a configuration or a result, by name.
pub type Object = BTreeMap<String, AttributeValue>;

/// A value of a configuration or a result.
#[derive(Clone, Default, PartialEq)]
pub enum AttributeValue {
    /// Absent.
    #[default]
    Null,
    /// Not known before other objects have been created. Never part of a result.
    Unknown,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// Text.
    String(String),
    /// A list, a set, or blocks that can be repeated.
    List(Vec<AttributeValue>),
    /// A map, an object, or the contents of a block.
    Object(Object),
}

/// A number. Hosts compute with arbitrary precision, of which the nearest `f64` is kept.
#[derive(Clone, Copy, PartialEq)]
pub enum Number {
    /// A whole number.
    Integer(i128),
    /// Any other finite number.
    Float(f64),
}

impl AttributeValue {
    /// Whether the value or a part of it is unknown.
    #[must_use]
    pub fn contains_unknown(&self) -> bool {
        match self {
            Self::Unknown => true,
            Self::List(items) => items.iter().any(Self::contains_unknown),
            Self::Object(members) => members.values().any(Self::contains_unknown),
            _ => false,
        }
    }

    /// Whether the value is absent.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

impl From<bool> for AttributeValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for AttributeValue {
    fn from(value: i64) -> Self {
        Self::Number(Number::Integer(value.into()))
    }
}

impl From<&str> for AttributeValue {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<String> for AttributeValue {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

/// Prints the kinds of values and the names of members, because texts and numbers can be secret.
impl fmt::Debug for AttributeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Unknown => f.write_str("unknown"),
            Self::Bool(_) => f.write_str("bool"),
            Self::Number(_) => f.write_str("number"),
            Self::String(_) => f.write_str("string"),
            Self::List(items) => f.debug_list().entries(items).finish(),
            Self::Object(members) => f.debug_map().entries(members).finish(),
        }
    }
}

/// Prints no digits, because a number can be secret.
impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("number")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_names_and_kinds_but_no_contents() {
        let value = AttributeValue::Object(Object::from([
            ("password".to_owned(), "hunter2".into()),
            ("port".to_owned(), 8443.into()),
            (
                "list".to_owned(),
                AttributeValue::List(vec![true.into(), AttributeValue::Null, AttributeValue::Unknown]),
            ),
        ]));
        assert_eq!(
            format!("{value:?}"),
            r#"{"list": [bool, null, unknown], "password": string, "port": number}"#
        );
    }

    #[test]
    fn unknown_parts_are_found_at_any_depth() {
        let block = |value| {
            AttributeValue::List(vec![AttributeValue::Object(Object::from([(
                "id".to_owned(),
                value,
            )]))])
        };
        assert!(block(AttributeValue::Unknown).contains_unknown());
        assert!(!block(AttributeValue::Null).contains_unknown());
    }
}
