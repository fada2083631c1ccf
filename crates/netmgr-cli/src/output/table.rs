//! Tables for people: aligned columns.

use std::borrow::Cow;

use anstyle::Style;
use netmgr_types::foreign;
use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use super::column::Column;
use super::terminal::cut;

/// Columns between two cells.
const GAP: usize = 2;
/// Minimum width to which a column is cut.
const NARROWEST: usize = 8;
/// Represents an absent value.
const ABSENT: &str = "-";

/// Rows with a heading. In a terminal of the given width, cells are cut, those that identify nothing first.
pub(super) fn rows(columns: &[Column], rows: &[Value], terminal: Option<usize>) -> String {
    let cells = |row: &Value| -> Vec<String> {
        let value = |column: &Column| match column.value(row) {
            // Objects of the inventory have no path.
            Some(path) if *path == "" && column.key == "path" => row.get("id").map(Cow::Borrowed),
            value => value,
        };
        let cells = columns
            .iter()
            .map(|column| cell(&value(column).unwrap_or(Cow::Borrowed(&Value::Null))));
        cells.collect()
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

/// Narrows descriptions, then paths and columns that identify nothing, and then all, the widest first, so that short ones
/// are not cut. Columns that still do not fit are left out.
fn fit(columns: &[Column], widths: &mut [usize], terminal: usize) {
    let available = terminal.saturating_sub(GAP * columns.len().saturating_sub(1));
    let narrowed: [fn(&Column) -> bool; 3] = [
        Column::is_description,
        |column| column.is_path() || !column.is_identifier(),
        |_| true,
    ];
    for narrows in narrowed {
        while widths.iter().sum::<usize>() > available {
            let narrowed = (0..columns.len()).filter(|index| narrows(&columns[*index]));
            match narrowed.max_by_key(|index| widths[*index]) {
                Some(widest) if widths[widest] > NARROWEST => widths[widest] -= 1,
                _ => break,
            }
        }
    }
    let mut left = terminal;
    for width in widths {
        *width = if left < NARROWEST { 0 } else { left.min(*width) };
        left = left.saturating_sub(*width + GAP);
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

/// An object as lines of name and value. Maps are printed as separate lines below their name, and so are lists of
/// objects.
pub(super) fn object(object: &Value, wanted: &[String], terminal: Option<usize>) -> String {
    let Value::Object(map) = object else {
        return cell(object) + "\n";
    };
    let names: Vec<&String> = match wanted {
        [] => map.keys().collect(),
        wanted => wanted.iter().collect(),
    };
    let members = || names.iter().filter_map(|name| Some((*name, map.get(*name)?)));
    let simple = members().filter(|(_, value)| !value.is_object());
    let mut text = pairs(
        simple.map(|(name, value)| [foreign::one_line(name), cell(value)]),
        terminal,
    );
    for (name, inner) in members().filter_map(|(name, value)| Some((name, value.as_object()?))) {
        let note = if inner.is_empty() { "  (empty)" } else { "" };
        let name = painted(&foreign::one_line(name), Style::new().bold());
        text.push_str(&format!("{name}{note}\n"));
        let rows = inner.iter();
        let rows = rows.map(|(name, value)| [format!("  {}", foreign::one_line(name)), cell(value)]);
        text.push_str(&pairs(rows, terminal));
    }
    text
}

/// Names in bold, and their values, which continue on further lines between words.
fn pairs(pairs: impl Iterator<Item = [String; 2]>, terminal: Option<usize>) -> String {
    let pairs: Vec<[String; 2]> = pairs.collect();
    let left = terminal.map(|terminal| {
        let names = pairs.iter().map(|[name, _]| name.width());
        terminal.saturating_sub(names.max().unwrap_or_default() + GAP)
    });
    let rows = pairs.into_iter().flat_map(|[name, value]| {
        let lines = left.map_or_else(|| vec![value.clone()], |left| wrapped(&value, left));
        let names = std::iter::once(name).chain(std::iter::repeat(String::new()));
        names
            .zip(lines)
            .map(|(name, line)| [name, line])
            .collect::<Vec<_>>()
    });
    let rows: Vec<[String; 2]> = rows.collect();
    let widths = widths(&rows);
    let style = |column| match column {
        0 => Style::new().bold(),
        _ => Style::new(),
    };
    rows.iter().map(|row| line(row, &widths, style)).collect()
}

/// A text as lines that fit into `width` columns, unless a single word does not.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let line = lines.last_mut().expect("there is always one");
        match line.is_empty() || line.width() + word.trim_end().width() <= width {
            true => line.push_str(word),
            false => lines.push(word.to_owned()),
        }
    }
    lines
}

/// One line of cells, cut to their columns, without trailing spaces.
fn line(cells: &[String], widths: &[usize], style: fn(usize) -> Style) -> String {
    let mut text = String::new();
    let mut blanks = 0;
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let shown = match width {
            0 => String::new(),
            // The end of a path distinguishes it.
            width if cell.starts_with('/') && cell.width() > *width => {
                let reversed: String = cell.chars().rev().collect();
                cut(&reversed, *width).chars().rev().collect()
            }
            width => cut(cell, *width),
        };
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

/// One value on one line; a dash if there is none.
pub(super) fn cell(value: &Value) -> String {
    let text = match value {
        Value::Array(items) if items.iter().any(Value::is_object) => {
            let items: Vec<String> = items.iter().map(member).collect();
            items.join(", ")
        }
        other => text(other),
    };
    let text = foreign::one_line(&text);
    if text.is_empty() { ABSENT.to_owned() } else { text }
}

/// A member of a list for people: a tag as `scope:tag`, and other objects as `name=value`.
fn member(item: &Value) -> String {
    let Value::Object(members) = item else {
        return text(item);
    };
    let text_of = |name: &str| members.get(name).and_then(Value::as_str);
    match (text_of("scope"), text_of("tag")) {
        (Some(scope), Some(tag)) if members.len() == 2 && !scope.is_empty() => format!("{scope}:{tag}"),
        (Some(_), Some(tag)) if members.len() == 2 => tag.to_owned(),
        _ => {
            let pairs: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{name}={}", text(value)))
                .collect();
            pairs.join(" ")
        }
    }
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
        // Names and paths alone do not fit either.
        assert!(
            table(Some(30)).contains("edge-cl…  in_prog…  word wo…\n"),
            "{}",
            table(Some(30))
        );
        assert!(!table(None).contains('…'));
    }

    #[test]
    fn a_long_value_continues_between_words_and_a_long_path_is_cut_at_its_start() {
        assert_eq!(wrapped("a bc def", 4), ["a bc ", "def"]);
        assert_eq!(wrapped("/infra/x", 4), ["/infra/x"]);
        let columns = ["name", "path"].map(Column::new);
        let row = json!({ "name": "x", "path": "/infra/domains/default/groups/web" });
        let text = rows(&columns, &[row], Some(20));
        assert!(text.ends_with("x     …lt/groups/web\n"), "{text}");
    }

    #[test]
    fn tags_and_other_objects_are_text() {
        let tags = json!([{ "scope": "tier", "tag": "web" }, { "scope": "", "tag": "x" }]);
        assert_eq!(cell(&tags), "tier:web, x");
        assert_eq!(
            cell(&json!([{ "cidr": "10.0.0.1/8", "size": 2 }])),
            "cidr=10.0.0.1/8 size=2"
        );
    }

    #[test]
    fn what_is_absent_is_a_dash() {
        assert_eq!(cell(&Value::Null), "-");
        assert_eq!(cell(&json!("")), "-");
        assert_eq!(cell(&json!([])), "-");
        assert_eq!(cell(&json!(["a", "b"])), "a, b");
        assert_eq!(cell(&json!(false)), "false");
    }
}
