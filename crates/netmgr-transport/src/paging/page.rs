//! One page of a list or search: its rows unread, its cursor, its count.
//!
//! Not here: what the rows mean and which page comes next.

use bytes::Bytes;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

/// One object of a list or search, as the manager sent it: JSON text.
///
/// A slice of the page's body, so a kept row keeps its page in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row(pub Bytes);

impl Row {
    /// Decodes the row.
    ///
    /// # Errors
    ///
    /// When the row is not of the shape of `T`. One bad row says nothing about the others.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_slice(&self.0)
    }

    /// What makes this row the same object as another one.
    pub(super) fn identity(&self) -> Identity {
        let fields: IdentityFields = match serde_json::from_slice(&self.0) {
            Ok(fields) => fields,
            // Not an object: only an identical text is the same.
            Err(_) => return Identity::Text(self.0.as_ref().into()),
        };
        let given = |field: Option<&RawValue>| {
            field
                .map(RawValue::get)
                .filter(|text| *text != "\"\"")
                .map(Box::<str>::from)
        };
        let kind = given(fields.resource_type);
        if let Some(path) = given(fields.path) {
            Identity::Path(path)
        } else if let Some(id) = given(fields.id) {
            Identity::Id(kind, id)
        } else if let Some(id) = given(fields.external_id).or_else(|| given(fields.node_uuid)) {
            Identity::OtherId(kind, id)
        } else {
            Identity::Text(self.0.as_ref().into())
        }
    }
}

/// What makes two rows the same object; the parts are JSON text.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum Identity {
    /// Policy path.
    Path(Box<str>),
    /// `resource_type` and `id`.
    Id(Option<Box<str>>, Box<str>),
    /// `resource_type` and `external_id` or `node_uuid`.
    OtherId(Option<Box<str>>, Box<str>),
    /// The whole row, when nothing identifies it.
    Text(Box<[u8]>),
}

/// Unread values, so that a number in the place of a text does no harm.
#[derive(Deserialize)]
struct IdentityFields<'a> {
    #[serde(borrow)]
    path: Option<&'a RawValue>,
    #[serde(borrow)]
    resource_type: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    external_id: Option<&'a RawValue>,
    #[serde(borrow)]
    node_uuid: Option<&'a RawValue>,
}

/// One page, whichever of its forms it was sent in.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The rows; none when `results` is absent or null.
    pub(super) rows: Vec<Row>,
    /// Where the next page starts; none when it was absent, null or empty.
    pub(super) cursor: Option<String>,
    /// Rows over all pages, as announced by this page.
    pub(super) result_count: Option<u64>,
}

#[derive(Deserialize)]
struct ListResult<'a> {
    #[serde(borrow)]
    results: Option<Vec<&'a RawValue>>,
    #[serde(default)]
    cursor: Value,
    #[serde(default)]
    result_count: Value,
}

impl Page {
    /// Reads a list object or a bare array. Its rows are slices of `body`.
    pub(super) fn read(body: &Bytes) -> Result<Self, serde_json::Error> {
        let row = |raw: &RawValue| Row(body.slice_ref(raw.get().as_bytes()));
        if body.trim_ascii_start().starts_with(b"[") {
            let rows: Vec<&RawValue> = serde_json::from_slice(body)?;
            return Ok(Self {
                rows: rows.into_iter().map(row).collect(),
                ..Self::default()
            });
        }
        let list: ListResult = serde_json::from_slice(body)?;
        Ok(Self {
            rows: list.results.unwrap_or_default().into_iter().map(row).collect(),
            cursor: match list.cursor {
                Value::String(text) if !text.is_empty() => Some(text),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            },
            result_count: match list.result_count {
                Value::Number(number) => number.as_u64(),
                Value::String(text) => text.trim().parse().ok(),
                _ => None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &'static str) -> Page {
        Page::read(&Bytes::from_static(text.as_bytes())).unwrap()
    }

    fn same(one: &'static str, other: &'static str) -> bool {
        let row = |text: &'static str| Row(Bytes::from_static(text.as_bytes()));
        row(one).identity() == row(other).identity()
    }

    #[test]
    fn rows_are_slices_of_the_body() {
        let body = Bytes::from_static(br#"{"results":[{"id":"a"}, {"id" : "b"}],"result_count":2}"#);
        let page = Page::read(&body).unwrap();
        assert_eq!(page.rows[1].0, r#"{"id" : "b"}"#);
        assert!(body.as_ptr_range().contains(&page.rows[1].0.as_ptr()));
        assert_eq!(page.result_count, Some(2));
    }

    #[test]
    fn absent_and_null_fields_are_an_empty_last_page() {
        for text in [
            "{}",
            r#"{"results":null,"cursor":null,"result_count":null}"#,
            r#"{"results":[],"cursor":""}"#,
            "[]",
        ] {
            let page = page(text);
            assert_eq!((page.rows.len(), page.cursor, page.result_count), (0, None, None));
        }
    }

    #[test]
    fn a_bare_array_is_a_page() {
        assert_eq!(page(r#" [{"id":"a"},{"id":"b"}]"#).rows.len(), 2);
    }

    #[test]
    fn cursor_and_count_may_be_numbers_or_text() {
        let page = page(r#"{"results":[],"cursor":7,"result_count":"12"}"#);
        assert_eq!((page.cursor.as_deref(), page.result_count), (Some("7"), Some(12)));
    }

    #[test]
    fn other_json_is_not_a_page() {
        for text in ["\"text\"", "{\"results\":{}}", "", "<html>"] {
            assert!(
                Page::read(&Bytes::from_static(text.as_bytes())).is_err(),
                "{text}"
            );
        }
    }

    #[test]
    fn identity_is_path_then_type_and_id_then_other_ids_then_text() {
        assert!(same(
            r#"{"path":"/infra/a","id":"a"}"#,
            r#"{"id":"b","path":"/infra/a"}"#
        ));
        assert!(!same(
            r#"{"path":"/infra/a","id":"a"}"#,
            r#"{"path":"/infra/b","id":"a"}"#
        ));
        assert!(same(
            r#"{"resource_type":"IpPool","id":"a","n":1}"#,
            r#"{"resource_type":"IpPool","id":"a","n":2}"#
        ));
        assert!(!same(
            r#"{"resource_type":"IpPool","id":"a"}"#,
            r#"{"resource_type":"MacPool","id":"a"}"#
        ));
        assert!(same(
            r#"{"external_id":"x","n":1}"#,
            r#"{"external_id":"x","n":2}"#
        ));
        assert!(same(r#"{"node_uuid":"x","n":1}"#, r#"{"node_uuid":"x","n":2}"#));
        assert!(same(r#"{"id":null,"n":1}"#, r#"{"id":null,"n":1}"#));
        assert!(!same(r#"{"id":null,"n":1}"#, r#"{"id":null,"n":2}"#));
        assert!(!same(r#"{"id":"","n":1}"#, r#"{"id":"","n":2}"#));
        assert!(!same("3", "4"));
    }

    #[test]
    fn a_row_decodes_on_its_own() {
        let page = page(r#"[{"id":"a"},"odd"]"#);
        assert_eq!(page.rows[0].decode::<Value>().unwrap()["id"], "a");
        assert!(
            page.rows[1]
                .decode::<std::collections::HashMap<String, String>>()
                .is_err()
        );
    }
}
