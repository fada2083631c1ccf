//! A page of a list or search: undecoded rows, cursor and count.

use std::borrow::Cow;

use bytes::Bytes;
use netmgr_types::wire;

use super::row::Row;

/// A page with separate rows.
#[derive(Debug, Default)]
pub(super) struct RowPage {
    /// The rows; may be empty.
    pub(super) rows: Vec<Row>,
    /// Cursor of the next page. `None` if it was absent, null or empty.
    pub(super) cursor: Option<String>,
    /// Number of rows of all pages that this page announces.
    pub(super) result_count: Option<u64>,
}

impl RowPage {
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

/// `bytes` as text of the same length: each byte that is not UTF-8 is replaced, so that it only affects its own row.
/// The replacement is valid in a string, after a backslash and as a hexadecimal digit.
fn same_length(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let chunks = bytes.utf8_chunks();
    Cow::Owned(
        chunks.fold(String::with_capacity(bytes.len()), |mut text, chunk| {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| 'f'));
            text
        }),
    )
}

#[cfg(test)]
mod tests;
