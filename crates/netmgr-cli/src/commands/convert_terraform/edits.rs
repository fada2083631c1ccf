//! Replacements in a text, by position. All other bytes are unchanged.

use std::ops::Range;

/// Replacements in one text.
#[derive(Debug, Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Replaces a part of the text. An empty part is a position to insert at.
    pub(super) fn replace(&mut self, part: Range<usize>, by: impl Into<String>) {
        self.0.push((part, by.into()));
    }

    /// The number of replacements.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// The replacements inside `part`, relative to its start.
    pub(super) fn within(&self, part: &Range<usize>) -> Self {
        let inside = self
            .0
            .iter()
            .filter(|(one, _)| part.start <= one.start && one.end <= part.end);
        Self(
            inside
                .map(|(one, by)| (one.start - part.start..one.end - part.start, by.clone()))
                .collect(),
        )
    }

    /// The text with all replacements.
    pub(super) fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(part, _)| (part.start, part.end));
        let mut edited = String::with_capacity(text.len());
        let mut done = 0;
        for (part, by) in self.0 {
            edited.push_str(&text[done..part.start]);
            edited.push_str(&by);
            done = part.end;
        }
        edited.push_str(&text[done..]);
        edited
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_replaced_and_the_rest_stays() {
        let mut edits = Edits::default();
        edits.replace(4..6, "OF");
        edits.replace(0..1, "b");
        edits.replace(8..8, "!");
        assert_eq!(edits.within(&(2..6)).apply("a ofc"), "a OF".to_owned() + "c");
        assert_eq!(edits.apply("a b of c"), "b b OF c!");
    }
}
