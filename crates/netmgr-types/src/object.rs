//! Strict decoding of objects: serde also accepts a list of its fields for a struct, which this module
//! rejects.

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

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
