//! How wire values are read: `null` as absent, numbers as text and text as numbers.

use serde::de::{Deserialize, Deserializer, Error, Unexpected};
use serde_json::Value;

/// Reads `null` as the type's default.
pub(super) fn null_as_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Reads an id: text, or a number as its text.
pub(super) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(Error::invalid_type(Unexpected::Other("another value"), &"an id")),
    }
}

/// Reads a whole number or its text; anything else counts as absent.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    })
}
