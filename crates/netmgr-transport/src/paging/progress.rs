//! The rules of paging without the requests: which rows are new, which page is the last.
//!
//! The count that a manager announces may be absent, wrong or change, and a cursor may be there on
//! the last page. So the count ends the read only together with a cursor that agrees.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash, RandomState};

use super::page::{Page, Row};

/// Pages in a row without a new object after which the read is given up.
const BARREN_PAGES: u32 = 3;
/// A read that has not ended after this many pages fails. 100,000 objects in the smallest pages.
const MOST_PAGES: u32 = 4_000;
/// The same for rows, repeated ones included: five times what a search reaches (manager-transport
/// 6.3).
const MOST_ROWS: u64 = 250_000;

/// How far a read came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadSummary {
    /// Pages read.
    pub pages: u32,
    /// Different objects read.
    pub rows: u64,
    /// Objects announced by the first page that announced any number.
    pub announced: Option<u64>,
    /// Why the last page was the last; none before the end.
    pub ending: Option<Ending>,
}

/// Why a page was taken for the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It had no cursor.
    NoCursor,
    /// Its cursor is the offset behind the last announced row, all of which were read, and it was
    /// no full page.
    LastOffset,
    /// Its cursor is the lists' end mark, and all announced rows were read.
    EndMark,
    /// It brought nothing new, and its cursor is the one that led to it.
    NothingBehind,
    /// Its cursor was seen before.
    CursorRepeated,
    /// It was the third in a row that brought nothing new.
    NothingNew,
}

impl ReadSummary {
    /// Whether objects may be missing: the end is not reached, fewer came than were announced, or
    /// the manager's cursors led nowhere.
    #[must_use]
    pub fn maybe_incomplete(&self) -> bool {
        matches!(
            self.ending,
            None | Some(Ending::CursorRepeated | Ending::NothingNew)
        ) || self.announced.is_some_and(|announced| self.rows < announced)
    }
}

/// What to do after a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Ask for the page at this cursor.
    Continue(String),
    /// There is no other page.
    Stop,
}

/// What is known after the pages read so far.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pages: u32,
    /// Rows received, repeated ones included.
    received: u64,
    announced: Option<u64>,
    objects: Seen,
    cursors: Seen,
    /// The cursor that led to the page to come.
    at: Option<String>,
    /// Rows of the longest page so far.
    longest: usize,
    barren: u32,
    ending: Option<Ending>,
}

impl Progress {
    /// Nothing read yet; the first page is asked for at `cursor`.
    pub(super) fn starting_at(cursor: Option<&str>) -> Self {
        let mut progress = Self {
            at: cursor.map(str::to_owned),
            ..Self::default()
        };
        if let Some(cursor) = cursor {
            progress.cursors.insert(cursor);
        }
        progress
    }

    /// Takes a page of which `asked` rows were asked for: its new rows, and what to do next.
    pub(super) fn take(&mut self, page: Page, asked: Option<u32>) -> (Vec<Row>, Step) {
        let length = page.rows.len();
        // A manager may keep its pages shorter than asked; then its earlier ones tell.
        let is_full = asked.is_some_and(|asked| length >= asked as usize)
            || (self.longest > 0 && length >= self.longest);
        self.longest = self.longest.max(length);
        self.pages += 1;
        self.received += length as u64;
        self.announced = self.announced.or(page.result_count);
        let mut rows = page.rows;
        rows.retain(|row| row.is_new(|identity| self.objects.insert(identity)));
        self.barren = if rows.is_empty() { self.barren + 1 } else { 0 };

        let step = match self.next(page.cursor, is_full) {
            Ok(cursor) => {
                self.at = Some(cursor.clone());
                Step::Continue(cursor)
            }
            Err(ending) => {
                self.ending = Some(ending);
                Step::Stop
            }
        };
        (rows, step)
    }

    fn next(&mut self, cursor: Option<String>, is_full: bool) -> Result<String, Ending> {
        let cursor = cursor.ok_or(Ending::NoCursor)?;
        let is_last_offset = self.announced == Some(self.received) && cursor.parse() == Ok(self.received);
        if is_last_offset && !is_full {
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

    pub(super) fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Whether more was read than any list has.
    pub(super) fn is_exhausted(&self) -> bool {
        self.pages >= MOST_PAGES || self.received >= MOST_ROWS
    }

    pub(super) fn extent(&self) -> ReadSummary {
        ReadSummary {
            pages: self.pages,
            rows: self.objects.len() as u64,
            announced: self.announced,
            ending: self.ending,
        }
    }
}

/// Values seen before, each remembered in 16 bytes however long it is: two hashes with keys that
/// nobody else knows.
#[derive(Debug, Default)]
struct Seen {
    hashes: HashSet<(u64, u64)>,
    keys: (RandomState, RandomState),
}

impl Seen {
    /// Adds a value; whether it is new.
    fn insert<T: Hash + ?Sized>(&mut self, value: &T) -> bool {
        let (first, second) = &self.keys;
        self.hashes
            .insert((first.hash_one(value), second.hash_one(value)))
    }

    fn len(&self) -> usize {
        self.hashes.len()
    }
}

#[cfg(test)]
mod tests;
