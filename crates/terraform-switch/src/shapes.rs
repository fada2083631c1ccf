//! What is added to a text, in shapes that a formatter does not change and that are recognized again.
//!
//! An attribute is the first line of a block, with an empty line after it. In a block of one line, which can have only
//! one attribute, it is the last line, so that a block of several lines is not mistaken for one of one line.

use std::ops::Range;

/// A replaced part of a text.
pub(crate) type Edit = (Range<usize>, String);

/// The text with all edits, which do not overlap.
pub(crate) fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(place, _)| (place.start, place.end));
    let mut edited = String::new();
    let mut done = 0;
    for (place, by) in edits {
        edited.push_str(&text[done..place.start]);
        edited.push_str(&by);
        done = place.end;
    }
    edited + &text[done..]
}

/// The line of an offset after all edits.
pub(crate) fn line(text: &str, edits: &[Edit], offset: usize) -> usize {
    let lines = |part: &str| part.matches('\n').count();
    let before = edits.iter().filter(|(place, _)| place.end <= offset);
    let (added, removed) = before.fold((1, 0), |(added, removed), (place, by)| {
        (added + lines(by), removed + lines(&text[place.clone()]))
    });
    lines(&text[..offset]) + added - removed
}

/// The first line end of a text.
pub(crate) fn line_end(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((line, _)) if line.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The blanks before `start`, if nothing else precedes it in its line.
pub(crate) fn indent(text: &str, start: usize) -> &str {
    let line = &text[text[..start].rfind('\n').map_or(0, |end| end + 1)..start];
    if is_blank(line) { line } else { "" }
}

/// Whether a text consists of blanks.
pub(crate) fn is_blank(text: &str) -> bool {
    text.trim_start_matches([' ', '\t']).is_empty()
}

/// The end of the line from `start`, if nothing but comments is in it. The line ends after comments of several lines.
pub(crate) fn end_of_line(text: &str, start: usize) -> Option<usize> {
    let rest = text[start..].trim_start_matches([' ', '\t']);
    if let Some(comment) = rest.strip_prefix("/*") {
        let end = comment.find("*/")? + 2;
        return end_of_line(text, text.len() - comment.len() + end);
    }
    let line = rest.split('\n').next().unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    let is_comment = line.is_empty() || line.starts_with('#') || line.starts_with("//");
    is_comment.then_some(text.len() - rest.len() + line.len())
}

/// The length of `expected` at the beginning of a text, in which a formatter may have changed blanks.
pub(crate) fn matched(text: &str, expected: &str) -> Option<usize> {
    let is_blank = |(_, one): &(usize, char)| [' ', '\t'].contains(one);
    let mut found = text.char_indices().filter(|one| !is_blank(one));
    let mut end = 0;
    for (_, wanted) in expected.char_indices().filter(|one| !is_blank(one)) {
        let (at, one) = found.next()?;
        if one != wanted {
            return None;
        }
        end = at + one.len_utf8();
    }
    Some(end)
}

/// The end of the first line inside of braces, if nothing but a comment is in it and other lines follow.
pub(crate) fn first_line(text: &str, inner: &Range<usize>) -> Option<usize> {
    let end = end_of_line(&text[..inner.end], inner.start)?;
    (end < inner.end).then_some(end)
}

/// An attribute in the body of a block.
pub(crate) struct Entry<'a> {
    pub(crate) text: &'a str,
    /// The place of the body, without its braces.
    pub(crate) body: Range<usize>,
    /// The indentation of the block.
    pub(crate) indent: &'a str,
    /// The attribute.
    pub(crate) entry: String,
}

impl Entry<'_> {
    fn inner(&self) -> &str {
        &self.text[self.body.clone()]
    }

    /// The end of a block of one line to which the attribute is added.
    fn tail(&self, is_empty: bool) -> String {
        let end = line_end(self.text);
        let gap = if is_empty { "" } else { end };
        let Self { indent, entry, .. } = self;
        format!("{gap}{end}{indent}  {entry}{end}{indent}")
    }

    /// The beginning of a block of one line. A blank after the brace becomes part of the indentation.
    fn head(&self) -> String {
        format!("{}{} ", line_end(self.text), self.indent)
    }

    /// Adds the attribute.
    pub(crate) fn add(&self) -> Vec<Edit> {
        let inner = self.inner();
        if let Some(at) = first_line(self.text, &self.body) {
            let end = line_end(&self.text[at..]);
            let line = format!("{end}{}  {}{end}", self.indent, self.entry);
            return vec![(at..at, line)];
        }
        let item = inner.trim_end_matches([' ', '\t']);
        if item.is_empty() {
            return vec![(self.body.end..self.body.end, self.tail(true))];
        }
        let after = format!("{}{}", without_last_blank(&inner[item.len()..]), self.tail(false));
        vec![
            (self.body.start..self.body.start, self.head()),
            (self.body.start + item.len()..self.body.end, after),
        ]
    }

    /// Removes the attribute if it is in one of the shapes of [`Self::add`]. `other` is the place of the only other
    /// attribute, which precedes it; `None` if there are others.
    pub(crate) fn remove(&self, is_alone: bool, other: Option<Range<usize>>) -> Option<Vec<Edit>> {
        let Range { start, end } = self.body;
        if let Some(at) = first_line(self.text, &self.body) {
            let line_end = line_end(&self.text[at..]);
            let line = format!("{line_end}{}{line_end}", self.entry);
            let length = matched(&self.text[at..end], &line);
            if let Some(length) = length.filter(|length| self.text[at + length..end].starts_with(line_end)) {
                return Some(vec![(at..at + length, String::new())]);
            }
        }
        let rest = self.inner().strip_suffix(&self.tail(is_alone))?;
        if is_alone {
            return is_blank(rest).then(|| vec![(start + rest.len()..end, String::new())]);
        }
        let other = other?;
        let item = start
            + self
                .inner()
                .strip_prefix(&self.head())
                .map(|_| self.head().len())?;
        let last = start + rest.len();
        let is_one_line = |place: Range<usize>| self.text.get(place).is_some_and(|part| !part.contains('\n'));
        if !is_one_line(item..other.start) || !is_one_line(other.end..last) {
            return None;
        }
        let blanks = rest.len() - rest.trim_end_matches([' ', '\t']).len();
        let after = without_last_blank(&rest[rest.len() - blanks..]).to_owned();
        Some(vec![(start..item, String::new()), (last - blanks..end, after)])
    }
}

/// Blanks at the end of a line: one, as formatters write it before a brace, is exchanged with none.
fn without_last_blank(blanks: &str) -> &str {
    match blanks {
        " " => "",
        "" => " ",
        other => other,
    }
}
