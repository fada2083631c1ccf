//! A page of a list or search: undecoded rows, cursor and count.

use std::borrow::Cow;

use bytes::Bytes;
use netmgr_types::object;
use netmgr_types::wire::{self, RowHead, RowIdentity};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// An object of a list or search as JSON text.
///
/// A slice of the body, so that a row keeps its page in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    text: Bytes,
    head: Option<Head>,
}

/// Where the fields of a [`RowHead`] are in the text of a row, so that it is read only once.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Head {
    resource_type: Text,
    path: Text,
    id: Text,
    external_id: Text,
    node_uuid: Text,
    display_name: Text,
}

/// A text of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Text {
    /// The bytes of the row between these positions.
    Within(u32, u32),
    /// One that the row has with escapes.
    Unescaped(Box<str>),
}

/// Identity of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Identity<'a> {
    /// A path or an id.
    Named(RowIdentity<'a>),
    /// The whole row, if it has neither.
    Text(&'a [u8]),
}

impl Row {
    /// The row with this text.
    #[must_use]
    pub fn new(text: Bytes) -> Self {
        let head = RowHead::of(&text).map(|head| {
            let place = |field: Cow<'_, str>| Text::of(field, &text);
            Head {
                resource_type: place(head.resource_type),
                path: place(head.path),
                id: place(head.id),
                external_id: place(head.external_id),
                node_uuid: place(head.node_uuid),
                display_name: place(head.display_name),
            }
        });
        Self { text, head }
    }

    /// Its JSON text.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The fields that identify it; none when it is not an object that can be read.
    #[must_use]
    pub fn head(&self) -> Option<RowHead<'_>> {
        let head = self.head.as_ref()?;
        let read = |field| Cow::Borrowed(Text::read(field, &self.text));
        Some(RowHead {
            resource_type: read(&head.resource_type),
            path: read(&head.path),
            id: read(&head.id),
            external_id: read(&head.external_id),
            node_uuid: read(&head.node_uuid),
            display_name: read(&head.display_name),
        })
    }

    /// Decodes the row, which must be a JSON object.
    ///
    /// # Errors
    ///
    /// If the row is not a valid object of type `T`. Other rows may still be valid.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        object::from_slice(&self.text)
    }

    /// Whether `seen` takes its identity for a new one.
    pub(super) fn is_new(&self, mut seen: impl FnMut(&Identity<'_>) -> bool) -> bool {
        let head = self.head();
        let named = head.as_ref().and_then(RowHead::identity);
        seen(&named.map_or(Identity::Text(&self.text), Identity::Named))
    }
}

impl Text {
    /// `field` of a row with `text`, which it is borrowed from unless it had escapes.
    fn of(field: Cow<'_, str>, text: &[u8]) -> Self {
        let within = text.as_ptr_range();
        match field {
            Cow::Borrowed(field) if within.contains(&field.as_ptr()) => {
                let start = field.as_ptr() as usize - within.start as usize;
                match (u32::try_from(start), u32::try_from(start + field.len())) {
                    (Ok(start), Ok(end)) => Self::Within(start, end),
                    _ => Self::Unescaped(field.into()),
                }
            }
            Cow::Borrowed("") => Self::Within(0, 0),
            field => Self::Unescaped(field.into()),
        }
    }

    fn read<'a>(&'a self, text: &'a [u8]) -> &'a str {
        match self {
            Self::Within(start, end) => text
                .get(*start as usize..*end as usize)
                .and_then(|bytes| std::str::from_utf8(bytes).ok())
                .unwrap_or_default(),
            Self::Unescaped(text) => text,
        }
    }
}

/// A page with separate rows.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The rows; may be empty.
    pub(super) rows: Vec<Row>,
    /// Cursor of the next page. `None` if it was absent, null or empty.
    pub(super) cursor: Option<String>,
    /// Number of rows of all pages that this page announces.
    pub(super) result_count: Option<u64>,
}

impl Page {
    /// Decodes a list object or a bare array. The rows are slices of `body`.
    pub(super) fn read(body: &Bytes) -> Result<Self, serde_json::Error> {
        let page: wire::Page<'_> = serde_json::from_slice(body)?;
        let row = |raw: &RawValue| Row::new(body.slice_ref(raw.get().as_bytes()));
        Ok(Self {
            rows: page.results.into_iter().map(row).collect(),
            cursor: page.cursor,
            result_count: page.result_count,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &'static str) -> Page {
        Page::read(&Bytes::from_static(text.as_bytes())).unwrap()
    }

    #[test]
    fn rows_are_slices_of_the_body() {
        let body = Bytes::from_static(br#"{"results":[{"id":"a"}, {"id" : "b"}],"result_count":2}"#);
        let page = Page::read(&body).unwrap();
        let row = page.rows[1].text();
        assert_eq!(row, br#"{"id" : "b"}"#);
        assert!(body.as_ptr_range().contains(&row.as_ptr()));
    }

    #[test]
    fn a_row_that_nothing_names_is_the_same_only_as_an_identical_one() {
        let page = page(r#"[{"n":1},{"n":1},{"n":2},{"id":"a","n":1},{"id":"a","n":2},7]"#);
        let identity = |row: usize| {
            let mut identity = String::new();
            page.rows[row].is_new(|of| {
                identity = format!("{of:?}");
                true
            });
            identity
        };
        let same = |one: usize, other: usize| identity(one) == identity(other);
        assert!(same(0, 1) && !same(0, 2));
        assert!(same(3, 4) && !same(3, 5));
    }

    #[test]
    fn a_head_is_what_the_row_has_also_with_escapes() {
        let row = Row::new(Bytes::from_static(
            br#"{"id":"a","display_name":"d\u00e9","path":"","resource_type":"T"}"#,
        ));
        let head = row.head().unwrap();
        assert_eq!((&*head.id, head.name(), &*head.path), ("a", "d\u{e9}", ""));
        assert_eq!(&*head.resource_type, "T");
        assert!(Row::new(Bytes::from_static(b"7")).head().is_none());
    }

    #[test]
    fn a_row_decodes_on_its_own() {
        let page = page(r#"[{"id":"a"},"odd",["a"]]"#);
        let decode = |number: usize| page.rows[number].decode::<wire::ManagerObject>();
        assert_eq!(decode(0).unwrap().id, "a");
        assert!(decode(1).is_err());
        // A list of its members is not an object.
        assert!(decode(2).is_err());
    }
}
