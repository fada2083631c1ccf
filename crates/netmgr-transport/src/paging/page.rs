//! A page of a list or search: undecoded rows, cursor and count.

use std::borrow::Cow;

use bytes::Bytes;
use netmgr_types::wire;

use super::row::Row;

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
    /// Maximum number of rows.
    pub(super) const MOST_ROWS: usize = wire::Page::MOST_ROWS;

    /// Decodes a list object or a bare array. The rows are parts of `body`.
    ///
    /// # Errors
    ///
    /// If `body` is not a page, or has more than 250,000 rows. A row that cannot be decoded is not an error.
    pub(super) fn read(body: &Bytes) -> Result<Self, serde_json::Error> {
        let text = same_length(body);
        let page: wire::Page<'_> = serde_json::from_str(&text)?;
        let row = |row: &&serde_json::value::RawValue| {
            let start = row.get().as_ptr() as usize - text.as_ptr() as usize;
            Row::new(body.slice(start..start + row.get().len()))
        };
        Ok(Self {
            rows: page.results.iter().map(row).collect(),
            cursor: page.cursor.clone(),
            result_count: page.result_count,
        })
    }
}

/// `bytes` as text of the same length: each byte that is not UTF-8 is replaced, so that it affects its row alone.
fn same_length(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let chunks = bytes.utf8_chunks();
    Cow::Owned(
        chunks.fold(String::with_capacity(bytes.len()), |mut text, chunk| {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| '?'));
            text
        }),
    )
}

#[cfg(test)]
mod tests {
    use netmgr_types::wire::MapRow;

    use super::*;

    fn page(text: &'static [u8]) -> Page {
        Page::read(&Bytes::from_static(text)).unwrap()
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
    fn a_row_that_cannot_be_decoded_fails_alone() {
        for odd in [
            r#""odd""#,
            r#"["a"]"#,
            r#"{"id":"\ud800"}"#,
            r#"{"id":"a","id":"b"}"#,
        ] {
            let body = Bytes::from(format!(r#"[{{"id":"a"}},{odd},{{"id":"c"}}]"#));
            let rows = Page::read(&body).unwrap().rows;
            let ids = rows
                .iter()
                .map(|row| row.decode::<MapRow>().ok().map(|row| row.id));
            let ids: Vec<_> = ids.collect();
            assert_eq!(ids, [Some("a".to_owned()), None, Some("c".to_owned())], "{odd}");
        }
    }

    #[test]
    fn a_row_that_is_not_utf8_fails_alone() {
        let page =
            page(b"{\"results\":[{\"id\":\"a\xc3\"},{\"id\":\"b\xe9\"},{\"id\":\"c\"}],\"cursor\":\"x\"}");
        assert!(page.rows[0].decode::<MapRow>().is_err());
        assert_eq!(page.rows[1].text(), b"{\"id\":\"b\xe9\"}");
        assert_eq!(page.rows[2].decode::<MapRow>().unwrap().id, "c");
        assert_eq!(page.cursor.as_deref(), Some("x"));
    }

    #[test]
    fn a_page_with_too_many_rows_is_rejected() {
        let page = |rows: usize| Bytes::from(format!("[{}]", vec!["7"; rows].join(",")));
        assert_eq!(
            Page::read(&page(Page::MOST_ROWS)).unwrap().rows.len(),
            Page::MOST_ROWS
        );
        let error = Page::read(&page(Page::MOST_ROWS + 1)).unwrap_err().to_string();
        assert!(error.starts_with("the page has more than 250000 rows"), "{error}");
    }

    /// Rows are parts of their page, whatever it contains.
    #[test]
    fn fuzz_pages() {
        let words = [
            "{\"results\":[",
            "],\"cursor\":\"",
            "\"result_count\":",
            "{\"id\":\"a\"},",
            "\"display_name\":",
            "\"path\":",
            "\\u00e9",
            "null",
        ];
        fuzz_testing::fuzz("pages", &words, |input| {
            let body = Bytes::copy_from_slice(input);
            match Page::read(&body) {
                Ok(page) => {
                    for row in &page.rows {
                        assert!(body.as_ptr_range().contains(&row.text().as_ptr()));
                        let text = row.decode::<serde_json::Value>().map(drop);
                        assert!(text.is_err() || row.head().is_some(), "{row:?}");
                    }
                    format!("{} {:?}", page.rows.len(), page.result_count)
                }
                Err(error) => error.to_string(),
            }
        });
    }
}
