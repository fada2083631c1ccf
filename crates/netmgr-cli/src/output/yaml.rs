//! Values as YAML, without terminal control characters.

use netmgr_types::foreign;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::json::json;

/// Beginning of a name that the library has to quote, in its two forms.
const MARK: [&str; 2] = ["\u{feff}", "\\uFEFF"];

/// `value` as YAML that YAML 1.1 and 1.2 read as the same value.
pub(crate) fn yaml(value: &Value) -> String {
    let as_json = json(value);
    if as_json.to_ascii_lowercase().contains("\\ufeff") {
        // JSON is also YAML.
        return as_json;
    }
    let quoting = QuotingYaml(value);
    let mut text = serde_saphyr::to_string(&quoting).expect("answers are plain values");
    if begins_a_block_with_an_empty_line(&text) {
        let quoted = serde_saphyr::ser_options! { prefer_block_scalars: false };
        text = serde_saphyr::to_string_with_options(&quoting, quoted).expect("answers are plain values");
    }
    let mut safe = String::with_capacity(text.len());
    for letter in text.replace(MARK[1], "").chars() {
        match u32::from(letter) {
            // Only quoted texts have such characters.
            code if letter != '\n' && foreign::steers(letter) => safe.push_str(&format!("\\U{code:08x}")),
            _ => safe.push(letter),
        }
    }
    safe
}

/// A value whose strings are quoted if YAML 1.1 reads something else, or if they have to be escaped.
struct QuotingYaml<'a>(&'a Value);

impl Serialize for QuotingYaml<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::String(text) if needs_quotes(text) => {
                serde_saphyr::DoubleQuoted(text).serialize(serializer)
            }
            Value::Array(items) => serializer.collect_seq(items.iter().map(QuotingYaml)),
            Value::Object(members) => serializer.collect_map(members.iter().map(|(name, value)| {
                let mark = if needs_quotes(name) { MARK[0] } else { "" };
                (format!("{mark}{name}"), QuotingYaml(value))
            })),
            scalar => scalar.serialize(serializer),
        }
    }
}

fn needs_quotes(text: &str) -> bool {
    let has_escapes = text
        .chars()
        .any(|letter| letter != '\n' && foreign::steers(letter));
    has_escapes || means_more_in_yaml_1_1(text)
}

/// Whether YAML 1.1 reads a text as a date, a number with colons or underscores, a merge key, a default value or a boolean.
fn means_more_in_yaml_1_1(text: &str) -> bool {
    let is_number_or_date = text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first))
        && text
            .chars()
            .all(|letter| letter.is_ascii_digit() || "_.:+-tTzZ \t".contains(letter));
    let based = text.trim_start_matches(['+', '-']);
    is_number_or_date
        || based.starts_with("0x")
        || based.starts_with("0b")
        || ["<<", "=", "y", "n", "yes", "no", "on", "off"]
            .iter()
            .any(|word| word.eq_ignore_ascii_case(text))
}

/// Whether a text of several lines is written as a block whose first line is empty. YAML reads a block of empty lines
/// only as no text.
fn begins_a_block_with_an_empty_line(text: &str) -> bool {
    let is_start = |line: &str| {
        let last = line.rsplit(' ').next();
        last.is_some_and(|word| word.starts_with(['|', '>']))
    };
    let next = text.lines().skip(1).chain([""]);
    text.lines()
        .zip(next)
        .any(|(line, next)| next.trim().is_empty() && is_start(line))
}
