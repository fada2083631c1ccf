//! The rules of paging: which rows are new, and which page is the last.
//!
//! The count that a manager announces may be absent, wrong or change, and the last page may have a cursor.
//! The count therefore only ends a read together with a matching cursor.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher, RandomState};

use netmgr_types::wire;

use crate::page::Page;
use crate::row::Row;

/// Number of consecutive pages without a new object after which the read ends.
const BARREN_PAGES: u32 = 3;
/// Maximum number of pages: 100,000 objects in the smallest pages.
const MOST_PAGES: u32 = 4_000;
/// Maximum number of rows of all pages, including duplicates, which one page may have as well.
pub(crate) const MOST_ROWS: usize = wire::Page::MOST_ROWS;

/// Extent of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadSummary {
    /// Number of pages.
    pub pages: u32,
    /// Number of distinct objects.
    pub rows: u64,
    /// Number of objects that the first page with a count announced.
    pub announced: Option<u64>,
    /// Reason for the end of the read; `None` before the end.
    pub ending: Option<Ending>,
}

/// Reason for the end of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The page had no cursor.
    NoCursor,
    /// The cursor is the offset after the last announced row, all rows were read, and the page was not full.
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
    /// Whether objects may be missing: the read has not ended, there were fewer objects than announced, or
    /// the cursors did not lead to the last page.
    #[must_use]
    pub fn maybe_incomplete(&self) -> bool {
        matches!(
            self.ending,
            None | Some(Ending::CursorRepeated | Ending::NothingNew)
        ) || self.announced.is_some_and(|announced| self.rows < announced)
    }
}

/// Next step after a page.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// Request the page at this cursor.
    Continue(String),
    /// There is no other page.
    Stop,
}

/// State of a read, before the first page of a list by default.
#[derive(Debug, Default)]
pub struct Progress {
    pages: u32,
    /// Number of rows, including duplicates.
    received: u64,
    announced: Option<u64>,
    objects: Seen,
    cursors: Seen,
    /// The cursor of the next page.
    at: Option<String>,
    /// Number of rows of the longest page so far.
    longest: usize,
    barren: u32,
    ending: Option<Ending>,
}

impl Progress {
    /// Creates the state before the first page, which is requested at `cursor`.
    #[must_use]
    pub fn starting_at(cursor: Option<&str>) -> Self {
        let mut progress = Self {
            at: cursor.map(str::to_owned),
            ..Self::default()
        };
        if let Some(cursor) = cursor {
            progress.cursors.insert(cursor);
        }
        progress
    }

    /// Processes a page for which `asked` rows were requested. Returns its new rows and the next step.
    pub fn take(&mut self, page: Page, asked: Option<u32>) -> (Vec<Row>, Step) {
        let length = page.rows.len();
        // A manager may return fewer rows per page than requested. Earlier pages then determine the length of
        // a full page.
        let is_full = asked.is_some_and(|asked| length >= asked as usize)
            || (self.longest > 0 && length >= self.longest);
        self.longest = self.longest.max(length);
        self.pages += 1;
        self.received += length as u64;
        self.announced = self.announced.or(page.result_count);
        let mut rows = page.rows;
        rows.retain(|row| self.objects.insert(&row.identity()));
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

    /// Whether the last page was processed.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Whether the list has had 4000 pages or 250,000 rows, the most that are read.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.pages >= MOST_PAGES || self.received >= MOST_ROWS as u64
    }

    /// The extent so far.
    #[must_use]
    pub fn extent(&self) -> ReadSummary {
        ReadSummary {
            pages: self.pages,
            rows: self.objects.len() as u64,
            announced: self.announced,
            ending: self.ending,
        }
    }
}

/// Values seen before, each stored as two keyed hashes of 16 bytes in total.
#[derive(Debug, Default)]
struct Seen {
    hashes: HashSet<(u64, u64), BuildHasherDefault<Hashed>>,
    keys: (RandomState, RandomState),
}

impl Seen {
    /// Adds a value. Returns whether it is new.
    fn insert<T: Hash + ?Sized>(&mut self, value: &T) -> bool {
        let (first, second) = &self.keys;
        self.hashes
            .insert((first.hash_one(value), second.hash_one(value)))
    }

    fn len(&self) -> usize {
        self.hashes.len()
    }
}

/// The hash of values that are hashes already, of which it takes the first.
#[derive(Debug, Default)]
struct Hashed(Option<u64>);

impl Hasher for Hashed {
    fn write(&mut self, _: &[u8]) {
        unreachable!("only numbers are hashed");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0.get_or_insert(hash);
    }

    fn finish(&self) -> u64 {
        self.0.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
