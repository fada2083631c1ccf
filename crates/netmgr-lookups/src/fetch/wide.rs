//! Wide requests: lists and combined searches that replace several own requests.
//!
//! One rule decides: a wide request is chosen if it takes fewer requests. Pure: nothing is sent here. Not here: the
//! queries (`compose.rs`).

use std::collections::{HashMap, HashSet};

use netmgr_transport::Get;

use super::compose::{Combined, combine};
use super::schedule::ListFacts;
use super::waiter::{Need, Needs, Role};
use crate::read::Read;
use crate::requests;
use crate::rows::Source;

/// Number of names assumed to cost one request. A combined search has room for about forty, but each name without an
/// exact match also needs the list.
const NAMES: usize = 8;

/// A request and the lookups that it is for.
pub(super) struct ChosenRequest<P> {
    pub(super) get: Get,
    /// Source of its rows; `None` if it is not paged.
    pub(super) source: Option<Source>,
    pub(super) passengers: Vec<(P, Role)>,
}

/// The requests that are cheaper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cheaper {
    /// The list for all.
    List,
    /// The list for those that need it, and an own request for each of the others.
    Both,
    /// An own request for each lookup. Names are searched together with those of other collections.
    Own,
}

/// Chooses the cheaper requests for lookups of one collection.
pub(super) fn cheaper<'a, P: Needs + 'a>(
    passengers: impl Iterator<Item = &'a P>,
    facts: ListFacts,
) -> Cheaper {
    Demand::of(passengers.map(Needs::need)).cheaper(facts)
}

/// The list for all of `passengers`, who look for objects of one collection.
pub(super) fn list<P: Needs>(get: Get, passengers: Vec<P>) -> ChosenRequest<P> {
    let with_role = |passenger: P| {
        let is_own = passenger.need().is_whole_list();
        (passenger, if is_own { Role::Owner } else { Role::Guest })
    };
    ChosenRequest {
        get,
        source: Some(Source::List),
        passengers: passengers.into_iter().map(with_role).collect(),
    }
}

/// The own request of each lookup; equal ones are one.
pub(super) fn own<P: Needs>(passengers: Vec<P>) -> Vec<ChosenRequest<P>> {
    let mut requests: HashMap<String, ChosenRequest<P>> = HashMap::new();
    for passenger in passengers {
        let get = passenger.need().own_request();
        let source = passenger.need().source();
        let request = requests
            .entry(get.path_and_query())
            .or_insert_with(|| ChosenRequest {
                get,
                source,
                passengers: Vec::new(),
            });
        request.passengers.push((passenger, Role::Owner));
    }
    requests.into_values().collect()
}

/// Few searches below `root` that find what all of `passengers` search.
pub(super) fn combined<P: Needs>(root: &str, passengers: Vec<P>) -> Vec<ChosenRequest<P>> {
    let reads: Vec<&Read> = passengers.iter().filter_map(|one| one.need().read()).collect();
    let queries = combine(&reads);
    let mut passengers: Vec<Option<P>> = passengers.into_iter().map(Some).collect();
    let request = |Combined { query, reads }| {
        let together: Vec<P> = reads
            .into_iter()
            .filter_map(|read: usize| passengers[read].take())
            .collect();
        let own_requests: HashSet<String> = together
            .iter()
            .map(|one| one.need().own_request().path_and_query())
            .collect();
        if own_requests.len() < 2 {
            return own(together);
        }
        vec![ChosenRequest {
            get: requests::search(root, query),
            source: Some(Source::Search),
            passengers: together.into_iter().map(|one| (one, Role::Guest)).collect(),
        }]
    };
    queries.into_iter().flat_map(request).collect()
}

/// The lookups of a collection, as far as the choice of requests depends on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Demand {
    /// Whether one of them needs the whole list.
    whole: bool,
    /// Different own requests that would answer the other lookups.
    narrow: usize,
    /// Different names that a combined search would find.
    names: usize,
}

impl Demand {
    fn of<'a>(needs: impl Iterator<Item = &'a Need>) -> Self {
        let mut whole = false;
        let mut narrow = HashSet::new();
        let mut names = HashSet::new();
        for need in needs {
            match need {
                need if need.is_whole_list() => whole = true,
                Need::Search(read) => drop(names.insert(&read.by)),
                need => drop(narrow.insert(need.own_request().path_and_query())),
            }
        }
        Self {
            whole,
            narrow: narrow.len(),
            names: names.len(),
        }
    }

    /// The list must take fewer requests than the own requests that it replaces, or as many if it is needed anyway: its
    /// rows then answer the others too, unless they would wait for many pages. A collection of unknown size counts as
    /// one page, because most collections have one; its first page corrects that.
    fn cheaper(self, list: ListFacts) -> Cheaper {
        let own = (self.narrow + self.names.div_ceil(NAMES)) as u64;
        let pages = list.pages.unwrap_or(1);
        match self.whole {
            true if own == 0 || pages <= own && !list.is_underway => Cheaper::List,
            true => Cheaper::Both,
            false if pages < own && !list.is_underway => Cheaper::List,
            false => Cheaper::Own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheaper_requests_are_chosen() {
        let of = |whole, narrow, pages| {
            let is_underway = false;
            let names = 0;
            (Demand { whole, narrow, names }, ListFacts { pages, is_underway })
        };
        let named = |names, (demand, facts)| (Demand { names, ..demand }, facts);
        let beside = |(demand, facts): (Demand, ListFacts)| {
            let is_underway = true;
            (demand, ListFacts { is_underway, ..facts })
        };
        let long = Some(100);
        for ((demand, facts), cheaper, why) in [
            (
                of(false, 1, None),
                Cheaper::Own,
                "one object costs one request either way",
            ),
            (
                of(false, 2, None),
                Cheaper::List,
                "most collections have one page",
            ),
            (of(false, 2, Some(1)), Cheaper::List, "one page"),
            (of(false, 2, Some(2)), Cheaper::Own, "two pages save nothing"),
            (
                of(false, 3, Some(2)),
                Cheaper::List,
                "two pages for three objects",
            ),
            (
                of(false, 50, long),
                Cheaper::Own,
                "a hundred pages for fifty objects",
            ),
            (
                of(false, 101, long),
                Cheaper::List,
                "a hundred pages for more objects",
            ),
            (of(true, 1, None), Cheaper::List, "the list is needed anyway"),
            (
                of(true, 1, long),
                Cheaper::Both,
                "one object does not wait for a hundred pages",
            ),
            (
                of(true, 100, long),
                Cheaper::List,
                "a hundred pages that are needed anyway",
            ),
            (of(true, 0, None), Cheaper::List, "there is nothing narrower"),
            (
                named(8, of(false, 0, None)),
                Cheaper::Own,
                "one search, which others share",
            ),
            (
                named(9, of(false, 0, None)),
                Cheaper::List,
                "so many names probably need the list as well",
            ),
            (
                named(1, of(false, 1, None)),
                Cheaper::List,
                "the list answers both",
            ),
            (
                named(1, of(true, 0, None)),
                Cheaper::List,
                "the list is needed anyway",
            ),
            (
                named(100, of(false, 0, long)),
                Cheaper::Own,
                "a hundred pages for a few searches",
            ),
            (
                beside(of(false, 5, None)),
                Cheaper::Own,
                "the list would wait for the one in flight",
            ),
            (
                beside(of(true, 5, None)),
                Cheaper::Both,
                "only those that need the list wait",
            ),
        ] {
            assert_eq!(demand.cheaper(facts), cheaper, "{demand:?} {facts:?}: {why}");
        }
    }
}
