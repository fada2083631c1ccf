//! Matching of objects and queries. Text fields are compared by words, all others as a whole, always
//! case-insensitively.

use serde_json::Value;

use super::query::{Glyph, Query, Wanted, lower};

/// Fields in which a term can match a part of the value. Paths, ids and all other fields are compared as a whole.
const TEXT_FIELDS: [&str; 2] = ["display_name", "description"];

/// Whether the object matches the query.
pub(crate) fn fits(query: &Query, object: &Value) -> bool {
    match query {
        Query::All(parts) => parts.iter().all(|part| fits(part, object)),
        Query::Any(parts) => parts.iter().any(|part| fits(part, object)),
        Query::Not(part) => !fits(part, object),
        Query::Term {
            field: Some(field),
            wanted,
        } => field_fits(field, wanted, object),
        Query::Term { field: None, wanted } => any_field_fits(wanted, object, false),
    }
}

fn field_fits(field: &str, wanted: &Wanted, object: &Value) -> bool {
    let text = is_text(field);
    let mut found = false;
    values_of(field, object, &mut |value| {
        found = found || value_fits(wanted, value, text);
    });
    found
}

/// Calls `visit` with every value that a term of this field is compared with. An object whose name was never set
/// is known by its id.
fn values_of<'a>(field: &str, object: &'a Value, visit: &mut impl FnMut(&'a Value)) {
    if field == "display_name" && object.get("display_name").is_none_or(Value::is_null) {
        let id = object.get("id").or_else(|| object.get("external_id"));
        id.into_iter().for_each(visit);
    } else {
        values_at(field, object, visit);
    }
}

fn any_field_fits(wanted: &Wanted, value: &Value, text: bool) -> bool {
    match value {
        Value::Object(fields) => fields
            .iter()
            .any(|(name, value)| any_field_fits(wanted, value, is_text(name))),
        Value::Array(items) => items.iter().any(|item| any_field_fits(wanted, item, text)),
        leaf => value_fits(wanted, leaf, text),
    }
}

fn is_text(field: &str) -> bool {
    TEXT_FIELDS.contains(&field)
}

/// Calls `visit` with every leaf under a dotted field name, looking into lists on the way.
fn values_at<'a>(field: &str, value: &'a Value, visit: &mut impl FnMut(&'a Value)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| values_at(field, item, &mut *visit)),
        Value::Object(fields) => {
            let (first, rest) = field.split_once('.').unwrap_or((field, ""));
            if let Some(inner) = fields.get(first) {
                values_at(rest, inner, visit);
            }
        }
        leaf if field.is_empty() => visit(leaf),
        _ => {}
    }
}

/// The values under a dotted field name as text.
pub(crate) fn texts_at(field: &str, object: &Value) -> Vec<String> {
    let mut texts = Vec::new();
    values_at(field, object, &mut |value| match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Null => {}
        other => texts.push(other.to_string()),
    });
    texts
}

fn value_fits(wanted: &Wanted, value: &Value, text: bool) -> bool {
    if let (Wanted::Word(glyphs), Value::String(value)) = (wanted, value)
        && !text
        && starts_differently(glyphs, value)
    {
        return false;
    }
    let value: Vec<char> = match value {
        Value::String(value) => lower(value).collect(),
        Value::Bool(_) | Value::Number(_) => value.to_string().chars().collect(),
        Value::Null | Value::Array(_) | Value::Object(_) => return false,
    };
    match wanted {
        Wanted::Phrase(phrase) => *phrase == value || text && contains_words(&value, phrase),
        Wanted::Word(glyphs) => {
            glob(glyphs, &value)
                || text && {
                    let word: Option<Vec<char>> = glyphs.iter().map(letter).collect();
                    match word {
                        Some(word) if contains_words(&value, &word) => true,
                        // A pattern with wildcards is compared with each word of the value, with and without the
                        // punctuation around it.
                        _ => {
                            value
                                .split(|letter| letter.is_whitespace())
                                .any(|part| glob(glyphs, part))
                                || words(&value).any(|part| glob(glyphs, part))
                        }
                    }
                }
        }
    }
}

/// A fast check that excludes most values, for large inventories.
fn starts_differently(pattern: &[Glyph], value: &str) -> bool {
    match (pattern.first(), lower(value).next()) {
        (Some(Glyph::Letter(wanted)), first) => first != Some(*wanted),
        _ => false,
    }
}

fn letter(glyph: &Glyph) -> Option<char> {
    match glyph {
        Glyph::Letter(letter) => Some(*letter),
        Glyph::One | Glyph::Many => None,
    }
}

/// The words of a text: runs of letters and digits.
fn words(text: &[char]) -> impl Iterator<Item = &[char]> {
    text.split(|letter| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// Whether `text` contains the words of `phrase` consecutively.
fn contains_words(text: &[char], phrase: &[char]) -> bool {
    let text: Vec<_> = words(text).collect();
    let phrase: Vec<_> = words(phrase).collect();
    !phrase.is_empty() && text.windows(phrase.len()).any(|window| window == phrase)
}

/// Whether the pattern matches the whole text.
fn glob(pattern: &[Glyph], text: &[char]) -> bool {
    let (mut at_pattern, mut at_text) = (0, 0);
    // The position to continue at after the last `*` if the following letters do not match.
    let mut retry: Option<(usize, usize)> = None;
    while at_text < text.len() {
        match pattern.get(at_pattern) {
            Some(Glyph::Many) => {
                retry = Some((at_pattern + 1, at_text));
                at_pattern += 1;
            }
            Some(Glyph::One) => {
                at_pattern += 1;
                at_text += 1;
            }
            Some(Glyph::Letter(letter)) if *letter == text[at_text] => {
                at_pattern += 1;
                at_text += 1;
            }
            _ => match retry {
                Some((after_star, start)) => {
                    retry = Some((after_star, start + 1));
                    at_pattern = after_star;
                    at_text = start + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at_pattern..].iter().all(|glyph| *glyph == Glyph::Many)
}
