//! Sends one request and answers the lookups that it is for.
//!
//! A wide request only counts for a lookup if its rows decide it. Otherwise it leaves the lookup, with the reason.

use std::sync::Arc;

use netmgr_transport::{Client, Error as RequestError, ErrorKind as RequestErrorKind, Get, ReadSummary, Row};
use tokio::task::yield_now;
use tracing::dispatcher::with_default;
use tracing::subscriber::NoSubscriber;
use tracing::{Dispatch, Span, debug_span};

use super::Batch;
use crate::contract::call::Progress;
use crate::fetch::choose::{SharedRequest, distinct};
use crate::fetch::matcher::Matcher;
use crate::fetch::need::Need;
use crate::fetch::waiting::{Answer, Role, Waiting};
use crate::finding::rows::{OfferedRow, RowSource};

/// Bytes of rows that are read before other tasks run: a plugin has one thread for all tasks.
const STEP: usize = 256 << 10;

/// The lookups that a request did not answer, and why.
pub(super) enum Left {
    /// It would send more requests than it saves.
    TooLong(Vec<Waiting>),
    /// Its rows do not decide them, or some of the rows did not arrive.
    Undecided(Vec<Waiting>),
    /// It failed. Without lookups, the failure was that of all of them.
    Failed(Vec<Waiting>, RequestError),
}

/// Sends `request` and answers its lookups.
pub(super) async fn send(batch: &Arc<Batch>, request: SharedRequest) -> Left {
    let SharedRequest { get, source, waiting } = request;
    batch.batcher.counters.shared(waiting.len());
    let get = terms(get, &waiting);
    match source {
        None => reply(&batch.batcher.client, &get, waiting).await,
        Some(source) => Recipients::new(waiting, source).read(batch, get).await,
    }
}

/// The request for all of `waiting`, with the latest of their deadlines. It is wide if it is none of their own requests;
/// otherwise, they observe the delays that the manager requests.
fn terms(get: Get, waiting: &[(Waiting, Role)]) -> Get {
    let deadline = waiting.iter().map(|(one, _)| one.deadline).max();
    let since = waiting.iter().map(|(one, _)| one.since).min();
    let get = match deadline.zip(since) {
        Some((deadline, since)) => get.deadline(deadline).since(since),
        None => get,
    };
    let own = waiting.iter().filter(|(_, role)| *role == Role::Own);
    let observers: Vec<_> = own
        .clone()
        .filter_map(|(one, _)| Some((Arc::clone(one.observer.as_ref()?), one.since)))
        .collect();
    let get = get.on_pause(move |pause, attempts| {
        for (observer, since) in &observers {
            let state = format!("it requests a delay of {} s", pause.as_secs());
            let progress = Progress::new("the manager", state).polls(attempts);
            observer.progress(&progress.elapsed(since.elapsed()).next(pause));
        }
    });
    match own.count() {
        0 => get.wide(),
        _ => get,
    }
}

/// The subscriber to which a request logs, and its span: none if one of its lookups has secret arguments. The span is
/// below the first of its lookups, and linked from the others.
pub(super) fn logged(round: u64, waiting: &[(Waiting, Role)]) -> (Dispatch, Span) {
    let first = waiting.first().map(|(one, _)| one);
    let is_silent = waiting.iter().any(|(one, _)| one.log.is::<NoSubscriber>());
    let log = match first {
        Some(first) if !is_silent => first.log.clone(),
        _ => Dispatch::none(),
    };
    let span = with_default(&log, || {
        let parent = first.and_then(|first| first.span.id());
        debug_span!(parent: parent, "round", round, lookups = waiting.len())
    });
    for (one, _) in waiting {
        one.log_round(round, waiting.len());
    }
    for (one, _) in waiting.iter().skip(1) {
        one.span.follows_from(&span);
    }
    (log, span)
}

/// Sends a request that is not paged.
async fn reply(client: &Client, get: &Get, waiting: Vec<(Waiting, Role)>) -> Left {
    match client.get(get).await {
        Ok(reply) => {
            for (mut one, _) in waiting {
                one.answer(Ok(Answer::Reply(reply.clone())));
            }
            Left::Undecided(Vec::new())
        }
        Err(error) => fail(waiting, error),
    }
}

/// Reports a failure to the lookups whose own request it was, or to all if every request would fail like it.
fn fail(waiting: Vec<(Waiting, Role)>, error: RequestError) -> Left {
    let mut left = Vec::new();
    for (mut one, role) in waiting {
        match role == Role::Own || is_everybodys(&error) {
            true => one.answer(Err(error.clone())),
            false => left.push(one),
        }
    }
    Left::Failed(left, error)
}

/// Whether every request of the client fails in the same way: the login was rejected, or the connection is refused.
fn is_everybodys(error: &RequestError) -> bool {
    match error.kind() {
        // A read that is rejected although the login was accepted concerns its path.
        RequestErrorKind::Unauthenticated => {
            let rejected = error.failure().request_line.as_ref();
            rejected.is_some_and(|rejected| rejected.method != "GET")
        }
        RequestErrorKind::Connect | RequestErrorKind::Tls => error.failure().unsent,
        _ => false,
    }
}

/// The lookups that a list or search is for.
struct Recipients {
    waiting: Vec<(Waiting, Role)>,
    source: RowSource,
    matcher: Matcher,
    /// The positions of the lookups that the current row may concern.
    concerned: Vec<usize>,
}

impl Recipients {
    fn new(waiting: Vec<(Waiting, Role)>, source: RowSource) -> Self {
        Self {
            matcher: Matcher::new(waiting.iter().map(|(one, _)| &one.need)),
            concerned: Vec::new(),
            waiting,
            source,
        }
    }

    /// Requests the pages and offers their rows. Only the page at hand is in memory.
    async fn read(mut self, batch: &Arc<Batch>, get: Get) -> Left {
        let batcher = &batch.batcher;
        let path = get.path_and_query();
        let mut pager = batcher.client.pages(get);
        loop {
            let page = match pager.next().await {
                Ok(Some(page)) => page,
                Ok(None) => break,
                Err(error) => return fail(self.waiting, error),
            };
            batcher.counters.page();
            let extent = pager.extent();
            tracing::debug!(pages = extent.pages, rows = extent.rows, "read a page");
            let mut bytes = 0;
            for row in &page {
                self.offer(row, &extent);
                bytes += row.text().len();
                if bytes > STEP {
                    bytes = 0;
                    yield_now().await;
                }
            }
            if self.source == RowSource::List {
                batcher.remember_size(&path, u64::from(extent.pages).saturating_add(pages_left(&extent)));
            }
            if extent.ending.is_none() && !self.is_worth_the_rest(&extent) {
                let is_left = |(one, role): &mut (Waiting, Role)| *role == Role::Wide || !one.is_waiting();
                let left = self.waiting.extract_if(.., is_left).map(|(one, _)| one).collect();
                if self.waiting.is_empty() {
                    return Left::TooLong(left);
                }
                // The list goes on for those that would read it alone.
                batch.take(Left::TooLong(left));
                self.matcher = Matcher::new(self.waiting.iter().map(|(one, _)| &one.need));
            }
        }
        self.end(&pager.extent())
    }

    /// Offers `row` to the lookups that it may concern.
    fn offer(&mut self, row: &Row, extent: &ReadSummary) {
        self.matcher.concerned(row.head().as_ref(), &mut self.concerned);
        let row = OfferedRow::new(row);
        for position in &self.concerned {
            let (one, role) = &mut self.waiting[*position];
            // One that needs a single object is answered by it.
            if one.offer(&row, self.source, *role) && matches!(one.need, Need::Object(..)) {
                one.answer(Ok(Answer::Rows(*extent, self.source)));
            }
        }
    }

    /// Whether the pages that are left take no more requests than the own requests of the lookups that would send them.
    fn is_worth_the_rest(&self, extent: &ReadSummary) -> bool {
        let wide = self
            .waiting
            .iter()
            .filter(|(one, role)| *role == Role::Wide && one.is_waiting());
        pages_left(extent) <= distinct(wide.map(|(one, _)| one)) as u64
    }

    /// Answers those that still wait after the last page.
    fn end(self, extent: &ReadSummary) -> Left {
        let is_complete = extent.ending.is_some() && !extent.maybe_incomplete();
        let mut left = Vec::new();
        for (mut one, role) in self.waiting {
            match role == Role::Own || is_complete && one.is_decided() {
                true => one.answer(Ok(Answer::Rows(*extent, self.source))),
                false => left.push(one),
            }
        }
        Left::Undecided(left)
    }
}

/// The number of pages that are left of a list or search, from the announced rows and the size of its pages, which a
/// manager or proxy may reduce. Without announced rows, as many as were read.
fn pages_left(extent: &ReadSummary) -> u64 {
    if extent.ending.is_some() {
        return 0;
    }
    let pages = u64::from(extent.pages);
    let rows_left = extent
        .announced
        .and_then(|announced| announced.checked_sub(extent.rows));
    match rows_left {
        Some(rows_left @ 1..) if extent.rows > 0 => {
            let left = (u128::from(rows_left) * u128::from(pages)).div_ceil(u128::from(extent.rows));
            u64::try_from(left).unwrap_or(u64::MAX)
        }
        _ => pages,
    }
}
