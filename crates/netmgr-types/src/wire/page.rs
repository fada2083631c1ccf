//! A page of a list or a search with undecoded rows.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A page of a list or a search. Rows are borrowed and not decoded, so that a malformed row does not affect
/// the rest of the page.
///
/// A bare array of rows counts as the only page (manager-transport 8.4). An object is a page when it has
/// `results`; only if `result_count` is 0 may they be absent or `null`. Source: manager-api D.1 and section
/// C; our choice in decision 0012.
#[derive(Debug, Default)]
pub struct Page<'a> {
    /// The rows; may be empty.
    pub results: Vec<&'a RawValue>,
    /// Number of rows of all pages: a number or its text. Other values count as absent. Only the value of the
    /// first page is reliable.
    pub result_count: Option<u64>,
    /// Cursor of the next page: text, or a number as text. Empty text counts as absent.
    pub cursor: Option<String>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Page<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PageVisitor)
    }
}

struct PageVisitor;

impl<'de> Visitor<'de> for PageVisitor {
    type Value = Page<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a page of a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Page<'de>, A::Error> {
        let mut page = Page::default();
        while let Some(row) = rows.next_element()? {
            page.results.push(row);
        }
        Ok(page)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Page<'de>, A::Error> {
        let mut page = Page::default();
        let mut results = None;
        while let Some(field) = fields.next_key::<String>()? {
            match field.as_str() {
                "results" => results = fields.next_value()?,
                "result_count" => {
                    page.result_count = scalar(fields.next_value()?).and_then(|n| n.parse().ok())
                }
                "cursor" => page.cursor = scalar(fields.next_value()?),
                _ => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        page.results = match results {
            Some(rows) => rows,
            None if page.result_count == Some(0) => Vec::new(),
            None => return Err(A::Error::missing_field("results")),
        };
        Ok(page)
    }
}

/// A non-empty text, or a number as text.
fn scalar(value: &RawValue) -> Option<String> {
    match serde_json::from_str(value.get()).ok()? {
        serde_json::Value::String(text) => Some(text).filter(|text| !text.is_empty()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Page<'_> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn rows_stay_as_they_came() {
        let page = page(r#"{"results":[{"id" : "a"}, 7],"result_count":2,"cursor":"2","sort_by":"id"}"#);
        let rows: Vec<&str> = page.results.iter().map(|row| row.get()).collect();
        assert_eq!(rows, [r#"{"id" : "a"}"#, "7"]);
        assert_eq!(page.result_count, Some(2));
        assert_eq!(page.cursor.as_deref(), Some("2"));
    }

    #[test]
    fn a_bare_array_is_the_only_page() {
        let page = page(r#" [{"id":"a"},{"id":"b"}]"#);
        assert_eq!(page.results.len(), 2);
        assert_eq!(page.result_count, None);
        assert_eq!(page.cursor, None);
    }

    #[test]
    fn an_object_without_results_is_a_page_only_when_it_counts_none() {
        for text in [
            r#"{"result_count":0}"#,
            r#"{"results":null,"result_count":"0","cursor":null}"#,
        ] {
            assert!(page(text).results.is_empty(), "{text}");
        }
        for text in [
            "{}",
            r#"{"results":null,"result_count":null,"cursor":null}"#,
            r#"{"redirectUrl":"/login.jsp"}"#,
            r#"{"result_count":1}"#,
        ] {
            let error = serde_json::from_str::<Page<'_>>(text).unwrap_err();
            assert!(
                error.to_string().starts_with("missing field `results`"),
                "{error}"
            );
        }
    }

    #[test]
    fn counts_and_cursors_are_read_as_number_or_text() {
        for (value, count, cursor) in [
            ("12", Some(12), Some("12")),
            (r#""12""#, Some(12), Some("12")),
            (r#""0003a\u00e9""#, None, Some("0003aé")),
            (r#""""#, None, None),
            ("-1", None, Some("-1")),
            ("true", None, None),
            ("{}", None, None),
        ] {
            let text = format!(r#"{{"results":[],"result_count":{value},"cursor":{value}}}"#);
            let page = page(&text);
            assert_eq!(
                (page.result_count, page.cursor.as_deref()),
                (count, cursor),
                "{value}"
            );
        }
    }

    #[test]
    fn other_values_are_not_pages() {
        for text in ["7", r#""text""#, "null", r#"{"results":{}}"#, r#"{"results":[{"#] {
            assert!(serde_json::from_str::<Page<'_>>(text).is_err(), "{text}");
        }
    }
}
