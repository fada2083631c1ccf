//! What is added to a text, in shapes that a formatter does not change and that are recognized again.
//!
//! An attribute is the first line of a block, with an empty line after it. In a block of one line, which can have only
//! one attribute, it is the last line, so that a block of several lines is not mistaken for one of one line.

use std::ops::Range;

use crate::parsed::parse;

/// Characters that formatters change.
const BLANKS: [char; 2] = [' ', '\t'];

/// A replaced part of a text.
pub(crate) type Edit = (Range<usize>, String);

/// The text with all edits of it. They are in order and do not overlap.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> String {
    let mut edited = String::new();
    let mut done = 0;
    for (place, by) in edits.iter().filter(|(place, _)| place.end <= text.len()) {
        edited += &text[done..place.start];
        edited += by;
        done = place.end;
    }
    edited + &text[done..]
}

/// The line of an offset of a text, from 1 on, after all edits.
pub(crate) fn line_after(text: &str, edits: &[Edit], offset: usize) -> usize {
    1 + apply(&text[..offset], edits).matches('\n').count()
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
    if line.trim_matches(BLANKS).is_empty() {
        line
    } else {
        ""
    }
}

/// The end of the line from `start`, if nothing but comments is in it. The line ends after comments of several lines.
pub(crate) fn end_of_line(text: &str, start: usize) -> Option<usize> {
    let rest = text[start..].trim_start_matches(BLANKS);
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
    let mut found = text.char_indices().filter(|(_, one)| !BLANKS.contains(one));
    expected
        .chars()
        .filter(|one| !BLANKS.contains(one))
        .try_fold(0, |_, wanted| {
            let (at, one) = found.next()?;
            (one == wanted).then_some(at + one.len_utf8())
        })
}

/// The end of the first line inside of braces, if nothing but a comment is in it and other lines follow.
pub(crate) fn first_line(text: &str, inner: &Range<usize>) -> Option<usize> {
    let end = end_of_line(&text[..inner.end], inner.start)?;
    (end < inner.end).then_some(end)
}

/// An attribute in the body of a block.
pub(crate) struct AttributePlace<'a> {
    pub(crate) text: &'a str,
    /// The place of the body, without its braces.
    pub(crate) body: Range<usize>,
    /// The indentation of the block.
    pub(crate) indent: &'a str,
    /// The attribute.
    pub(crate) entry: String,
}

impl AttributePlace<'_> {
    /// What surrounds the other attribute in a block that was one line. A blank after the brace becomes part of the
    /// indentation.
    fn around(&self) -> (String, String) {
        let (end, indent) = (line_end(self.text), self.indent);
        (
            format!("{end}{indent} "),
            format!("{end}{end}{indent}  {}{end}{indent}", self.entry),
        )
    }

    /// Adds the attribute.
    pub(crate) fn add(&self) -> Edit {
        let Range { start, end } = self.body;
        if let Some(at) = first_line(self.text, &self.body) {
            let line_end = line_end(&self.text[at..]);
            return (
                at..at,
                format!("{line_end}{}  {}{line_end}", self.indent, self.entry),
            );
        }
        let (head, tail) = self.around();
        match self.text[start..end].trim_end_matches(BLANKS) {
            "" => (end..end, tail[line_end(self.text).len()..].to_owned()),
            item => (
                start..end,
                head + &with_other_end(&self.text[start..end], item) + &tail,
            ),
        }
    }

    /// Removes the attribute if it is in one of the shapes of [`Self::add`].
    pub(crate) fn remove(&self) -> Option<Edit> {
        let body = &self.text[self.body.clone()];
        if let Some(at) = first_line(self.text, &self.body) {
            let end = line_end(&self.text[at..]);
            let length = matched(&self.text[at..], &format!("{end}{}{end}", self.entry));
            if let Some(length) = length.filter(|length| self.text[at + length..].starts_with(end)) {
                return Some((at..at + length, String::new()));
            }
        }
        let (head, tail) = self.around();
        let item = body.strip_prefix(&head).and_then(|rest| rest.strip_suffix(&tail));
        let before = match item {
            Some(item) => with_other_end(item, item.trim_end_matches(BLANKS)),
            None => body.strip_suffix(&tail[line_end(self.text).len()..])?.to_owned(),
        };
        let is_one_line = first_line(&before, &(0..before.len())).is_none();
        let is_valid = is_one_line && parse(&format!("a {{{before}}}")).is_ok();
        is_valid.then(|| (self.body.clone(), before))
    }
}

/// An item with the blanks after it. One blank, as formatters write it before a brace, is exchanged with none.
fn with_other_end(text: &str, item: &str) -> String {
    let blanks = match &text[item.len()..] {
        " " => "",
        "" => " ",
        other => other,
    };
    format!("{item}{blanks}")
}
