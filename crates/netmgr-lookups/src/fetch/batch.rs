//! Lookups that wait at the same time share requests.
//!
//! The rule: a lookup that shares is never worse off than the same lookup alone (decision sharing). A lookup's *own
//! request* is the one that it would send alone: the path of its object, the search for its name, the list of its
//! collection.
//!
//! 1. A lookup *joins* a batch. The lookups of one burst are *gathered*, while a login is under way also longer.
//! 2. Their requests are *chosen* (`choose.rs`): own requests, of which equal ones are one, and *wide* ones, which
//!    replace several own requests if that takes fewer.
//! 3. Each request is a task (`request.rs`). It ends with the last of its lookups, because they hold it.
//! 4. A wide request only counts if its rows decide the lookup. Otherwise the lookup joins again for its own request,
//!    after a failure at a pace that does not multiply an outage (`recovery.rs`).
//!
//! For example, 55 lookups of one collection join in a burst. Those by id take a request each, and eight by name count as
//! one, so the list of the collection, which has one page, replaces all of them. [`Batcher::fetch`] is where a lookup
//! joins.
//!
//! A lookup gives all of this a third of its time, at most ten seconds; then it sends its own request. Lookups with
//! secret arguments share only equal requests with each other. An answer never comes from a request that began before
//! its lookup. Only the sizes of collections are remembered.

use std::collections::{HashMap, HashSet};
use std::iter;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use netmgr_transport::{
    Client, Error as RequestError, ErrorKind as RequestErrorKind, Failure, Get, Reply, Reservation,
};
use tokio::runtime::{self, Handle};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::yield_now;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};
use tracing::instrument::{Instrument as _, WithSubscriber as _};

use super::choose::{ListFacts, SharedRequest, choose};
use super::in_flight::InFlight;
use super::need::{Group, Need};
use super::waiting::{Answer, Caller, Hold, Outcome, PendingAnswer, Role, Task, Waiting};
use crate::contract::stats::{LookupCounters, Stats};
use crate::finding::rows::{SharedCollector, no_rows};
use recovery::Failed;
use request::{Left, logged, send};

mod recovery;
mod request;

/// How long a lookup waits beyond its deadline. The error of the request is better, because it contains the attempts
/// and the last failure; the lookup reports its own only if the request continues for other lookups.
pub(super) const GRACE: Duration = Duration::from_millis(50);

/// A burst of calls is complete when no lookup has joined for this long.
const QUIET: Duration = Duration::from_millis(1);

/// Maximum wait for the end of a burst.
const LONGEST_BURST: Duration = Duration::from_millis(50);

/// Maximum wait for a slot before requests are chosen. A request that has to wait longer does so itself, and can report
/// the reason.
const PREPARATION: Duration = Duration::from_millis(500);

/// Maximum time that a lookup gives to wide requests.
const PATIENCE: Duration = Duration::from_secs(10);

/// Maximum number of collections whose size is remembered.
const MOST_SIZES: usize = 4096;

/// The requests of one client that lookups share.
pub(crate) struct Batcher {
    pub(super) client: Client,
    pub(super) counters: LookupCounters,
    batches: Mutex<HashMap<runtime::Id, Weak<Batch>>>,
    /// Pages that a list had when it was last read, by its path. Only the choice of requests depends on it,
    /// never an answer.
    sizes: Mutex<HashMap<String, u64>>,
    /// Requests so far, for the log.
    rounds: AtomicU64,
}

/// The waiting lookups of one runtime. Those of another one must not wait for its tasks: it may rest or end. The
/// lookups and their tasks hold it.
struct Batch {
    batcher: Arc<Batcher>,
    state: Mutex<BatchState>,
    /// Notified when a lookup joins or a request ends.
    changed: Notify,
}

#[derive(Default)]
struct BatchState {
    /// Lookups whose request is not chosen yet.
    waiting: Vec<Waiting>,
    /// Number of lookups that have joined so far.
    joined: u64,
    /// Chooses the requests of `waiting`.
    gatherer: Weak<Task>,
    in_flight: InFlight,
    failed: Failed,
}

/// A request that is in flight, until it is dropped.
struct Underway {
    batch: Arc<Batch>,
    request: String,
    groups: HashSet<Group>,
}

impl Batcher {
    /// Shares the requests of `client`. Sends nothing.
    pub(crate) fn new(client: Client) -> Arc<Self> {
        Arc::new(Self {
            client,
            counters: LookupCounters::default(),
            batches: Mutex::default(),
            sizes: Mutex::default(),
            rounds: AtomicU64::new(0),
        })
    }

    /// Counts a lookup and returns its number.
    pub(crate) fn begin(&self) -> u64 {
        self.counters.lookup()
    }

    /// The cost of the lookups so far.
    pub(crate) fn stats(&self) -> Stats {
        self.counters.read(self.client.traffic())
    }

    /// The reply at a path.
    pub(crate) async fn path(self: &Arc<Self>, get: Get, caller: Caller<'_>) -> Result<Reply, RequestError> {
        match self.fetch(Need::Path(get), &no_rows(), caller).await? {
            Answer::Reply(reply) => Ok(reply),
            Answer::Rows(..) => Err(lost()),
        }
    }

    /// Answers `need` by a request that began after this call. The rows are collected in `rows`.
    pub(crate) async fn fetch(
        self: &Arc<Self>,
        need: Need,
        rows: &SharedCollector,
        caller: Caller<'_>,
    ) -> Outcome {
        self.client.check(&need.own_request())?;
        let began = Instant::now();
        match timeout_at(caller.deadline + GRACE, self.answer(&need, rows, caller)).await {
            Ok(outcome) => outcome,
            Err(_) => {
                let waited = caller.deadline.saturating_duration_since(began);
                Err(self.client.late(&need.own_request(), waited))
            }
        }
    }

    async fn answer(self: &Arc<Self>, need: &Need, rows: &SharedCollector, caller: Caller<'_>) -> Outcome {
        if caller.may_share() && need.group().is_some() {
            let PendingAnswer { mut outcome, hold } = self.batch().begin(need, rows, caller, true);
            tokio::select! {
                biased;
                outcome = &mut outcome => if let Ok(outcome) = outcome { return outcome },
                () = self.patience(&hold, caller) => caller.has_waited.store(true, Relaxed),
            }
        }
        // A task that is lost, because its runtime has ended or it panicked, is replaced once.
        for _ in 0..2 {
            let wait = self.batch().begin(need, rows, caller, false);
            if let Ok(outcome) = wait.outcome.await {
                return outcome;
            }
        }
        Err(lost())
    }

    /// Waits for the end of the time that a lookup gives to wide requests. It begins again after a login, which every
    /// request needs, and does not end when the own request is on its way.
    async fn patience(&self, hold: &Hold, caller: Caller<'_>) {
        loop {
            let left = caller.deadline.saturating_duration_since(Instant::now());
            sleep(PATIENCE.min(left / 3)).await;
            let since = Instant::now();
            self.client.login_settled().await;
            if hold.is_own() {
                return std::future::pending().await;
            }
            if since.elapsed() < QUIET {
                return;
            }
        }
    }

    /// The batch of this runtime.
    fn batch(self: &Arc<Self>) -> Arc<Batch> {
        let mut batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
        let runtime = Handle::current().id();
        if let Some(batch) = batches.get(&runtime).and_then(Weak::upgrade) {
            return batch;
        }
        batches.retain(|_, batch| batch.strong_count() > 0);
        let batch = Arc::new(Batch {
            batcher: Arc::clone(self),
            state: Mutex::default(),
            changed: Notify::new(),
        });
        batches.insert(runtime, Arc::downgrade(&batch));
        batch
    }

    /// The number of batches that lookups or tasks still use.
    #[cfg(test)]
    pub(super) fn batches(&self) -> usize {
        let batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
        batches.values().filter(|batch| batch.strong_count() > 0).count()
    }

    fn sizes(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.sizes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn remember_size(&self, path: &str, pages: u64) {
        let mut sizes = self.sizes();
        if sizes.len() >= MOST_SIZES {
            sizes.clear();
        }
        sizes.insert(path.to_owned(), pages);
    }
}

/// The error of a lookup whose request ended without an answer.
fn lost() -> RequestError {
    let failure = Failure::default()
        .reason("the shared request ended without a response")
        .hint("please report it");
    RequestError::new(RequestErrorKind::BadReply, failure)
}

impl Batch {
    fn lock(&self) -> MutexGuard<'_, BatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(
        self: &Arc<Self>,
        need: &Need,
        rows: &SharedCollector,
        caller: Caller<'_>,
        may_be_wide: bool,
    ) -> PendingAnswer {
        let (wait, waiting) = Waiting::begin(need, rows, caller, may_be_wide);
        self.join(&mut self.lock(), waiting);
        wait
    }

    /// Adds a lookup to those whose request is chosen next.
    fn join(self: &Arc<Self>, state: &mut BatchState, waiting: Waiting) {
        let gatherer = state.gatherer.upgrade().filter(|task| !task.is_finished());
        let gatherer = gatherer.unwrap_or_else(|| {
            let batch = Arc::clone(self);
            let gatherer = Arc::new(Task::new(tokio::spawn(async move { batch.gather().await })));
            state.gatherer = Arc::downgrade(&gatherer);
            gatherer
        });
        waiting.held_by(&gatherer);
        state.joined += 1;
        state.waiting.push(waiting);
        self.changed.notify_one();
    }

    /// Chooses and sends the requests of waiting lookups until none waits.
    async fn gather(self: &Arc<Self>) {
        loop {
            let mut reservation = self.prepare().await;
            while let Err(next) = self.send_chosen(reservation).await {
                reservation = next;
            }
            let turn = {
                let mut state = self.lock();
                let turn = state.next_turn();
                if turn.is_none() {
                    state.gatherer = Weak::new();
                }
                turn
            };
            let Some(turn) = turn else { return };
            tokio::select! {
                () = sleep_until(turn) => {}
                () = self.changed.notified() => {}
            }
        }
    }

    /// Chooses the requests of the lookups that need not wait, and sends each when it has a slot; `reservation` is for
    /// the first request.
    ///
    /// # Errors
    ///
    /// Lookups have joined in the meantime, so the requests that are left have to be chosen again: the reservation of the
    /// first one.
    async fn send_chosen(
        self: &Arc<Self>,
        mut reservation: Option<Reservation>,
    ) -> Result<(), Option<Reservation>> {
        let (requests, joined) = self.choose();
        let mut requests = requests.into_iter();
        let mut is_first = true;
        // If one request gets no slot, the others are sent at once, and each waits for its own slot.
        let mut has_slot = true;
        while let Some(request) = requests.next() {
            if !is_first && has_slot {
                // The request before may be the login.
                yield_now().await;
                reservation = self.reserve().await;
                let mut state = self.lock();
                if state.joined != joined {
                    let left = iter::once(request).chain(requests);
                    let left = left.flat_map(|request| request.waiting);
                    state.waiting.extend(left.map(|(one, _)| one));
                    return Err(reservation);
                }
            }
            is_first = false;
            has_slot = reservation.is_some();
            self.send(request, reservation.take(), None);
        }
        Ok(())
    }

    /// The requests of the lookups that need not wait, and how many lookups had joined.
    fn choose(&self) -> (Vec<SharedRequest>, u64) {
        let mut state = self.lock();
        let ready = state.ready(Instant::now());
        let chosen = choose(ready, |path| ListFacts {
            pages: self.batcher.sizes().get(path).copied(),
            is_in_flight: state.in_flight.has(path),
        });
        (chosen, state.joined)
    }

    /// Waits for the login and for a slot, and then for the rest of a burst of lookups: requests are chosen as late as
    /// possible, so that lookups that arrive until then share them.
    async fn prepare(&self) -> Option<Reservation> {
        let reserved = self.reserve().await;
        let latest = Instant::now() + LONGEST_BURST;
        loop {
            let joined = self.lock().joined;
            sleep(QUIET).await;
            if self.lock().joined == joined || Instant::now() >= latest {
                return reserved;
            }
        }
    }

    /// Waits for the login and for a slot.
    async fn reserve(&self) -> Option<Reservation> {
        let client = &self.batcher.client;
        tokio::select! {
            biased;
            reserved = client.reserve() => reserved,
            () = async { sleep(PREPARATION).await; client.login_settled().await } => None,
        }
    }

    /// Passes on the lookups that a request did not answer.
    fn take(self: &Arc<Self>, left: Left) {
        let mut state = self.lock();
        let (lookups, may_share_again) = match left {
            Left::TooLong(lookups) => (lookups, true),
            Left::Undecided(lookups) => (lookups, false),
            Left::Failed(lookups, error) => return self.recover(&mut state, lookups, &error),
        };
        for mut waiting in lookups.into_iter().filter(Waiting::is_waiting) {
            waiting.try_again(may_share_again);
            self.join(&mut state, waiting);
        }
    }

    /// Sends a request in a task of its own, which begins when its lookups hold it, and reports how it ends.
    fn send(
        self: &Arc<Self>,
        mut request: SharedRequest,
        reservation: Option<Reservation>,
        report: Option<&Report>,
    ) {
        request.get = request.get.reserved(reservation);
        for (own, _) in request.waiting.iter().filter(|(_, role)| *role == Role::Own) {
            own.send_alone();
        }
        let holds: Vec<_> = request.waiting.iter().map(|(one, _)| one.hold()).collect();
        let underway = Underway::begin(self, &request);
        let report = report.cloned();
        let (begin, held) = oneshot::channel();
        let task = tokio::spawn(async move {
            if held.await.is_ok() {
                underway.complete(request, report).await;
            }
        });
        let task = Arc::new(Task::new(task));
        for hold in holds.iter().filter_map(Weak::upgrade) {
            hold.hold(&task);
        }
        let _ = begin.send(());
    }
}

/// How own requests end: with a failure or not.
type Report = mpsc::UnboundedSender<Option<RequestError>>;

impl Underway {
    fn begin(batch: &Arc<Batch>, request: &SharedRequest) -> Self {
        let groups = request.waiting.iter().filter_map(|(one, _)| one.group());
        let underway = Self {
            batch: Arc::clone(batch),
            request: request.get.path_and_query(),
            groups: groups.collect(),
        };
        let mut state = batch.lock();
        state.in_flight.begin(&underway.request, &underway.groups);
        underway
    }

    /// Sends the request, and passes on the lookups that it does not answer.
    async fn complete(self, request: SharedRequest, report: Option<Report>) {
        let batch = Arc::clone(&self.batch);
        let round = batch.batcher.rounds.fetch_add(1, Relaxed) + 1;
        let (log, span) = logged(round, &request.waiting);
        let left = send(&batch, request).instrument(span).with_subscriber(log).await;
        if let Some(report) = report {
            let failure = match &left {
                Left::Failed(_, error) => Some(error.clone()),
                Left::TooLong(_) | Left::Undecided(_) => None,
            };
            // It is not received if all lookups of the recovery have an answer.
            let _ = report.send(failure);
        }
        drop(self);
        batch.take(left);
    }
}

impl BatchState {
    /// Takes the lookups whose requests may be chosen now.
    fn ready(&mut self, now: Instant) -> Vec<Waiting> {
        let in_flight = &self.in_flight;
        let ready = self.waiting.extract_if(.., |one| {
            !one.is_waiting() || in_flight.turn(one).is_none_or(|turn| turn <= now)
        });
        ready.filter(Waiting::is_waiting).collect()
    }

    /// When the next of the waiting lookups has its turn at the latest.
    fn next_turn(&self) -> Option<Instant> {
        let turns = self.waiting.iter().filter(|one| one.is_waiting());
        turns
            .map(|one| self.in_flight.turn(one).unwrap_or_else(Instant::now))
            .min()
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        let mut state = self.batch.lock();
        state.in_flight.end(&self.request, &self.groups);
        drop(state);
        self.batch.changed.notify_one();
    }
}
