//! The entries of a map in a few buffers.

/// Names and values in a few buffers. A map can have a hundred thousand of them, for which separate texts would take
/// several times their size.
#[derive(Debug, Clone, Default)]
pub(super) struct Entries {
    /// Buffers that do not grow: a buffer that grows is copied, and leaves gaps behind.
    texts: Vec<String>,
    spans: Vec<Span>,
}

/// Bytes of a buffer, unless an entry is longer.
const BUFFER: usize = 64 << 10;

/// Place of an entry: its name, and behind it its value.
#[derive(Debug, Clone, Copy)]
struct Span {
    text: u32,
    start: u32,
    name: u32,
    value: u32,
}

impl Entries {
    pub(super) fn push(&mut self, name: &str, value: &str) {
        let needed = name.len() + value.len();
        let has_room = |text: &String| text.capacity() - text.len() >= needed;
        if !self.texts.last().is_some_and(has_room) {
            self.texts.push(String::with_capacity(needed.max(BUFFER)));
        }
        let index = self.texts.len() - 1;
        let text = &mut self.texts[index];
        let short = |length: usize| u32::try_from(length).expect("a page is shorter than 4 GiB");
        self.spans.push(Span {
            text: short(index),
            start: short(text.len()),
            name: short(name.len()),
            value: short(value.len()),
        });
        text.push_str(name);
        text.push_str(value);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    pub(super) fn append(&mut self, others: &Self) {
        for (name, value) in others.iter() {
            self.push(name, value);
        }
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> + ExactSizeIterator + Clone {
        self.spans.iter().map(|span| span.of(&self.texts))
    }

    /// Sorts by name and value.
    pub(super) fn sort(&mut self) {
        let texts = &self.texts;
        self.spans
            .sort_unstable_by(|one, other| one.of(texts).cmp(&other.of(texts)));
    }

    /// Keeps the first of several entries with the same name, which are next to each other. Calls `report` with the
    /// name and the values of each such group.
    pub(super) fn keep_first(&mut self, mut report: impl FnMut(&str, &[&str])) {
        let texts = &self.texts;
        let mut is_any = false;
        for same in self
            .spans
            .chunk_by(|one, other| one.of(texts).0 == other.of(texts).0)
        {
            if same.len() > 1 {
                is_any = true;
                let values: Vec<&str> = same.iter().map(|span| span.of(texts).1).collect();
                report(same[0].of(texts).0, &values);
            }
        }
        if is_any {
            self.spans
                .dedup_by(|later, kept| later.of(texts).0 == kept.of(texts).0);
        }
    }
}

impl Span {
    fn of(self, texts: &[String]) -> (&str, &str) {
        let entry = &texts[self.text as usize][self.start as usize..];
        let (name, rest) = entry.split_at(self.name as usize);
        (name, &rest[..self.value as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_many_buffers_are_found_again() {
        let long = "x".repeat(BUFFER + 1);
        let expected: Vec<(String, &str)> = (0..10_000)
            .map(|number| {
                (
                    format!("name {number:05}"),
                    if number == 77 { &*long } else { "value" },
                )
            })
            .collect();
        let mut entries = Entries::default();
        for (name, value) in expected.iter().rev() {
            let mut row = Entries::default();
            row.push(name, value);
            entries.append(&row);
        }
        entries.sort();
        assert!(entries.texts.len() > 3, "{}", entries.texts.len());
        assert!(
            entries
                .iter()
                .eq(expected.iter().map(|(name, value)| (&**name, *value)))
        );
    }

    #[test]
    fn the_smallest_value_of_a_name_is_kept_and_the_others_are_reported() {
        let mut entries = Entries::default();
        for (name, value) in [("b", "2"), ("a", "3"), ("b", "1"), ("a", "0"), ("c", "")] {
            entries.push(name, value);
        }
        let mut reported = Vec::new();
        entries.sort();
        entries.keep_first(|name, values| reported.push(format!("{name}: {}", values.join(" "))));
        assert_eq!(reported, ["a: 0 3", "b: 1 2"]);
        let kept: Vec<_> = entries.iter().collect();
        assert_eq!(kept, [("a", "0"), ("b", "1"), ("c", "")]);
    }
}
