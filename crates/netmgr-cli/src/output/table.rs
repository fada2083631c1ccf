//! Tables for people: aligned columns that fit into the terminal.

use anstyle::Style;
use netmgr_types::foreign;
use serde_json::Value;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::fields;
use super::rows::Column;

/// Columns between two cells.
const GAP: usize = 2;
/// Width to which a column may be cut at least.
const NARROWEST: usize = 8;
/// Width of a column, other than the first and the last, that is printed whole. Identifiers have up to 36
/// characters.
const WHOLE: usize = 40;
/// What stands for an absent value.
const ABSENT: &str = "-";
const ELLIPSIS: char = '…';

/// How much of its cells a table shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// All.
    Whole,
    /// All but exceptionally long ones.
    Usual,
    /// What fits into a terminal of this width.
    Terminal(usize),
}

impl Fit {
    /// What fits into standard output, if it is a terminal.
    pub(super) fn of_output() -> Self {
        super::terminal::width().map_or(Self::Usual, Self::Terminal)
    }
}

/// Rows with a heading.
pub(super) fn rows(columns: &[Column], rows: &[Value], fit: Fit) -> String {
    let cells = |row: &Value| -> Vec<String> {
        columns
            .iter()
            .map(|column| cell(column.value(row).unwrap_or(&Value::Null)))
            .collect()
    };
    let body: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let heading: Vec<String> = columns.iter().map(|column| column.title.clone()).collect();
    let widths = widths(&heading, &body, fit);
    let bold = Style::new().bold();
    let mut text = line(&heading, &widths, |_, _| bold);
    for row in &body {
        text.push_str(&line(row, &widths, |column, cell| (columns[column].style)(cell)));
    }
    text
}

/// Rows of text as aligned columns.
pub(crate) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let widths: Vec<usize> = (0..N)
        .map(|column| {
            rows.iter()
                .map(|row| row[column].width())
                .max()
                .unwrap_or_default()
        })
        .collect();
    let lines = rows.iter().map(|row| line(row, &widths, |_, _| Style::new()));
    lines.collect()
}

/// An object as lines of name and value. Maps are printed as separate lines below their name.
pub(super) fn object(object: &Value, wanted: &[String], width: Option<usize>) -> String {
    let kept = fields::keep(object, wanted);
    let Value::Object(map) = &kept else {
        return cell(&kept) + "\n";
    };
    let names: Vec<&String> = match wanted {
        [] => map.keys().collect(),
        wanted => wanted.iter().collect(),
    };
    let is_map = |name: &&&String| map.get(**name).is_some_and(Value::is_object);
    let simple = names.iter().filter(|name| !is_map(name));
    let mut text = pairs(
        simple.map(|name| (foreign::one_line(name), cell(&map[*name]))),
        width,
    );
    for name in names.iter().filter(is_map) {
        let Some(inner) = map[*name].as_object() else {
            continue;
        };
        let note = if inner.is_empty() { "  (empty)" } else { "" };
        text.push_str(&format!(
            "{}{note}\n",
            painted(&foreign::one_line(name), Style::new().bold())
        ));
        let rows = inner
            .iter()
            .map(|(name, value)| (format!("  {}", foreign::one_line(name)), cell(value)));
        text.push_str(&pairs(rows, width));
    }
    text
}

/// Names in bold, and their values.
fn pairs(pairs: impl Iterator<Item = (String, String)>, width: Option<usize>) -> String {
    let rows: Vec<Vec<String>> = pairs.map(|(name, value)| vec![name, value]).collect();
    let names = rows.iter().map(|row| row[0].width()).max().unwrap_or_default();
    let values = match width {
        Some(width) => width.saturating_sub(names + GAP).max(NARROWEST),
        None => usize::MAX,
    };
    let style = |column, _: &str| {
        if column == 0 {
            Style::new().bold()
        } else {
            Style::new()
        }
    };
    rows.iter()
        .map(|row| line(row, &[names, values], style))
        .collect()
}

/// One line of cells, cut to their columns, without blanks at its end.
fn line(cells: &[String], widths: &[usize], style: impl Fn(usize, &str) -> Style) -> String {
    let mut text = String::new();
    let mut blanks = 0;
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let shown = cut(cell, *width);
        if !shown.is_empty() {
            text.extend(std::iter::repeat_n(' ', blanks));
            blanks = 0;
            text.push_str(&painted(&shown, style(column, cell)));
        }
        let last = column + 1 == cells.len();
        blanks += if last {
            0
        } else {
            width.saturating_sub(shown.width()) + GAP
        };
    }
    text.push('\n');
    text
}

fn painted(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// Width of each column.
fn widths(heading: &[String], body: &[Vec<String>], fit: Fit) -> Vec<usize> {
    let count = heading.len();
    let mut widths: Vec<usize> = (0..count)
        .map(|column| {
            let mut all: Vec<usize> = body.iter().map(|row| row[column].width()).collect();
            all.sort_unstable();
            let longest = all.last().copied().unwrap_or_default();
            let is_edge = column == 0 || column + 1 == count;
            let most = if fit == Fit::Whole || is_edge {
                longest
            } else {
                longest.min(usual(&all))
            };
            most.max(heading[column].width())
        })
        .collect();
    let Fit::Terminal(terminal) = fit else {
        return widths;
    };
    let available = terminal.saturating_sub(GAP * count.saturating_sub(1));
    let total = |widths: &[usize]| widths.iter().sum::<usize>();
    // Take from the widest, so that short columns stay whole.
    while total(&widths) > available {
        let widest = (0..count)
            .max_by_key(|column| widths[*column])
            .unwrap_or_default();
        if widths[widest] <= NARROWEST {
            break;
        }
        widths[widest] -= 1;
    }
    widths
}

/// Width that is enough for most cells, of these widths in ascending order: a single long cell must not leave
/// a gap in all other rows.
fn usual(ascending: &[usize]) -> usize {
    let most = ascending.len().saturating_mul(3) / 4;
    let common = ascending.get(most).copied().unwrap_or_default();
    (2 * common + NARROWEST).min(WHOLE).max(common)
}

/// The beginning of `text` that fits into `width` columns, with an ellipsis if it is cut.
pub(super) fn cut(text: &str, width: usize) -> String {
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

    fn three() -> Vec<Column> {
        ["name", "state", "path"].map(Column::new).into()
    }

    #[test]
    fn an_exceptionally_long_cell_is_cut_and_leaves_no_gap() {
        let row = |state: &str| json!({ "name": "edge", "state": state, "path": "/infra" });
        let rows: Vec<Value> = std::iter::repeat_n(row("up"), 9)
            .chain([row(&"x".repeat(45))])
            .collect();
        let text = anstream::adapter::strip_str(&super::rows(&three(), &rows, Fit::Usual)).to_string();
        for line in text.lines() {
            assert!(!line.contains(&" ".repeat(15)), "{text}");
        }
        assert!(text.contains("xxxxxxxxxxx…  /infra"), "{text}");
        assert!(!super::rows(&three(), &rows, Fit::Whole).contains('…'));
    }

    #[test]
    fn a_column_of_long_cells_is_whole() {
        let row = |state: usize| json!({ "name": "edge", "state": "x".repeat(state), "path": "/infra" });
        let text = super::rows(&three(), &[row(46), row(47), row(47)], Fit::Usual);
        assert!(!text.contains('…'), "{text}");
    }

    #[test]
    fn a_table_fits_into_the_terminal() {
        let row = json!({ "name": "edge-cluster-prod", "state": "up", "path": "/infra/sites/default/x" });
        for width in [30, 34, 40] {
            let text = anstream::adapter::strip_str(&super::rows(
                &three(),
                std::slice::from_ref(&row),
                Fit::Terminal(width),
            ))
            .to_string();
            assert!(text.lines().all(|line| line.width() <= width), "{width}\n{text}");
            assert!(text.contains('…'), "{text}");
            assert!(text.contains("  up"), "a short column stays whole\n{text}");
        }
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
