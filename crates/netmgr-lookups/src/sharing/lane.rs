//! When a lane sends: at once while nothing is in flight, else when that has ended (group commit).
//!
//! Not here: what a round of requests sends (`collection.rs`, `search.rs`).

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Get, Reservation};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::{JoinSet, yield_now};
use tokio::time::{Instant, sleep, timeout};
use tracing::dispatcher::with_default;
use tracing::instrument::{Instrument as _, WithSubscriber as _};
use tracing::subscriber::NoSubscriber;
use tracing::{Dispatch, debug_span};

use super::waiter::{Interest, Waiter, Want};
use super::{Key, Place, Shared, collection, search};

/// Listings or searches of one lane that are in flight at once. With two, a short one does not wait
/// for the end of a long one.
const AT_ONCE: usize = 2;

/// How long the lookups of a lane wait for the round before them. One slow answer must not hold
/// up its neighbours.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long a lane waits for the login and for a place before it decides what to send.
const PREPARATION: Duration = Duration::from_millis(500);

/// Times that a lane lets other tasks run before it sends, while more lookups keep arriving.
const MOST_YIELDS: u32 = 256;

/// Times in a row that other tasks ran and no lookup arrived: the burst of calls has been read.
const QUIET_YIELDS: u32 = 2;

/// The lookups that wait for the next request of a lane.
pub(super) struct Lane {
    pending: Vec<Waiter>,
    bells: Bells,
}

/// The lookups that wait in the lane of `key`.
pub(super) fn pending<'a>(lanes: &'a HashMap<Key, Lane>, key: &Key) -> &'a [Waiter] {
    lanes.get(key).map_or(&[], |lane| &lane.pending)
}

/// What a lane is woken by.
#[derive(Clone, Default)]
struct Bells {
    /// Rung when a lookup joins.
    joined: Arc<Notify>,
    /// Rung when a lookup stops waiting.
    left: Arc<Notify>,
}

/// What a round holds of its lane: until it is dropped or released, the next round waits.
pub(super) struct Hold {
    next: Option<oneshot::Sender<()>>,
    slot: Option<OwnedSemaphorePermit>,
    place: Option<Reservation>,
}

impl Hold {
    /// Lets the next round begin while this one goes on.
    pub(super) fn release(&mut self) {
        self.next = None;
    }

    /// The place for the first request of the round.
    pub(super) fn place(&mut self) -> Option<Reservation> {
        self.place.take()
    }

    /// Marks the round as one of short requests, which are not counted.
    pub(super) fn is_short(&mut self) {
        self.slot = None;
    }
}

/// Adds `waiter` to the lane of `key`, which starts working if it was idle.
pub(super) fn join(shared: &Arc<Shared>, key: Key, waiter: Waiter) {
    shared.joined.fetch_add(1, Relaxed);
    let mut lanes = shared.lanes();
    if let Some(lane) = lanes.get_mut(&key) {
        waiter.hang(&lane.bells.left);
        lane.pending.push(waiter);
        lane.bells.joined.notify_one();
        return;
    }
    let bells = Bells::default();
    waiter.hang(&bells.left);
    let lane = Lane {
        pending: vec![waiter],
        bells: bells.clone(),
    };
    lanes.insert(key.clone(), lane);
    drop(lanes);
    let end = End {
        shared: Arc::clone(shared),
        key,
        bells,
    };
    tokio::spawn(async move { work(&end.shared, &end.key, &end.bells).await });
}

/// Removes a lane whose work ended before its lookups were answered, as when the runtime shuts down: lookups
/// that join it later would not be answered.
struct End {
    shared: Arc<Shared>,
    key: Key,
    bells: Bells,
}

impl Drop for End {
    fn drop(&mut self) {
        let mut lanes = self.shared.lanes();
        let is_own = |lane: &Lane| Arc::ptr_eq(&lane.bells.left, &self.bells.left);
        let removed = match lanes.get(&self.key) {
            Some(lane) if is_own(lane) => lanes.remove(&self.key),
            _ => None,
        };
        drop(lanes);
        // Their lookups learn it without the lock, which they may take.
        drop(removed);
    }
}

/// Runs rounds until there are no waiters and nothing is in flight.
async fn work(shared: &Arc<Shared>, key: &Key, bells: &Bells) {
    let slots = Arc::new(Semaphore::new(AT_ONCE));
    let mut rounds = JoinSet::new();
    loop {
        while rounds.try_join_next().is_some() {}
        // Without a slot, lookups that need no list go on.
        let slot = timeout(PATIENCE, Arc::clone(&slots).acquire_owned()).await;
        let slot = slot.ok().and_then(Result::ok);
        // Requests are composed as late as possible, so that lookups that join until then share them.
        let place = tokio::select! {
            biased;
            // Without a lookup that waits, no login must be sent.
            () = nobody_waits(shared, key, &bells.left) => None,
            // A request that has to wait longer waits itself, and can report for what.
            place = timeout(preparation(shared, key), shared.client.reserve()) => place.ok().flatten(),
        };
        gather(shared).await;
        let waiters = take(shared, key, rounds.is_empty(), slot.is_some());
        let Some(waiters) = waiters else { return };
        if waiters.is_empty() {
            drop(place);
            if slot.is_none() {
                continue;
            }
            drop(slot);
            tokio::select! {
                () = bells.joined.notified() => {}
                _ = rounds.join_next() => {}
            }
            continue;
        }
        let (next, released) = oneshot::channel();
        let hold = Hold {
            next: Some(next),
            slot,
            place,
        };
        rounds.spawn(round(
            Arc::clone(shared),
            key.clone(),
            waiters,
            hold,
            Arc::clone(&bells.left),
        ));
        tokio::select! {
            _ = released => {}
            () = sleep(PATIENCE) => {}
        }
    }
}

/// Lets the lookups of one burst of calls arrive, without waiting for time to pass.
///
/// The calls of a burst come in any order, so lookups of other lanes show as well that it goes on.
async fn gather(shared: &Shared) {
    let (mut seen, mut quiet) = (shared.joined.load(Relaxed), 0);
    for _ in 0..MOST_YIELDS {
        yield_now().await;
        let joined = shared.joined.load(Relaxed);
        quiet = if joined == seen { quiet + 1 } else { 0 };
        if quiet == QUIET_YIELDS {
            return;
        }
        seen = joined;
    }
}

/// How long the lane of `key` may prepare its next request: at most half of the time that is left.
fn preparation(shared: &Shared, key: &Key) -> Duration {
    let lanes = shared.lanes();
    let earliest = pending(&lanes, key).iter().map(|waiter| waiter.deadline).min();
    let left = earliest.map(|deadline| deadline.saturating_duration_since(Instant::now()) / 2);
    left.map_or(PREPARATION, |left| left.min(PREPARATION))
}

/// Ends when every lookup of the lane has given up.
async fn nobody_waits(shared: &Shared, key: &Key, left: &Notify) {
    loop {
        let rung = left.notified();
        let waits = shared
            .lanes()
            .get(key)
            .is_some_and(|lane| lane.pending.iter().any(Waiter::is_waiting));
        if !waits {
            return;
        }
        rung.await;
    }
}

/// The lookups that wait; unless the lane `has_slot`, only those that one short request can answer.
/// None, and the end of the lane, when no lookup waits and it `is_idle`.
fn take(shared: &Shared, key: &Key, is_idle: bool, has_slot: bool) -> Option<Vec<Waiter>> {
    let mut lanes = shared.lanes();
    let lane = lanes.get_mut(key)?;
    let waiting = std::mem::take(&mut lane.pending)
        .into_iter()
        .filter(Waiter::is_waiting);
    let (waiters, later): (Vec<_>, Vec<_>) =
        waiting.partition(|waiter| has_slot || collection::is_narrow(waiter));
    lane.pending = later;
    if waiters.is_empty() && lane.pending.is_empty() && is_idle {
        lanes.remove(key);
        return None;
    }
    Some(waiters)
}

/// Sends the requests that answer `waiters`, until all of them are answered or dropped.
async fn round(shared: Arc<Shared>, key: Key, waiters: Vec<Waiter>, hold: Hold, left: Arc<Notify>) {
    let interests: Vec<Interest> = waiters.iter().map(Waiter::interest).collect();
    let log = log_of(&waiters);
    let number = shared.rounds.fetch_add(1, Relaxed) + 1;
    for waiter in &waiters {
        waiter.log_round(number, waiters.len());
    }
    // Below the first of its lookups, and linked from the others.
    let span = with_default(&log, || {
        let first = waiters.first().and_then(|waiter| waiter.span.id());
        debug_span!(parent: first, "round", round = number, lookups = waiters.len())
    });
    for waiter in waiters.iter().skip(1) {
        waiter.span.follows_from(&span);
    }
    let requests = async {
        match &key.place {
            Place::Path(_) => at_path(&shared, waiters, hold).await,
            Place::Collection(path) => {
                collection::round(&shared, &key, path, waiters, hold).await;
            }
            Place::Search(root) if key.confidential => search::alone(&shared, root, waiters, hold).await,
            Place::Search(root) => search::round(&shared, &key, root, waiters, hold).await,
        }
    };
    tokio::select! {
        () = requests.instrument(span).with_subscriber(log) => {}
        () = abandoned(&interests, &left) => {}
    }
}

/// Ends when no lookup is interested any more.
async fn abandoned(interests: &[Interest], left: &Notify) {
    loop {
        let rung = left.notified();
        if !interests.iter().any(Interest::lasts) {
            return;
        }
        rung.await;
    }
}

/// Where a round logs: nowhere when one of its lookups has secret arguments.
fn log_of(waiters: &[Waiter]) -> Dispatch {
    let silent = |waiter: &&Waiter| waiter.log.is::<NoSubscriber>();
    match (waiters.iter().find(silent), waiters.first()) {
        (None, Some(first)) => first.log.clone(),
        _ => Dispatch::none(),
    }
}

/// One request, whose answer is everybody's.
async fn at_path(shared: &Shared, waiters: Vec<Waiter>, mut hold: Hold) {
    let Some(Want::Path(get)) = waiters.first().map(|waiter| waiter.want.clone()) else {
        return;
    };
    let get = shared.request(*get, &waiters, hold.place());
    match shared.client.get(&get).await {
        Ok(reply) => waiters
            .into_iter()
            .for_each(|waiter| waiter.sink.reply(reply.clone())),
        Err(error) => fail(waiters, error),
    }
}

impl Shared {
    /// `get` for all of `waiters`: until the last of them has to be answered.
    pub(super) fn request(&self, get: Get, waiters: &[Waiter], place: Option<Reservation>) -> Get {
        self.counters.shared(waiters.len());
        let deadlines = waiters.iter().map(|waiter| waiter.deadline);
        let since = waiters.iter().map(|waiter| waiter.since).min();
        get.deadline(deadlines.max().unwrap_or_else(Instant::now))
            .since(since.unwrap_or_else(Instant::now))
            .reserved(place)
    }
}

/// Reports one failure to each of `waiters`.
pub(super) fn fail(waiters: impl IntoIterator<Item = Waiter>, error: RequestError) {
    for waiter in waiters {
        waiter.sink.fail(error.clone());
    }
}

/// Whom the failure of a shared request concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The request: the manager refused it as such or failed over it, so that another one may be
    /// answered.
    Request,
    /// The request or the manager: no answer came in time, or none at all.
    Unclear,
    /// All requests: the login, the connection, an overloaded manager, a deadline.
    Everybody,
}

/// Whom `error` concerns.
pub(super) fn scope(error: &RequestError) -> Scope {
    let status = error.failure().status;
    match (error.kind(), status.map(|status| status.as_u16())) {
        (RequestErrorKind::Throttled, _) => Scope::Everybody,
        _ if is_of_login(error) => Scope::Everybody,
        (_, Some(502..=504)) => Scope::Unclear,
        (RequestErrorKind::Server | RequestErrorKind::BadReply, _) => Scope::Request,
        (_, Some(401 | 407 | 408 | 429)) => Scope::Everybody,
        (_, Some(400..=499)) => Scope::Request,
        _ => Scope::Everybody,
    }
}

fn is_of_login(error: &RequestError) -> bool {
    let request_line = error.failure().request_line.as_ref();
    request_line.is_some_and(|request_line| request_line.method == "POST")
}
