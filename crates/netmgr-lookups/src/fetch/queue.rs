//! Queues of lookups whose request is not chosen yet.
//!
//! There is a queue for each collection, and one for the searches below each API root. Its lookups depart together:
//! immediately if nothing is in flight for the queue, and otherwise when the lookups before them have their answers, or
//! after a second. `wide.rs` decides which requests they send.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared, WeakShared};
use netmgr_transport::Reservation;
use tokio::runtime;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::flight::{self, Flight, Order};
use super::schedule::{Schedule, this_runtime};
use super::waiter::{Caller, Landing, Line, LookupWaiter, Need, Needs, Role, Undecided};
use super::wide::{Cheaper, ChosenRequest, cheaper, combined, list, own};
use crate::requests;
use crate::rows::SharedCollector;

/// Maximum wait for earlier lookups, so that a slow response does not delay later lookups.
const PATIENCE: Duration = Duration::from_secs(1);

/// Maximum wait of a departure for a slot, or for a login to start.
const PREPARATION: Duration = Duration::from_millis(500);

/// The key of a queue.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct QueueKey {
    line: Line,
    runtime: runtime::Id,
}

impl QueueKey {
    /// The queue of another line of the same runtime.
    fn at(&self, line: Line) -> Self {
        Self {
            line,
            runtime: self.runtime,
        }
    }
}

/// The queues of a client.
pub(super) struct Queues {
    schedule: Arc<Schedule>,
    queues: Mutex<HashMap<QueueKey, LookupQueue>>,
}

/// Lookups that wait for their departure.
#[derive(Default)]
pub(super) struct LookupQueue {
    waiting: Vec<Passenger>,
    departure: Option<WeakShared<Departure>>,
    /// The lookups that departed last, and when.
    latest: Option<(CancellationToken, Instant)>,
}

/// Chooses the requests of a queue's lookups. They poll it; it is dropped with the last of them.
type Departure = BoxFuture<'static, ()>;

/// A lookup that waits for its departure.
struct Passenger {
    waiter: Arc<LookupWaiter>,
    assign: oneshot::Sender<Assignment>,
}

impl Passenger {
    fn is_waiting(&self) -> bool {
        !self.assign.is_closed() && self.waiter.is_waiting()
    }
}

impl Needs for Passenger {
    fn need(&self) -> &Need {
        &self.waiter.need
    }
}

/// The request that a lookup waits for.
struct Assignment {
    flight: Flight,
    role: Role,
    /// Held by the lookup until it has its answer.
    _wave: Arc<Wave>,
}

impl Queues {
    pub(super) fn new(schedule: &Arc<Schedule>) -> Self {
        Self {
            schedule: Arc::clone(schedule),
            queues: Mutex::default(),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<QueueKey, LookupQueue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits in the queue of `line` and then for the request that is chosen.
    pub(super) async fn board(
        self: &Arc<Self>,
        line: Line,
        need: &Need,
        rows: &SharedCollector,
        caller: Caller<'_>,
    ) -> Landing {
        let mut ticket = LookupWaiter::begin(need, rows, caller);
        let (assign, mut assigned) = oneshot::channel();
        let passenger = Passenger {
            waiter: Arc::clone(&ticket.waiter),
            assign,
        };
        let departure = self.join(line, passenger);
        let assignment = tokio::select! {
            biased;
            assignment = &mut assigned => assignment.ok(),
            () = departure => assigned.try_recv().ok(),
            () = self.schedule.past(caller.share()) => None,
        };
        match assignment {
            Some(Assignment { flight, role, _wave }) => {
                flight::ride(&self.schedule, &mut ticket, flight, role, caller).await
            }
            None => Landing::Undecided(Undecided::ByItsRows),
        }
    }

    /// Adds a lookup to a queue.
    fn join(self: &Arc<Self>, line: Line, passenger: Passenger) -> Shared<Departure> {
        self.schedule.count_joined();
        let key = QueueKey {
            line,
            runtime: this_runtime(),
        };
        let mut queues = self.lock();
        let queue = queues.entry(key.clone()).or_default();
        queue.waiting.push(passenger);
        if let Some(departure) = queue.departure.as_ref().and_then(WeakShared::upgrade) {
            return departure;
        }
        let turn = DepartureTurn {
            queues: Arc::clone(self),
            key,
        };
        let departure = depart(turn).boxed().shared();
        queue.departure = departure.downgrade();
        departure
    }

    /// Removes a queue if nothing waits in it and nothing is in flight for it.
    fn remove_if_idle(&self, key: &QueueKey) {
        // A departure, if this is its last owner, is dropped after the lock, which it takes.
        let departure;
        let mut queues = self.lock();
        let Some(queue) = queues.get(key) else { return };
        departure = queue.departure.as_ref().and_then(WeakShared::upgrade);
        let is_underway = queue
            .latest
            .as_ref()
            .is_some_and(|(ended, _)| !ended.is_cancelled());
        if departure.is_none() && !is_underway {
            queues.remove(key);
        }
        drop(queues);
    }

    /// Waits for the login and for a slot, and then for the rest of a burst of lookups: requests are chosen as late as
    /// possible, so that lookups that arrive until then share them.
    async fn prepare(&self) -> Option<Reservation> {
        let reserved = tokio::select! {
            biased;
            reserved = self.schedule.client.reserve() => reserved,
            // A request that has to wait longer does so itself, and can report the reason.
            () = self.schedule.past(Instant::now() + PREPARATION) => None,
        };
        self.schedule.gather().await;
        reserved
    }
}

/// A departure of a queue, until it is over or abandoned.
struct DepartureTurn {
    queues: Arc<Queues>,
    key: QueueKey,
}

impl Drop for DepartureTurn {
    fn drop(&mut self) {
        self.queues.remove_if_idle(&self.key);
    }
}

/// The lookups of one departure that have no answer yet.
struct Wave {
    queues: Arc<Queues>,
    key: QueueKey,
    ended: CancellationToken,
}

impl Drop for Wave {
    fn drop(&mut self) {
        self.ended.cancel();
        self.queues.remove_if_idle(&self.key);
    }
}

/// Chooses the requests of the lookups in a queue when it is their turn.
async fn depart(turn: DepartureTurn) {
    let DepartureTurn { queues, key } = &turn;
    let latest = queues.lock().get(key).and_then(|queue| queue.latest.clone());
    if let Some((ended, at)) = latest {
        // The departure continues either way.
        let _ = timeout_at(at + PATIENCE, ended.cancelled()).await;
    }
    let mut reservation = queues.prepare().await;
    let ended = CancellationToken::new();
    let chosen = {
        let mut locked = queues.lock();
        let Some(queue) = locked.get_mut(key) else { return };
        queue.departure = None;
        queue.latest = Some((ended.clone(), Instant::now()));
        let passengers = mem::take(&mut queue.waiting);
        let passengers = passengers.into_iter().filter(Passenger::is_waiting).collect();
        choose(&queues.schedule, key, passengers, &mut locked)
    };
    let wave = Arc::new(Wave {
        queues: Arc::clone(queues),
        key: key.clone(),
        ended,
    });
    for chosen in chosen {
        let order = Order {
            get: chosen.get,
            source: chosen.source,
            confidential: false,
        };
        let seats = chosen.passengers.iter();
        let seats = seats
            .map(|(passenger, role)| (Arc::clone(&passenger.waiter), *role))
            .collect();
        let flight = flight::join(&queues.schedule, order, seats, Some(reservation.take()));
        for (passenger, role) in chosen.passengers {
            let assignment = Assignment {
                flight: flight.clone(),
                role,
                _wave: Arc::clone(&wave),
            };
            // A lookup that has given up needs no request.
            let _ = passenger.assign.send(assignment);
        }
    }
}

/// The requests of `passengers`, which leave the queue of `key`. Lookups in other queues that the same request answers
/// join them.
fn choose(
    schedule: &Schedule,
    key: &QueueKey,
    passengers: Vec<Passenger>,
    queues: &mut HashMap<QueueKey, LookupQueue>,
) -> Vec<ChosenRequest<Passenger>> {
    match &key.line {
        Line::Collection(path) => {
            let Some(read) = passengers.first().and_then(|first| first.need().read()) else {
                return Vec::new();
            };
            let get = requests::list(read);
            let searches = key.at(Line::Search(read.tree.root()));
            let named = take_if(queues, &searches, |other| {
                other.need().collection().as_ref() == Some(&key.line)
            });
            match cheaper(passengers.iter().chain(&named), schedule.list_facts(path)) {
                Cheaper::List => return vec![list(get, passengers.into_iter().chain(named).collect())],
                Cheaper::Own => give_back(queues, &searches, named),
                Cheaper::Both => {
                    give_back(queues, &searches, named);
                    let (whole, others) = passengers.into_iter().partition(|one| one.need().is_whole_list());
                    return own(others).into_iter().chain([list(get, whole)]).collect();
                }
            }
            own(passengers)
        }
        Line::Search(root) => {
            let mut chosen = Vec::new();
            let mut searching = Vec::new();
            for (collection, named) in by_collection(passengers) {
                let request = named
                    .first()
                    .and_then(|first| first.need().read())
                    .map(requests::list);
                let (Some(line), Some(get)) = (collection, request) else {
                    searching.extend(named);
                    continue;
                };
                let others = take_if(queues, &key.at(line.clone()), |_| true);
                let facts = schedule.list_facts(&get.path_and_query());
                if cheaper(named.iter().chain(&others), facts) == Cheaper::List {
                    chosen.push(list(get, named.into_iter().chain(others).collect()));
                } else {
                    give_back(queues, &key.at(line), others);
                    searching.extend(named);
                }
            }
            chosen.extend(combined(root, searching));
            chosen
        }
    }
}

/// Lookups by name with the collection whose list would answer them.
fn by_collection(passengers: Vec<Passenger>) -> HashMap<Option<Line>, Vec<Passenger>> {
    let mut collections: HashMap<Option<Line>, Vec<Passenger>> = HashMap::new();
    for passenger in passengers {
        collections
            .entry(passenger.need().collection())
            .or_default()
            .push(passenger);
    }
    collections
}

/// Takes the lookups that wait in the queue of `key` and for which `is_meant` returns true.
fn take_if(
    queues: &mut HashMap<QueueKey, LookupQueue>,
    key: &QueueKey,
    is_meant: impl Fn(&Passenger) -> bool,
) -> Vec<Passenger> {
    let Some(queue) = queues.get_mut(key) else {
        return Vec::new();
    };
    queue
        .waiting
        .extract_if(.., |one| is_meant(one) && one.is_waiting())
        .collect()
}

fn give_back(queues: &mut HashMap<QueueKey, LookupQueue>, key: &QueueKey, passengers: Vec<Passenger>) {
    if let Some(queue) = queues.get_mut(key) {
        queue.waiting.extend(passengers);
    }
}
