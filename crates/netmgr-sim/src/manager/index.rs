//! An inverted index of all objects, and searches in it.
//!
//! `matcher` decides whether an object matches; the index only excludes objects that cannot. It includes all
//! versions of an object, because the search can return old versions. Texts are in lower case and objects are
//! numbers, so that a million objects need little space.

mod postings;
mod tree;

use serde_json::Value;

use super::matcher::{is_text, values_of};
use super::query::{Glyph, Query, Wanted, lower};
use postings::{Keys, Union, intersection};
use tree::PathTree;

/// Fields that are compared as a whole and in which objects differ.
const KEY_FIELDS: [&str; 5] = ["resource_type", "id", "external_id", "nsx_id", "parent_path"];

/// The numbers of objects by what a term can name.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// By the value of each of [`KEY_FIELDS`].
    keys: [Keys; KEY_FIELDS.len()],
    /// By each word of the display name.
    names: Keys,
    /// By `path`.
    paths: PathTree,
    /// By each word of text fields and the first word of all others, for terms without a field.
    words: Keys,
}

/// Decides whether the object with a number matches all of some queries.
type Fits<'a> = dyn Fn(u32, &[&Query]) -> bool + 'a;

impl Index {
    /// Adds a version of the object with this number.
    pub(crate) fn add(&mut self, number: u32, body: &Value) {
        for (field, keys) in KEY_FIELDS.iter().zip(&mut self.keys) {
            values_of(field, body, &mut |value| {
                if let Some(key) = lowered(value) {
                    keys.add(&key, number);
                }
            });
        }
        values_of("path", body, &mut |value| {
            if let Some(path) = lowered(value) {
                self.paths.add(&path, number);
            }
        });
        values_of("display_name", body, &mut |value| {
            let name = lowered(value).unwrap_or_default();
            words(&name).for_each(|word| self.names.add(word, number));
        });
        self.add_words(number, body, false);
    }

    fn add_words(&mut self, number: u32, value: &Value, text: bool) {
        match value {
            Value::Object(fields) => fields
                .iter()
                .for_each(|(name, value)| self.add_words(number, value, is_text(name))),
            Value::Array(items) => items.iter().for_each(|item| self.add_words(number, item, text)),
            leaf => {
                let leaf = lowered(leaf).unwrap_or_default();
                let most = if text { usize::MAX } else { 1 };
                words(&leaf)
                    .take(most)
                    .for_each(|word| self.words.add(word, number));
            }
        }
    }

    /// The numbers of the objects that match, in order. None if the query excludes no object.
    pub(crate) fn search(&self, query: &Query, fits: &Fits<'_>) -> Option<Vec<u32>> {
        self.matches(query, &[], &[], fits)
    }

    /// The numbers of the objects that match `query` and all of `also`, which each of `given` contains. None if
    /// `query` excludes none of these.
    ///
    /// Alternatives are looked up one by one, each together with the terms around it, so that a search for many names
    /// costs as much as the objects that it finds.
    fn matches(
        &self,
        query: &Query,
        given: &[Union<'_>],
        also: &[&Query],
        fits: &Fits<'_>,
    ) -> Option<Vec<u32>> {
        if let Query::Any(parts) = query {
            let mut found = Vec::new();
            for part in parts {
                found.extend(self.matches(part, given, also, fits)?);
            }
            found.sort_unstable();
            found.dedup();
            return Some(found);
        }
        let mut parts = Vec::new();
        conjuncts(query, &mut parts);
        let mut unions = given.to_vec();
        parts.iter().for_each(|part| self.narrow(part, &mut unions));
        let (alternatives, others): (Vec<&Query>, Vec<&Query>) =
            parts.into_iter().partition(|part| matches!(part, Query::Any(_)));
        // Cheap terms first: whether a name occurs in any field is the most expensive.
        let musts = [also, &others].concat();
        for (at, several) in alternatives.iter().enumerate() {
            let rest = [&musts[..], &alternatives[..at], &alternatives[at + 1..]].concat();
            if let Some(found) = self.matches(several, &unions, &rest, fits) {
                return Some(found);
            }
        }
        if unions.len() == given.len() {
            return None;
        }
        let musts = [musts, alternatives].concat();
        let mut found = intersection(&unions);
        found.retain(|number| fits(*number, &musts));
        Some(found)
    }

    /// Adds sets that contain every match of a term to `unions`.
    fn narrow<'a>(&'a self, part: &Query, unions: &mut Vec<Union<'a>>) {
        let Query::Term { field, wanted } = part else {
            return;
        };
        let (literal, is_whole) = literal(wanted);
        let find = |keys: &'a Keys, key: &str, is_whole: bool| match is_whole {
            true => keys.whole(key),
            false => keys.beginning(key),
        };
        match field.as_deref() {
            // Fields other than text match from the beginning, so that only the first word is known to be here.
            None => {
                let first = literal_words(&literal, is_whole).next();
                unions.extend(first.map(|(word, ends)| find(&self.words, word, ends)));
            }
            Some("display_name") => {
                let words = literal_words(&literal, is_whole);
                unions.extend(words.map(|(word, ends)| find(&self.names, word, ends)));
            }
            _ if literal.is_empty() && !is_whole => {}
            Some("path") if is_whole => unions.push(self.paths.whole(&literal)),
            Some("path") => unions.push(self.paths.beginning(&literal)),
            Some(field) => {
                let keys = KEY_FIELDS.iter().position(|key| *key == field);
                unions.extend(keys.map(|at| find(&self.keys[at], &literal, is_whole)));
            }
        }
    }
}

/// The parts that have to match, also those of parts that are joined by `AND` themselves.
fn conjuncts<'a>(query: &'a Query, into: &mut Vec<&'a Query>) {
    match query {
        Query::All(parts) => parts.iter().for_each(|part| conjuncts(part, into)),
        part => into.push(part),
    }
}

/// The beginning of every match, and whether it is the whole match.
fn literal(wanted: &Wanted) -> (String, bool) {
    match wanted {
        Wanted::Phrase(letters) => (letters.iter().collect(), true),
        Wanted::Word(glyphs) => {
            let letters = || {
                glyphs.iter().map_while(|glyph| match glyph {
                    Glyph::Letter(letter) => Some(*letter),
                    Glyph::One | Glyph::Many => None,
                })
            };
            (letters().collect(), letters().count() == glyphs.len())
        }
    }
}

/// The words that every match has, and whether each ends there. The last one may go on where a wildcard follows.
fn literal_words(literal: &str, is_whole: bool) -> impl Iterator<Item = (&str, bool)> {
    let goes_on = !is_whole && literal.ends_with(char::is_alphanumeric);
    let mut words = words(literal).peekable();
    std::iter::from_fn(move || {
        let word = words.next()?;
        Some((word, !goes_on || words.peek().is_some()))
    })
}

/// The words of a text: runs of letters and digits.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

fn lowered(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(lower(text).collect()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests;
