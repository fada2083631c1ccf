//! Property bags from JSON and back, written by hand so that nothing of the plugin is used.

use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value};
use serde_json::{Map, Number, Value as Json, json};

const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";

/// Stands for a value that is not known yet.
pub const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/// `value` as a secret.
pub fn secret(value: Json) -> Json {
    json!({SIGNATURE: SECRET, "value": value})
}

/// A bag from a JSON object.
pub fn bag(object: Json) -> Option<Struct> {
    let Json::Object(members) = object else {
        panic!("no object: {object}");
    };
    Some(Struct {
        fields: members
            .into_iter()
            .map(|(name, value)| (name, write(value)))
            .collect(),
    })
}

fn write(value: Json) -> Value {
    let kind = match value {
        Json::Null => Kind::NullValue(0),
        Json::Bool(value) => Kind::BoolValue(value),
        Json::Number(number) => Kind::NumberValue(number.as_f64().unwrap()),
        Json::String(text) => Kind::StringValue(text),
        Json::Array(elements) => Kind::ListValue(ListValue {
            values: elements.into_iter().map(write).collect(),
        }),
        Json::Object(_) => Kind::StructValue(bag(value).unwrap()),
    };
    Value { kind: Some(kind) }
}

/// A JSON object from a bag; whole numbers without a fraction.
pub fn json_of(bag: Option<Struct>) -> Json {
    let members = bag.unwrap_or_default().fields;
    Json::Object(Map::from_iter(
        members.into_iter().map(|(name, value)| (name, read(value))),
    ))
}

fn read(value: Value) -> Json {
    match value.kind.unwrap() {
        Kind::NullValue(_) => Json::Null,
        Kind::BoolValue(value) => value.into(),
        Kind::NumberValue(number) if number.fract() == 0.0 => Number::from(number as i64).into(),
        Kind::NumberValue(number) => number.into(),
        Kind::StringValue(text) => text.into(),
        Kind::ListValue(list) => list.values.into_iter().map(read).collect(),
        Kind::StructValue(members) => json_of(Some(members)),
    }
}
