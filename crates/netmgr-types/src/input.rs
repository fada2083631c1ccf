//! Decoding of inputs and settings: JSON values to types, with an error that names the property.
//!
//! The error is made from what serde passes to it, so no sentence of serde is parsed. Reasons name the type of a
//! value, never the value, because inputs can contain secrets.

use std::fmt;

use serde::de::value::StringDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Number, Value};

/// A property that cannot be used, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct InvalidProperty {
    /// Path of the property, such as `context.projectId` or `licenseKeys[1]`; empty for the whole object.
    pub property: String,
    /// The reason and a remedy, for the author of the value. Never contains a secret.
    pub reason: String,
}

impl InvalidProperty {
    /// An error about `property`.
    pub fn new(property: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            property: property.into(),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for InvalidProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.property.as_str() {
            "" => f.write_str(&self.reason),
            property => write!(f, "`{property}` {}", self.reason),
        }
    }
}

/// Decodes the object that a user wrote. `null` is an empty object.
///
/// # Errors
///
/// The first property that is unknown, missing or of another type.
pub fn decode<T: DeserializeOwned>(value: Value) -> Result<T, InvalidProperty> {
    match T::deserialize(Written::object(value)?) {
        Ok(decoded) => Ok(decoded),
        Err(error) => Err(error.into()),
    }
}

/// An error on its way from a property up to the object.
#[derive(Debug)]
struct PropertyError {
    path: String,
    reason: String,
}

impl PropertyError {
    /// The error as seen by the object that has this value in `property`.
    fn below(mut self, property: &str) -> Self {
        let separator = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        self.path = format!("{property}{separator}{}", self.path);
        self
    }
}

impl From<PropertyError> for InvalidProperty {
    fn from(PropertyError { path, reason }: PropertyError) -> Self {
        Self::new(path, reason)
    }
}

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for PropertyError {}

impl serde::de::Error for PropertyError {
    fn custom<T: fmt::Display>(reason: T) -> Self {
        Self {
            path: String::new(),
            reason: reason.to_string(),
        }
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let given = match unexpected {
            Unexpected::Bool(_) => "a boolean",
            Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
            Unexpected::Char(_) | Unexpected::Str(_) => "a string",
            Unexpected::Unit | Unexpected::Option => "null",
            Unexpected::Seq => "an array",
            Unexpected::Map => "an object",
            _ => "something else",
        };
        Self::custom(format_args!("must be {expected}, not {given}"))
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("must be {expected}"))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("must be one of {}", quoted(expected)))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let reason = match expected {
            [] => "is not an input; there are no inputs".to_owned(),
            inputs => format!("is not an input; the inputs are {}", quoted(inputs)),
        };
        Self::custom(reason).below(field)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom("is required").below(field)
    }
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Why a value of another type is refused: `must be a string, not an array`.
pub(crate) fn not_of_type(expected: &str, given: &Value) -> String {
    wrong_type(expected, given).reason
}

fn wrong_type(expected: &str, given: &Value) -> PropertyError {
    serde::de::Error::invalid_type(unexpected(given), &expected)
}

fn unexpected(value: &Value) -> Unexpected<'_> {
    match value {
        Value::Null => Unexpected::Unit,
        Value::Bool(value) => Unexpected::Bool(*value),
        Value::Number(_) => Unexpected::Float(0.0),
        Value::String(text) => Unexpected::Str(text),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    }
}

/// A value that only decodes as its own type.
struct Written(Value);

// These functions do not depend on the decoded type, so they are compiled once.
impl Written {
    /// The object that a user wrote, or an empty one for `null`.
    fn object(value: Value) -> Result<Self, InvalidProperty> {
        match value {
            Value::Null => Ok(Self(Value::Object(Map::new()))),
            Value::Object(_) => Ok(Self(value)),
            other => Err(wrong_type("an object", &other).into()),
        }
    }

    fn properties(self) -> Result<PropertyAccess, PropertyError> {
        match self.0 {
            Value::Object(members) => Ok(PropertyAccess {
                members: members.into_iter(),
                member: None,
            }),
            other => Err(wrong_type("an object", &other)),
        }
    }
}

/// Methods for numbers.
macro_rules! numbers {
    ($expected:literal: $($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PropertyError> {
            match self.0 {
                Value::Number(number) => visit_number(&number, visitor),
                other => Err(wrong_type($expected, &other)),
            }
        }
    )*};
}

fn visit_number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, PropertyError> {
    match (number.as_u64(), number.as_i64(), number.as_f64()) {
        (Some(value), _, _) => visitor.visit_u64(value),
        (None, Some(value), _) => visitor.visit_i64(value),
        (None, None, Some(value)) => visitor.visit_f64(value),
        (None, None, None) => Err(serde::de::Error::custom("is too large")),
    }
}

// A known type only calls the methods of its own kind of value, so that no others are compiled for it.
impl<'de> Deserializer<'de> for Written {
    type Error = PropertyError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PropertyError> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(_) => self.deserialize_bool(visitor),
            Value::Number(number) => visit_number(&number, visitor),
            Value::String(_) => self.deserialize_string(visitor),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PropertyError> {
        visitor.visit_map(self.properties()?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PropertyError> {
        match self.0 {
            Value::Array(items) => visitor.visit_seq(Items {
                items: items.into_iter(),
                index: 0,
            }),
            other => Err(wrong_type("an array", &other)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PropertyError> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(value),
            other => Err(wrong_type("a boolean", &other)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PropertyError> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            other => Err(wrong_type("a string", &other)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PropertyError> {
        self.deserialize_string(visitor)
    }

    numbers! { "a number": deserialize_f32 deserialize_f64 }
    numbers! {
        "a whole number": deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PropertyError> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, PropertyError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, PropertyError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, PropertyError> {
        match self.0 {
            Value::String(variant) => visitor.visit_enum(Variant(variant)),
            other => Err(wrong_type("a string", &other)),
        }
    }

    forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf unit unit_struct tuple tuple_struct identifier ignored_any
    }
}

/// The name of a variant without content.
struct Variant(String);

impl<'de> EnumAccess<'de> for Variant {
    type Error = PropertyError;
    type Variant = <StringDeserializer<PropertyError> as EnumAccess<'de>>::Variant;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self::Variant), PropertyError> {
        let name: StringDeserializer<PropertyError> = self.0.into_deserializer();
        name.variant_seed(seed)
    }
}

/// The items of an array.
struct Items {
    items: std::vec::IntoIter<Value>,
    index: usize,
}

impl<'de> SeqAccess<'de> for Items {
    type Error = PropertyError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, PropertyError> {
        let Some(item) = self.items.next() else {
            return Ok(None);
        };
        let index = self.index;
        self.index += 1;
        let item = seed.deserialize(Written(item));
        item.map(Some).map_err(|error| error.below(&format!("[{index}]")))
    }
}

/// The members of an object.
struct PropertyAccess {
    members: serde_json::map::IntoIter,
    /// The member whose name has been read.
    member: Option<(String, Value)>,
}

impl PropertyAccess {
    fn next_name(&mut self) -> Option<StringDeserializer<PropertyError>> {
        self.member = self.members.next();
        let (name, _) = self.member.as_ref()?;
        Some(name.clone().into_deserializer())
    }
}

impl<'de> MapAccess<'de> for PropertyAccess {
    type Error = PropertyError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, PropertyError> {
        match self.next_name() {
            Some(name) => Ok(Some(seed.deserialize(name)?)),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, PropertyError> {
        let (name, value) = self.member.take().expect("a value follows its name");
        match seed.deserialize(Written(value)) {
            Ok(value) => Ok(value),
            Err(error) => Err(error.below(&name)),
        }
    }
}

#[cfg(test)]
mod tests;
