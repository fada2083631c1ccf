//! Reads a page in a single pass: the places of its rows, and those of the members of each row.
//!
//! It accepts only pages of the usual form, and none that serde_json rejects. All others are left to serde_json, which
//! also describes what is wrong with them. What a number or text means is not decided here.

use std::ops::Range;

use crate::progress::MOST_ROWS;
use crate::row::{Head, Place};

/// Deepest nesting of a member's value, counted from 0. serde_json decodes twice as much.
const DEEPEST: u32 = 64;

/// Maximum number of rows of a page of a real manager.
const USUAL_ROWS: usize = 1000;

/// The places in the text of a page.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) rows: Vec<Place>,
    /// The members of all rows.
    pub(crate) members: Vec<Member>,
    /// The list of rows with its brackets.
    pub(crate) list: Range<usize>,
}

/// A member of a row. Its name has no escapes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    /// Where the name begins, counted from the beginning of the row.
    name: u32,
    /// Length of the name.
    length: u16,
    /// Where the value begins, counted from the beginning of the name.
    value: u16,
}

impl Member {
    /// Its name in the text of its row.
    pub(crate) fn name<'a>(&self, row: &'a [u8]) -> Option<&'a [u8]> {
        let start = self.name as usize;
        row.get(start..start + usize::from(self.length))
    }

    /// The text of its row from its value on.
    pub(crate) fn value<'a>(&self, row: &'a [u8]) -> Option<&'a [u8]> {
        row.get(self.name as usize + usize::from(self.value)..)
    }
}

/// Reads a list object or a bare array.
pub(crate) fn page(body: &[u8]) -> Option<Scan> {
    let mut scanner = Scanner::new(body)?;
    let mut scan = Scan::default();
    scanner.space();
    if scanner.peek()? == b'[' {
        scanner.rows(&mut scan)?;
    } else {
        scanner.members(|scanner, name| {
            match scanner.text.get(name.place)? == b"results" {
                _ if name.has_escapes => None,
                true if scan.list.is_empty() && scanner.peek() == Some(b'[') => scanner.rows(&mut scan),
                // The last of several counts, whatever it is.
                true => None,
                false => scanner.value(0),
            }
        })?;
    }
    scanner.space();
    (scanner.at == body.len() && !scan.list.is_empty()).then_some(scan)
}

/// The text of the value at the beginning of `json`, if it is a string without escapes.
#[inline]
pub(crate) fn plain_string(json: &[u8]) -> Option<&[u8]> {
    let mut scanner = Scanner { text: json, at: 0 };
    scanner.expect(b'"')?;
    scanner.plain();
    (scanner.peek()? == b'"').then(|| &json[1..scanner.at])
}

/// A position in a text, which moves forward.
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

/// The name of a member.
struct Name {
    /// Without quotes.
    place: Range<usize>,
    has_escapes: bool,
}

impl<'a> Scanner<'a> {
    /// At the beginning of `text`, which has to be UTF-8 and short enough for the places.
    fn new(text: &'a [u8]) -> Option<Self> {
        u32::try_from(text.len()).ok()?;
        std::str::from_utf8(text).ok()?;
        Some(Self { text, at: 0 })
    }

    fn rows(&mut self, scan: &mut Scan) -> Option<()> {
        let start = self.at;
        self.elements(|scanner| {
            (scan.rows.len() < MOST_ROWS).then_some(())?;
            scanner.row(scan)?;
            if let [first] = &*scan.rows {
                // The others are expected to be like it.
                let others = (scanner.text.len() / first.text.len().max(1)).min(USUAL_ROWS);
                let members = others.saturating_mul(scan.members.len());
                scan.rows.reserve(others);
                scan.members.reserve(members);
            }
            Some(())
        })?;
        scan.list = start..self.at;
        Some(())
    }

    fn row(&mut self, scan: &mut Scan) -> Option<()> {
        let start = self.at;
        let first = scan.members.len();
        let mut head: [Option<Range<u32>>; Head::FIELDS] = [const { None }; Head::FIELDS];
        let mut is_indexed = self.peek()? == b'{';
        let mut is_plain = is_indexed;
        if is_indexed {
            self.members(|scanner, name| {
                let (value, key) = (scanner.at, scanner.text.get(name.place.clone())?);
                let field = Head::field(key);
                let (is_text, has_escapes) = match scanner.peek()? {
                    b'"' => {
                        scanner.at += 1;
                        (true, scanner.string()?)
                    }
                    _ => {
                        scanner.value(0)?;
                        (false, false)
                    }
                };
                if let Some(field) = field.and_then(|field| head.get_mut(field)) {
                    let (text, is_known) = match is_text {
                        true => (within(start, value + 1, scanner.at - 1)?, !has_escapes),
                        // Null counts as absent.
                        false => (0..0, scanner.text.get(value..scanner.at) == Some(b"null")),
                    };
                    is_plain &= field.replace(text).is_none() && is_known;
                }
                let member = member(start, &name.place, value);
                is_indexed &= member.is_some() && !name.has_escapes;
                scan.members.extend(member);
                Some(())
            })?;
        } else {
            self.value(0)?;
        }
        if !is_indexed {
            scan.members.truncate(first);
        }
        let (first, last) = (
            u32::try_from(first).ok()?,
            u32::try_from(scan.members.len()).ok()?,
        );
        let text = start..self.at;
        let head = match is_plain && is_indexed {
            true => Head::Within(head.map(Option::unwrap_or_default)),
            false => Head::read(self.text.get(text.clone())?),
        };
        scan.rows.push(Place {
            text,
            members: is_indexed.then_some(first..last),
            head,
        });
        Some(())
    }

    /// Moves behind an object. `value` moves behind the value of each member.
    #[inline]
    fn members(&mut self, mut value: impl FnMut(&mut Self, Name) -> Option<()>) -> Option<()> {
        self.expect(b'{')?;
        self.space();
        if self.peek()? == b'}' {
            self.at += 1;
            return Some(());
        }
        loop {
            self.expect(b'"')?;
            let start = self.at;
            let has_escapes = self.string()?;
            let place = start..self.at - 1;
            self.space();
            self.expect(b':')?;
            self.space();
            value(self, Name { place, has_escapes })?;
            if self.is_last(b'}')? {
                return Some(());
            }
        }
    }

    /// Moves behind an array. `value` moves behind each element.
    #[inline]
    fn elements(&mut self, mut value: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.expect(b'[')?;
        self.space();
        if self.peek()? == b']' {
            self.at += 1;
            return Some(());
        }
        loop {
            value(self)?;
            if self.is_last(b']')? {
                return Some(());
            }
        }
    }

    /// Moves behind the comma after a value and returns false, or behind `end` and returns true.
    #[inline]
    fn is_last(&mut self, end: u8) -> Option<bool> {
        self.space();
        let next = self.peek()?;
        self.at += 1;
        if next == b',' {
            self.space();
            return Some(false);
        }
        (next == end).then_some(true)
    }

    /// Moves behind a value.
    fn value(&mut self, depth: u32) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match self.peek()? {
            b'"' => {
                self.at += 1;
                self.string().map(drop)
            }
            b'{' => self.members(|scanner, _| scanner.value(depth + 1)),
            b'[' => self.elements(|scanner| scanner.value(depth + 1)),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.text.get(self.at..)?.starts_with(word).then_some(())?;
        self.at += word.len();
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        if self.peek()? == b'-' {
            self.at += 1;
        }
        match self.peek()? {
            b'0' => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    /// Moves from behind the first quote of a string behind its last one. Returns whether it has escapes.
    #[inline]
    fn string(&mut self) -> Option<bool> {
        let mut has_escapes = false;
        loop {
            self.plain();
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'"' => return Some(has_escapes),
                b'\\' => self.escape()?,
                _ => return None,
            }
            has_escapes = true;
        }
    }

    /// Moves to the next byte of a string that is a quote, a backslash or a control character, eight bytes at a time.
    #[inline]
    fn plain(&mut self) {
        let mut at = self.at;
        while let Some(word) = self.text.get(at..).and_then(<[u8]>::first_chunk) {
            let special = special(u64::from_le_bytes(*word));
            if special != 0 {
                self.at = at + special.trailing_zeros() as usize / 8;
                return;
            }
            at += word.len();
        }
        self.at = at;
        while self
            .peek()
            .is_some_and(|byte| byte >= b' ' && byte != b'"' && byte != b'\\')
        {
            self.at += 1;
        }
    }

    #[cold]
    fn escape(&mut self) -> Option<()> {
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            b'u' => {
                let digits = self.text.get(self.at..)?.first_chunk::<4>()?;
                self.at += digits.len();
                digits.iter().all(u8::is_ascii_hexdigit).then_some(())
            }
            _ => None,
        }
    }

    #[inline]
    fn space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    #[inline]
    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then_some(())?;
        self.at += 1;
        Some(())
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }
}

/// A range counted from `base`.
fn within(base: usize, start: usize, end: usize) -> Option<Range<u32>> {
    Some(u32::try_from(start - base).ok()?..u32::try_from(end - base).ok()?)
}

fn member(row: usize, name: &Range<usize>, value: usize) -> Option<Member> {
    Some(Member {
        name: u32::try_from(name.start - row).ok()?,
        length: u16::try_from(name.len()).ok()?,
        value: u16::try_from(value - name.start).ok()?,
    })
}

/// The highest bit of each byte that is a quote, a backslash or a control character. Bits of higher bytes than the
/// first such byte may be wrong.
#[inline]
fn special(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHEST: u64 = ONES << 7;
    let less = |bytes: u64, limit: u64| bytes.wrapping_sub(ONES * limit) & !bytes;
    let quotes = less(word ^ (ONES * u64::from(b'"')), 1);
    let backslashes = less(word ^ (ONES * u64::from(b'\\')), 1);
    (quotes | backslashes | less(word, u64::from(b' '))) & HIGHEST
}
