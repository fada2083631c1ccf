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
mod tests;
