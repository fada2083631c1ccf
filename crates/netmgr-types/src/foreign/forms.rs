//! The encodings in which a secret can appear in foreign text.
//!
//! Encoders differ in which characters they leave unchanged, so each character of a secret may be encoded
//! differently. The secret is therefore matched character by character, in all encodings at once.

use super::CUT;

/// Maximum length of an encoded character in bytes.
const LONGEST_FORM: usize = 16;
/// Maximum number of backslashes before a character, which allows for nested quotations.
const MOST_BACKSLASHES: usize = 4;

/// A text that may begin with a secret.
pub(super) struct Forms<'a> {
    pub(super) text: &'a str,
    pub(super) cut: Cut,
    /// Whether ASCII letters may be in the other case.
    pub(super) in_any_case: bool,
}

/// Positions where a text may be truncated inside a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Nowhere.
    Whole,
    /// At its end.
    AtEnd,
    /// Truncated at each mark of a cut: the text quotes texts that were cut.
    AtMarks,
}

impl Forms<'_> {
    /// The length of `secret` in the text, or `None` if the text does not begin with it.
    pub(super) fn length_of(&self, secret: &str) -> Option<usize> {
        let first = secret.chars().next()?;
        if !self.cases(first).any(|first| may_begin(self.text, first)) {
            return None;
        }
        // Positions where the characters matched so far can end.
        let mut ends = vec![0];
        let mut next = Vec::new();
        for wanted in secret.chars() {
            for end in &ends {
                for wanted in self.cases(wanted) {
                    forms(&self.text[*end..], wanted, &mut |length| {
                        let end = end + length;
                        if !next.contains(&end) {
                            next.push(end);
                        }
                    });
                }
            }
            if next.is_empty() {
                return ends.iter().filter_map(|end| self.cut_after(*end)).max();
            }
            std::mem::swap(&mut ends, &mut next);
            next.clear();
        }
        ends.into_iter().max()
    }
}

impl Forms<'_> {
    /// `letter`, and its other case if that may be used.
    fn cases(&self, letter: char) -> impl Iterator<Item = char> + use<> {
        let other = match letter.is_ascii_lowercase() {
            true => letter.to_ascii_uppercase(),
            false => letter.to_ascii_lowercase(),
        };
        let other = Some(other).filter(|other| self.in_any_case && *other != letter);
        std::iter::once(letter).chain(other)
    }

    /// The position where the text was truncated, if that is at `end` or within an encoded character that
    /// begins there.
    fn cut_after(&self, end: usize) -> Option<usize> {
        let rest = &self.text[end..];
        let length = match self.cut {
            Cut::Whole => return None,
            Cut::AtEnd => rest.len(),
            Cut::AtMarks => rest.find(CUT)?,
        };
        let is_form = rest.starts_with(['%', '\\', '&']) && length < LONGEST_FORM;
        (end > 0 && (length == 0 || is_form)).then_some(end + length)
    }
}

/// Whether `text` can begin with an encoding of `letter`. A fast check that excludes most positions.
fn may_begin(text: &str, letter: char) -> bool {
    match text.as_bytes().first() {
        None => false,
        Some(b'%' | b'\\' | b'&') => true,
        Some(b'+') if letter == ' ' => true,
        Some(b'?' | 0xEF) if !letter.is_ascii() => true,
        Some(_) => text.starts_with(letter),
    }
}

/// Calls `found` with the length of each encoding of `letter` that `text` begins with.
fn forms(text: &str, letter: char, found: &mut impl FnMut(usize)) {
    if text.starts_with(letter) {
        found(letter.len_utf8());
    }
    let mut utf8 = [0; 4];
    let utf8 = letter.encode_utf8(&mut utf8).as_bytes();
    // The second form is a percent sign that was encoded twice.
    for percent in ["%", "%25"] {
        if let Some(length) = percent_encoded(text, percent, utf8) {
            found(length);
        }
    }
    if let Some(length) = entity(text, letter) {
        found(length);
    }
    match letter {
        ' ' if text.starts_with('+') => found(1),
        '\n' => {
            // Further lines are indented in shown text.
            let indented = text.trim_start_matches('\n').trim_start_matches(' ');
            if text.starts_with('\n') {
                found(text.len() - indented.len());
            }
        }
        // A character set that lacks the character, or bytes that are not UTF-8.
        letter if !letter.is_ascii() => {
            for lost in ['?', '\u{fffd}'] {
                let run = text.chars().take(letter.len_utf8()).take_while(|c| *c == lost);
                (1..=run.count()).for_each(|count| found(count * lost.len_utf8()));
            }
        }
        _ => {}
    }
    let backslashes = text.bytes().take(MOST_BACKSLASHES).take_while(|b| *b == b'\\');
    for count in 1..=backslashes.count() {
        let after = &text[count..];
        if letter == '\\' {
            found(count);
        }
        if after.starts_with(letter) {
            found(count + letter.len_utf8());
        }
        if let Some(length) = escape(after, letter) {
            found(count + length);
        }
    }
}

/// `%C3%A4`, where `percent` stands for each percent sign.
fn percent_encoded(text: &str, percent: &str, utf8: &[u8]) -> Option<usize> {
    let mut rest = text.as_bytes();
    for byte in utf8 {
        let coded = rest.strip_prefix(percent.as_bytes())?;
        if hex(coded.get(..2)?)? != u32::from(*byte) {
            return None;
        }
        rest = &coded[2..];
    }
    Some(text.len() - rest.len())
}

/// `&quot;`, `&#34;` or `&#x22;`.
fn entity(text: &str, letter: char) -> Option<usize> {
    let end = text.bytes().take(LONGEST_FORM).take_while(u8::is_ascii).count();
    let (name, _) = text[..end].strip_prefix('&')?.split_once(';')?;
    let is_wanted = match name.strip_prefix('#') {
        Some(number) => {
            let number = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            number == Ok(u32::from(letter))
        }
        None => matches!(
            (name, letter),
            ("quot", '"') | ("amp", '&') | ("lt", '<') | ("gt", '>') | ("apos", '\'') | ("nbsp", '\u{a0}')
        ),
    };
    is_wanted.then_some(name.len() + 2)
}

/// The text after a backslash: `n`, `u00e4`, `ud83dude00` with a backslash in it, `u{e4}`, `xe4`.
fn escape(text: &str, letter: char) -> Option<usize> {
    let short = match letter {
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\u{8}' => 'b',
        '\u{c}' => 'f',
        '\0' => '0',
        _ => '\\',
    };
    if short != '\\' && text.starts_with(short) {
        return Some(1);
    }
    let bytes = text.as_bytes();
    let code = u32::from(letter);
    if let Some(coded) = bytes.strip_prefix(b"x") {
        return (hex(coded.get(..2)?)? == code).then_some(3);
    }
    let coded = bytes.strip_prefix(b"u")?;
    if let Some(braced) = coded.strip_prefix(b"{") {
        let end = braced.iter().take(8).position(|b| *b == b'}')?;
        return (hex(&braced[..end])? == code).then_some(end + 3);
    }
    let mut units = [0; 2];
    let units = letter.encode_utf16(&mut units);
    if hex(coded.get(..4)?)? != u32::from(units[0]) {
        return None;
    }
    match units.get(1) {
        None => Some(5),
        Some(second) => {
            let rest = coded[4..].strip_prefix(b"\\u")?;
            (hex(rest.get(..4)?)? == u32::from(*second)).then_some(11)
        }
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(digits).ok()?;
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}
