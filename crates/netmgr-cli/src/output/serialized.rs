//! Values as JSON and YAML, without characters that steer a terminal.

use netmgr_types::foreign;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// `value` as one line of JSON.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    escaped(&serde_json::to_string(value).expect("what is printed is JSON"))
}

/// `value` as indented JSON with a final newline.
pub(crate) fn json(value: &impl Serialize) -> String {
    escaped(&serde_json::to_string_pretty(value).expect("answers have text keys"))
}

/// JSON text with escapes for all control characters, and a final newline.
fn escaped(text: &str) -> String {
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

/// `value` as YAML that readers of YAML 1.1 and 1.2 take for the same value.
#[cfg(feature = "yaml")]
pub(crate) fn yaml(value: &Value) -> String {
    let quoting = QuotingYaml(value);
    let mut text = serde_saphyr::to_string(&quoting).expect("answers are plain values");
    if begins_a_block_with_an_empty_line(&text) {
        let quoted = serde_saphyr::ser_options! { prefer_block_scalars: false };
        text = serde_saphyr::to_string_with_options(&quoting, quoted).expect("answers are plain values");
    }
    // Characters that change the writing direction are not escaped there. JSON is YAML, too.
    let steers = |letter| letter != '\n' && foreign::steers(letter);
    match text.chars().any(steers) || has_plain_name(value) {
        true => json(value),
        false => text,
    }
}

/// A value whose texts are quoted where YAML 1.1 reads something else.
#[cfg(feature = "yaml")]
struct QuotingYaml<'a>(&'a Value);

#[cfg(feature = "yaml")]
impl Serialize for QuotingYaml<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::String(text) if means_more_in_yaml_1_1(text) => {
                serde_saphyr::DoubleQuoted(text).serialize(serializer)
            }
            Value::Array(items) => serializer.collect_seq(items.iter().map(QuotingYaml)),
            Value::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, QuotingYaml(value))))
            }
            scalar => scalar.serialize(serializer),
        }
    }
}

/// Whether the library does not quote a name in an object that has to be quoted.
#[cfg(feature = "yaml")]
fn has_plain_name(value: &Value) -> bool {
    let is_plain = |name: &String| {
        means_more_in_yaml_1_1(name)
            && serde_saphyr::to_string(&name).is_ok_and(|text| text.trim_end() == name)
    };
    match value {
        Value::Array(items) => items.iter().any(has_plain_name),
        Value::Object(members) => members.keys().any(is_plain) || members.values().any(has_plain_name),
        _ => false,
    }
}

/// Whether YAML 1.1 reads a text as a date, a number with colons or underscores, a merge key, a default value or a boolean.
#[cfg(feature = "yaml")]
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
#[cfg(feature = "yaml")]
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
