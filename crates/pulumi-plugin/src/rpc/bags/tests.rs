//! Bags on the wire, at their limit, and of damaged bytes.

use proptest::prelude::*;
use prost::encoding::encode_varint;

use crate::values::OutputValue;

use super::*;

fn through_bytes(value: Value) -> Value {
    read_value(write_value(value)).unwrap()
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        Just(Value::UNKNOWN),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>()
            .prop_filter("not equal to itself", |n| !n.is_nan())
            .prop_map(Value::Number),
        "[a-zé]{0,200}".prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            proptest::collection::btree_map("[a-z]{0,3}", inner.clone(), 0..4).prop_map(Value::Object),
            inner.clone().prop_map(|value| Value::Secret(Box::new(value))),
            (proptest::option::of(inner), any::<bool>()).prop_map(|(value, secret)| {
                OutputValue {
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

    /// A damaged value is another value or an error.
    #[test]
    fn prop_damaged_bytes_do_no_harm(value in value(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = write_value(value).to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = read_value(bytes.into());
    }
}

#[test]
fn values_are_nested_as_deep_as_the_library_allows_and_refused_beyond() {
    let (mut objects, mut lists) = (Value::Null, Value::Null);
    let (mut depths, mut refusals) = ([0, 0], 0);
    for depth in 1..=60 {
        objects = Value::from([("inner", objects)]);
        lists = vec![lists].into();
        for (index, value) in [&objects, &lists].into_iter().enumerate() {
            match read(write([("outer".to_owned(), value.clone())].into())) {
                Ok(bag) => {
                    assert_eq!(bag["outer"], *value);
                    depths[index] = depth;
                }
                Err(error) => {
                    assert_eq!(error.kind, DecodeErrorKind::TooDeep);
                    refusals += 1;
                }
            }
        }
    }
    // The numbers of the message.
    assert_eq!(depths, [32, 49]);
    assert_eq!(refusals, 60 - 32 + 60 - 49);
}

/// Far more levels than any stack has room for.
#[test]
fn a_million_levels_are_refused() {
    // Keys of the first field of a list and of the list in a value, each followed by a length.
    const HEADS: [u8; 2] = [0x0a, 0x32];
    let mut reversed = Vec::new();
    for _ in 0..1_000_000 {
        for key in HEADS {
            let mut head = vec![key];
            encode_varint(reversed.len() as u64, &mut head);
            reversed.extend(head.iter().rev());
        }
    }
    reversed.reverse();
    assert_eq!(
        read_value(reversed.into()).unwrap_err().kind,
        DecodeErrorKind::TooDeep
    );
}

#[test]
fn an_absent_bag_is_empty_and_a_value_without_kind_null() {
    assert_eq!(read(None), Ok(Object::new()));
    assert_eq!(read_value(Bytes::new()), Ok(Value::Null));
}

#[test]
fn equal_bags_are_equal_bytes() {
    let bag = |names: [&str; 3]| {
        let members = names.map(|name| (name.to_owned(), Value::from(name)));
        write(members.into()).unwrap()
    };
    assert_eq!(bag(["a", "b", "c"]), bag(["c", "a", "b"]));
}

#[test]
fn dependencies_are_reported_by_property() {
    let output = |urn: &str| OutputValue {
        dependencies: vec![urn.into()],
        ..OutputValue::default()
    };
    let members = Object::from([
        ("plain".to_owned(), 1.into()),
        ("one".to_owned(), vec![output("urn:b"), output("urn:a")].into()),
    ]);
    let expected = BTreeMap::from([("one".to_owned(), ["urn:a".into(), "urn:b".into()].into())]);
    assert_eq!(dependencies(&members), expected);
}

/// Any bytes are a value or an error, and a value that is read is written and read again as the same.
#[test]
fn fuzz_pulumi_values() {
    let words = [
        "4dabf18193072939515e22adb298388d",
        "1b47061264138c4ac30d75fd1eb44270",
        "d0e6a833031e9bbcd3f4e8bde6ca49a4",
        "5cf8f73096256a8f31e491e813e4eb8e",
        "c44067f5952c0a294b673a41bacd8c17",
        "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
        "value",
        "secret",
        "dependencies",
        "urn:pulumi:dev::p::t::n",
        "assets",
    ];
    fuzz_testing::fuzz("pulumi-values", &words, |input| {
        let bytes = Bytes::copy_from_slice(input);
        let _ = super::read(Some(bytes.clone()));
        let value = match read_value(bytes) {
            Ok(value) => value,
            Err(error) => {
                let text = error.to_string();
                assert!(
                    text.len() < 2 * input.len() + 1000,
                    "an error is longer than its input"
                );
                return format!("{:?}", error.kind);
            }
        };
        // Bytes are compared, because a number may be none.
        let written = write_value(value.clone());
        let again = read_value(written.clone()).expect("what was written is read");
        assert_eq!(write_value(again), written);
        // Fields of the input may be in another order or occur twice, but nothing is added.
        assert!(written.len() <= 4 * input.len() + 1000, "a value grows");
        format!("{value:?}")
    });
}
