//! Comparison of names: by bytes, and by canonical equivalence.
//!
//! `é` is one character or an `e` with a combining accent. Some clients and hosts compose the names that they send,
//! and managers keep names as they receive them, so names that look the same may differ in bytes (decision requests-of-a-lookup).

use std::borrow::Cow;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

/// The composed form of `text` (NFC).
#[must_use]
pub fn composed(text: &str) -> Cow<'_, str> {
    match text.is_ascii() {
        true => Cow::Borrowed(text),
        false => ComposingNormalizerBorrowed::new_nfc().normalize(text),
    }
}

/// The forms in which a manager may store the name `text`: `text` itself, then its composed and its decomposed form if
/// they differ from it.
pub(crate) fn forms(text: &str) -> Vec<Cow<'_, str>> {
    let mut forms = vec![Cow::Borrowed(text)];
    if !text.is_ascii() {
        let decomposed = DecomposingNormalizerBorrowed::new_nfd().normalize(text);
        for form in [composed(text), decomposed] {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    forms
}

/// Whether two names are the same, regardless of their forms.
pub(crate) fn is_same(name: &str, other: &str) -> bool {
    name == other || composed(name) == composed(other)
}

/// Whether `name` begins with `prefix`, byte by byte or in the composed form of both.
pub(crate) fn begins(name: &str, prefix: &str) -> bool {
    name.starts_with(prefix) || composed(name).starts_with(&*composed(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPOSED: &str = "caf\u{e9}";
    const DECOMPOSED: &str = "cafe\u{301}";

    #[test]
    fn names_are_the_same_in_every_form() {
        assert!(is_same(COMPOSED, DECOMPOSED));
        assert!(is_same(DECOMPOSED, DECOMPOSED));
        assert!(!is_same(COMPOSED, "cafe"));
    }

    #[test]
    fn letters_that_only_look_alike_differ() {
        // Ligatures and letters of other widths are compatible, but not equivalent.
        assert!(!is_same("\u{fb01}", "fi"));
        assert!(!is_same("\u{ff21}", "A"));
    }

    #[test]
    fn a_prefix_may_have_another_form() {
        assert!(begins("cafe\u{301}-1", COMPOSED));
        assert!(begins("caf\u{e9}-1", DECOMPOSED));
        // Bytes are compared as well.
        assert!(begins(DECOMPOSED, "cafe"));
        assert!(!begins(COMPOSED, "cafe"));
    }

    #[test]
    fn a_name_in_ascii_has_one_form() {
        assert_eq!(forms("edge"), ["edge"]);
        assert_eq!(forms(COMPOSED), [COMPOSED, DECOMPOSED]);
        assert_eq!(forms(DECOMPOSED), [DECOMPOSED, COMPOSED]);
    }

    #[test]
    fn a_name_in_a_mixed_form_has_three() {
        let mixed = format!("{COMPOSED} {DECOMPOSED}");
        assert_eq!(forms(&mixed).len(), 3);
    }
}
