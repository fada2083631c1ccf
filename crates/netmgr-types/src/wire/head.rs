//! The fields that identify rows of a list.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::object;

/// The fields that identify a row, borrowed from its text. An integer counts as its text, as it does in an id. A field that
/// is absent or another value is empty.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
pub struct RowHead<'a> {
    /// Kind of object.
    #[serde(borrow, deserialize_with = "text")]
    pub resource_type: Cow<'a, str>,
    /// Policy path.
    #[serde(borrow, deserialize_with = "text")]
    pub path: Cow<'a, str>,
    /// Id.
    #[serde(borrow, deserialize_with = "text")]
    pub id: Cow<'a, str>,
    /// Identifier that some kinds have instead of an id.
    #[serde(borrow, deserialize_with = "text")]
    pub external_id: Cow<'a, str>,
    /// Identifier that nodes have instead of an id.
    #[serde(borrow, deserialize_with = "text")]
    pub node_uuid: Cow<'a, str>,
    /// Display name as sent.
    #[serde(borrow, deserialize_with = "text")]
    pub display_name: Cow<'a, str>,
}

impl<'a> RowHead<'a> {
    /// The head of a row; `None` if the row is not a valid object.
    #[must_use]
    pub fn of(row: &'a [u8]) -> Option<Self> {
        object::from_slice(row).ok()
    }

    /// The fields as owned values.
    #[must_use]
    pub fn into_owned(self) -> RowHead<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        RowHead {
            resource_type: owned(self.resource_type),
            path: owned(self.path),
            id: owned(self.id),
            external_id: owned(self.external_id),
            node_uuid: owned(self.node_uuid),
            display_name: owned(self.display_name),
        }
    }

    /// The id of the object, which some kinds call `external_id`; both if it has both.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        [&self.id, &self.external_id]
            .into_iter()
            .filter_map(|id| given(id))
    }

    /// All fields.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let Self {
            resource_type,
            path,
            id,
            external_id,
            node_uuid,
            display_name,
        } = self;
        [resource_type, path, id, external_id, node_uuid, display_name]
            .into_iter()
            .map(|text| &**text)
    }

    /// The display name, or the id if the object has none.
    #[must_use]
    pub fn name(&self) -> &str {
        given(&self.display_name)
            .or_else(|| self.ids().next())
            .unwrap_or_default()
    }
}

fn given(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// A string, borrowed unless it has escapes, or the text of an integer; otherwise empty.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cow<'de, str>, D::Error> {
    deserializer.deserialize_any(TextVisitor)
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Cow::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Cow::default())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(number.to_string().into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(number.to_string().into())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Cow::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Cow::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Cow::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(row: &str) -> RowHead<'_> {
        RowHead::of(row.as_bytes()).unwrap()
    }

    #[test]
    fn text_without_escapes_is_borrowed() {
        let head = head(r#"{"id":"a","display_name":"d\u00e9","resource_type":"T","x":[1,{}]}"#);
        assert!(matches!(head.id, Cow::Borrowed("a")));
        assert_eq!((head.name(), &*head.resource_type), ("dé", "T"));
    }

    #[test]
    fn a_missing_name_is_the_id_whatever_the_field_is_called() {
        assert_eq!(head(r#"{"external_id":"h:1"}"#).name(), "h:1");
        assert_eq!(head(r#"{"id":"a","display_name":""}"#).name(), "a");
    }

    #[test]
    fn an_integer_is_the_id_that_its_object_has() {
        for id in ["7", "-7"] {
            let row = format!(r#"{{"id":{id},"display_name":"a"}}"#);
            assert_eq!(head(&row).ids().collect::<Vec<_>>(), [id]);
            let object: crate::wire::ManagedObject = object::from_slice(row.as_bytes()).unwrap();
            assert_eq!(object.id(), id);
        }
    }

    #[test]
    fn values_that_are_not_text_are_empty_and_rows_that_are_not_objects_have_no_head() {
        let head = head(r#"{"id":true,"display_name":{"a":[true]},"resource_type":null}"#);
        assert_eq!((head.name(), head.ids().count()), ("", 0));
        for row in [r#"["a"]"#, "7", "null", r#"{"id":"#] {
            assert!(RowHead::of(row.as_bytes()).is_none(), "{row}");
        }
    }
}
