//! Answers as text: tables for people, JSON and YAML for programs.
//!
//! Not here: what is printed, and errors.

use std::io::{self, ErrorKind, Write};

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;

use crate::failure::Failure;

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned lines for people
    Table,
    /// The answer alone, indented
    Json,
    /// The answer alone
    Yaml,
}

/// Writes to standard output. A reader that went away is not a failure.
pub(crate) fn standard_output(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.map_err(Failure::Output),
    }
}

/// Writes a line to standard error. When that is closed there is nobody left to tell.
pub(crate) fn standard_error(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// `value` as indented JSON with a final newline.
pub(crate) fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("answers have text keys");
    text.push('\n');
    text
}

/// `value` as YAML.
pub(crate) fn yaml(value: &impl Serialize) -> String {
    serde_saphyr::to_string(value).expect("answers are plain values")
}

/// An answer in `format`.
pub(crate) fn answer(value: &Value, format: Format) -> String {
    match (format, value) {
        (Format::Json, _) => json(value),
        (Format::Yaml, _) => yaml(value),
        (Format::Table, Value::Object(object)) => lines(object),
        (Format::Table, other) => cell(other) + "\n",
    }
}

/// An object as aligned lines of name and value; maps follow their name as lines of their own.
fn lines(object: &Map<String, Value>) -> String {
    let simple = object.iter().filter(|(_, value)| !value.is_object());
    let mut text = columns(
        &simple
            .map(|(name, value)| [name.clone(), cell(value)])
            .collect::<Vec<_>>(),
    );
    for (name, value) in object {
        if let Value::Object(map) = value {
            let rows: Vec<_> = map
                .iter()
                .map(|(name, value)| [format!("  {}", visible(name)), cell(value)])
                .collect();
            let note = if rows.is_empty() { "  (empty)" } else { "" };
            text.push_str(&format!("{name}{note}\n{}", columns(&rows)));
        }
    }
    text
}

/// Rows as aligned columns, two spaces apart.
pub(crate) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let widths: [usize; N] = std::array::from_fn(|column| {
        rows.iter()
            .map(|row| row[column].width())
            .max()
            .unwrap_or_default()
    });
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(width + 2 - cell.width()));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// One value on one line.
fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => visible(text),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Text from a manager without the characters that would steer a terminal.
fn visible(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() {
            safe.extend(letter.escape_default());
        } else {
            safe.push(letter);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_table_aligns_names_and_values() {
        let value =
            json!({ "displayName": "edge", "id": "e-1", "memberIndex": 0, "dfwEnabled": true, "path": "" });
        insta::assert_snapshot!(answer(&value, Format::Table));
    }

    #[test]
    fn a_map_is_two_columns_below_its_name() {
        let value = json!({ "id": "x", "items": { "blue": "1", "grün & weiß": "2", "緑": "3" } });
        insta::assert_snapshot!(answer(&value, Format::Table));
        assert_eq!(answer(&json!({ "items": {} }), Format::Table), "items  (empty)\n");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let value = json!({ "displayName": "a\u{1b}[2Jb\nc" });
        assert_eq!(answer(&value, Format::Table), "displayName  a\\u{1b}[2Jb\\nc\n");
    }

    #[test]
    fn json_is_the_object_alone() {
        assert_eq!(
            answer(&json!({ "id": "x" }), Format::Json),
            "{\n  \"id\": \"x\"\n}\n"
        );
    }

    #[test]
    fn yaml_reads_back_as_the_same_value() {
        let value =
            json!({ "id": "0123", "on": "yes", "text": "a: b # c\nd", "n": 1.5, "none": "", "tilde": "~" });
        let back: Value = serde_saphyr::from_str(&answer(&value, Format::Yaml)).unwrap();
        assert_eq!(back, value);
    }
}
