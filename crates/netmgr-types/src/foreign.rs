//! Sanitizing of foreign text for errors, logs and terminals.
//!
//! A manager's message, a proxy's page, a header, a certificate or the name of an object can contain
//! anything: terminal escape sequences, lines that imitate ours, megabytes, or the password that was just
//! sent. This module sanitizes all of it. It does not decide which texts are secret; the transport does.

use crate::Secret;

mod forms;

use forms::{Cut, Forms};

/// Replacement of a secret.
pub const REDACTED: &str = "[redacted]";
/// Maximum length of a shown text in bytes. Our choice (decision foreign-text).
pub const LONGEST: usize = 2 << 10;
/// Maximum length that is examined, in bytes. More than is shown, because a secret may be longer than its
/// replacement.
pub(crate) const EXAMINED: usize = 64 << 10;
/// Prefix of the second and each further line, so that a text cannot imitate one of our lines.
const BREAK: &str = "\n    ";
/// Suffix of a truncated text.
const CUT: char = '…';

/// Sanitizes `text` that cannot contain a secret; see [`Secrets::sanitized`].
#[must_use]
pub fn sanitized(text: &str) -> String {
    Secrets::default().sanitized(text)
}

/// Escapes the control characters and line ends of `text`.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    text.chars().for_each(|letter| push(&mut line, letter));
    line
}

/// Escapes the control characters of `text` except line ends.
#[must_use]
pub fn lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(one_line).collect();
    lines.join("\n")
}

/// Texts that must not be shown.
///
/// They are found in every encoding: plain, percent-encoded or form-encoded, in JSON, in HTML or quoted in an
/// error, with escapes for some or all characters, and decoded in a wrong character set. Text that is sent in
/// another form, such as Base64, has to be added in that form.
#[derive(Clone, Default)]
pub struct Secrets {
    texts: Vec<Secret>,
    /// Secrets whose letters may also be shown in the other case.
    in_any_case: Vec<Secret>,
    /// Secrets that are only found where they are words.
    words: Vec<Secret>,
}

impl Secrets {
    /// Adds a text. Text that only consists of white space is ignored.
    pub fn add(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        self.texts.push(Secret::new(text));
        if !text.is_ascii() {
            // A form decoded as Latin-1, which is what old servlet containers do.
            self.texts
                .push(Secret::new(text.bytes().map(char::from).collect::<String>()));
        }
    }

    /// Adds a text that is also found with its ASCII letters in the other case. Text that only consists of white space
    /// is ignored.
    pub fn add_in_any_case(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            self.in_any_case.push(Secret::new(text));
        }
    }

    /// Adds a text that is not found inside a word: a short one would remove letters from all sentences. Text that only
    /// consists of white space is ignored.
    pub fn add_word(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            self.words.push(Secret::new(text));
        }
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn len(&self) -> usize {
        self.texts.len() + self.in_any_case.len() + self.words.len()
    }

    /// Sanitizes `text`: removes secrets, escapes control characters, indents further lines, and truncates it
    /// to [`LONGEST`] bytes. The function is idempotent.
    #[must_use]
    pub fn sanitized(&self, text: &str) -> String {
        self.sanitized_within(text, LONGEST)
    }

    /// Like [`Secrets::sanitized`], with a limit of `limit` bytes.
    #[must_use]
    pub fn sanitized_within(&self, text: &str, limit: usize) -> String {
        if limit < CUT.len_utf8() {
            return String::new();
        }
        let text = text.trim();
        let examined = &text[..text.floor_char_boundary_at(EXAMINED)];
        let is_cut = examined.len() < text.len();
        let mut shown = SanitizedText::new(limit);
        // Escape first; secrets are also found in escaped text.
        let cut = if is_cut { Cut::AtEnd } else { Cut::Whole };
        self.redact_into(&legible(examined), cut, &mut |piece| shown.push(piece));
        shown.finish(is_cut)
    }

    /// Removes secrets from `text` and changes nothing else. For our own sentences that quote foreign text,
    /// and for truncated text.
    #[must_use]
    pub fn redacted(&self, text: &str) -> String {
        let mut redacted = String::with_capacity(text.len());
        self.redact_into(text, Cut::AtMarks, &mut |piece| {
            redacted.push_str(piece);
            true
        });
        redacted
    }

    /// Passes `text` to `push` in pieces until `push` returns false.
    fn redact_into(&self, text: &str, cut: Cut, push: &mut impl FnMut(&str) -> bool) {
        // The replacement of a secret is not part of another secret, which makes redaction idempotent.
        for (number, part) in text.split(REDACTED).enumerate() {
            if number > 0 && !push(REDACTED) {
                return;
            }
            let mut rest = part;
            while let Some(letter) = rest.chars().next() {
                let before = &part[..part.len() - rest.len()];
                let (piece, length) = match self.secret_at(before, rest, cut) {
                    Some(length) => (REDACTED, length),
                    None if rest.starts_with(BREAK) => (BREAK, BREAK.len()),
                    None => (&rest[..letter.len_utf8()], letter.len_utf8()),
                };
                if !push(piece) {
                    return;
                }
                rest = &rest[length..];
            }
        }
    }

    /// The length of the longest secret that `text`, which follows `before`, begins with.
    fn secret_at(&self, before: &str, text: &str, cut: Cut) -> Option<usize> {
        let length = |secret: &Secret, in_any_case| {
            let forms = Forms {
                text,
                cut,
                in_any_case,
            };
            forms.length_of(secret.expose())
        };
        let exact = self.texts.iter().filter_map(|secret| length(secret, false));
        let in_any_case = self.in_any_case.iter().filter_map(|secret| length(secret, true));
        // An escaped character ends with letters or digits.
        let is_escaped = || {
            before
                .chars()
                .rev()
                .take(3)
                .any(|letter| matches!(letter, '%' | '\\'))
        };
        let words = self
            .words
            .iter()
            .filter(|_| !before.ends_with(char::is_alphanumeric) || is_escaped());
        let words = words.filter_map(|secret| length(secret, false));
        let words = words.filter(|length| !text[*length..].starts_with(char::is_alphanumeric));
        exact.chain(in_any_case).chain(words).max()
    }
}

/// Prints only the number of secrets.
impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secrets({})", self.len())
    }
}

impl<T: AsRef<str>> FromIterator<T> for Secrets {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let mut secrets = Self::default();
        texts.into_iter().for_each(|text| secrets.add(text.as_ref()));
        secrets
    }
}

/// Output of the sanitizer.
struct SanitizedText {
    text: String,
    limit: usize,
    /// Length to keep if the rest does not fit.
    kept: usize,
    is_full: bool,
}

impl SanitizedText {
    fn new(limit: usize) -> Self {
        Self {
            text: String::new(),
            limit,
            kept: 0,
            is_full: false,
        }
    }

    /// Adds a piece. Returns whether there is room for more.
    fn push(&mut self, piece: &str) -> bool {
        if self.text.len() + piece.len() > self.limit {
            self.is_full = true;
            return false;
        }
        self.text.push_str(piece);
        if self.text.len() + CUT.len_utf8() <= self.limit {
            self.kept = self.text.len();
        }
        true
    }

    fn finish(mut self, is_cut: bool) -> String {
        if self.is_full || is_cut {
            self.text.truncate(self.kept);
            if self.text.len() + CUT.len_utf8() <= self.limit && !self.text.ends_with(CUT) {
                self.text.push(CUT);
            }
        }
        self.text
    }
}

/// Indents the lines of `text`, removes blank lines and escapes control characters.
fn legible(text: &str) -> String {
    let mut legible = String::with_capacity(text.len());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if !legible.is_empty() {
            legible.push_str(BREAK);
        }
        line.chars().for_each(|letter| push(&mut legible, letter));
    }
    legible
}

fn push(text: &mut String, letter: char) {
    if steers(letter) {
        text.extend(letter.escape_default());
    } else {
        text.push(letter);
    }
}

/// Whether a character affects how others are displayed: control characters, and characters that change the
/// writing direction, break lines or have no width.
#[must_use]
pub fn steers(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Substitute for `str::floor_char_boundary`, which our minimum Rust version does not have.
pub(crate) trait CharBoundary {
    fn floor_char_boundary_at(&self, index: usize) -> usize;
}

impl CharBoundary for str {
    fn floor_char_boundary_at(&self, index: usize) -> usize {
        if index >= self.len() {
            return self.len();
        }
        (0..=index)
            .rev()
            .find(|at| self.is_char_boundary(*at))
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
