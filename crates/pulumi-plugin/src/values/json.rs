//! JSON in the engine's encoding.

use serde_json::{Number, Value as Json};

use crate::values::Value;
use crate::values::envelope::Level;
use crate::values::wire::{DecodeError, decode};

/// JSON text that is not a property value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// The text is not JSON. The error contains the position but not the text.
    #[error("not JSON")]
    Syntax(#[source] serde_json::Error),
    /// The JSON contains a malformed envelope.
    #[error(transparent)]
    Value(#[from] DecodeError),
}

impl Value {
    /// Decodes JSON in the engine's encoding, including sentinels and envelopes.
    ///
    /// # Errors
    /// The path to an envelope that is malformed or of an unknown kind. The error quotes no value.
    pub fn from_json(json: Json) -> Result<Self, DecodeError> {
        decode(json, open)
    }

    /// Decodes JSON text, which is a common form of structured configuration.
    ///
    /// # Errors
    /// [`JsonError::Syntax`] for text that is not JSON, [`JsonError::Value`] for errors of [`Self::from_json`].
    pub fn from_json_text(text: &str) -> Result<Self, JsonError> {
        let json = serde_json::from_str(text).map_err(JsonError::Syntax)?;
        Ok(Self::from_json(json)?)
    }

    /// Encodes the value as JSON in the engine's encoding. Secrets are in plain text inside their envelopes.
    /// Whole numbers up to 2⁵³ become integers; numbers that JSON does not support become text, so that
    /// they are not taken for absent ones.
    #[must_use]
    pub fn to_json(&self) -> Json {
        write(self.clone())
    }
}

fn open(json: Json) -> Level<Json> {
    match json {
        Json::Null => Level::Null,
        Json::Bool(value) => Level::Bool(value),
        Json::Number(number) => Level::Number(
            number
                .as_f64()
                .expect("without arbitrary precision every JSON number is a double"),
        ),
        Json::String(text) => Level::String(text),
        Json::Array(elements) => Level::List(elements),
        Json::Object(members) => Level::Struct(members.into_iter().collect()),
    }
}

fn write(value: Value) -> Json {
    match value.into_plain() {
        Level::Null => Json::Null,
        Level::Bool(value) => Json::Bool(value),
        Level::Number(number) => number_to_json(number),
        Level::String(text) => Json::String(text),
        Level::List(values) => values.into_iter().map(write).collect(),
        Level::Struct(values) => values
            .into_iter()
            .map(|(name, value)| (name, write(value)))
            .collect(),
    }
}

/// Whole numbers are encoded without a fraction, so that they can be decoded as integers.
fn number_to_json(number: f64) -> Json {
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0; // 2⁵³
    let negative_zero = number == 0.0 && number.is_sign_negative();
    if number.fract() == 0.0 && number.abs() <= MAX_EXACT && !negative_zero {
        #[allow(clippy::cast_possible_truncation, reason = "whole and within ±2⁵³")]
        return Json::Number(Number::from(number as i64));
    }
    Number::from_f64(number).map_or_else(|| number.to_string().into(), Json::Number)
}
