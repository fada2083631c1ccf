//! Tolerant decoding of wire values: `null` as absent, numbers as text and text as numbers.

use serde::de::{Deserialize, Deserializer, Error, Unexpected};
use serde_json::Value;

/// Reads `null` as the type's default.
pub(super) fn null_as_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Implements `Deserialize` for a `#[serde(remote = "Self")]` struct: all members are optional, but an object
/// for which `$is_known` returns false is not of this kind.
macro_rules! known_by {
    ($type:ty, $is_known:expr, $members:literal) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                // This calls the derived function, which is not a method of the trait.
                let read = Self::deserialize(deserializer)?;
                let is_known: fn(&Self) -> bool = $is_known;
                match is_known(&read) {
                    true => Ok(read),
                    false => Err(serde::de::Error::custom(concat!("has none of ", $members))),
                }
            }
        }
    };
}
pub(super) use known_by;

/// Reads an id: text that is not empty, or a number as its text.
pub(super) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) if text.is_empty() => Err(Error::invalid_value(Unexpected::Str(""), &"an id")),
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(Error::invalid_type(Unexpected::Other("another value"), &"an id")),
    }
}

/// Reads a text. Another value counts as its JSON text, and `null` as absent.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    })
}

/// Reads the objects of a list; other values are treated as absent.
pub(super) fn objects<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: serde::de::DeserializeOwned,
{
    Ok(match Value::deserialize(deserializer)? {
        Value::Array(rows) => {
            let objects = rows.into_iter().filter(Value::is_object);
            objects
                .filter_map(|row| serde_json::from_value(row).ok())
                .collect()
        }
        _ => Vec::new(),
    })
}

/// Reads an integer or its string form; other values are treated as absent.
///
/// # Errors
///
/// Fails if the value is not JSON.
pub fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    })
}
