//! The rules of paging: which rows are new, and which page is the last.
//!
//! The count that a manager announces may be absent, wrong or change. It never ends a read by itself: lists end without a
//! cursor; the last page of a search may have one, which is the offset of its end. Pages may have fewer rows than
//! requested.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash, RandomState};

use super::page::RowPage;
use super::row::Row;

/// Number of consecutive pages without a new object after which the read ends.
const BARREN_PAGES: u32 = 3;
/// Maximum number of pages: 100,000 objects in the smallest pages.
const MOST_PAGES: u32 = 4_000;
/// Maximum number of rows of all pages, including duplicates, which one page may have as well.
const MOST_ROWS: u64 = RowPage::MOST_ROWS as u64;

/// Extent of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadSummary {
    /// Number of pages.
    pub pages: u32,
    /// Number of distinct objects of the last reading.
    pub rows: u64,
    /// Number of objects that the first page with a count announced.
    pub announced: Option<u64>,
    /// Whether that number changed while the list was read, and again when it was read a second time.
    pub has_changed: bool,
    /// Reason for the end of the read; `None` before the end.
    pub ending: Option<Ending>,
}

/// Reason for the end of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The page had no cursor.
    NoCursor,
    /// The cursor of a search is the offset after the last announced row, all rows were read, and the page was not full.
    LastOffset,
    /// The cursor is the end mark of lists, and all announced rows were read.
    EndMark,
    /// The page had no new rows, and its cursor is its own.
    NothingBehind,
    /// The cursor is a duplicate.
    CursorRepeated,
    /// Three consecutive pages had no new rows.
    NothingNew,
}

impl ReadSummary {
    /// Whether objects may be missing: the read has not ended, there were fewer objects than announced, the list changed
    /// while it was read, or the cursors did not lead to the last page.
    #[must_use]
    pub fn maybe_incomplete(&self) -> bool {
        self.has_changed
            || matches!(
                self.ending,
                None | Some(Ending::CursorRepeated | Ending::NothingNew)
            )
            || self.announced.is_some_and(|announced| self.rows < announced)
    }

    /// Reason why objects may be missing, if any.
    #[must_use]
    pub fn shortfall(&self) -> Option<String> {
        self.maybe_incomplete().then(|| match self.announced {
            _ if self.has_changed => "the number of objects changed each time the list was read".to_owned(),
            Some(announced) if self.rows < announced => {
                format!("the manager announced {announced} objects but sent {}", self.rows)
            }
            _ => format!(
                "the manager's pages ended without a last page after {} objects",
                self.rows
            ),
        })
    }
}

/// Next step after a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NextPage {
    /// Request the page at this cursor.
    Continue(String),
    /// The list changed: request its first page again.
    StartAgain,
    /// There is no other page.
    Stop,
}

/// The collection or search that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadSource {
    /// A list, whose last page has no cursor.
    List,
    /// A list in a requested order. Without cursors and counts, its last page is empty.
    SortedList,
    /// A search, whose last page may have its end as the cursor.
    Search,
}

/// Progress of a read.
#[derive(Debug)]
pub(super) struct ReadProgress {
    source: ReadSource,
    /// The cursor of the first page.
    start: Option<String>,
    reading: Reading,
    /// The objects of the first reading, and the number of its pages, if there is a second one.
    earlier: Option<(SeenValues, u32)>,
    has_changed: bool,
    ending: Option<Ending>,
}

/// Progress of one reading, from its first page.
#[derive(Debug, Default)]
struct Reading {
    pages: u32,
    /// Number of rows, including duplicates.
    received: u64,
    announced: Option<u64>,
    objects: SeenValues,
    cursors: SeenValues,
    /// The cursor of the next page.
    at: Option<String>,
    /// Whether that cursor is a guess.
    is_guess: bool,
    /// Number of rows of the longest page so far.
    longest: usize,
    barren: u32,
}

impl ReadProgress {
    /// Creates the state before the first page, which is requested at the cursor `start`.
    pub(super) fn new(source: ReadSource, start: Option<&str>) -> Self {
        let start = start.map(str::to_owned);
        Self {
            reading: Reading::starting_at(start.as_deref()),
            source,
            start,
            earlier: None,
            has_changed: false,
            ending: None,
        }
    }

    /// Processes a page for which `asked` rows were requested. Returns its new rows and the next step.
    pub(super) fn take(&mut self, page: RowPage, asked: Option<u32>) -> (Vec<Row>, NextPage) {
        let reading = &mut self.reading;
        let length = page.rows.len();
        // A manager may return fewer rows per page than requested. Earlier pages then determine the length of
        // a full page.
        let is_as_requested = asked.is_some_and(|asked| asked > 0 && length >= asked as usize);
        let is_full = is_as_requested || (reading.longest > 0 && length >= reading.longest);
        reading.longest = reading.longest.max(length);
        reading.pages += 1;
        reading.received += length as u64;
        let is_other_count = is_other_count(reading, page.result_count);
        reading.announced = reading.announced.or(page.result_count);
        let mut rows = page.rows;
        rows.retain(|row| row.identify(|identity| reading.objects.insert(&identity)));
        reading.barren = if rows.is_empty() { reading.barren + 1 } else { 0 };
        if let Some((earlier, _)) = &self.earlier {
            rows.retain(|row| row.identify(|identity| !earlier.contains(&identity)));
        }
        if is_other_count && self.earlier.is_none() {
            let first = std::mem::replace(reading, Reading::starting_at(self.start.as_deref()));
            self.earlier = Some((first.objects, first.pages));
            return (rows, NextPage::StartAgain);
        }
        self.has_changed |= is_other_count;

        // One kind of list has neither cursors nor counts, but accepts offsets as cursors.
        let may_continue = is_as_requested || self.source == ReadSource::SortedList;
        let is_guess =
            page.cursor.is_none() && may_continue && reading.announced.is_none() && reading.barren == 0;
        let cursor = match is_guess {
            true => Some(reading.received.to_string()),
            false => page.cursor,
        };
        reading.is_guess = is_guess;
        match reading.next(self.source, cursor, is_full) {
            Ok(cursor) => {
                reading.at = Some(cursor.clone());
                (rows, NextPage::Continue(cursor))
            }
            Err(ending) => {
                self.ending = Some(ending);
                (rows, NextPage::Stop)
            }
        }
    }

    /// Ends the read if the cursor of the next page is a guess, which the manager rejected. Returns whether it is.
    pub(super) fn reject_guess(&mut self) -> bool {
        if self.reading.is_guess {
            self.ending = Some(Ending::NoCursor);
        }
        self.reading.is_guess
    }

    /// Whether the last page was processed.
    pub(super) fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Whether a reading has had 4000 pages or 250,000 rows, the most that are read.
    pub(super) fn is_exhausted(&self) -> bool {
        self.reading.pages >= MOST_PAGES || self.reading.received >= MOST_ROWS
    }

    /// The extent so far.
    pub(super) fn extent(&self) -> ReadSummary {
        let earlier = self.earlier.as_ref().map_or(0, |(_, pages)| *pages);
        ReadSummary {
            pages: earlier + self.reading.pages,
            rows: self.reading.objects.0.len() as u64,
            announced: self.reading.announced,
            has_changed: self.has_changed,
            ending: self.ending,
        }
    }
}

impl Reading {
    fn starting_at(cursor: Option<&str>) -> Self {
        let mut reading = Self {
            at: cursor.map(str::to_owned),
            ..Self::default()
        };
        if let Some(cursor) = cursor {
            reading.cursors.insert(cursor);
        }
        reading
    }

    /// The cursor of the next page, or the reason why there is none.
    fn next(&mut self, source: ReadSource, cursor: Option<String>, is_full: bool) -> Result<String, Ending> {
        let cursor = cursor.ok_or(Ending::NoCursor)?;
        let is_end = self.announced == Some(self.received) && cursor.parse() == Ok(self.received);
        if source == ReadSource::Search && is_end && !is_full {
            return Err(Ending::LastOffset);
        }
        if cursor.starts_with("0000") && self.announced.is_some_and(|all| self.received >= all) {
            return Err(Ending::EndMark);
        }
        if self.barren > 0 && self.at.as_ref() == Some(&cursor) {
            return Err(Ending::NothingBehind);
        }
        if !self.cursors.insert(cursor.as_str()) {
            return Err(Ending::CursorRepeated);
        }
        if self.barren >= BARREN_PAGES {
            return Err(Ending::NothingNew);
        }
        Ok(cursor)
    }
}

/// Whether a later page reports another number of objects than the first page. A number below the number of rows so far
/// is not the number of all objects.
fn is_other_count(reading: &Reading, count: Option<u64>) -> bool {
    count.is_some_and(|count| {
        count >= reading.received && reading.announced.is_some_and(|announced| announced != count)
    })
}

/// Values seen before, each stored as two keyed hashes of 16 bytes in total.
#[derive(Debug, Default)]
struct SeenValues(HashSet<(u64, u64)>, (RandomState, RandomState));

impl SeenValues {
    /// Adds a value. Returns whether it is new.
    fn insert<T: Hash + ?Sized>(&mut self, value: &T) -> bool {
        self.0.insert(self.hashes(value))
    }

    fn contains<T: Hash + ?Sized>(&self, value: &T) -> bool {
        self.0.contains(&self.hashes(value))
    }

    fn hashes<T: Hash + ?Sized>(&self, value: &T) -> (u64, u64) {
        let (first, second) = &self.1;
        (first.hash_one(value), second.hash_one(value))
    }
}

#[cfg(test)]
mod tests;
