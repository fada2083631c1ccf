//! Output formats: tables for people, JSON and YAML for programs.

use std::io::{self, ErrorKind, Write};

use clap::ValueEnum;
use netmgr_types::foreign;
use serde::Serialize;
use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;

use crate::failure::CliError;

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned lines for people
    Table,
    /// The answer alone, indented
    Json,
    /// The answer alone
    Yaml,
}

/// Writes to standard output. A closed pipe is not an error.
pub(crate) fn standard_output(text: &str) -> Result<(), CliError> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.map_err(CliError::Output),
    }
}

/// Writes lines to standard error without terminal escape sequences. Errors are ignored.
pub(crate) fn standard_error(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", foreign::lines(line));
}

/// `value` as one line of JSON.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    let line = serde_json::to_string(value).expect("what is printed is JSON");
    line + "\n"
}

/// `value` as indented JSON with a final newline. Control characters are escaped.
pub(crate) fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("answers have text keys");
    let mut safe = String::with_capacity(text.len() + 1);
    for letter in text.chars() {
        if letter != '\n' && foreign::steers(letter) {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            safe.push(letter);
        }
    }
    safe.push('\n');
    safe
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

/// An object as aligned lines of name and value. Maps are printed as separate lines below their name.
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
                .map(|(name, value)| [format!("  {}", foreign::one_line(name)), cell(value)])
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
        Value::String(text) => foreign::one_line(text),
        Value::Null => String::new(),
        other => other.to_string(),
    }
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
        let value = json!({ "displayName": "a\u{1b}[2Jb\nc\u{9b}\u{202e}" });
        assert_eq!(
            answer(&value, Format::Table),
            "displayName  a\\u{1b}[2Jb\\nc\\u{9b}\\u{202e}\n"
        );
        let text = answer(&value, Format::Json);
        assert!(text.contains(r#""a\u001b[2Jb\nc\u009b\u202e""#), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
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
