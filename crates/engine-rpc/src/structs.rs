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

#[cfg(test)]
mod tests {
    use engine_values::{Output, Urn};
    use proptest::prelude::*;
    use prost::Message as _;

    use super::*;

    fn through_bytes(value: Value) -> Value {
        let bytes = write_value(value).encode_to_vec();
        read_value(prost_types::Value::decode(&*bytes).unwrap()).unwrap()
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            Just(Value::UNKNOWN),
            any::<bool>().prop_map(Value::Bool),
            any::<f64>()
                .prop_filter("not equal to itself", |n| !n.is_nan())
                .prop_map(Value::Number),
            "[a-zé]{0,6}".prop_map(Value::String),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
                proptest::collection::btree_map("[a-z]{1,3}", inner.clone(), 0..4).prop_map(Value::Object),
                inner.clone().prop_map(|value| Value::Secret(Box::new(value))),
                (proptest::option::of(inner), any::<bool>()).prop_map(|(value, secret)| {
                    Output {
                        value: value.map(Box::new),
                        secret,
                        dependencies: vec![Urn::from("urn:a")],
                    }
                    .into()
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn prop_values_survive_the_wire(value in value()) {
            prop_assert_eq!(through_bytes(value.clone()), value);
        }
    }

    #[test]
    fn an_absent_bag_is_empty_and_a_value_without_kind_null() {
        assert_eq!(read(None), Ok(Object::new()));
        assert_eq!(read_value(prost_types::Value { kind: None }), Ok(Value::Null));
    }

    #[test]
    fn thirty_levels_of_objects_survive_the_wire() {
        let deep = (0..30).fold(Value::Null, |inner, _| Value::from([("inner", inner)]));
        assert_eq!(through_bytes(deep.clone()), deep);
    }

    #[test]
    fn equal_bags_are_equal_bytes() {
        let bag = |names: [&str; 3]| {
            let members = names
                .into_iter()
                .map(|name| (name.to_owned(), Value::from(name)))
                .collect();
            write(members).unwrap().encode_to_vec()
        };
        assert_eq!(bag(["a", "b", "c"]), bag(["c", "a", "b"]));
    }

    #[test]
    fn dependencies_are_told_by_property() {
        let output = |urn: &str| Output {
            dependencies: vec![urn.into()],
            ..Output::default()
        };
        let members = Object::from([
            ("plain".to_owned(), 1.into()),
            ("one".to_owned(), vec![output("urn:b"), output("urn:a")].into()),
        ]);
        let expected = BTreeMap::from([("one".to_owned(), vec![Urn::from("urn:a"), Urn::from("urn:b")])]);
        assert_eq!(dependencies(&members), expected);
    }
}
