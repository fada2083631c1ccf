//! Chooses the requests of lookups that wait at the same time: own requests, and wide ones that replace several of them.
//!
//! One rule decides: a wide request, which is a list or a combined search, is chosen if it takes fewer requests. Pure:
//! nothing is sent here. Not here: the queries of combined searches (`compose.rs`).

use std::collections::{BTreeMap, BTreeSet};

use netmgr_transport::Get;

use super::compose::{Combined, combine};
use super::need::Need;
use super::waiting::Waiting;
use crate::finding::read::Read;
use crate::finding::requests;
use crate::finding::rows::RowSource;

/// Names per request in the estimate. About 40 fit into a search, but a name without an exact match costs a list as well.
const NAMES: usize = 8;

/// Number of objects by id from which they are searched like names. Fewer are read at their own paths, because the search
/// index lags behind the store.
const IDS: usize = 64;

/// A request and the lookups that it is for.
pub(super) struct SharedRequest {
    pub(super) get: Get,
    /// RowSource of its rows; `None` if it is not paged.
    pub(super) source: Option<RowSource>,
    pub(super) waiting: Vec<Waiting>,
}

/// The known facts about a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ListFacts {
    /// Pages that it had when it was last read, if it was.
    pub(super) pages: Option<u64>,
    /// Whether the list is in flight. Another one would wait for it.
    pub(super) is_in_flight: bool,
}

/// The requests for `waiting`. `facts` returns the facts about the list at a path and query.
pub(super) fn choose(waiting: Vec<Waiting>, facts: impl Fn(&str) -> ListFacts) -> Vec<SharedRequest> {
    let are_ids_names = distinct(waiting.iter().filter(|one| is_searchable_id(one))) >= IDS;
    let is_name = |one: &Waiting| match &one.need {
        Need::Search(_) => one.group().is_some(),
        _ => are_ids_names && is_searchable_id(one),
    };
    let mut chosen = Vec::new();
    let mut alone = Vec::new();
    let mut searched: BTreeMap<&str, Vec<Waiting>> = BTreeMap::new();
    let mut collections: BTreeMap<String, (Option<Get>, Vec<Waiting>)> = BTreeMap::new();
    for one in waiting {
        let list = one.group().and_then(|_| one.need.collection());
        let path = list.as_ref().map(Get::path_and_query).unwrap_or_default();
        collections.entry(path).or_insert((list, Vec::new())).1.push(one);
    }
    for (path, (list, group)) in collections {
        if let Some(get) = list
            && Demand::of(&group, is_name).is_list_cheaper(facts(&path))
        {
            chosen.push(listed(get, group));
            continue;
        }
        for one in group {
            match one.need.read() {
                Some(read) if is_name(&one) => searched.entry(read.tree.root()).or_default().push(one),
                _ => alone.push(one),
            }
        }
    }
    chosen.extend(own(alone));
    let searched = searched.into_iter();
    chosen.extend(searched.flat_map(|(root, waiting)| combined(root, waiting)));
    // The lookup that has waited longest is first, so that none starves where slots are few.
    chosen.sort_by_key(|request| request.waiting.iter().map(|one| one.since).min());
    chosen
}

/// Whether it looks for an object by id that the search finds as well.
fn is_searchable_id(one: &Waiting) -> bool {
    matches!(&one.need, Need::Object(read, _) if one.group().is_some() && read.is_indexed() && read.kind.searched)
}

/// The list for all of `waiting`, which look for objects of one collection.
fn listed(get: Get, mut waiting: Vec<Waiting>) -> SharedRequest {
    for one in &mut waiting {
        one.is_own = one.need.is_whole_list();
    }
    SharedRequest {
        get,
        source: Some(RowSource::List),
        waiting,
    }
}

/// The own request of each lookup. Equal ones are one, except that secret arguments are not shared with others.
pub(super) fn own(waiting: Vec<Waiting>) -> Vec<SharedRequest> {
    let mut requests: BTreeMap<(String, bool), SharedRequest> = BTreeMap::new();
    for mut one in waiting {
        one.is_own = true;
        let key = (one.own_path.clone(), one.confidential);
        let request = requests.entry(key).or_insert_with(|| SharedRequest {
            get: one.own.clone(),
            source: one.need.source(),
            waiting: Vec::new(),
        });
        request.waiting.push(one);
    }
    requests.into_values().collect()
}

/// Few searches below `root` that find what all of `waiting` look for.
fn combined(root: &str, waiting: Vec<Waiting>) -> Vec<SharedRequest> {
    let reads: Vec<&Read> = waiting.iter().filter_map(|one| one.need.read()).collect();
    let queries = combine(&reads);
    let mut waiting: Vec<Option<Waiting>> = waiting.into_iter().map(Some).collect();
    let request = |Combined { query, reads }| {
        let mut together: Vec<Waiting> = reads
            .into_iter()
            .filter_map(|read: usize| waiting[read].take())
            .collect();
        if distinct(&together) < 2 {
            return own(together);
        }
        together.iter_mut().for_each(|one| one.is_own = false);
        vec![SharedRequest {
            get: requests::search(root, query),
            source: Some(RowSource::Search),
            waiting: together,
        }]
    };
    queries.into_iter().flat_map(request).collect()
}

/// The number of different own requests.
pub(super) fn distinct<'a>(waiting: impl IntoIterator<Item = &'a Waiting>) -> usize {
    let own = waiting.into_iter().map(|one| &one.own_path);
    own.collect::<BTreeSet<_>>().len()
}

/// The lookups of a collection, as far as the choice of requests depends on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Demand {
    /// Whether one of them needs the whole list.
    whole: bool,
    /// Different own requests that would answer the other lookups.
    narrow: usize,
    /// Different names, and ids that count as names, that a combined search would find.
    names: usize,
}

impl Demand {
    fn of(waiting: &[Waiting], is_name: impl Fn(&Waiting) -> bool) -> Self {
        let is_whole = |one: &Waiting| one.need.is_whole_list();
        let is_narrow = |one: &&Waiting| !is_name(one) && !is_whole(one);
        Self {
            whole: waiting.iter().any(is_whole),
            narrow: distinct(waiting.iter().filter(is_narrow)),
            names: distinct(waiting.iter().filter(|one| is_name(one))),
        }
    }

    /// Whether the list for all is cheaper than own requests. It must take fewer requests, or as many if it is needed
    /// anyway: its rows then answer the others too, unless they would wait for many pages. A collection of unknown size
    /// counts as one page, because most collections have one; its first page corrects that.
    fn is_list_cheaper(self, list: ListFacts) -> bool {
        let own = self.narrow + self.names.div_ceil(NAMES) + usize::from(self.whole);
        list.pages.unwrap_or(1) < own as u64 && !list.is_in_flight
    }
}

#[cfg(test)]
mod tests;
