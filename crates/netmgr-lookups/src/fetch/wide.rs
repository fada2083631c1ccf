//! Wide requests: lists and combined searches in the place of several own requests.
//!
//! One rule decides: a wide request is chosen if it takes fewer requests. Pure, apart from the queues whose lookups it
//! takes along. Not here: the queries (`compose.rs`).

use std::collections::{HashMap, HashSet};

use netmgr_transport::Get;

use super::coalescer::Shared;
use super::compose::combine;
use super::flight;
use super::queue::{self, Key, Line, Passenger, Queue};
use super::waiter::{Need, Role};
use crate::read::Read;
use crate::requests;
use crate::rows::Source;

/// Rows of the manager's largest page. Source: the VMware NSX REST API, parameter `page_size`.
const PAGE: u64 = 1000;

/// Names that are taken for the cost of one request. A combined search has room for some forty, but each name that it
/// does not find whole needs the list as well.
const NAMES: usize = 8;

/// A request and the lookups that it is for.
pub(super) struct Chosen {
    pub(super) get: Get,
    /// Source of its rows; `None` if it is not paged.
    pub(super) source: Option<Source>,
    pub(super) passengers: Vec<(Passenger, Role)>,
}

type Queues = HashMap<Key, Queue>;

/// Requests that a list of `rows` rows takes.
pub(super) fn pages(rows: u64) -> u64 {
    rows.div_ceil(PAGE).max(1)
}

impl Need {
    /// The queue in which lookups wait that could share a wide request with this one.
    pub(super) fn line(&self) -> Option<Line> {
        match self {
            Self::Path(_) | Self::PlainSearch(_) => None,
            Self::Object(read, _) | Self::List(read) => Some(collection_of(read)),
            Self::Search(read) => Some(Line::Search(read.tree.root())),
        }
    }

    /// The collection whose list answers it as well, if there is one.
    fn collection(&self) -> Option<Line> {
        match self {
            Self::Path(_) | Self::PlainSearch(_) => None,
            Self::Search(read) if !read.has_one_list() => None,
            Self::Object(read, _) | Self::List(read) | Self::Search(read) => Some(collection_of(read)),
        }
    }
}

fn collection_of(read: &Read) -> Line {
    Line::Collection(requests::list(read).path_and_query())
}

/// The requests of `passengers`, who leave the queue of `key`. Those who wait in other queues for what the same request
/// answers are taken along.
pub(super) fn choose(
    shared: &Shared,
    key: &Key,
    passengers: Vec<Passenger>,
    queues: &mut Queues,
) -> Vec<Chosen> {
    let passengers = passengers.into_iter().filter(Passenger::is_waiting).collect();
    match &key.line {
        Line::Collection(_) => collection(shared, key, passengers, queues),
        Line::Search(root) => searches(shared, key, root, passengers, queues),
    }
}

/// The list for all lookups of a collection, or an own request for each.
fn collection(shared: &Shared, key: &Key, passengers: Vec<Passenger>, queues: &mut Queues) -> Vec<Chosen> {
    let Some(read) = passengers.first().and_then(|first| first.waiter.need.read()) else {
        return Vec::new();
    };
    let get = requests::list(read);
    let searches = key.at(Line::Search(read.tree.root()));
    let is_same = |other: &&Passenger| other.waiter.need.collection().as_ref() == Some(&key.line);
    let named = queue::waiting(queues, &searches).iter().filter(is_same);
    match demand(shared, &get, passengers.iter().chain(named)).cheaper() {
        Cheaper::List => {
            let mut all = passengers;
            all.extend(queue::take_if(queues, &searches, |other| is_same(&other)));
            vec![list(get, all)]
        }
        Cheaper::Both => {
            let (whole, others) = passengers
                .into_iter()
                .partition(|one| one.waiter.need.is_whole_list());
            let mut chosen = own(others);
            chosen.push(list(get, whole));
            chosen
        }
        Cheaper::Own => own(passengers),
    }
}

/// Combined searches, and lists where the names of one collection are many.
fn searches(
    shared: &Shared,
    key: &Key,
    root: &'static str,
    passengers: Vec<Passenger>,
    queues: &mut Queues,
) -> Vec<Chosen> {
    let mut chosen = Vec::new();
    let mut searching = Vec::new();
    let mut collections: HashMap<Line, Vec<Passenger>> = HashMap::new();
    for passenger in passengers {
        match passenger.waiter.need.collection() {
            Some(line) => collections.entry(line).or_default().push(passenger),
            None => searching.push(passenger),
        }
    }
    for (line, mut named) in collections {
        let Some(get) = named
            .first()
            .and_then(|first| first.waiter.need.read())
            .map(requests::list)
        else {
            continue;
        };
        let others = key.at(line);
        let demand = demand(shared, &get, named.iter().chain(queue::waiting(queues, &others)));
        match demand.cheaper() {
            Cheaper::List => {
                named.extend(queue::take_if(queues, &others, |_| true));
                chosen.push(list(get, named));
            }
            Cheaper::Both | Cheaper::Own => searching.extend(named),
        }
    }
    chosen.extend(combined(root, searching));
    chosen
}

fn list(get: Get, passengers: Vec<Passenger>) -> Chosen {
    let with_role = |passenger: Passenger| {
        let is_own = passenger.waiter.need.is_whole_list();
        (passenger, if is_own { Role::Owner } else { Role::Guest })
    };
    Chosen {
        get,
        source: Some(Source::List),
        passengers: passengers.into_iter().map(with_role).collect(),
    }
}

/// The own request of each lookup; equal ones are one.
fn own(passengers: Vec<Passenger>) -> Vec<Chosen> {
    let mut requests: HashMap<String, Chosen> = HashMap::new();
    for passenger in passengers {
        let get = passenger.waiter.need.own_request();
        let source = passenger.waiter.need.source();
        let request = requests.entry(get.path_and_query()).or_insert_with(|| Chosen {
            get,
            source,
            passengers: Vec::new(),
        });
        request.passengers.push((passenger, Role::Owner));
    }
    requests.into_values().collect()
}

/// Few searches that find what all of `passengers` search.
fn combined(root: &str, passengers: Vec<Passenger>) -> Vec<Chosen> {
    let reads: Vec<&Read> = passengers
        .iter()
        .filter_map(|one| one.waiter.need.read())
        .collect();
    let combined = combine(&reads);
    let mut passengers: Vec<Option<Passenger>> = passengers.into_iter().map(Some).collect();
    let request = |query: super::compose::Combined| {
        let together: Vec<Passenger> = query
            .reads
            .iter()
            .filter_map(|read| passengers[*read].take())
            .collect();
        let first = together
            .first()
            .map(|one| one.waiter.need.own_request().path_and_query());
        let are_equal = together
            .iter()
            .all(|one| Some(one.waiter.need.own_request().path_and_query()) == first);
        if are_equal {
            return own(together);
        }
        vec![Chosen {
            get: requests::search(root, query.query),
            source: Some(Source::Search),
            passengers: together.into_iter().map(|one| (one, Role::Guest)).collect(),
        }]
    };
    combined.into_iter().flat_map(request).collect()
}

/// What lookups want of a collection, as far as the choice of requests depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Demand {
    /// Whether one of them needs the whole list.
    whole: bool,
    /// Different own requests that would answer the others.
    narrow: usize,
    /// Different names that a combined search would find.
    names: usize,
    /// Rows of the collection, if they are known.
    rows: Option<u64>,
    /// Whether the list is in flight. Another one would wait for it.
    is_underway: bool,
}

/// The requests that are cheaper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cheaper {
    /// The list for all.
    List,
    /// The list for those that need it, and an own request for each of the others.
    Both,
    /// An own request for each lookup. Names are searched together with those of other collections.
    Own,
}

impl Demand {
    /// The list must take fewer requests than the own requests that it replaces, or as many if it is needed anyway: the
    /// others are then answered by the same rows, unless they would wait for many pages. A collection of unknown size
    /// counts as one page, which most collections have; its first page corrects that.
    fn cheaper(self) -> Cheaper {
        let own = (self.narrow + self.names.div_ceil(NAMES)) as u64;
        let pages = self.rows.map_or(1, pages);
        match self.whole {
            true if own == 0 || pages <= own && !self.is_underway => Cheaper::List,
            true => Cheaper::Both,
            false if pages < own && !self.is_underway => Cheaper::List,
            false => Cheaper::Own,
        }
    }
}

fn demand<'a>(shared: &Shared, list: &Get, passengers: impl Iterator<Item = &'a Passenger>) -> Demand {
    let path = list.path_and_query();
    let mut whole = false;
    let mut narrow = HashSet::new();
    let mut names = HashSet::new();
    for passenger in passengers.filter(|passenger| passenger.is_waiting()) {
        match &passenger.waiter.need {
            need if need.is_whole_list() => whole = true,
            Need::Search(read) => drop(names.insert(read.by.clone())),
            need => drop(narrow.insert(need.own_request().path_and_query())),
        }
    }
    Demand {
        whole,
        narrow: narrow.len(),
        names: names.len(),
        rows: shared.size(&path),
        is_underway: flight::is_underway(shared, &path),
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
            is_underway: false,
        };
        let named = |names, demand| Demand { names, ..demand };
        let beside = |demand| Demand {
            is_underway: true,
            ..demand
        };
        for (demand, cheaper, why) in [
            (
                demand(false, 1, None),
                Cheaper::Own,
                "one object costs one request either way, and its own is smaller",
            ),
            (
                demand(false, 2, None),
                Cheaper::List,
                "most collections have one page",
            ),
            (demand(false, 2, Some(1000)), Cheaper::List, "one page"),
            (
                demand(false, 2, Some(1001)),
                Cheaper::Own,
                "two pages for two objects save nothing",
            ),
            (
                demand(false, 3, Some(1001)),
                Cheaper::List,
                "two pages for three objects",
            ),
            (
                demand(false, 50, Some(100_000)),
                Cheaper::Own,
                "a hundred pages for fifty objects",
            ),
            (
                demand(false, 101, Some(100_000)),
                Cheaper::List,
                "a hundred pages for more objects",
            ),
            (demand(true, 1, None), Cheaper::List, "the list is needed anyway"),
            (
                demand(true, 1, Some(100_000)),
                Cheaper::Both,
                "one object does not wait for a hundred pages",
            ),
            (
                demand(true, 100, Some(100_000)),
                Cheaper::List,
                "a hundred pages that are needed anyway",
            ),
            (demand(true, 0, None), Cheaper::List, "there is nothing narrower"),
            (
                named(8, demand(false, 0, None)),
                Cheaper::Own,
                "a search that other collections share costs less than a list",
            ),
            (
                named(9, demand(false, 0, None)),
                Cheaper::List,
                "so many names take a search of their own, and probably the list after it",
            ),
            (
                named(1, demand(false, 1, None)),
                Cheaper::List,
                "the list answers the name and the object",
            ),
            (
                named(1, demand(true, 0, None)),
                Cheaper::List,
                "the list is needed anyway",
            ),
            (
                named(100, demand(false, 0, Some(100_000))),
                Cheaper::Own,
                "a hundred pages for a few searches",
            ),
            (
                beside(demand(false, 5, None)),
                Cheaper::Own,
                "the list would wait for the one in flight",
            ),
            (
                beside(demand(true, 5, None)),
                Cheaper::Both,
                "only those that need the list wait for the one in flight",
            ),
        ] {
            assert_eq!(demand.cheaper(), cheaper, "{demand:?}: {why}");
        }
    }
}
