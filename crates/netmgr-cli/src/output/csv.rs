//! Comma-separated values, as RFC 4180 describes them, with line feeds.

use serde_json::Value;

use super::column::Column;
use super::table;

/// The names of the columns.
pub(super) fn header(columns: &[Column]) -> String {
    line(columns.iter().map(|column| column.key.clone()))
}

/// One row.
pub(super) fn row(columns: &[Column], row: &Value) -> String {
    line(columns.iter().map(|column| match column.value(row) {
        Some(value) => table::text(value),
        None => String::new(),
    }))
}

/// Rows with a header.
pub(super) fn rows(columns: &[Column], rows: &[Value]) -> String {
    let lines: String = rows.iter().map(|one| row(columns, one)).collect();
    header(columns) + &lines
}

/// Cells as a line.
pub(super) fn line(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|cell| quoted(&cell)).collect();
    cells.join(",") + "\n"
}

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) || cell.starts_with(' ') || cell.ends_with(' ') {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_quotes_and_line_ends_are_quoted() {
        let cells = ["a", "b, c", "say \"x\"", "two\nlines", " padded", ""];
        assert_eq!(
            line(cells.map(str::to_owned)),
            "a,\"b, c\",\"say \"\"x\"\"\",\"two\nlines\",\" padded\",\n"
        );
    }
}
