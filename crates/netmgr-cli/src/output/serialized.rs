//! Values as JSON and YAML, without characters that steer a terminal.

use netmgr_types::foreign;
use serde::Serialize;

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

/// `value` as YAML.
#[cfg(feature = "yaml")]
pub(crate) fn yaml(value: &impl Serialize) -> String {
    let mut text = serde_saphyr::to_string(value).expect("answers are plain values");
    if begins_a_block_with_an_empty_line(&text) {
        let quoted = serde_saphyr::ser_options! { prefer_block_scalars: false };
        text = serde_saphyr::to_string_with_options(value, quoted).expect("answers are plain values");
    }
    // Characters that change the writing direction are not escaped there. JSON is YAML, too.
    match text
        .chars()
        .any(|letter| letter != '\n' && foreign::steers(letter))
    {
        true => json(value),
        false => text,
    }
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
