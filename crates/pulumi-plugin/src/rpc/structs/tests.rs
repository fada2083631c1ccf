//! Bags against the protobuf library, at their limit, and of random bytes.

use crate::values::{DEEPEST, Output, Urn};
use proptest::prelude::*;
use prost::Message as _;
use prost_types::value::Kind;
use prost_types::{ListValue, Struct};

use super::*;

fn through_bytes(value: Value) -> Value {
    read_value(write_value(value)).unwrap()
}

/// A value as the protobuf library writes it.
fn theirs(value: &Value) -> prost_types::Value {
    let kind = match value.clone().into_plain() {
        Plain::Null => Kind::NullValue(0),
        Plain::Bool(value) => Kind::BoolValue(value),
        Plain::Number(value) => Kind::NumberValue(value),
        Plain::String(text) => Kind::StringValue(text),
        Plain::List(values) => Kind::ListValue(ListValue {
            values: values.iter().map(theirs).collect(),
        }),
        Plain::Struct(members) => Kind::StructValue(Struct {
            fields: members
                .iter()
                .map(|(name, value)| (name.clone(), theirs(value)))
                .collect(),
        }),
    };
    prost_types::Value { kind: Some(kind) }
}

#[test]
fn texts_are_encoded_like_the_values_that_they_stand_for() {
    let texts = [("", "1"), ("a", ""), ("\u{e9}", "2")];
    let members = || Object::from([("id".to_owned(), Value::from("x"))]);
    let object: Value = texts
        .iter()
        .map(|(name, text)| ((*name).to_owned(), Value::from(*text)))
        .collect::<Object>()
        .into();
    for (is_secret, object) in [(false, object.clone()), (true, Value::secret(object))] {
        let mut whole = members();
        whole.insert("items".to_owned(), object);
        assert_eq!(
            Returned::with_texts(members(), "items", texts.into_iter(), is_secret),
            Returned::from(whole)
        );
    }
}

#[test]
fn a_result_is_the_response_of_its_call_with_its_length_in_front() {
    use crate::rpc::generated::pulumirpc::InvokeResponse;

    let members = Object::from([("id".to_owned(), Value::from("x"))]);
    let message = Returned::from(members.clone()).into_message();
    let (length, response) = message.split_at(5);
    assert_eq!(length[0], 0, "it is not compressed");
    assert_eq!(length[1..], u32::try_from(response.len()).unwrap().to_be_bytes());
    let response = InvokeResponse::decode(response).unwrap();
    assert_eq!(read(response.r#return).unwrap(), members);
    assert!(response.failures.is_empty());
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

/// Runs a test on a stack as large as that of a plugin, whose frames are smaller.
fn on_a_large_stack(test: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(16 << 20);
        thread.spawn_scoped(scope, test).unwrap().join().unwrap();
    });
}

/// A value below so many others, objects and arrays in turn.
fn nested(levels: usize) -> Value {
    (0..levels).fold(Value::Null, |inner, level| match level % 2 {
        0 => Value::from([("inner", inner)]),
        _ => vec![inner].into(),
    })
}

proptest! {
    #[test]
    fn prop_values_survive_the_wire(value in value()) {
        prop_assert_eq!(through_bytes(value.clone()), value);
    }

    #[test]
    fn prop_values_are_read_and_written_as_the_protobuf_library_does(value in value()) {
        let theirs = theirs(&value);
        let ours = write_value(value.clone());
        prop_assert_eq!(prost_types::Value::decode(ours).unwrap(), theirs.clone());
        prop_assert_eq!(read_value(theirs.encode_to_vec().into()).unwrap(), value);
    }

    /// Any bytes are a value or an error, and what the library reads we read.
    #[test]
    fn prop_random_bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let read = read_value(bytes.clone().into());
        let _ = super::read(Some(bytes.clone().into()));
        let is_theirs = prost_types::Value::decode(&*bytes).is_ok();
        let is_envelope = matches!(&read, Err(error) if error.kind != DecodeErrorKind::Unreadable);
        prop_assert!(!is_theirs || read.is_ok() || is_envelope);
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
fn prop_the_limit_of_nesting_is_exact() {
    on_a_large_stack(|| {
        proptest!(|(levels in (DEEPEST - 20)..(DEEPEST + 20))| {
            let bag = Object::from([("outer".to_owned(), nested(levels))]);
            // The innermost value is a level, too.
            match read(write(bag)) {
                Ok(_) => prop_assert!(levels < DEEPEST),
                Err(error) => {
                    prop_assert!(levels >= DEEPEST);
                    prop_assert_eq!(error.to_string(), "malformed property value at outer");
                    prop_assert_eq!(error.kind, DecodeErrorKind::TooDeep);
                }
            }
        });
    });
}

#[test]
fn what_is_nested_as_deep_as_allowed_can_be_used_in_every_way() {
    on_a_large_stack(|| {
        let deep = nested(DEEPEST - 1);
        assert_eq!(through_bytes(deep.clone()), deep);
        let secret = Value::secret(nested(DEEPEST - 2));
        let read = through_bytes(secret);
        assert!(read.contains_secret() && !read.contains_unknown());
        assert!(read.dependencies().is_empty());
        let (stripped, marks) = read.clone().strip();
        assert!(marks.secret);
        assert_eq!(stripped.clone().without_outputs(), stripped);
        assert_eq!(format!("{read:?}"), "[secret]");
        assert!(format!("{stripped:?}").len() > DEEPEST);
        assert_eq!(Value::from_json(stripped.to_json()).unwrap(), stripped);
    });
}

#[test]
fn a_million_levels_are_refused_with_a_short_message() {
    // Written by hand, because to build the value would take its own stack.
    let mut message = Backwards::default();
    for _ in 0..1_000_000 {
        // A list of one element, which is everything written so far.
        message.head(ENTRY, 0);
        message.head(LIST, 0);
    }
    let bytes = message.finish();
    on_a_large_stack(|| {
        let error = read_value(bytes).unwrap_err();
        assert_eq!(error.to_string(), "malformed property value at [0]");
        assert_eq!(
            error.kind.to_string(),
            "values are nested more than 1000 levels deep"
        );
    });
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
