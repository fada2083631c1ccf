//! A round of one collection: one list for all, or a narrower request for each.
//!
//! A list offers each of its rows to every waiter and keeps none. Not here: searches
//! (`search.rs`).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures_util::future::join_all;
use netmgr_transport::{Error as RequestError, Get, ReadSummary};

use super::lane::{self, Hold, Scope, fail, scope};
use super::stream::{Slots, stream};
use super::waiter::{Waiter, Want};
use super::{Key, Place, Shared};
use crate::batch::Source;
use crate::read::By;
use crate::requests;

/// Rows of the manager's largest page. Source: manager-api D.1.
const PAGE: u64 = 1000;

/// Names that are taken for the cost of one request. A combined search has room for some forty, but
/// each name that it does not find whole needs the list as well.
const NAMES: usize = 8;

/// What the lookups of a round want, as far as the choice of requests depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Demand {
    /// Whether one of them needs the whole list.
    whole: bool,
    /// Different narrower requests that would answer the others.
    narrow: usize,
    /// Different names that a combined search would find.
    names: usize,
    /// Rows of the collection, when they are known.
    rows: Option<u64>,
}

/// How a round is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// By reading the list.
    List,
    /// By a narrower request for each: an object by its id, a list filtered on the manager. Names
    /// are searched together with those of other collections.
    Narrow,
}

/// The cheaper way to answer a round, in requests.
///
/// A lookup that needs the whole list pays for it, and all others are answered by the same rows.
/// Otherwise the list must take fewer requests than the narrower ones. A collection of unknown size
/// counts as one page, which most collections have; its first page corrects that.
fn choose(demand: Demand) -> Choice {
    let pages = demand.rows.map_or(1, pages);
    let narrow = demand.narrow + demand.names.div_ceil(NAMES);
    if demand.whole || pages < narrow as u64 {
        Choice::List
    } else {
        Choice::Narrow
    }
}

/// Requests that a list of `rows` rows takes.
fn pages(rows: u64) -> u64 {
    rows.div_ceil(PAGE).max(1)
}

/// Answers `waiters`, all of one collection.
pub(super) async fn round(shared: &Arc<Shared>, key: &Key, path: &str, waiters: Vec<Waiter>, mut hold: Hold) {
    let rows = shared.sizes().get(path).copied();
    let left = match choose(demand(&waiters, rows)) {
        Choice::Narrow => waiters,
        Choice::List => list(shared, key, path, waiters, &mut hold).await,
    };
    hold.is_short();
    let (named, left): (Vec<_>, Vec<_>) = left.into_iter().partition(is_named);
    named
        .into_iter()
        .for_each(|waiter| search_again(shared, key, waiter));
    narrowed(shared, left, &mut hold).await;
}

fn is_named(waiter: &Waiter) -> bool {
    matches!(waiter.want, Want::Named(_))
}

/// Hands a lookup back to the searches, because the list failed or is too long.
fn search_again(shared: &Arc<Shared>, key: &Key, mut waiter: Waiter) {
    let Some(root) = waiter.want.read().map(|read| read.tree.root()) else {
        return;
    };
    waiter.may_list = false;
    lane::join(shared, key.at(Place::Search(root)), waiter);
}

/// Hands lookups by name to the lanes of their collections where a list costs less than searches,
/// also because others need it. Returns those that search.
pub(super) fn hand_over(shared: &Arc<Shared>, key: &Key, waiters: Vec<Waiter>) -> Vec<Waiter> {
    let mut searching = Vec::new();
    let mut collections: HashMap<String, Vec<Waiter>> = HashMap::new();
    for waiter in waiters {
        match &waiter.want {
            Want::Named(read) if waiter.may_list => {
                let path = requests::list(read).path_and_query();
                collections.entry(path).or_default().push(waiter);
            }
            _ => searching.push(waiter),
        }
    }
    for (path, named) in collections {
        let rows = shared.sizes().get(&path).copied();
        let key = key.at(Place::Collection(path));
        let demand = {
            let lanes = shared.lanes();
            demand(named.iter().chain(lane::pending(&lanes, &key)), rows)
        };
        match choose(demand) {
            Choice::Narrow => searching.extend(named),
            Choice::List => named
                .into_iter()
                .for_each(|waiter| lane::join(shared, key.clone(), waiter)),
        }
    }
    searching
}

fn demand<'a>(waiters: impl IntoIterator<Item = &'a Waiter>, rows: Option<u64>) -> Demand {
    let mut whole = false;
    let mut narrow = HashSet::new();
    let mut names: HashSet<&By> = HashSet::new();
    for waiter in waiters {
        match (&waiter.want, narrowing(&waiter.want)) {
            (Want::Named(read), _) => drop(names.insert(&read.by)),
            (_, Some(narrowing)) => drop(narrow.insert(narrowing)),
            (_, None) => whole = true,
        }
    }
    Demand {
        whole,
        narrow: narrow.len(),
        names: names.len(),
        rows,
    }
}

/// What makes a request of a collection narrower than its list. Equal ones lead to the same request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Narrowing<'a> {
    Id(&'a str),
    Filters(&'a [(&'static str, String)]),
}

fn narrowing(want: &Want) -> Option<Narrowing<'_>> {
    match want {
        Want::Path(_) | Want::Named(_) => None,
        Want::Object(read) => match &read.by {
            By::Id(id) => Some(Narrowing::Id(id)),
            _ => None,
        },
        // An id takes precedence: the filters of other inputs must not hide its object.
        Want::Rows(read) if read.list_filters.is_empty() || matches!(read.by, By::Id(_)) => None,
        Want::Rows(read) => Some(Narrowing::Filters(&read.list_filters)),
    }
}

/// Whether a request that may cost less than the whole list answers `waiter`.
pub(super) fn is_narrow(waiter: &Waiter) -> bool {
    narrowing(&waiter.want).is_some()
}

/// The request that answers `waiter` alone and may cost less than the whole list.
fn narrower(waiter: &Waiter) -> Option<Get> {
    let read = waiter.want.read()?;
    Some(match narrowing(&waiter.want)? {
        Narrowing::Id(id) => requests::object(read, id),
        Narrowing::Filters(_) => requests::filtered_list(read),
    })
}

/// Reads the list for `waiters`. Returns those that a narrower request has to answer: objects and
/// values that the list does not show, and all of them when the list turns out to be too long.
async fn list(
    shared: &Arc<Shared>,
    key: &Key,
    path: &str,
    waiters: Vec<Waiter>,
    hold: &mut Hold,
) -> Vec<Waiter> {
    let Some(read) = waiters.first().and_then(|waiter| waiter.want.read()) else {
        return waiters;
    };
    let get = shared.request(requests::list(read), &waiters, hold.place());
    let mut slots = Slots::of_whole_list(waiters);
    let mut begins_again = false;
    let goes_on = |extent: &ReadSummary, slots: &Slots| {
        let rest = extent.announced.map(|all| all.saturating_sub(extent.rows));
        let goes_on = choose(demand(slots.waiting(), rest)) == Choice::List;
        if goes_on
            && extent.pages == 1
            && rest.is_some_and(|rest| pages(rest) > 1)
            && is_beginning_of_burst(shared, key, slots)
        {
            begins_again = true;
            return false;
        }
        // A lookup that joins now has a list of its own; it must not wait for the end of this one.
        hold.release();
        goes_on
    };
    let extent = match stream(shared, get, &mut slots, goes_on).await {
        Ok(extent) => extent,
        Err(error) => return failed(slots.for_another_request(), error),
    };
    if let Some(announced) = extent.announced {
        shared.remember_size(path, announced);
    }
    if begins_again {
        for mut waiter in slots.for_another_request() {
            waiter.has_begun_again = true;
            lane::join(shared, key.clone(), waiter);
        }
        return Vec::new();
    }
    if extent.ending.is_none() {
        return slots.for_another_request();
    }
    let (mut left, rows): (Vec<_>, Vec<_>) = slots.into_waiters().into_iter().partition(|waiter| {
        let unshown = waiter.want.shown().is_some() && !waiter.sink.has_rows();
        unshown || matches!(waiter.want, Want::Object(_))
    });
    left.iter_mut().for_each(|waiter| waiter.sink.forget());
    rows.into_iter()
        .for_each(|waiter| waiter.sink.rows(&extent, Source::List));
    left
}

/// Whether most lookups of a burst have joined since the first page of a list was requested. They cannot be answered
/// by it, and need a second list: one that begins now answers all of them, for the price of a page (0296).
fn is_beginning_of_burst(shared: &Shared, key: &Key, slots: &Slots) -> bool {
    let mut served = 0;
    for waiter in slots.waiting() {
        if waiter.has_begun_again {
            return false;
        }
        served += 1;
    }
    let lanes = shared.lanes();
    let pending = lane::pending(&lanes, key).iter();
    let later = pending.filter(|waiter| waiter.is_waiting() && !is_narrow(waiter));
    later.count() > served
}

/// Reports a failed list to the lookups that need it. A failure that concerns only the list, such
/// as a role that may not read it, leaves the others to their narrower requests, which are
/// returned.
fn failed(waiters: Vec<Waiter>, error: RequestError) -> Vec<Waiter> {
    let (left, lost): (Vec<_>, Vec<_>) = waiters
        .into_iter()
        .partition(|waiter| scope(&error) != Scope::Everybody && (is_named(waiter) || is_narrow(waiter)));
    fail(lost, error);
    left
}

/// Sends the narrower request of each of `waiters`; equal ones are sent once.
async fn narrowed(shared: &Shared, waiters: Vec<Waiter>, hold: &mut Hold) {
    let mut requests: HashMap<String, (Get, Vec<Waiter>)> = HashMap::new();
    for waiter in waiters {
        let Some(get) = narrower(&waiter) else { continue };
        let request = requests.entry(get.path_and_query());
        request.or_insert_with(|| (get, Vec::new())).1.push(waiter);
    }
    let requests = requests
        .into_values()
        .map(|(get, waiters)| narrow(shared, shared.request(get, &waiters, hold.place()), waiters));
    join_all(requests).await;
}

async fn narrow(shared: &Shared, get: Get, waiters: Vec<Waiter>) {
    if !waiters
        .iter()
        .all(|waiter| matches!(waiter.want, Want::Object(_)))
    {
        let mut slots = Slots::new(waiters, Source::List);
        return match stream(shared, get, &mut slots, |_, _| true).await {
            Ok(extent) => slots.end(&extent),
            Err(error) => fail(slots.into_waiters(), error),
        };
    }
    match shared.client.get(&get).await {
        Ok(reply) => waiters
            .into_iter()
            .for_each(|waiter| waiter.sink.reply(reply.clone())),
        Err(error) => fail(waiters, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheaper_requests_are_chosen() {
        let demand = |whole, narrow, rows| Demand {
            whole,
            narrow,
            names: 0,
            rows,
        };
        let named = |names, demand| Demand { names, ..demand };
        for (demand, choice, why) in [
            (
                demand(false, 1, None),
                Choice::Narrow,
                "one object costs one request either way, and its own is smaller",
            ),
            (
                demand(false, 2, None),
                Choice::List,
                "most collections have one page",
            ),
            (demand(false, 2, Some(1000)), Choice::List, "one page"),
            (
                demand(false, 2, Some(1001)),
                Choice::Narrow,
                "two pages for two objects save nothing",
            ),
            (
                demand(false, 3, Some(1001)),
                Choice::List,
                "two pages for three objects",
            ),
            (
                demand(false, 50, Some(100_000)),
                Choice::Narrow,
                "a hundred pages for fifty objects",
            ),
            (
                demand(false, 101, Some(100_000)),
                Choice::List,
                "a hundred pages for more objects",
            ),
            (
                demand(true, 1, Some(100_000)),
                Choice::List,
                "the list is needed anyway",
            ),
            (demand(true, 0, None), Choice::List, "there is nothing narrower"),
            (
                named(8, demand(false, 0, None)),
                Choice::Narrow,
                "a search that other collections share costs less than a list",
            ),
            (
                named(9, demand(false, 0, None)),
                Choice::List,
                "so many names take a search of their own, and probably the list after it",
            ),
            (
                named(1, demand(false, 1, None)),
                Choice::List,
                "the list answers the name and the object",
            ),
            (
                named(1, demand(true, 0, Some(100_000))),
                Choice::List,
                "the list is needed anyway",
            ),
            (
                named(100, demand(false, 0, Some(100_000))),
                Choice::Narrow,
                "a hundred pages for a few searches",
            ),
        ] {
            assert_eq!(choose(demand), choice, "{demand:?}: {why}");
        }
    }
}
