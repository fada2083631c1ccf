//! Lookups that wait for a request that is not chosen yet, and when it is chosen.
//!
//! There is a queue for each collection, and one for the searches below each API root. Its lookups depart together: at
//! once if nothing is in flight for the queue, and otherwise when those before them have their answers, or after a
//! second. Which requests they send is decided in `wide.rs`.

use std::collections::HashMap;
use std::mem;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared as SharedFuture, WeakShared};
use netmgr_transport::{Error as RequestError, Reply, Row};
use tokio::runtime;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::coalescer::{Caller, Shared, this_runtime};
use super::flight::{self, Flight, Order};
use super::waiter::{Landing, Need, Role, Undecided, Waiter};
use super::wide;
use crate::rows::{Collector, SharedCollector, Source};

/// How long lookups wait for those before them. One slow answer must not hold up its neighbours.
const PATIENCE: Duration = Duration::from_secs(1);

/// What the lookups of a queue have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Line {
    /// The collection at this path and query.
    Collection(String),
    /// The searches below this API root.
    Search(&'static str),
}

/// What identifies a queue.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) line: Line,
    runtime: runtime::Id,
}

/// Lookups that wait for their departure.
pub(super) struct Queue {
    waiting: Vec<Passenger>,
    departure: Option<WeakShared<Departure>>,
    /// The lookups that departed last, and when.
    latest: Option<(CancellationToken, Instant)>,
}

/// Chooses the requests of a queue's lookups. They poll it; it is dropped with the last of them.
type Departure = BoxFuture<'static, ()>;

/// A lookup that waits for its departure.
pub(super) struct Passenger {
    pub(super) waiter: Arc<Waiter>,
    assign: oneshot::Sender<Assignment>,
}

/// The request that a lookup waits for.
struct Assignment {
    flight: Flight,
    role: Role,
    /// Held by the lookup until it has its answer.
    _wave: Arc<Wave>,
}

/// The lookups of one departure that have no answer yet.
struct Wave {
    shared: Arc<Shared>,
    key: Key,
    ended: CancellationToken,
}

impl Drop for Wave {
    fn drop(&mut self) {
        self.ended.cancel();
        remove_if_idle(&self.shared, &self.key);
    }
}

impl Passenger {
    pub(super) fn is_waiting(&self) -> bool {
        !self.assign.is_closed() && self.waiter.is_waiting()
    }
}

impl Key {
    pub(super) fn of(line: Line) -> Self {
        Self {
            line,
            runtime: this_runtime(),
        }
    }

    /// The queue of another line of the same runtime.
    pub(super) fn at(&self, line: Line) -> Self {
        Self {
            line,
            runtime: self.runtime,
        }
    }
}

/// Waits in the queue of `line` and then for the request that is chosen.
pub(super) async fn board(
    shared: &Arc<Shared>,
    line: Line,
    need: &Need,
    rows: &SharedCollector,
    caller: Caller,
) -> Landing {
    let mut ticket = Waiter::new(need, rows, caller);
    let (assign, mut assigned) = oneshot::channel();
    let departure = join(
        shared,
        Key::of(line),
        Passenger {
            waiter: Arc::clone(&ticket.waiter),
            assign,
        },
    );
    let assignment = tokio::select! {
        biased;
        assignment = &mut assigned => assignment.ok(),
        () = departure => assigned.try_recv().ok(),
    };
    match assignment {
        Some(Assignment { flight, role, _wave }) => flight::ride(&mut ticket, flight, role).await,
        None => Landing::Undecided(Undecided::ByItsRows),
    }
}

/// Adds a lookup to a queue.
fn join(shared: &Arc<Shared>, key: Key, passenger: Passenger) -> SharedFuture<Departure> {
    shared.joined.fetch_add(1, Relaxed);
    let mut queues = shared.queues();
    let queue = queues.entry(key.clone()).or_insert_with(|| Queue {
        waiting: Vec::new(),
        departure: None,
        latest: None,
    });
    let deadline = passenger.waiter.deadline;
    queue.waiting.push(passenger);
    if let Some(departure) = queue.departure.as_ref().and_then(WeakShared::upgrade) {
        return departure;
    }
    let end = End {
        shared: Arc::clone(shared),
        key,
    };
    let departure = depart(end, deadline).boxed().shared();
    queue.departure = departure.downgrade();
    departure
}

/// Removes a queue whose lookups are gone before they depart.
struct End {
    shared: Arc<Shared>,
    key: Key,
}

impl Drop for End {
    fn drop(&mut self) {
        remove_if_idle(&self.shared, &self.key);
    }
}

fn remove_if_idle(shared: &Shared, key: &Key) {
    // A departure, if this is its last owner, is dropped after the lock, which it takes.
    let departure;
    let mut queues = shared.queues();
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

/// Chooses the requests of the lookups in a queue when it is their turn.
async fn depart(end: End, deadline: Instant) {
    let End { shared, key } = &end;
    let latest = shared.queues().get(key).and_then(|queue| queue.latest.clone());
    if let Some((ended, at)) = latest {
        // Ends in either case.
        let _ = timeout_at(at + PATIENCE, ended.cancelled()).await;
    }
    let mut reservation = shared.prepare(deadline).await;
    let ended = CancellationToken::new();
    let chosen = {
        let mut queues = shared.queues();
        let Some(queue) = queues.get_mut(key) else { return };
        queue.departure = None;
        queue.latest = Some((ended.clone(), Instant::now()));
        let passengers = mem::take(&mut queue.waiting);
        wide::choose(shared, key, passengers, &mut queues)
    };
    let wave = Arc::new(Wave {
        shared: Arc::clone(shared),
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
        let flight = flight::join(shared, order, seats, Some(reservation.take()));
        for (passenger, role) in chosen.passengers {
            let assignment = Assignment {
                flight: flight.clone(),
                role,
                _wave: Arc::clone(&wave),
            };
            // A lookup that gave up meanwhile needs no request.
            let _ = passenger.assign.send(assignment);
        }
    }
}

/// Takes the lookups that wait in the queue of `key` and for which `is_meant` returns true.
pub(super) fn take_if(
    queues: &mut HashMap<Key, Queue>,
    key: &Key,
    is_meant: impl Fn(&Passenger) -> bool,
) -> Vec<Passenger> {
    let Some(queue) = queues.get_mut(key) else {
        return Vec::new();
    };
    let (taken, left) = mem::take(&mut queue.waiting)
        .into_iter()
        .partition(|one| is_meant(one));
    queue.waiting = left;
    taken
}

/// The lookups that wait in the queue of `key`.
pub(super) fn waiting<'a>(queues: &'a HashMap<Key, Queue>, key: &Key) -> &'a [Passenger] {
    queues.get(key).map_or(&[], |queue| &queue.waiting)
}

/// The collector of what is not paged.
pub(super) fn no_rows() -> SharedCollector {
    Arc::new(Mutex::new(NoRows))
}

struct NoRows;

impl Collector for NoRows {
    fn offer(&mut self, _: &Row, _: Source) -> bool {
        false
    }

    fn take_reply(&mut self, _: &Reply) -> Result<(), RequestError> {
        Ok(())
    }

    fn is_empty(&self) -> bool {
        true
    }

    fn is_sound(&self) -> bool {
        true
    }

    fn clear(&mut self) {}
}
