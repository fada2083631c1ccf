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
        Some(value) => table::text(&value),
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

/// A cell on one line that no spreadsheet reads as a formula.
fn quoted(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
    let mark = if is_formula && cell.parse::<f64>().is_err() {
        "'"
    } else {
        ""
    };
    let cell = &format!("{mark}{}", table::one_line(cell));
    if cell.contains(['"', ',']) || cell.starts_with(' ') || cell.ends_with(' ') {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_and_quotes_are_quoted_and_stay_on_one_line() {
        let cells = [
            "a",
            "b, c",
            "say \"x\"",
            "two\nlines",
            " padded",
            "",
            "=SUM(1;2)",
            "-1.5",
            "-a,b",
        ];
        assert_eq!(
            line(cells.map(str::to_owned)),
            "a,\"b, c\",\"say \"\"x\"\"\",two\\nlines,\" padded\",,'=SUM(1;2),-1.5,\"'-a,b\"\n"
        );
    }
}
