//! Rows of a list or search: parts of their page that are not decoded yet.

use std::fmt;

use bytes::Bytes;
use netmgr_types::object;
use netmgr_types::wire::RowHead;
use serde::de::{DeserializeOwned, Error as _};

/// An object of a list or search as JSON text.
///
/// A part of its page, which it keeps in memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Row(Bytes);

impl Row {
    /// The row with this text.
    #[must_use]
    pub fn new(text: Bytes) -> Self {
        Self(text)
    }

    /// Its JSON text.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.0
    }

    /// The fields that identify it; none when it is not an object that can be read. Bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn head(&self) -> Option<RowHead<'_>> {
        match std::str::from_utf8(&self.0) {
            Ok(_) => RowHead::of(&self.0),
            Err(_) => RowHead::of(self.lossy().as_bytes()).map(RowHead::into_owned),
        }
    }

    /// Decodes the row, which must be a JSON object. Bytes that are not UTF-8 are replaced, except in the fields that
    /// identify the object.
    ///
    /// # Errors
    ///
    /// If the row is not a valid object of type `T`, or one of the fields that identify it is not UTF-8. Other rows may
    /// still be valid.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        if std::str::from_utf8(&self.0).is_ok() {
            return object::from_slice(&self.0);
        }
        let text = self.lossy();
        let head = RowHead::of(text.as_bytes()).unwrap_or_default();
        let name = head.name();
        if head
            .texts()
            .any(|text| text.contains(char::REPLACEMENT_CHARACTER))
        {
            return Err(serde_json::Error::custom(format_args!("{name:?} is not UTF-8")));
        }
        object::from_slice(text.as_bytes())
    }

    /// Calls `with` with the identity of the row across pages: its kind, and the first of path, id, external id and
    /// node id that it has, otherwise its whole text. The kind is always part of it, because different kinds can share
    /// ids, and paths in mixed collections.
    pub(super) fn identify<R>(&self, with: impl FnOnce(RowIdentity<'_>) -> R) -> R {
        let head = self.head().unwrap_or_default();
        let names = [&head.path, &head.id, &head.external_id, &head.node_uuid];
        match (0..).zip(names).find(|(_, name)| !name.is_empty()) {
            Some((field, name)) => with(RowIdentity::Named(&head.resource_type, field, name)),
            None => with(RowIdentity::Text(&self.0)),
        }
    }

    fn lossy(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

/// The member that identifies a row; see [`Row::identify`].
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum RowIdentity<'a> {
    /// Kind, number of the field, and its text.
    Named(&'a str, u8, &'a str),
    /// The text of the row.
    Text(&'a [u8]),
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Row({})", self.0.escape_ascii())
    }
}

#[cfg(test)]
mod tests {
    use netmgr_types::wire::ManagedObject;

    use super::*;

    fn row(text: &[u8]) -> Row {
        Row::new(Bytes::copy_from_slice(text))
    }

    #[track_caller]
    fn assert_identity(text: &str, expected: RowIdentity<'_>) {
        row(text.as_bytes()).identify(|identity| assert_eq!(identity, expected));
    }

    #[test]
    fn a_row_is_printed_with_its_text() {
        assert_eq!(format!("{:?}", row(b"[7]\n")), "Row([7]\\n)");
    }

    #[test]
    fn a_head_is_what_the_row_has_also_with_escapes() {
        let row = row(br#"{"id":"a","display_name":"d\u00e9","path":"","resource_type":"T"}"#);
        let head = row.head().unwrap();
        assert_eq!((&*head.id, head.name(), &*head.path), ("a", "d\u{e9}", ""));
        assert_eq!(&*head.resource_type, "T");
        assert!(Row::new(Bytes::from_static(b"7")).head().is_none());
    }

    #[test]
    fn a_list_of_members_is_no_object() {
        assert!(row(br#"["a"]"#).decode::<ManagedObject>().is_err());
    }

    #[test]
    fn a_name_that_is_not_utf8_is_read_lossily_and_fails_where_it_is_decoded() {
        let named = row(b"{\"id\":\"a\",\"display_name\":\"gr\xffup\"}");
        assert_eq!(named.head().unwrap().name(), "gr\u{fffd}up");
        let error = named.decode::<ManagedObject>().unwrap_err();
        assert_eq!(error.to_string(), "\"gr\u{fffd}up\" is not UTF-8");
        let described = row(b"{\"id\":\"a\",\"description\":\"\xff\"}");
        assert_eq!(described.decode::<ManagedObject>().unwrap().id(), "a");
    }

    #[test]
    fn the_path_comes_first_then_the_id_then_other_ids() {
        for (row, expected) in [
            (
                r#"{"path":"/infra/a/b","resource_type":"A","id":"b"}"#,
                RowIdentity::Named("A", 0, "/infra/a/b"),
            ),
            (
                r#"{"path":null,"resource_type":"A","id":"b","external_id":"c"}"#,
                RowIdentity::Named("A", 1, "b"),
            ),
            (r#"{"path":"","id":"b"}"#, RowIdentity::Named("", 1, "b")),
            (
                r#"{"resource_type":"\u0041","external_id":"u:domain-c20"}"#,
                RowIdentity::Named("A", 2, "u:domain-c20"),
            ),
            (r#"{"node_uuid":"n","id":7}"#, RowIdentity::Named("", 1, "7")),
            (r#"{"n":1}"#, RowIdentity::Text(br#"{"n":1}"#)),
            (r#"{"id":""}"#, RowIdentity::Text(br#"{"id":""}"#)),
            ("7", RowIdentity::Text(b"7")),
        ] {
            assert_identity(row, expected);
        }
    }
}
