//! Sends one request and answers the lookups that it is for.
//!
//! A wide request only counts for a lookup if its rows decide it. Otherwise the lookup joins the batch again.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Get, ReadSummary, Row};
use tokio::task::yield_now;
use tracing::dispatcher::with_default;
use tracing::instrument::{Instrument as _, WithSubscriber as _};
use tracing::subscriber::NoSubscriber;
use tracing::{Dispatch, Span, debug_span};

use super::Batch;
use crate::contract::call::Progress;
use crate::fetch::choose::{SharedRequest, distinct};
use crate::fetch::matcher::Matcher;
use crate::fetch::need::Need;
use crate::fetch::waiting::{Received, Waiting};
use crate::finding::rows::{OfferedRow, RowSource};

/// Bytes of rows that are read before other tasks run: a plugin has one thread for all tasks.
const STEP: usize = 256 << 10;

impl SharedRequest {
    /// Sends the request and answers its lookups. Those of a wide request that it does not answer join again. Returns the
    /// failure, if it failed.
    pub(super) async fn send(self, batch: &Arc<Batch>) -> Option<RequestError> {
        let Self { get, source, waiting } = self;
        let get = terms(get, &waiting);
        let (log, span) = logged(batch, &waiting);
        batch.batcher.counters.shared(waiting.len());
        let sent = async {
            match source {
                None => reply(batch, &get, waiting).await,
                Some(source) => Recipients::new(waiting, source).read(batch, get).await,
            }
        };
        sent.instrument(span).with_subscriber(log).await
    }
}

/// The request for all of `waiting`, with the latest of their deadlines. It is wide if it is none of their own requests;
/// otherwise, they observe the delays that the manager requests.
fn terms(get: Get, waiting: &[Waiting]) -> Get {
    let deadline = waiting.iter().map(|one| one.deadline).max();
    let since = waiting.iter().map(|one| one.since).min();
    let get = match deadline.zip(since) {
        Some((deadline, since)) => get.deadline(deadline).since(since),
        None => get,
    };
    let own: Vec<&Waiting> = waiting.iter().filter(|one| one.is_own).collect();
    if own.is_empty() {
        return get.wide();
    }
    let observers = own
        .iter()
        .filter_map(|one| Some((one.observer.clone()?, one.since)));
    let observers: Vec<_> = observers.collect();
    get.on_pause(move |pause, attempts| {
        for (observer, since) in &observers {
            let state = format!("it requests a delay of {} s", pause.as_secs());
            let progress = Progress::new("the manager", state).polls(attempts);
            observer.progress(&progress.elapsed(since.elapsed()).next(pause));
        }
    })
}

/// The subscriber to which a request logs, and its span: none if one of its lookups has secret arguments. The span is
/// below the first of its lookups, and linked from the others. Each lookup logs the number of the request.
fn logged(batch: &Batch, waiting: &[Waiting]) -> (Dispatch, Span) {
    let (round, lookups) = (batch.batcher.rounds.fetch_add(1, Relaxed) + 1, waiting.len());
    let is_silent = waiting.iter().any(|one| one.log.is::<NoSubscriber>());
    let first = waiting.first().filter(|_| !is_silent);
    let log = first.map_or_else(Dispatch::none, |first| first.log.clone());
    let span = with_default(
        &log,
        || debug_span!(parent: first.and_then(|first| first.span.id()), "round", round, lookups),
    );
    for (number, one) in waiting.iter().enumerate() {
        with_default(&one.log, || {
            tracing::debug!(lookup = one.lookup, round, lookups, "waits for a shared request");
        });
        if number > 0 {
            one.span.follows_from(&span);
        }
    }
    (log, span)
}

/// Sends a request that is not paged.
async fn reply(batch: &Arc<Batch>, get: &Get, waiting: Vec<Waiting>) -> Option<RequestError> {
    match batch.batcher.client.get(get).await {
        Ok(reply) => {
            for mut one in waiting {
                one.answer(Ok(Received::Reply(reply.clone())));
            }
            None
        }
        Err(error) => fail(batch, waiting, error),
    }
}

/// Reports a failure to the lookups whose own request it was, or to all if every request would fail like it.
fn fail(batch: &Arc<Batch>, waiting: Vec<Waiting>, error: RequestError) -> Option<RequestError> {
    let mut left = Vec::new();
    for mut one in waiting {
        match one.is_own || is_everybodys(&error) {
            true => one.answer(Err(error.clone())),
            false => left.push(one),
        }
    }
    batch.recover(left, &error);
    Some(error)
}

/// Whether every request of the client fails in the same way: the login failed, or the connection is refused.
fn is_everybodys(error: &RequestError) -> bool {
    let failure = error.failure();
    // Reads are GET requests. One that is rejected although the login was accepted concerns its path.
    let failed = failure.request_line.as_ref();
    let is_login = failed.is_some_and(|failed| failed.method != "GET");
    let is_connection = matches!(error.kind(), RequestErrorKind::Connect | RequestErrorKind::Tls);
    is_login || is_connection && failure.unsent
}

/// The lookups that a list or search is for.
struct Recipients {
    waiting: Vec<Waiting>,
    source: RowSource,
    matcher: Matcher,
    /// The positions of the lookups that the current row may concern.
    concerned: Vec<usize>,
}

impl Recipients {
    fn new(waiting: Vec<Waiting>, source: RowSource) -> Self {
        Self {
            matcher: Matcher::new(waiting.iter().map(|one| &one.need)),
            concerned: Vec::new(),
            waiting,
            source,
        }
    }

    /// Requests the pages and offers their rows. Only the page at hand is in memory.
    async fn read(mut self, batch: &Arc<Batch>, get: Get) -> Option<RequestError> {
        let batcher = &batch.batcher;
        let path = get.path_and_query();
        let mut pager = batcher.client.pages(get);
        loop {
            let page = match pager.next().await {
                Ok(Some(page)) => page,
                Ok(None) => break,
                Err(error) => return fail(batch, self.waiting, error),
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
                let is_left = |one: &mut Waiting| !one.is_own || !one.is_waiting();
                batch.join_again(self.waiting.extract_if(.., is_left).collect(), true);
                if self.waiting.is_empty() {
                    return None;
                }
                // The list goes on for those that would read it alone.
                self = Self::new(self.waiting, self.source);
            }
        }
        let extent = pager.extent();
        let is_complete = extent.ending.is_some() && !extent.maybe_incomplete();
        let mut left = Vec::new();
        for mut one in self.waiting {
            match one.is_own || is_complete && one.is_decided() {
                true => one.answer(Ok(Received::Rows(extent, self.source))),
                false => left.push(one),
            }
        }
        batch.join_again(left, false);
        None
    }

    /// Offers `row` to the lookups that it may concern.
    fn offer(&mut self, row: &Row, extent: &ReadSummary) {
        self.matcher.concerned(row.head().as_ref(), &mut self.concerned);
        let row = OfferedRow::new(row);
        for position in &self.concerned {
            let one = &mut self.waiting[*position];
            // One that needs a single object is answered by it.
            if one.offer(&row, self.source) && matches!(one.need, Need::Object(..)) {
                one.answer(Ok(Received::Rows(*extent, self.source)));
            }
        }
    }

    /// Whether the pages that are left take no more requests than the own requests of the lookups that would send them.
    fn is_worth_the_rest(&self, extent: &ReadSummary) -> bool {
        let wide = self.waiting.iter().filter(|one| !one.is_own);
        pages_left(extent) <= distinct(wide.filter(|one| one.is_waiting())) as u64
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
