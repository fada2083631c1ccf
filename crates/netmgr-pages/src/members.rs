//! Decodes a row from the places of its members, so that only the members that its type reads are read again.

use std::slice;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Error;

use crate::scan::{self, Member};

/// A row as an object, and as nothing else.
///
/// What it decodes is what serde_json decodes from the text of the row. Its errors do not name places in the row.
pub(crate) struct Members<'de> {
    row: &'de [u8],
    left: slice::Iter<'de, Member>,
    value: &'de [u8],
    /// Whether the type has fields only, and no place for other members.
    has_only_fields: bool,
}

impl<'de> Members<'de> {
    pub(crate) fn new(row: &'de [u8], members: &'de [Member]) -> Self {
        Self {
            row,
            left: members.iter(),
            value: &[],
            has_only_fields: false,
        }
    }
}

impl<'de> Deserializer<'de> for Members<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let decoded = visitor.visit_map(&mut self)?;
        match self.left.len() {
            0 => Ok(decoded),
            left => Err(Error::custom(format_args!("{left} members were not read"))),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.has_only_fields = true;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(member) = self.left.next() else {
            return Ok(None);
        };
        let name = member.name(self.row).unwrap_or_default();
        self.value = member.value(self.row).unwrap_or_default();
        let name = Name {
            text: name,
            is_field: self.has_only_fields,
        };
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(Value(self.value))
    }
}

/// The name of a member.
struct Name<'de> {
    text: &'de [u8],
    /// Whether it is only compared with the names of fields.
    is_field: bool,
}

impl<'de> Deserializer<'de> for Name<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(std::str::from_utf8(self.text).map_err(Error::custom)?)
    }

    /// Fields are compared as bytes. A type with `#[serde(flatten)]`, which is no struct to its deserializer, keeps other
    /// names, and some types can read those only as text.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.is_field {
            true => visitor.visit_borrowed_bytes(self.text),
            false => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum ignored_any
    }
}

/// The value of a member, at the beginning of a text.
struct Value<'de>(&'de [u8]);

impl<'de> Value<'de> {
    /// The text of a string without escapes, which most values are that are read.
    fn plain(&self) -> Option<&'de str> {
        std::str::from_utf8(scan::plain_string(self.0)?).ok()
    }
}

/// Passes calls on to serde_json.
macro_rules! pass_on {
    ($($method:ident($($argument:ident: $type:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, Error> {
            serde_json::Deserializer::from_slice(self.0).$method($($argument,)* visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for Value<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.plain() {
            Some(text) => visitor.visit_borrowed_str(text),
            None => serde_json::Deserializer::from_slice(self.0).deserialize_any(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.plain() {
            Some(text) => visitor.visit_borrowed_str(text),
            None => serde_json::Deserializer::from_slice(self.0).deserialize_str(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0.first() {
            Some(b'"') => visitor.visit_some(self),
            _ => serde_json::Deserializer::from_slice(self.0).deserialize_option(visitor),
        }
    }

    pass_on! {
        deserialize_bool() deserialize_char()
        deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
        deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
        deserialize_f32() deserialize_f64()
        deserialize_bytes() deserialize_byte_buf()
        deserialize_unit() deserialize_seq() deserialize_map() deserialize_identifier()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(length: usize)
        deserialize_tuple_struct(name: &'static str, length: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    /// The value was read once, and is well-formed.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
}
