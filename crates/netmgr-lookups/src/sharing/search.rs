//! A round of searches below one API root: one query for many lookups.
//!
//! Not here: the queries (`compose.rs`).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use futures_util::future::join_all;
use netmgr_transport::{Error as RequestError, Get, ReadSummary, Reservation};

use super::collection::hand_over;
use super::compose::{Combined, combine, combine_by_terms};
use super::lane::{Hold, Scope, fail, scope};
use super::stream::{Slots, stream};
use super::waiter::Waiter;
use super::{Key, Shared};
use crate::batch::Source;
use crate::query::query;
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

async fn answer(shared: &Shared, root: &str, part: Part) {
    let Some(most) = part.instead_of else {
        return together(shared, root, part).await;
    };
    let left = whole_kind(shared, root, part, most).await;
    let parts = parts(left, combine_by_terms).into_iter();
    join_all(parts.map(|part| together(shared, root, part))).await;
}

/// Reads all objects of a kind unless that takes more than `most` further requests. Returns the
/// lookups that are not answered.
async fn whole_kind(shared: &Shared, root: &str, part: Part, most: usize) -> Vec<Waiter> {
    let get = request(shared, root, part.query, &part.waiters, part.place);
    let mut slots = Slots::new(part.waiters, Source::Search);
    let goes_on = |extent: &ReadSummary, _: &Slots| {
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
    let is_combined = queries.len() > 1;
    let get = request(shared, root, part.query, &part.waiters, part.place);
    let mut slots = Slots::new(part.waiters, Source::Search);
    match stream(shared, get, &mut slots, |_, _| true).await {
        Ok(extent) => slots.end(&extent),
        Err(error) if is_combined && scope(&error) == Scope::Unclear => {
            probe(shared, root, slots.for_another_request(), error).await;
        }
        Err(error) if is_combined && scope(&error) == Scope::Request => {
            // One lookup may be to blame, or an index that only some of them need.
            let answered = singly(shared, root, slots.for_another_request(), None).await;
            if answered == Answered::All && is_refused_query(error.failure()) {
                shared.refuses_combined.store(true, Relaxed);
                tracing::info!(%error, "the manager rejects combined searches; each lookup sends its own search");
            }
        }
        Err(error) => fail(slots.into_waiters(), error),
    }
}

/// Finds out whether a combined search failed because of one lookup, which must not fail the others.
/// Two lookups are sent alone: at most one of them is to blame. When the manager answers neither, the
/// failure is everybody's.
async fn probe(shared: &Shared, root: &str, mut waiters: Vec<Waiter>, error: RequestError) {
    let query = |waiter: &Waiter| waiter.want.read().map(query);
    let first = waiters.first().and_then(query);
    let second = waiters.iter().map(query).find(|other| *other != first);
    let is_probe = |waiter: &mut Waiter| {
        let query = query(waiter);
        query == first || Some(query) == second
    };
    let probes = waiters.extract_if(.., is_probe).collect();
    if singly(shared, root, probes, None).await == Answered::None {
        return fail(waiters, error);
    }
    tracing::debug!(%error, "a combined search failed; each lookup searches alone");
    singly(shared, root, waiters, None).await;
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
async fn singly(
    shared: &Shared,
    root: &str,
    waiters: Vec<Waiter>,
    mut place: Option<Reservation>,
) -> Answered {
    let mut queries: HashMap<String, Vec<Waiter>> = HashMap::new();
    for waiter in waiters {
        let Some(read) = waiter.want.read() else { continue };
        queries.entry(query(read)).or_default().push(waiter);
    }
    let one = |(query, waiters): (String, Vec<Waiter>)| {
        let get = request(shared, root, query, &waiters, place.take());
        async move {
            let mut slots = Slots::new(waiters, Source::Search);
            match stream(shared, get, &mut slots, |_, _| true).await {
                Ok(extent) => slots.end(&extent),
                Err(error) => {
                    fail(slots.into_waiters(), error);
                    return false;
                }
            }
            true
        }
    };
    let answered = join_all(queries.into_iter().map(one)).await;
    match (answered.contains(&true), answered.contains(&false)) {
        (_, false) => Answered::All,
        (true, true) => Answered::Some,
        (false, true) => Answered::None,
    }
}
