//! Values as JSON, without terminal control characters.

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
