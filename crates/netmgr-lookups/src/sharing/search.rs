//! A round of searches below one API root: one query for many lookups.
//!
//! Not here: the queries (`compose.rs`).

use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use futures_util::future::{join, join_all, select};
use netmgr_transport::{
    Error as RequestError, ErrorKind as RequestErrorKind, Failure, Get, ReadSummary, Reservation,
};
use tokio::time::{Instant, timeout_at};

use super::collection::hand_over;
use super::compose::{Combined, combine, combine_by_terms};
use super::lane::{Hold, Scope, fail, scope};
use super::stream::{Slots, stream};
use super::waiter::Waiter;
use super::{Key, Shared};
use crate::batch::Source;
use crate::query::{query, query_of_one_form};
use crate::read::{By, Read};
use crate::requests;

/// Rows of the manager's largest page. Source: manager-api C.6.
const PAGE: u64 = 1000;

/// The index is being rebuilt, timed out or is out of sync. Source: manager-api C.8.
const INDEX_TROUBLE: &[i64] = &[60508, 60514, 60515];

/// Answers `waiters`, all of which search below `root`.
pub(super) async fn round(shared: &Arc<Shared>, key: &Key, root: &str, waiters: Vec<Waiter>, mut hold: Hold) {
    let waiters = hand_over(shared, key, waiters);
    if shared.refuses_combined.load(Relaxed) {
        return alone(shared, root, waiters, hold).await;
    }
    let mut parts = parts(waiters, combine);
    if parts.iter().all(|part| part.instead_of.is_none()) {
        hold.is_short();
    }
    if let Some(first) = parts.first_mut() {
        first.place = hold.place();
    }
    join_all(parts.into_iter().map(|part| answer(shared, root, part))).await;
}

/// Answers `waiters` with the query that each would send alone; equal ones are sent once.
pub(super) async fn alone(shared: &Shared, root: &str, waiters: Vec<Waiter>, mut hold: Hold) {
    hold.is_short();
    singly(shared, root, waiters, hold.place()).await;
}

/// One query and the lookups that it answers.
struct Part {
    query: String,
    /// See [`Combined::instead_of`].
    instead_of: Option<usize>,
    waiters: Vec<Waiter>,
    place: Option<Reservation>,
}

fn parts(waiters: Vec<Waiter>, combine: fn(&[&Read]) -> Vec<Combined>) -> Vec<Part> {
    let reads: Vec<&Read> = waiters.iter().filter_map(|waiter| waiter.want.read()).collect();
    let queries = combine(&reads);
    let mut waiters: Vec<Option<Waiter>> = waiters.into_iter().map(Some).collect();
    let part = |combined: Combined| Part {
        waiters: combined
            .reads
            .iter()
            .filter_map(|read| waiters[*read].take())
            .collect(),
        query: combined.query,
        instead_of: combined.instead_of,
        place: None,
    };
    queries.into_iter().map(part).collect()
}

async fn answer(shared: &Shared, root: &str, mut part: Part) {
    let Some(most) = part.instead_of else {
        return together(shared, root, part).await;
    };
    let mut place = None;
    let left = if is_too_long(shared, &part.query, most) {
        place = part.place.take();
        part.waiters
    } else {
        whole_kind(shared, root, part, most).await
    };
    let mut parts = parts(left, combine_by_terms);
    if let Some(first) = parts.first_mut() {
        first.place = place;
    }
    join_all(parts.into_iter().map(|part| together(shared, root, part))).await;
}

/// Whether this search for a whole kind took more than `most` requests when it was last begun.
fn is_too_long(shared: &Shared, query: &str, most: usize) -> bool {
    let rows = shared.sizes().get(query).copied();
    rows.is_some_and(|rows| rows.div_ceil(PAGE) > most as u64)
}

/// Reads all objects of a kind unless that takes more than `most` further requests. Returns the
/// lookups that are not answered.
async fn whole_kind(shared: &Shared, root: &str, part: Part, most: usize) -> Vec<Waiter> {
    let get = request(shared, root, part.query.clone(), &part.waiters, part.place);
    let mut slots = Slots::new(part.waiters, Source::Search);
    let goes_on = |extent: &ReadSummary, _: &Slots| {
        if let Some(all) = extent.announced {
            shared.remember_size(&part.query, all);
        }
        let rest = extent.announced.map(|all| all.saturating_sub(extent.rows));
        rest.is_none_or(|rest| rest.div_ceil(PAGE) <= most as u64)
    };
    match stream(shared, get, &mut slots, goes_on).await {
        Ok(extent) if extent.ending.is_some() => slots.end(&extent),
        Err(error) if scope(&error) == Scope::Everybody => fail(slots.into_waiters(), error),
        Ok(_) | Err(_) => return slots.for_another_request(),
    }
    Vec::new()
}

/// Sends one query for all lookups of `part`; where the manager refuses it, one for each of them.
async fn together(shared: &Shared, root: &str, part: Part) {
    let queries: HashSet<String> = part
        .waiters
        .iter()
        .filter_map(|w| w.want.read().map(query))
        .collect();
    if queries.len() < 2 {
        let _ = lone(shared, root, part.query, part.waiters, part.place).await;
        return;
    }
    let get = request(shared, root, part.query, &part.waiters, part.place);
    let soon = soon(&part.waiters);
    let mut slots = Slots::new(part.waiters, Source::Search);
    let answer = stream(shared, get, &mut slots, |_, _| true);
    match timeout_at(soon, answer).await.unwrap_or_else(|_| Err(late())) {
        Ok(extent) => slots.end(&extent),
        Err(error) if scope(&error) == Scope::Unclear || is_late(&error) => {
            probe(shared, root, slots.for_another_request(), error).await;
        }
        Err(error) if scope(&error) == Scope::Request => {
            // One lookup may be to blame, or an index that only some of them need.
            let answered = singly(shared, root, slots.for_another_request(), None).await;
            if answered == Answered::All && is_refused_query(error.failure()) {
                send_no_combined(shared, &error);
            }
        }
        Err(error) => fail(slots.into_waiters(), error),
    }
}

/// Remembers that the manager rejects searches with alternatives, such as the one that failed with `error`.
fn send_no_combined(shared: &Shared, error: &RequestError) {
    if !shared.refuses_combined.swap(true, Relaxed) {
        tracing::info!(%error, "the manager rejects combined searches; each lookup sends its own search");
    }
}

/// When a combined search has taken so long that something else must be tried: after a third of the time that the
/// first of its lookups has left.
fn soon(waiters: &[Waiter]) -> Instant {
    let now = Instant::now();
    let first = waiters.iter().map(|waiter| waiter.deadline).min();
    now + first.unwrap_or(now).saturating_duration_since(now) / 3
}

fn late() -> RequestError {
    let failure = Failure::default().reason("a combined search had no response in time");
    RequestError::new(RequestErrorKind::Deadline, failure)
}

fn is_late(error: &RequestError) -> bool {
    error.kind() == RequestErrorKind::Deadline
}

/// Finds out whether a combined search failed or hangs because of one lookup, which must not fail the others.
/// Two lookups are sent alone: at most one of them is to blame, and the other one is answered first. When the
/// manager answers neither, the failure is everybody's.
async fn probe(shared: &Shared, root: &str, waiters: Vec<Waiter>, error: RequestError) {
    let mut queries = by_query(waiters).into_iter();
    let mut next = || queries.next().unwrap_or_default();
    let first = pin!(single(shared, root, next(), None));
    let second = pin!(single(shared, root, next(), None));
    let (answered, other) = select(first, second).await.factor_first();
    let others: Vec<_> = queries.collect();
    let search_alone = |others| {
        tracing::debug!(%error, "a combined search failed; each lookup searches alone");
        each(shared, root, others, None)
    };
    if answered.is_ok() {
        let _ = join(other, search_alone(others)).await;
    } else if let Err(error) = other.await {
        fail(others.into_iter().flatten(), error);
    } else {
        search_alone(others).await;
    }
}

/// The request of a query for `waiters`. By name or key the list has the answer, too.
fn request(
    shared: &Shared,
    root: &str,
    query: String,
    waiters: &[Waiter],
    place: Option<Reservation>,
) -> Get {
    let get = shared.request(requests::search(root, query), waiters, place);
    let is_listed = |read: &Read| matches!(read.by, By::Name(_) | By::Key { .. });
    let are_listed = waiters
        .iter()
        .all(|waiter| waiter.want.read().is_some_and(is_listed));
    if are_listed { get.with_alternative() } else { get }
}

/// Whether the query itself was refused, as opposed to an index that is not ready for the moment.
fn is_refused_query(failure: &netmgr_transport::Failure) -> bool {
    matches!(
        failure.status.map(|status| status.as_u16()),
        Some(400 | 414 | 431 | 500)
    ) && !failure
        .api
        .as_ref()
        .is_some_and(|api| api.has_code(INDEX_TROUBLE))
}

/// How many queries the manager answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answered {
    All,
    Some,
    None,
}

/// Sends the query of each lookup, equal ones once.
async fn singly(shared: &Shared, root: &str, waiters: Vec<Waiter>, place: Option<Reservation>) -> Answered {
    each(shared, root, by_query(waiters), place).await
}

/// Lookups with the same query together.
fn by_query(waiters: Vec<Waiter>) -> Vec<Vec<Waiter>> {
    let mut groups: Vec<Vec<Waiter>> = Vec::new();
    let mut positions = HashMap::new();
    for waiter in waiters {
        let Some(read) = waiter.want.read() else { continue };
        let position = *positions.entry(query(read)).or_insert(groups.len());
        if position == groups.len() {
            groups.push(Vec::new());
        }
        groups[position].push(waiter);
    }
    groups
}

/// Sends the query of each group of lookups.
async fn each(
    shared: &Shared,
    root: &str,
    groups: Vec<Vec<Waiter>>,
    mut place: Option<Reservation>,
) -> Answered {
    let sent = groups
        .into_iter()
        .map(|group| single(shared, root, group, place.take()));
    let answered = join_all(sent).await;
    match (
        answered.iter().any(Result::is_ok),
        answered.iter().all(Result::is_ok),
    ) {
        (_, true) => Answered::All,
        (true, false) => Answered::Some,
        (false, false) => Answered::None,
    }
}

/// Sends the query that all of `waiters` have.
async fn single(
    shared: &Shared,
    root: &str,
    waiters: Vec<Waiter>,
    place: Option<Reservation>,
) -> Result<(), RequestError> {
    let Some(read) = waiters.first().and_then(|waiter| waiter.want.read()) else {
        return Ok(());
    };
    let query = query(read);
    lone(shared, root, query, waiters, place).await
}

/// Sends `query`, which finds what each of `waiters` looks for. Where the manager rejects the several forms of a
/// name, only the form in which it was requested is looked for.
async fn lone(
    shared: &Shared,
    root: &str,
    query: String,
    waiters: Vec<Waiter>,
    place: Option<Reservation>,
) -> Result<(), RequestError> {
    let read = waiters.first().and_then(|waiter| waiter.want.read());
    let Some(of_one_form) = read.and_then(query_of_one_form) else {
        return send(shared, root, query, waiters, place).await.map_err(failed);
    };
    if shared.refuses_combined.load(Relaxed) {
        return send(shared, root, of_one_form, waiters, place)
            .await
            .map_err(failed);
    }
    let Err((waiters, rejected)) = send(shared, root, query, waiters, place).await else {
        return Ok(());
    };
    if scope(&rejected) != Scope::Request || !is_refused_query(rejected.failure()) {
        return Err(failed((waiters, rejected)));
    }
    send(shared, root, of_one_form, waiters, None)
        .await
        .map_err(failed)?;
    send_no_combined(shared, &rejected);
    Ok(())
}

/// Reports the failure of a request to the lookups that wait for it.
fn failed((waiters, error): (Vec<Waiter>, RequestError)) -> RequestError {
    fail(waiters, error.clone());
    error
}

/// Answers `waiters` with what `query` finds. Returns those without an answer when the request fails.
async fn send(
    shared: &Shared,
    root: &str,
    query: String,
    waiters: Vec<Waiter>,
    place: Option<Reservation>,
) -> Result<(), (Vec<Waiter>, RequestError)> {
    let get = request(shared, root, query, &waiters, place);
    let mut slots = Slots::new(waiters, Source::Search);
    match stream(shared, get, &mut slots, |_, _| true).await {
        Ok(extent) => {
            slots.end(&extent);
            Ok(())
        }
        Err(error) => Err((slots.for_another_request(), error)),
    }
}
