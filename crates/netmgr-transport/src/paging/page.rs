//! One page of a list or search: its rows unread, its cursor, its count.
//!
//! Not here: what the rows mean and which page comes next.

use bytes::Bytes;
use netmgr_types::object;
use netmgr_types::wire::{self, RowIdentity};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// One object of a list or search, as the manager sent it: JSON text.
///
/// A slice of the page's body, so a kept row keeps its page in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row(pub Bytes);

impl Row {
    /// Decodes the row, which has to be a JSON object.
    ///
    /// # Errors
    ///
    /// When the row is not an object of the shape of `T`. One bad row says nothing about the others.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        object::from_slice(&self.0)
    }
}

/// What makes two rows the same object.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum Identity {
    /// A path or an id.
    Named(RowIdentity),
    /// The whole row, when nothing names it.
    Text(Box<str>),
}

impl Identity {
    pub(super) fn of(row: &RawValue) -> Self {
        RowIdentity::of(row).map_or_else(|| Self::Text(row.get().into()), Self::Named)
    }
}

/// One page, its rows on their own.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The rows, maybe none.
    pub(super) rows: Vec<(Identity, Row)>,
    /// Where the next page starts; none when it was absent, null or empty.
    pub(super) cursor: Option<String>,
    /// Rows over all pages, as announced by this page.
    pub(super) result_count: Option<u64>,
}

impl Page {
    /// Reads a list object or a bare array. Its rows are slices of `body`.
    pub(super) fn read(body: &Bytes) -> Result<Self, serde_json::Error> {
        let page: wire::Page<'_> = serde_json::from_slice(body)?;
        let row = |raw: &RawValue| (Identity::of(raw), Row(body.slice_ref(raw.get().as_bytes())));
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
        let (_, row) = &page.rows[1];
        assert_eq!(row.0, r#"{"id" : "b"}"#);
        assert!(body.as_ptr_range().contains(&row.0.as_ptr()));
    }

    #[test]
    fn a_row_that_nothing_names_is_the_same_only_as_an_identical_one() {
        let page = page(r#"[{"n":1},{"n":1},{"n":2},{"id":"a","n":1},{"id":"a","n":2},7]"#);
        let same = |one: usize, other: usize| page.rows[one].0 == page.rows[other].0;
        assert!(same(0, 1) && !same(0, 2));
        assert!(same(3, 4) && !same(3, 5));
    }

    #[test]
    fn a_row_decodes_on_its_own() {
        let page = page(r#"[{"id":"a"},"odd",["a"]]"#);
        let decode = |number: usize| page.rows[number].1.decode::<wire::ManagerObject>();
        assert_eq!(decode(0).unwrap().id, "a");
        assert!(decode(1).is_err());
        // A list of its members is no object.
        assert!(decode(2).is_err());
    }
}
