//! The fields of a row that decide which lookups it concerns, borrowed from the page.
//!
//! Not here: what a lookup makes of a row, which its own type decodes (`waiter.rs`).

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// What a row says about its identity. A field that is absent or not text is empty.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct Head<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    external_id: Text<'a>,
    #[serde(borrow)]
    display_name: Text<'a>,
    #[serde(borrow)]
    pub(super) resource_type: Text<'a>,
}

impl<'a> Head<'a> {
    /// The head of a row; none when the row is not an object that can be read.
    pub(super) fn of(row: &'a [u8]) -> Option<Self> {
        netmgr_types::object::from_slice(row).ok()
    }

    /// The id of the object, which some kinds call `external_id`.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        [&self.id, &self.external_id]
            .into_iter()
            .map(Text::as_str)
            .filter(|text| !text.is_empty())
    }

    /// The display name, which is the id when the object never got one (manager-api section 0).
    pub(super) fn name(&self) -> &str {
        match self.display_name.as_str() {
            "" => self.ids().next().unwrap_or_default(),
            name => name,
        }
    }
}

/// Text of a row, borrowed unless it has escapes; empty when the value is not text.
#[derive(Debug, Default)]
pub(super) struct Text<'a>(Cow<'a, str>);

impl Text<'_> {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Text::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Text::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Text::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Text::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Text::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Text::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Text::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_escapes_is_borrowed() {
        let head =
            Head::of(br#"{"id":"a","display_name":"d\u00e9","resource_type":"T","x":[1,{}]}"#).unwrap();
        assert!(matches!(&head.id.0, Cow::Borrowed("a")));
        assert_eq!((head.name(), head.resource_type.as_str()), ("dé", "T"));
    }

    #[test]
    fn a_missing_name_is_the_id_whatever_the_field_is_called() {
        assert_eq!(Head::of(br#"{"external_id":"h:1"}"#).unwrap().name(), "h:1");
        assert_eq!(Head::of(br#"{"id":"a","display_name":""}"#).unwrap().name(), "a");
    }

    #[test]
    fn values_that_are_not_text_are_empty_and_rows_that_are_not_objects_have_no_head() {
        let head = Head::of(br#"{"id":7,"display_name":{"a":[true]},"resource_type":null}"#).unwrap();
        assert_eq!((head.name(), head.ids().count()), ("", 0));
        assert!(
            Head::of(br#"["a"]"#).is_none() && Head::of(b"7").is_none() && Head::of(br#"{"id":"#).is_none()
        );
    }
}
