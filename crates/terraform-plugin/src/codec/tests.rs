//! Encoding and decoding, with bytes that hosts send.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::schema::AttributeUsage;

fn attribute(name: &str, kind: Type) -> Attribute {
    Attribute {
        name: name.to_owned(),
        kind,
        usage: AttributeUsage::Optional,
        sensitive: false,
        deprecated: false,
        description: String::new(),
    }
}

fn one(kind: Type) -> Block {
    Block {
        attributes: vec![attribute("a", kind)],
        ..Block::default()
    }
}

/// `{"a": …}` with these bytes.
fn of(bytes: &[u8]) -> Vec<u8> {
    [&[0x81, 0xa1, b'a'], bytes].concat()
}

fn decoded(bytes: &[u8], kind: Type) -> Result<AttributeValue, String> {
    let object = decode(&of(bytes), &one(kind)).map_err(|error| error.to_string())?;
    Ok(object["a"].clone())
}

fn number(number: Number) -> Result<AttributeValue, String> {
    Ok(AttributeValue::Number(number))
}

#[test]
fn numbers_arrive_in_every_form() {
    for (bytes, expected) in [
        (&b"\x01"[..], Number::Integer(1)),
        (b"\xfb", Number::Integer(-5)),
        (b"\xcd\x01\xad", Number::Integer(429)),
        (b"\xa31.1", Number::Float(1.1)),
        (
            b"\xb418446744073709551615",
            Number::Integer(18_446_744_073_709_551_615),
        ),
        (b"\xcb\x3f\xf8\0\0\0\0\0\0", Number::Float(1.5)),
        (b"\xcb\x40\x14\0\0\0\0\0\0", Number::Integer(5)),
        (b"\xca\x3f\xc0\0\0", Number::Float(1.5)),
    ] {
        assert_eq!(decoded(bytes, Type::Number), number(expected), "{bytes:x?}");
    }
    assert_eq!(
        decoded(b"\xa51e999", Type::Number).unwrap_err(),
        "a: must be in the range of 64-bit floating-point numbers"
    );
    assert_eq!(decoded(b"\xc3", Type::Number).unwrap_err(), "a: must be a number");
}

#[test]
fn numbers_leave_as_hosts_read_them_exactly() {
    for (number, bytes) in [
        (Number::Integer(1), &b"\x01"[..]),
        (Number::Integer(-5), b"\xfb"),
        (Number::Integer(429), b"\xcd\x01\xad"),
        (Number::Float(1.1), b"\xa31.1"),
        (
            Number::Integer(u64::MAX.into()),
            b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
        ),
        (Number::Integer(1 << 64), b"\xb418446744073709551616"),
    ] {
        let object = Object::from([("a".to_owned(), AttributeValue::Number(number))]);
        assert_eq!(encode(object, &one(Type::Number)).unwrap(), of(bytes));
    }
}

#[test]
fn every_extension_is_an_unknown_value() {
    // The plain form, a string with a known prefix, one that is not null, and an unknown list.
    for bytes in [
        &b"\xd4\0\0"[..],
        b"\xc7\x09\x0c\x82\x01\xc2\x02\xa4pre-",
        b"\xc7\x03\x0c\x81\x01\xc2",
    ] {
        for kind in [Type::String, Type::Number, Type::list(Type::String)] {
            assert_eq!(decoded(bytes, kind), Ok(AttributeValue::Unknown), "{bytes:x?}");
        }
    }
    assert_eq!(
        decoded(b"\xc7\x09\x0c\x82", Type::String).unwrap_err(),
        "a: the value is truncated"
    );
}

#[test]
fn null_is_not_an_empty_text() {
    assert_eq!(decoded(b"\xc0", Type::String), Ok(AttributeValue::Null));
    assert_eq!(decoded(b"\xa0", Type::String), Ok("".into()));
}

#[test]
fn a_decomposed_name_keeps_its_code_points() {
    let name = "Cafe\u{301}";
    let bytes = [&[0xa6], name.as_bytes()].concat();
    assert_eq!(decoded(&bytes, Type::String), Ok(name.into()));
}

#[test]
fn a_value_of_another_type_is_named_with_its_path() {
    let list = Type::list(Type::String);
    assert_eq!(
        decoded(b"\x92\xa1x\x05", list).unwrap_err(),
        "a.1: must be a string"
    );
    let other = [0x81, 0xa1, b'b', 0xc0];
    assert_eq!(
        decode(&other, &one(Type::Bool)).unwrap_err().to_string(),
        "b: is not part of the schema"
    );
    assert_eq!(
        decode(&[0xc0, 0xc0], &one(Type::Bool)).unwrap_err().to_string(),
        "there is more than one value"
    );
}

fn nested(name: &str, nesting: BlockNesting, block: Block) -> NestedBlock {
    NestedBlock {
        name: name.to_owned(),
        nesting,
        min_items: 0,
        max_items: None,
        block,
    }
}

/// A block with an attribute of each type, and a nested block of each nesting.
fn every_type() -> Block {
    let object = Type::Object(BTreeMap::from([
        ("x".to_owned(), Type::Bool),
        ("y".to_owned(), Type::String),
    ]));
    Block {
        attributes: vec![
            attribute("flag", Type::Bool),
            attribute("count", Type::Number),
            attribute("name", Type::String),
            attribute("names", Type::list(Type::String)),
            attribute("words", Type::set(Type::String)),
            attribute("items", Type::map(Type::String)),
            attribute("object", object),
            attribute("context", Type::Nested(one(Type::String).attributes)),
        ],
        blocks: vec![
            nested("single", BlockNesting::Single, one(Type::String)),
            nested(
                "rows",
                BlockNesting::List,
                Block {
                    blocks: vec![nested("tags", BlockNesting::Set, one(Type::String))],
                    ..one(Type::Number)
                },
            ),
        ],
        ..Block::default()
    }
}

/// A row with the number `a` and tags with these values.
fn row(number: i64, tags: Vec<AttributeValue>) -> AttributeValue {
    let tag = |value| AttributeValue::Object(Object::from([("a".to_owned(), value)]));
    AttributeValue::Object(Object::from([
        ("a".to_owned(), number.into()),
        (
            "tags".to_owned(),
            AttributeValue::List(tags.into_iter().map(tag).collect()),
        ),
    ]))
}

#[test]
fn blocks_have_the_form_of_hosts() {
    let block = Block {
        blocks: every_type().blocks,
        ..Block::default()
    };
    // Without a block, hosts send an object that is null and a list that is empty.
    let absent = b"\x82\xa6single\xc0\xa4rows\x90";
    let object = decode(absent, &block).unwrap();
    assert!(object["single"].is_null());
    assert!(object["rows"] == AttributeValue::List(Vec::new()));
    assert_eq!(encode(object, &block).unwrap(), absent);
    // A dynamic block with an unknown number of rows.
    let dynamic = decode(b"\x81\xa4rows\xd4\0\0", &block).unwrap();
    assert!(dynamic["rows"] == AttributeValue::Unknown);
    let bytes =
        b"\x82\xa6single\x81\xa1a\xa1x\xa4rows\x91\x82\xa1a\x05\xa4tags\x92\x81\xa1a\xa1y\x81\xa1a\xc0";
    let object = decode(bytes, &block).unwrap();
    assert!(object["rows"] == AttributeValue::List(vec![row(5, vec!["y".into(), AttributeValue::Null])]));
    assert_eq!(encode(object, &block).unwrap(), bytes);
    assert_eq!(
        decode(b"\x81\xa4rows\x91\x81\xa1b\xc0", &block)
            .unwrap_err()
            .to_string(),
        "rows.0.b: is not part of the schema"
    );
}

#[test]
fn absent_members_are_written_as_nil() {
    let bytes = encode(Object::new(), &every_type()).unwrap();
    let object = decode(&bytes, &every_type()).unwrap();
    assert_eq!(object.len(), 10);
    assert!(object.values().all(AttributeValue::is_null));
}

#[test]
fn a_result_that_does_not_fit_is_refused() {
    for (name, value, expected) in [
        (
            "name",
            AttributeValue::Bool(true),
            "name: does not have the type in the schema",
        ),
        ("name", AttributeValue::Unknown, "name: must be known"),
        ("nmae", "x".into(), "nmae: is not part of the schema"),
        (
            "context",
            AttributeValue::Object(Object::from([("a".to_owned(), AttributeValue::Unknown)])),
            "context.a: must be known",
        ),
        (
            "rows",
            row(1, Vec::new()),
            "rows: does not have the nesting in the schema",
        ),
        (
            "rows",
            AttributeValue::List(vec![row(1, vec![1.into()])]),
            "rows.0.tags.0.a: does not have the type in the schema",
        ),
    ] {
        let object = Object::from([(name.to_owned(), value)]);
        assert_eq!(encode(object, &every_type()).unwrap_err().to_string(), expected);
    }
}

fn text() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        Just(AttributeValue::Null),
        any::<String>().prop_map(AttributeValue::String)
    ]
}

fn numbers() -> impl Strategy<Value = AttributeValue> {
    let float = any::<f64>().prop_filter_map("finite", super::float);
    prop_oneof![
        any::<i64>().prop_map(AttributeValue::from),
        any::<u64>().prop_map(|number| AttributeValue::Number(Number::Integer(number.into()))),
        float.prop_map(AttributeValue::Number),
    ]
}

proptest! {
    #[test]
    fn prop_what_is_written_is_read_again(
        flag in any::<bool>(),
        count in numbers(),
        name in text(),
        names in prop::collection::vec(text(), 0..20),
        items in prop::collection::btree_map(any::<String>(), text(), 0..20),
        project in text(),
    ) {
        let member = |name: &str, value: AttributeValue| (name.to_owned(), value);
        let object = Object::from([
            member("flag", flag.into()),
            member("count", count),
            member("name", name.clone()),
            member("names", AttributeValue::List(names.clone())),
            member("words", AttributeValue::List(names.clone())),
            member("single", AttributeValue::Object(Object::from([member("a", project.clone())]))),
            member("rows", AttributeValue::List(vec![row(1, Vec::new()), row(2, names)])),
            member("items", AttributeValue::Object(items)),
            member("object", AttributeValue::Object(Object::from([member("x", flag.into()), member("y", name)]))),
            member("context", AttributeValue::Object(Object::from([member("a", project)]))),
        ]);
        let bytes = encode(object.clone(), &every_type()).unwrap();
        prop_assert!(decode(&bytes, &every_type()).unwrap() == object);
    }

    #[test]
    fn prop_no_bytes_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode(&bytes, &every_type());
    }
}

/// Any bytes are either an object or an error that names the problem, and an object is unchanged after encoding and
/// decoding.
#[test]
fn fuzz_terraform_values() {
    let block = every_type();
    let words = [
        "flag", "count", "name", "names", "items", "object", "context", "words", "single", "rows", "tags",
        "\u{0}", "1e999", "\u{7f}",
    ];
    fuzz_testing::fuzz("terraform-values", &words, |input| match decode(input, &block) {
        Ok(object) => {
            // Members that hosts leave out are null.
            let written = match encode(object.clone(), &block) {
                Ok(written) => written,
                // Results have no unknown values.
                Err(mismatch) => {
                    assert!(
                        object.values().any(AttributeValue::contains_unknown),
                        "{mismatch}"
                    );
                    return mismatch.to_string();
                }
            };
            let again = decode(&written, &block).expect("what was written is read");
            assert_eq!(encode(again.clone(), &block).expect("it is written"), written);
            for (name, value) in object {
                // Members of objects that hosts leave out are null.
                let has_members = matches!(value, AttributeValue::Object(_)) || name == "rows";
                assert!(has_members || again.get(&name) == Some(&value), "{name} changes");
            }
            "read".to_owned()
        }
        Err(mismatch) => {
            let text = mismatch.to_string();
            assert!(!text.is_empty() && text.len() < input.len() + 200, "{text}");
            text
        }
    });
}
