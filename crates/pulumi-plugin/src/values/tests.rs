//! Tests of the encodings in JSON.

mod properties;

use serde_json::{Value as Json, json};

use super::envelope::Level;
use super::wire::decode_object;
use super::*;

const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT: &str = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const RESOURCE: &str = "5cf8f73096256a8f31e491e813e4eb8e";
const ASSET: &str = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE: &str = "0def7320c3a5731c473e5ecbe6d01bc7";
const BYTES: &str = "803fd3297a5875dc03ca845dda5d2a98";
const UNKNOWN_STRING: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/// An envelope as JSON.
fn envelope(signature: &str, members: Json) -> Json {
    let mut envelope = members;
    envelope[SIGNATURE] = signature.into();
    envelope
}

fn read(json: Json) -> Value {
    Value::from_json(json).unwrap()
}

/// Checks that `wire` is decoded as `value`, and `value` encoded as `wire`.
fn check(wire: Json, value: impl Into<Value>) {
    let value = value.into();
    assert_eq!(read(wire.clone()), value);
    assert_eq!(value.to_json(), wire);
}

/// Checks that decoding `wire` fails with this path and problem.
fn refused(wire: Json, path: &str, problem: &str) {
    let error = Value::from_json(wire).unwrap_err();
    assert_eq!(
        (error.path.to_string().as_str(), error.kind.to_string().as_str()),
        (path, problem)
    );
}

#[test]
fn plain_values_are_themselves() {
    check(Json::Null, Value::Null);
    check(json!(true), true);
    check(json!(5), 5);
    check(json!(0.5), 0.5);
    check(json!("text"), "text");
    check(
        json!([1, "a", null]),
        Value::Array(vec![1.into(), "a".into(), Value::Null]),
    );
    check(
        json!({"a": {"b": []}}),
        [("a", Value::from([("b", Value::Array(vec![]))]))],
    );
}

#[test]
fn whole_numbers_become_integers_in_json_and_others_do_not() {
    assert_eq!(
        Value::from(9_007_199_254_740_992.0).to_json(),
        json!(9_007_199_254_740_992_i64)
    );
    assert_eq!(Value::from(1e300).to_json(), json!(1e300));
    assert_eq!(read(json!(4.0)).to_json(), json!(4));
    assert_eq!(
        Value::from(-0.0).to_json().as_f64().map(f64::is_sign_negative),
        Some(true)
    );
    assert_eq!(Value::from(f64::NAN).to_json(), "NaN");
}

#[test]
fn a_secret_is_an_envelope_with_its_value() {
    check(envelope(SECRET, json!({"value": "p"})), Value::secret("p"));
    check(
        envelope(SECRET, json!({"value": null})),
        Value::secret(Value::Null),
    );
    refused(
        json!({"a": [envelope(SECRET, json!({}))]}),
        "a[0]",
        r#"secret without "value""#,
    );
}

#[test]
fn making_a_secret_of_a_secret_changes_nothing() {
    assert_eq!(Value::secret(Value::secret("p")), Value::secret("p"));
    let output = OutputValue {
        value: Some(Box::new(1.into())),
        ..OutputValue::default()
    };
    assert_eq!(
        Value::secret(output.clone()),
        OutputValue {
            secret: true,
            ..output
        }
        .into()
    );
}

#[test]
fn an_output_without_value_is_unknown() {
    check(envelope(OUTPUT, json!({})), OutputValue::default());
    check(
        envelope(
            OUTPUT,
            json!({"value": 1, "secret": true, "dependencies": ["urn:a", "urn:b"]}),
        ),
        OutputValue {
            value: Some(Box::new(1.into())),
            secret: true,
            dependencies: vec!["urn:a".into(), "urn:b".into()],
        },
    );
    // A known null is not unknown.
    check(
        envelope(OUTPUT, json!({"value": null})),
        OutputValue {
            value: Some(Box::default()),
            ..OutputValue::default()
        },
    );
}

#[test]
fn members_of_an_output_at_their_default_count_as_absent() {
    let wire = envelope(OUTPUT, json!({"value": 1, "secret": false, "dependencies": []}));
    assert_eq!(
        read(wire),
        OutputValue {
            value: Some(Box::new(1.into())),
            ..OutputValue::default()
        }
        .into()
    );
    refused(
        envelope(OUTPUT, json!({"secret": 1})),
        "",
        r#"output whose "secret" is not a boolean"#,
    );
    let not_strings = r#"output whose "dependencies" is not an array of strings"#;
    refused(envelope(OUTPUT, json!({"dependencies": "urn"})), "", not_strings);
    refused(envelope(OUTPUT, json!({"dependencies": [1]})), "", not_strings);
}

#[test]
fn a_reference_keeps_all_its_members() {
    check(
        envelope(
            RESOURCE,
            json!({"urn": "urn:x", "id": "i-1", "packageVersion": "7.1.0", "name": "n", "type": "t:t:T"}),
        ),
        ResourceReference {
            urn: "urn:x".into(),
            id: Some(ReferenceId::Known("i-1".into())),
            package_version: Some("7.1.0".into()),
            name: Some("n".into()),
            resource_type: Some("t:t:T".into()),
        },
    );
    check(
        envelope(RESOURCE, json!({"urn": "urn:x"})),
        ResourceReference {
            urn: "urn:x".into(),
            ..Default::default()
        },
    );
    refused(
        envelope(RESOURCE, json!({"id": "i-1"})),
        "",
        r#"resource reference without "urn""#,
    );
    refused(
        envelope(RESOURCE, json!({"urn": 1})),
        "",
        r#"resource reference whose "urn" is not a string"#,
    );
    refused(
        envelope(RESOURCE, json!({"urn": "u", "id": 1})),
        "",
        r#"resource reference whose "id" is not a string"#,
    );
}

#[test]
fn an_identifier_that_is_empty_or_a_sentinel_is_unknown() {
    let unknown = ResourceReference {
        urn: "urn:x".into(),
        id: Some(ReferenceId::Unknown),
        ..ResourceReference::default()
    };
    check(
        envelope(RESOURCE, json!({"urn": "urn:x", "id": UNKNOWN_STRING})),
        unknown.clone(),
    );
    for id in [json!(""), envelope(OUTPUT, json!({}))] {
        assert_eq!(
            read(envelope(RESOURCE, json!({"urn": "urn:x", "id": id}))),
            unknown.clone().into()
        );
    }
}

#[test]
fn assets_and_archives_are_forwarded_as_they_came() {
    let text = Asset {
        hash: Some("00".into()),
        content: Some(AssetContent::Text("t".into())),
    };
    let archive = |content| Archive {
        hash: None,
        content: Some(content),
    };
    check(
        envelope(ASSET, json!({"hash": "00", "text": "t"})),
        Value::from(text.clone()),
    );
    check(
        envelope(ASSET, json!({"hash": "00"})),
        Value::from(Asset {
            hash: Some("00".into()),
            content: None,
        }),
    );
    check(
        envelope(ASSET, json!({"path": "a.txt"})),
        Value::from(Asset {
            hash: None,
            content: Some(AssetContent::Path("a.txt".into())),
        }),
    );
    check(
        envelope(ASSET, json!({"uri": "https://x"})),
        Value::from(Asset {
            hash: None,
            content: Some(AssetContent::Uri("https://x".into())),
        }),
    );
    check(
        envelope(
            ARCHIVE,
            json!({"assets": {"a": envelope(ASSET, json!({"hash": "00", "text": "t"}))}}),
        ),
        Value::from(archive(ArchiveContent::Assets(
            [("a".to_owned(), Value::from(text))].into(),
        ))),
    );
    check(
        envelope(ARCHIVE, json!({"path": "d"})),
        Value::from(archive(ArchiveContent::Path("d".into()))),
    );
    check(
        envelope(ARCHIVE, json!({"uri": "u"})),
        Value::from(archive(ArchiveContent::Uri("u".into()))),
    );
    refused(
        envelope(ASSET, json!({"text": 1})),
        "",
        r#"asset whose "text" is not a string"#,
    );
    refused(
        envelope(ARCHIVE, json!({"assets": 1})),
        "",
        r#"archive whose "assets" is not an object"#,
    );
    refused(
        envelope(ASSET, json!({"text": "t", "path": "p"})),
        "",
        "asset with more than one of its contents",
    );
}

#[test]
fn a_sentinel_inside_an_asset_is_its_text() {
    check(
        envelope(ASSET, json!({"text": UNKNOWN_STRING})),
        Value::from(Asset {
            hash: None,
            content: Some(AssetContent::Text(UNKNOWN_STRING.into())),
        }),
    );
}

#[test]
fn bytes_are_base64() {
    check(
        envelope(BYTES, json!({"value": "/wA="})),
        Value::Bytes(vec![0xff, 0]),
    );
    refused(envelope(BYTES, json!({})), "", r#"byte string without "value""#);
    refused(
        envelope(BYTES, json!({"value": "?"})),
        "",
        r#"byte string whose "value" is not base64"#,
    );
}

#[test]
fn every_sentinel_is_an_unknown_of_its_type_anywhere() {
    for kind in Unknown::ALL {
        check(
            json!({"a": [kind.sentinel()]}),
            [("a", vec![Value::Unknown(kind)].into())],
        );
    }
    check(
        json!("04da6b54-80e4-46f7-96ec-b56ff0331baa"),
        "04da6b54-80e4-46f7-96ec-b56ff0331baa",
    );
}

#[test]
fn other_signatures_are_refused_where_they_are() {
    let problem = "unrecognized signature of a special value";
    refused(
        json!({"a": {"b.c": [0, envelope("other", json!({}))]}}),
        r#"a["b.c"][1]"#,
        problem,
    );
    refused(json!({SIGNATURE: 1}), "", problem);
}

#[test]
fn the_bag_itself_is_never_an_envelope() {
    let bag = std::collections::BTreeMap::from([(SIGNATURE.to_owned(), json!("x"))]);
    let open = |json: Json| Level::String(json.as_str().unwrap().to_owned());
    assert_eq!(decode_object(bag, open).unwrap()[SIGNATURE], Value::from("x"));
}

#[test]
fn errors_name_the_path_and_quote_no_value() {
    let error = Value::from_json(json!({"key": envelope(OUTPUT, json!({"value": 1, "secret": "hunter2"}))}))
        .unwrap_err();
    assert_eq!(error.to_string(), "malformed property value at key");
    assert!(!format!("{error:?}").contains("hunter2"));
}

#[test]
fn json_text_is_read_with_its_envelopes() {
    let text = format!(r#"["{UNKNOWN_STRING}", 4.0]"#);
    assert_eq!(
        Value::from_json_text(&text).unwrap(),
        Value::Array(vec![Value::UNKNOWN, 4.into()])
    );
    let error = Value::from_json_text("hunter2").unwrap_err();
    assert!(matches!(error, JsonError::Syntax(_)));
    assert!(!format!("{error:?} {error}").contains("hunter2"));
    let error = Value::from_json_text(&format!(r#"{{"{SIGNATURE}": "x"}}"#)).unwrap_err();
    assert!(matches!(error, JsonError::Value(_)));
}

#[test]
fn known_looks_through_envelopes_and_stops_at_unknowns() {
    let output = |value: Option<Value>| {
        Value::from(OutputValue {
            value: value.map(Box::new),
            ..OutputValue::default()
        })
    };
    assert_eq!(Value::secret(output(Some("x".into()))).known(), Some(&"x".into()));
    assert_eq!(output(Some(Value::UNKNOWN)).known(), None);
    assert_eq!(output(None).known(), None);
    assert_eq!(Value::Null.known(), Some(&Value::Null));
}

#[test]
fn marks_join_secrets_unknowns_and_dependencies() {
    let output = |value: Option<Value>, urn: &str| {
        Value::from(OutputValue {
            value: value.map(Box::new),
            secret: false,
            dependencies: vec![urn.into()],
        })
    };
    let first = Value::Array(vec![output(Some("a".into()), "urn:b"), Value::secret("c")]);
    let second = output(Some([("x", output(None, "urn:a"))].into()), "urn:b");
    assert!(!first.contains_unknown() && second.contains_unknown());
    assert!(first.contains_secret() && !second.contains_secret());

    let (bare, marks) = Value::Array(vec![first, second]).strip();
    assert_eq!(
        bare,
        vec![Value::from(vec!["a", "c"]), [("x", Value::UNKNOWN)].into()].into()
    );
    assert_eq!(
        marks.apply("made of both".into()),
        OutputValue {
            value: None,
            secret: true,
            dependencies: vec!["urn:a".into(), "urn:b".into()]
        }
        .into()
    );
}

#[test]
fn marks_without_dependencies_need_no_output() {
    let marks = |secret, unknown| Marks {
        secret,
        unknown,
        ..Marks::default()
    };
    assert_eq!(marks(false, false).apply(1.into()), 1.into());
    assert_eq!(marks(true, false).apply(1.into()), Value::secret(1));
    assert_eq!(marks(false, true).apply(1.into()), Value::UNKNOWN);
    assert_eq!(marks(true, true).apply(1.into()), Value::secret(Value::UNKNOWN));
}

#[test]
fn optional_values_become_null_when_absent() {
    assert_eq!(Value::from(None::<&str>), Value::Null);
    assert_eq!(Value::from(Some(7)), Value::Number(7.0));
}
