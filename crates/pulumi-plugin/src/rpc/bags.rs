//! Property bags between the bytes of `google.protobuf.Struct` and values. Envelopes are in [`crate::values`].
//!
//! Bags are `bytes` in our copies of the engine's messages, which are the same on the wire, so that errors name
//! the bag and describe the problem.

use std::collections::{BTreeMap, BTreeSet};

use prost::Message;
use prost::bytes::Bytes;
use prost_types::value::Kind;
use prost_types::{ListValue, Struct};

use crate::values::envelope::Level;
use crate::values::wire::{decode, decode_object};
use crate::values::{DecodeError, DecodeErrorKind, Object, Urn, Value};

/// Decodes a property bag. An absent one is empty.
pub(crate) fn read(bag: Option<Bytes>) -> Result<Object, DecodeError> {
    let bag: Struct = message(bag.unwrap_or_default())?;
    decode_object(bag.fields, open)
}

/// Decodes a single value.
pub(crate) fn read_value(value: Bytes) -> Result<Value, DecodeError> {
    decode(message(value)?, open)
}

/// Encodes a property bag.
pub(crate) fn write(members: Object) -> Option<Bytes> {
    Some(bag(members).encode_to_vec().into())
}

/// Encodes a single value.
pub(crate) fn write_value(value: Value) -> Bytes {
    close(value).encode_to_vec().into()
}

/// The library has a single error type. It limits the depth of nested messages.
fn message<M: Message + Default>(bytes: Bytes) -> Result<M, DecodeError> {
    M::decode(bytes).map_err(|error| {
        let kind = match error.to_string().ends_with("recursion limit reached") {
            true => DecodeErrorKind::TooDeep,
            false => DecodeErrorKind::Unreadable,
        };
        DecodeError::at_root(kind)
    })
}

fn open(value: prost_types::Value) -> Level<prost_types::Value> {
    match value.kind {
        None | Some(Kind::NullValue(_)) => Level::Null,
        Some(Kind::BoolValue(value)) => Level::Bool(value),
        Some(Kind::NumberValue(number)) => Level::Number(number),
        Some(Kind::StringValue(text)) => Level::String(text),
        Some(Kind::ListValue(list)) => Level::List(list.values),
        Some(Kind::StructValue(bag)) => Level::Struct(bag.fields),
    }
}

fn close(value: Value) -> prost_types::Value {
    let kind = match value.into_plain() {
        Level::Null => Kind::NullValue(0),
        Level::Bool(value) => Kind::BoolValue(value),
        Level::Number(number) => Kind::NumberValue(number),
        Level::String(text) => Kind::StringValue(text),
        Level::List(values) => Kind::ListValue(ListValue {
            values: values.into_iter().map(close).collect(),
        }),
        Level::Struct(members) => Kind::StructValue(bag(members)),
    };
    prost_types::Value { kind: Some(kind) }
}

fn bag(members: Object) -> Struct {
    let fields = members.into_iter().map(|(name, value)| (name, close(value)));
    Struct {
        fields: fields.collect(),
    }
}

/// The dependencies of the outputs in a bag, for each property.
pub(crate) fn dependencies(members: &Object) -> BTreeMap<String, BTreeSet<Urn>> {
    members
        .iter()
        .map(|(name, value)| (name.clone(), value.dependencies()))
        .filter(|(_, urns)| !urns.is_empty())
        .collect()
}

#[cfg(test)]
mod tests;
