//! Tables for people: aligned columns.

use anstyle::Style;
use netmgr_types::foreign;
use serde_json::Value;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::column::Column;

/// Columns between two cells.
const GAP: usize = 2;
/// Minimum width to which a column is cut.
const NARROWEST: usize = 8;
/// Represents an absent value.
const ABSENT: &str = "-";
const ELLIPSIS: char = '…';

/// Rows with a heading. In a terminal of the given width, cells that identify nothing are cut.
pub(super) fn rows(columns: &[Column], rows: &[Value], terminal: Option<usize>) -> String {
    let cells = |row: &Value| -> Vec<String> {
        columns
            .iter()
            .map(|column| cell(column.value(row).unwrap_or(&Value::Null)))
            .collect()
    };
    let heading: Vec<String> = columns.iter().map(|column| column.title.clone()).collect();
    let body: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let mut widths = widths(std::iter::once(&heading).chain(&body));
    if let Some(terminal) = terminal {
        fit(columns, &mut widths, terminal);
    }
    let lines = body.iter().map(|row| line(row, &widths, |_| Style::new()));
    line(&heading, &widths, |_| Style::new().bold()) + &lines.collect::<String>()
}

/// Narrows descriptions, and then other columns that identify nothing, the widest first, so that short ones are not
/// cut. If the identifiers alone do not fit, lines wrap anyway, so only descriptions are narrowed.
fn fit(columns: &[Column], widths: &mut [usize], terminal: usize) {
    let available = terminal.saturating_sub(GAP * columns.len().saturating_sub(1));
    let identifiers = columns
        .iter()
        .zip(&*widths)
        .filter(|(column, _)| column.is_identifier());
    let wraps = identifiers.map(|(_, width)| width).sum::<usize>() > available;
    let narrowed: [fn(&Column) -> bool; 2] = [Column::is_description, |column| !column.is_identifier()];
    for narrows in if wraps { &narrowed[..1] } else { &narrowed[..] } {
        while widths.iter().sum::<usize>() > available {
            let narrowed = (0..columns.len()).filter(|index| narrows(&columns[*index]));
            match narrowed.max_by_key(|index| widths[*index]) {
                Some(widest) if widths[widest] > NARROWEST => widths[widest] -= 1,
                _ => break,
            }
        }
    }
}

/// Rows of text as aligned columns.
pub(crate) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let widths = widths(rows);
    let lines = rows.iter().map(|row| line(row, &widths, |_| Style::new()));
    lines.collect()
}

/// Names with descriptions, which are cut to fit a terminal of the given width.
pub(crate) fn described(rows: &[[String; 2]], terminal: Option<usize>) -> String {
    let mut widths = widths(rows);
    if let (Some(terminal), [name, description]) = (terminal, widths.as_mut_slice()) {
        let available = terminal.saturating_sub(*name + GAP).max(NARROWEST);
        *description = available.min(*description);
    }
    let lines = rows.iter().map(|row| line(row, &widths, |_| Style::new()));
    lines.collect()
}

/// Width of each column.
fn widths<'a, Row: AsRef<[String]> + 'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<usize> {
    let mut widths = Vec::new();
    for row in rows {
        widths.resize(row.as_ref().len(), 0);
        for (width, cell) in widths.iter_mut().zip(row.as_ref()) {
            *width = cell.width().max(*width);
        }
    }
    widths
}

/// An object as lines of name and value. Maps are printed as separate lines below their name.
pub(super) fn object(object: &Value, wanted: &[String]) -> String {
    let Value::Object(map) = object else {
        return cell(object) + "\n";
    };
    let names: Vec<&String> = match wanted {
        [] => map.keys().collect(),
        wanted => wanted.iter().collect(),
    };
    let members = || names.iter().filter_map(|name| Some((*name, map.get(*name)?)));
    let simple = members().filter(|(_, value)| !value.is_object());
    let mut text = pairs(simple.map(|(name, value)| [foreign::one_line(name), cell(value)]));
    for (name, inner) in members().filter_map(|(name, value)| Some((name, value.as_object()?))) {
        let note = if inner.is_empty() { "  (empty)" } else { "" };
        let name = painted(&foreign::one_line(name), Style::new().bold());
        text.push_str(&format!("{name}{note}\n"));
        let rows = inner.iter();
        text.push_str(&pairs(rows.map(|(name, value)| {
            [format!("  {}", foreign::one_line(name)), cell(value)]
        })));
    }
    text
}

/// Names in bold, and their values.
fn pairs(pairs: impl Iterator<Item = [String; 2]>) -> String {
    let rows: Vec<[String; 2]> = pairs.collect();
    let widths = widths(&rows);
    let style = |column| match column {
        0 => Style::new().bold(),
        _ => Style::new(),
    };
    rows.iter().map(|row| line(row, &widths, style)).collect()
}

/// One line of cells, cut to their columns, without trailing spaces.
fn line(cells: &[String], widths: &[usize], style: fn(usize) -> Style) -> String {
    let mut text = String::new();
    let mut blanks = 0;
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let shown = cut(cell, *width);
        if !shown.is_empty() {
            text.extend(std::iter::repeat_n(' ', blanks));
            blanks = 0;
            text.push_str(&painted(&shown, style(column)));
        }
        blanks += width.saturating_sub(shown.width()) + GAP;
    }
    text.push('\n');
    text
}

fn painted(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// The start of `text` that fits into `width` columns, with an ellipsis if it is cut.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut shown = String::new();
    let mut used = 1;
    for letter in text.chars() {
        used += letter.width().unwrap_or_default();
        if used > width {
            break;
        }
        shown.push(letter);
    }
    shown.push(ELLIPSIS);
    shown
}

/// One value on one line; a dash if there is none.
pub(super) fn cell(value: &Value) -> String {
    let text = foreign::one_line(&text(value));
    if text.is_empty() { ABSENT.to_owned() } else { text }
}

/// One value on a line of its own, unchanged except for line ends.
pub(super) fn line_of(value: &Value) -> String {
    one_line(&text(value)) + "\n"
}

/// A text with escapes for line ends.
pub(super) fn one_line(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}

/// A value as text.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            let items: Vec<String> = items.iter().map(text).collect();
            items.join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_description_is_cut_to_the_terminal_and_then_what_identifies_nothing() {
        let columns = ["name", "state", "description", "path"].map(Column::new);
        let row = json!({
            "name": "edge-cluster-prod", "state": "in_progress", "description": "word ".repeat(20), "path": "/infra/x"
        });
        let table = |width| {
            let text = rows(&columns, std::slice::from_ref(&row), width);
            anstream::adapter::strip_str(&text).to_string()
        };
        for width in [48, 60, 80] {
            let text = table(Some(width));
            assert!(text.contains("edge-cluster-prod  in_pr"), "{text}");
            assert!(text.contains("…  /infra/x\n"), "{text}");
            assert_eq!(text.contains("in_progress  word"), width > 48, "{text}");
            assert!(text.lines().all(|line| line.width() <= width), "{width}\n{text}");
        }
        // Names and paths alone do not fit, so the line wraps.
        assert!(table(Some(20)).contains("edge-cluster-prod  in_progress  word wo…  /infra/x\n"));
        assert!(!table(None).contains('…'));
    }

    #[test]
    fn what_is_absent_is_a_dash() {
        assert_eq!(cell(&Value::Null), "-");
        assert_eq!(cell(&json!("")), "-");
        assert_eq!(cell(&json!([])), "-");
        assert_eq!(cell(&json!(["a", "b"])), "a, b");
        assert_eq!(cell(&json!(false)), "false");
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(cut("緑緑緑", 6), "緑緑緑");
        assert_eq!(cut("緑緑緑", 5), "緑緑…");
        assert_eq!(cut("緑緑緑", 4), "緑…");
    }
}
