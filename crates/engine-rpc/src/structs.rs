//! Property bags between `google.protobuf.Struct` and values, directly and by moving.

use std::collections::BTreeMap;

use engine_values::{DecodeError, Object, Plain, Value, decode, decode_object, encode, encode_object};
use prost_types::value::Kind;
use prost_types::{ListValue, Struct};

/// Reads a property bag; an absent one is empty.
pub(crate) fn read(bag: Option<Struct>) -> Result<Object, DecodeError> {
    decode_object(bag.unwrap_or_default().fields, open)
}

/// Reads a single value, for fields that are one.
pub(crate) fn read_value(value: prost_types::Value) -> Result<Value, DecodeError> {
    decode(value, open)
}

/// Writes a property bag.
pub(crate) fn write(members: Object) -> Option<Struct> {
    Some(Struct {
        fields: encode_object(members, close),
    })
}

/// Writes a single value.
pub(crate) fn write_value(value: Value) -> prost_types::Value {
    encode(value, close)
}

fn open(value: prost_types::Value) -> Plain<prost_types::Value> {
    match value.kind {
        // A value without a kind is not valid protobuf for this type; null is what peers make of it.
        None | Some(Kind::NullValue(_)) => Plain::Null,
        Some(Kind::BoolValue(value)) => Plain::Bool(value),
        Some(Kind::NumberValue(value)) => Plain::Number(value),
        Some(Kind::StringValue(text)) => Plain::String(text),
        Some(Kind::ListValue(list)) => Plain::List(list.values),
        Some(Kind::StructValue(members)) => Plain::Struct(members.fields),
    }
}

fn close(level: Plain<prost_types::Value>) -> prost_types::Value {
    let kind = match level {
        Plain::Null => Kind::NullValue(0),
        Plain::Bool(value) => Kind::BoolValue(value),
        Plain::Number(value) => Kind::NumberValue(value),
        Plain::String(text) => Kind::StringValue(text),
        Plain::List(values) => Kind::ListValue(ListValue { values }),
        Plain::Struct(fields) => Kind::StructValue(Struct { fields }),
    };
    prost_types::Value { kind: Some(kind) }
}

/// Splits off what the outputs in a bag depend on, property by property.
pub(crate) fn dependencies(members: &Object) -> BTreeMap<String, Vec<engine_values::Urn>> {
    members
        .iter()
        .map(|(name, value)| (name.clone(), value.dependencies().into_iter().collect()))
        .filter(|(_, urns): &(_, Vec<_>)| !urns.is_empty())
        .collect()
}
