//! Tests of strict decoding.

use serde_json::json;

use super::*;

#[derive(Debug, PartialEq, serde::Deserialize)]
struct Vlan {
    name: String,
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct Uplink {
    #[serde(default, deserialize_with = "optional")]
    vlan: Option<Vlan>,
}

#[test]
fn an_object_or_nothing_is_read() {
    let vlan = Some(Vlan { name: "a".to_owned() });
    for (value, vlan) in [
        (json!({ "vlan": { "name": "a" } }), vlan),
        (json!({ "vlan": null }), None),
        (json!({}), None),
    ] {
        assert_eq!(serde_json::from_value::<Uplink>(value).unwrap(), Uplink { vlan });
    }
}

#[test]
fn a_key_that_appears_twice_is_refused_with_its_position() {
    for (json, key) in [
        (
            r#"{"a": 1, "a": 1}"#,
            "the key \"a\" appears twice at line 1 column 12",
        ),
        (
            "{\"a\": [{\"b\": null,\n\"b\": {}}]}",
            "the key \"b\" appears twice at line 2 column 3",
        ),
        (
            r#"{"a": 1, "\u0061": 2}"#,
            "the key \"a\" appears twice at line 1 column 17",
        ),
    ] {
        assert_eq!(with_unique_keys(json.as_bytes()).unwrap_err().to_string(), key);
    }
    let json = br#"{"a": {"a": [{"a": 1.5}, {"a": "a"}, true, -1]}}"#;
    assert_eq!(
        with_unique_keys(json).unwrap(),
        serde_json::from_slice::<Value>(json).unwrap()
    );
}

#[test]
fn a_list_of_its_fields_is_no_object() {
    for value in [
        json!({ "vlan": ["a"] }),
        json!({ "vlan": "a" }),
        json!({ "vlan": 1 }),
    ] {
        let error = serde_json::from_value::<Uplink>(value).unwrap_err().to_string();
        assert!(error.starts_with("invalid type: "), "{error}");
        assert!(error.ends_with("expected struct Vlan"), "{error}");
    }
    assert!(from_slice::<Uplink>(br#"{"vlan":null} "#).is_ok());
    for text in [r#"[null]"#, r#"{"vlan":null}{}"#, "null", ""] {
        assert!(from_slice::<Uplink>(text.as_bytes()).is_err(), "{text}");
    }
    let error = Uplink::deserialize(OnlyObject(json!([null])))
        .unwrap_err()
        .to_string();
    assert_eq!(error, "invalid type: sequence, expected struct Uplink");
}
