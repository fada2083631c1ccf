//! Text that others wrote, made fit for an error, a log or a terminal.
//!
//! A manager's message, a proxy's page, a header, a certificate or the name of an object can hold
//! anything: sequences that steer a terminal, lines that look like ours, megabytes, or the password
//! that was just sent. Here are the rules that all of it passes. Not here: which texts are secret
//! (the transport knows what it sends) and where foreign text comes in.

use crate::Secret;

mod forms;

use forms::{Cut, Forms};

/// What stands in the place of a secret.
pub const REDACTED: &str = "[redacted]";
/// The most that is shown of one text, in bytes. Our choice (0161).
pub const LONGEST: usize = 2 << 10;
/// What is examined of one text, in bytes. It is more than is shown, because a secret may be longer
/// than what stands in its place.
const EXAMINED: usize = 64 << 10;
/// In front of the second and each further line: a text cannot imitate a line of ours.
const BREAK: &str = "\n    ";
/// Ends a text that was cut.
const CUT: char = '…';

/// `text` as it may be shown where no secret can be part of it; see [`Secrets::shown`].
#[must_use]
pub fn shown(text: &str) -> String {
    Secrets::default().shown(text)
}

/// `text` on one line, with its control characters and line ends escaped.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    text.chars().for_each(|letter| push(&mut line, letter));
    line
}

/// `text` with its control characters escaped and its lines as they are.
#[must_use]
pub fn lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(one_line).collect();
    lines.join("\n")
}

/// Texts that must not be shown.
///
/// They are found however they are written: plainly, percent-encoded or as in a form, in JSON,
/// HTML or quoted in an error, with escapes for some or all of their characters, and as what is left
/// of them after decoding in a wrong character set. What is sent in another form, such as Base64, is
/// added in that form.
#[derive(Clone, Default)]
pub struct Secrets(Vec<Secret>);

impl Secrets {
    /// Adds a text; one without anything but white space is no secret.
    pub fn add(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        self.0.push(Secret::new(text));
        if !text.is_ascii() {
            // A form decoded as Latin-1, which is what old servlet containers do.
            self.0
                .push(Secret::new(text.bytes().map(char::from).collect::<String>()));
        }
    }

    /// `text` as it may be shown: without secrets, control characters escaped, its further lines
    /// indented, and [`LONGEST`] bytes at most. To show it once more changes nothing.
    #[must_use]
    pub fn shown(&self, text: &str) -> String {
        self.shown_within(text, LONGEST)
    }

    /// The same within `limit` bytes.
    #[must_use]
    pub fn shown_within(&self, text: &str, limit: usize) -> String {
        if limit < CUT.len_utf8() {
            return String::new();
        }
        let text = text.trim();
        let examined = &text[..text.floor_char_boundary_at(EXAMINED)];
        let is_cut = examined.len() < text.len();
        let mut shown = Shown::new(limit);
        // Escapes come first: a secret is also found in what they make of it.
        let cut = if is_cut { Cut::AtEnd } else { Cut::Whole };
        self.redact_into(&legible(examined), cut, &mut |piece| shown.push(piece));
        shown.finish(is_cut)
    }

    /// `text` without secrets and otherwise as it is: for a sentence of ours that quotes them, and
    /// texts that were cut.
    #[must_use]
    pub fn redacted(&self, text: &str) -> String {
        let mut redacted = String::with_capacity(text.len());
        self.redact_into(text, Cut::AtMarks, &mut |piece| {
            redacted.push_str(piece);
            true
        });
        redacted
    }

    /// Hands `text` to `push` piece by piece, until that wants no more.
    fn redact_into(&self, text: &str, cut: Cut, push: &mut impl FnMut(&str) -> bool) {
        // What stands for a secret is no part of another one, so that redacting twice is redacting.
        for (number, part) in text.split(REDACTED).enumerate() {
            if number > 0 && !push(REDACTED) {
                return;
            }
            let mut rest = part;
            while let Some(letter) = rest.chars().next() {
                let (piece, length) = match self.secret_at(rest, cut) {
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

    /// How much of `text` is a secret, when it begins with one: of several the longest.
    fn secret_at(&self, text: &str, cut: Cut) -> Option<usize> {
        let lengths = self.0.iter().filter_map(|secret| {
            let forms = Forms { text, cut };
            forms.length_of(secret.expose())
        });
        lengths.max()
    }
}

/// How many, and none of them.
impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}

impl<T: AsRef<str>> FromIterator<T> for Secrets {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let mut secrets = Self::default();
        texts.into_iter().for_each(|text| secrets.add(text.as_ref()));
        secrets
    }
}

/// Text as it is shown so far.
struct Shown {
    text: String,
    limit: usize,
    /// How much of it stays when the rest does not fit.
    kept: usize,
    is_full: bool,
}

impl Shown {
    fn new(limit: usize) -> Self {
        Self {
            text: String::new(),
            limit,
            kept: 0,
            is_full: false,
        }
    }

    /// Adds a piece; whether there is room for more.
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

/// `text` with indented lines, none of them blank, and escaped control characters.
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

/// Whether a character changes how others are shown: controls, and those that turn the direction of
/// writing, break lines or have no width.
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

/// What `str::floor_char_boundary` is in newer versions of the language than ours.
trait CharBoundary {
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
