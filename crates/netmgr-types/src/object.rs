//! Strict decoding of objects: serde also accepts a list of its fields for a struct, and the last one of equal keys, which
//! this module rejects.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;

/// Byte-order mark, which some editors write at the beginning of a file.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Reads an optional object: `#[serde(default, deserialize_with = "object::optional")]`.
///
/// `null` is read as absent.
///
/// # Errors
///
/// Errors of `T`, and a value that is not an object.
pub fn optional<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct ObjectOf<T>(T);

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for ObjectOf<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            T::deserialize(OnlyObject(deserializer)).map(Self)
        }
    }

    Ok(Option::<ObjectOf<T>>::deserialize(deserializer)?.map(|read| read.0))
}

/// Reads a required object: `#[serde(deserialize_with = "object::required")]`.
///
/// # Errors
///
/// Errors of `T`, and a value that is not an object.
pub fn required<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(OnlyObject(deserializer))
}

/// Reads one JSON object.
///
/// # Errors
///
/// Errors of `T`, and text that is not one JSON object.
pub fn from_slice<'de, T: Deserialize<'de>>(json: &'de [u8]) -> Result<T, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let read = T::deserialize(OnlyObject(&mut deserializer))?;
    deserializer.end()?;
    Ok(read)
}

/// Reads JSON that a user wrote. The error for a key that an object has twice contains its position.
///
/// # Errors
///
/// Text that is not JSON, and an object with two equal keys, at any depth.
pub fn with_unique_keys(json: &[u8]) -> Result<Value, serde_json::Error> {
    let value = serde_json::from_slice(json)?;
    check_keys(json)?;
    Ok(value)
}

/// Checks one or several documents in JSON that a user wrote, one after the other.
///
/// # Errors
///
/// The errors of [`with_unique_keys`].
pub fn check_keys(json: &[u8]) -> Result<(), serde_json::Error> {
    let mut documents = serde_json::Deserializer::from_slice(json).into_iter::<UniqueKeys>();
    documents.try_for_each(|document| document.map(drop))
}

/// A value whose objects have no key twice. Its content is not kept.
struct UniqueKeys;

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KeyVisitor)
    }
}

struct KeyVisitor;

/// Methods for values without keys.
macro_rules! without_keys {
    ($($method:ident: $value:ty),*) => {$(
        fn $method<E>(self, _: $value) -> Result<UniqueKeys, E> {
            Ok(UniqueKeys)
        }
    )*};
}

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = UniqueKeys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    without_keys!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);

    fn visit_unit<E>(self) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<UniqueKeys, A::Error> {
        while items.next_element::<UniqueKeys>()?.is_some() {}
        Ok(UniqueKeys)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<UniqueKeys, A::Error> {
        let mut known = HashSet::new();
        while let Some(key) = members.next_key::<String>()? {
            if known.contains(&key) {
                return Err(A::Error::custom(format_args!("the key {key:?} appears twice")));
            }
            known.insert(key);
            members.next_value::<UniqueKeys>()?;
        }
        Ok(UniqueKeys)
    }
}

/// A deserializer that only accepts objects.
#[derive(Debug)]
pub struct OnlyObject<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for OnlyObject<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
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
}
