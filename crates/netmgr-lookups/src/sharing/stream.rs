//! Pages of a list or search, read row by row for many lookups.
//!
//! Only the page at hand is kept; each lookup decodes the rows that concern it.

use netmgr_transport::{Error as RequestError, Get, ReadSummary, Row};
use tokio::task::yield_now;

use super::Shared;
use super::matcher::Matcher;
use super::waiter::{Waiter, Want};
use crate::batch::Source;

/// Rows of so many bytes are read before other tasks have a turn: a plugin has one thread for all.
const STEP: usize = 256 << 10;

/// The lookups of a request that have no answer yet.
pub(super) struct Slots {
    waiters: Vec<Option<Waiter>>,
    matcher: Matcher,
    /// The positions of those that the row at hand may concern.
    concerned: Vec<usize>,
    /// Where the rows come from.
    source: Source,
    /// Whether they are all rows of a collection, so that not all belong to the lookups with filters.
    is_whole_list: bool,
}

impl Slots {
    pub(super) fn new(waiters: Vec<Waiter>, source: Source) -> Self {
        Self {
            source,
            is_whole_list: false,
            matcher: Matcher::new(&waiters),
            concerned: Vec::new(),
            waiters: waiters.into_iter().map(Some).collect(),
        }
    }

    /// The lookups that the whole list of a collection answers.
    pub(super) fn of_whole_list(waiters: Vec<Waiter>) -> Self {
        Self {
            is_whole_list: true,
            ..Self::new(waiters, Source::List)
        }
    }

    /// Those that still wait for their answer.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Waiter> {
        self.waiters.iter().flatten().filter(|waiter| waiter.is_waiting())
    }

    /// Those without an answer, with the rows taken so far.
    pub(super) fn into_waiters(self) -> Vec<Waiter> {
        self.waiters.into_iter().flatten().collect()
    }

    /// Those without an answer, for another request: it sends the rows taken so far again.
    pub(super) fn for_another_request(self) -> Vec<Waiter> {
        let mut waiters = self.into_waiters();
        waiters.iter_mut().for_each(|waiter| waiter.sink.forget());
        waiters
    }

    /// Hands `row` to the lookups that it may concern. One that waits for a single object is
    /// answered by it.
    fn offer(&mut self, row: &Row, extent: &ReadSummary) {
        let head = row.head();
        self.matcher.concerned(head.as_ref(), &mut self.concerned);
        for position in &self.concerned {
            let slot = &mut self.waiters[*position];
            let Some(waiter) = slot else { continue };
            if self.is_whole_list && !waiter.want.is_shown(row) {
                continue;
            }
            if waiter.sink.take(row, head.as_ref())
                && matches!(waiter.want, Want::Object(_))
                && let Some(found) = slot.take()
            {
                found.sink.rows(extent, self.source);
            }
        }
    }

    /// Answers with the rows taken, after the last page.
    pub(super) fn end(self, extent: &ReadSummary) {
        let source = self.source;
        for waiter in self.into_waiters() {
            waiter.sink.rows(extent, source);
        }
    }
}

/// Reads the pages of `get` and hands out their rows, as long as there are pages and `goes_on` says so after
/// one that is not the last. Returns how far that was; `ending` is set at the end.
pub(super) async fn stream(
    shared: &Shared,
    get: Get,
    slots: &mut Slots,
    mut goes_on: impl FnMut(&ReadSummary, &Slots) -> bool,
) -> Result<ReadSummary, RequestError> {
    let mut pager = shared.client.pages(get);
    while let Some(page) = pager.next().await? {
        shared.counters.page();
        let extent = pager.extent();
        tracing::debug!(pages = extent.pages, rows = extent.rows, "read a page");
        let mut bytes = 0;
        for row in &page {
            slots.offer(row, &extent);
            bytes += row.text().len();
            if bytes > STEP {
                bytes = 0;
                yield_now().await;
            }
        }
        if extent.ending.is_none() && !goes_on(&extent, slots) {
            break;
        }
    }
    Ok(pager.extent())
}
