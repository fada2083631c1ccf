//! A page of a list or a search with undecoded rows.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A page of a list or a search. Rows are borrowed and not decoded, so that a malformed row does not affect
/// the rest of the page.
///
/// A bare array of rows counts as the only page. An object is a page when it has `results`; only if `result_count` is 0
/// may they be absent or `null`.
#[derive(Debug, Default)]
pub struct Page<'a> {
    /// The rows; may be empty.
    pub results: Vec<&'a RawValue>,
    /// Number of rows of all pages: a number or its text. Other values count as absent. Only the value of the
    /// first page is reliable.
    pub result_count: Option<u64>,
    /// Cursor of the next page: a string, or a number as a string. Empty strings are treated as absent.
    pub cursor: Option<String>,
}

impl Page<'_> {
    /// Maximum number of rows: five times the maximum of a search. One more is an error, which ends the read, because
    /// references to short rows take several times the memory of their text.
    pub const MOST_ROWS: usize = 250_000;
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

    fn visit_seq<A: SeqAccess<'de>>(self, rows: A) -> Result<Page<'de>, A::Error> {
        let Rows(results) = RowsVisitor.visit_seq(rows)?;
        Ok(Page {
            results,
            ..Page::default()
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Page<'de>, A::Error> {
        let mut page = Page::default();
        let mut results: Option<Rows<'_>> = None;
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
            Some(Rows(rows)) => rows,
            None if page.result_count == Some(0) => Vec::new(),
            None => return Err(A::Error::missing_field("results")),
        };
        Ok(page)
    }
}

/// The rows of a page.
struct Rows<'a>(Vec<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Rows<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowsVisitor)
    }
}

struct RowsVisitor;

impl<'de> Visitor<'de> for RowsVisitor {
    type Value = Rows<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Rows<'de>, A::Error> {
        const MOST: usize = Page::MOST_ROWS;
        let mut results = Vec::new();
        while let Some(row) = rows.next_element()? {
            if results.len() == MOST {
                return Err(A::Error::custom(format_args!(
                    "the page has more than {MOST} rows"
                )));
            }
            results.push(row);
        }
        Ok(Rows(results))
    }
}

/// A string that is not empty, or a number as a string.
fn scalar(value: &RawValue) -> Option<String> {
    let value = value.get();
    match value.bytes().next()? {
        b'"' => serde_json::from_str(value)
            .ok()
            .filter(|text: &String| !text.is_empty()),
        // Unchanged: a cursor can be larger than any type of numbers.
        b'-' | b'0'..=b'9' => Some(value.to_owned()),
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
            (
                "123456789012345678901234567890",
                None,
                Some("123456789012345678901234567890"),
            ),
            ("1e999", None, Some("1e999")),
            (r#""\ud800""#, None, None),
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
    fn the_rest_of_a_page_with_too_many_rows_is_not_read() {
        let rows = vec!["7"; Page::MOST_ROWS].join(",");
        assert_eq!(page(&format!("[{rows}]")).results.len(), Page::MOST_ROWS);
        for text in [format!("[{rows},7,"), format!(r#"{{"results":[{rows},7,"#)] {
            let error = serde_json::from_str::<Page<'_>>(&text).unwrap_err().to_string();
            assert!(error.starts_with("the page has more than 250000 rows"), "{error}");
        }
    }

    #[test]
    fn other_values_are_not_pages() {
        for text in ["7", r#""text""#, "null", r#"{"results":{}}"#, r#"{"results":[{"#] {
            assert!(serde_json::from_str::<Page<'_>>(text).is_err(), "{text}");
        }
    }
}
