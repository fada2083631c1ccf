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

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use netmgr_transport::{Client, Error as RequestError, ErrorKind as RequestErrorKind, Failure, Reservation};
use tokio::runtime::{self, Handle};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::yield_now;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use super::choose::{ListFacts, SharedRequest, choose};
use super::in_flight::InFlight;
use super::need::{Group, Need};
use super::waiting::{Caller, Hold, Outcome, PendingAnswer, Task, Waiting};
use crate::contract::stats::LookupCounters;
use crate::finding::rows::SharedCollector;
use crate::lock::lock;
use recovery::Failed;

mod recovery;
mod request;

/// Extra wait for the request's own error, which contains the attempts and the last failure. A lookup reports an error of
/// its own only if the request continues for other lookups.
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
    pub(crate) counters: LookupCounters,
    pub(super) batches: Mutex<HashMap<runtime::Id, Weak<Batch>>>,
    /// Pages that a list had when it was last read, by its path. Only the choice of requests depends on it,
    /// never an answer.
    sizes: Mutex<HashMap<String, u64>>,
    /// Requests so far, for the log.
    rounds: AtomicU64,
}

/// The waiting lookups of one runtime. Those of another one must not wait for its tasks: it may rest or end. The
/// lookups and their tasks hold it.
pub(super) struct Batch {
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

    /// Answers `need` by a request that began after this call. The rows are collected in `rows`.
    pub(crate) async fn fetch(
        self: &Arc<Self>,
        need: Need,
        rows: &SharedCollector,
        caller: Caller<'_>,
    ) -> Outcome {
        let own = need.own_request();
        self.client.check(&own)?;
        let join = |may_be_wide| {
            let (pending, waiting) = Waiting::begin(&need, &own, rows, caller, may_be_wide);
            self.batch().join([waiting]);
            pending
        };
        let answer = async {
            if caller.may_share() && need.group().is_some() {
                let PendingAnswer { mut outcome, hold } = join(true);
                tokio::select! {
                    biased;
                    outcome = &mut outcome => if let Ok(outcome) = outcome { return outcome },
                    () = self.patience(&hold, caller) => caller.has_waited.store(true, Relaxed),
                }
            }
            // A task that is lost, because its runtime has ended or it panicked, is replaced once.
            for _ in 0..2 {
                let PendingAnswer { outcome, hold: _hold } = join(false);
                if let Ok(outcome) = outcome.await {
                    return outcome;
                }
            }
            Err(lost())
        };
        let began = Instant::now();
        timeout_at(caller.deadline + GRACE, answer)
            .await
            .unwrap_or_else(|_| {
                let waited = caller.deadline.saturating_duration_since(began);
                Err(self.client.late(&own, waited))
            })
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

    fn batch(self: &Arc<Self>) -> Arc<Batch> {
        let mut batches = lock(&self.batches);
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

    fn remember_size(&self, path: &str, pages: u64) {
        let mut sizes = lock(&self.sizes);
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
    /// Adds lookups to those whose requests are chosen next.
    fn join(self: &Arc<Self>, lookups: impl IntoIterator<Item = Waiting>) {
        let mut state = lock(&self.state);
        for waiting in lookups {
            let gatherer = state.gatherer.upgrade().filter(|task| !task.is_finished());
            let gatherer = gatherer.unwrap_or_else(|| {
                let batch = Arc::clone(self);
                Arc::new(Task::new(tokio::spawn(async move { batch.gather().await })))
            });
            state.gatherer = Arc::downgrade(&gatherer);
            waiting.held_by(&gatherer);
            state.joined += 1;
            state.waiting.push(waiting);
        }
        self.changed.notify_one();
    }

    /// Lets lookups whose wide request did not decide them join again, for another wide request if they `may_share`.
    fn join_again(self: &Arc<Self>, lookups: Vec<Waiting>, may_share: bool) {
        let waiting = lookups.into_iter().filter(Waiting::is_waiting);
        self.join(waiting.map(|waiting| waiting.again(may_share)));
    }

    /// Chooses and sends the requests of waiting lookups until none waits.
    async fn gather(self: &Arc<Self>) {
        while let Some(turn) = self.next_turn() {
            if turn > Instant::now() {
                tokio::select! {
                    () = sleep_until(turn) => {}
                    () = self.changed.notified() => {}
                }
                continue;
            }
            let mut reservation = self.prepare().await;
            let (mut requests, mut joined) = self.choose(&mut lock(&self.state));
            while let Some(request) = requests.pop_front() {
                let has_slot = reservation.is_some();
                self.send(request, reservation.take(), None);
                // If one request gets no slot, the others are sent at once, and each waits for its own slot.
                if !has_slot || requests.is_empty() {
                    continue;
                }
                // The request may be the login.
                yield_now().await;
                reservation = self.reserve().await;
                let mut state = lock(&self.state);
                if state.joined != joined {
                    let left = requests.into_iter().flat_map(|request| request.waiting);
                    state.waiting.extend(left);
                    (requests, joined) = self.choose(&mut state);
                }
            }
        }
    }

    /// When the next of the waiting lookups has its turn at the latest. `None` if no lookup waits, which ends the gatherer.
    fn next_turn(&self) -> Option<Instant> {
        let mut state = lock(&self.state);
        let waiting = state.waiting.iter().filter(|one| one.is_waiting());
        let turn = waiting
            .map(|one| state.in_flight.turn(one).unwrap_or_else(Instant::now))
            .min();
        if turn.is_none() {
            state.gatherer = Weak::new();
        }
        turn
    }

    /// The requests of the lookups whose turn it is, and how many lookups have joined.
    fn choose(&self, state: &mut BatchState) -> (VecDeque<SharedRequest>, u64) {
        let BatchState {
            waiting, in_flight, ..
        } = state;
        waiting.retain(Waiting::is_waiting);
        let now = Instant::now();
        let ready = waiting.extract_if(.., |one| in_flight.turn(one).is_none_or(|turn| turn <= now));
        let chosen = choose(ready.collect(), |path| ListFacts {
            pages: lock(&self.batcher.sizes).get(path).copied(),
            is_in_flight: in_flight.has(path),
        });
        (chosen.into(), state.joined)
    }

    /// Waits for the login and for a slot, and then for the rest of a burst of lookups: requests are chosen as late as
    /// possible, so that lookups that arrive until then share them.
    async fn prepare(&self) -> Option<Reservation> {
        let reserved = self.reserve().await;
        let latest = Instant::now() + LONGEST_BURST;
        loop {
            let joined = lock(&self.state).joined;
            sleep(QUIET).await;
            if lock(&self.state).joined == joined || Instant::now() >= latest {
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

    /// Sends a request in a task of its own, which begins when its lookups hold it, and reports how it ends.
    fn send(
        self: &Arc<Self>,
        mut request: SharedRequest,
        reservation: Option<Reservation>,
        report: Option<&Report>,
    ) {
        request.get = request.get.reserved(reservation);
        let holds: Vec<_> = request.waiting.iter().map(Waiting::hold).collect();
        let underway = Underway::begin(self, &request);
        let report = report.cloned();
        let (begin, held) = oneshot::channel();
        let task = tokio::spawn(async move {
            if held.await.is_ok() {
                let failure = request.send(&underway.batch).await;
                // It is not received if all lookups of the recovery have an answer.
                report.map(|report| report.send(failure));
            }
        });
        let task = Arc::new(Task::new(task));
        for (hold, is_own) in &holds {
            hold.upgrade().inspect(|hold| hold.hold(&task, *is_own));
        }
        let _ = begin.send(());
    }
}

/// How own requests end: with a failure or not.
type Report = mpsc::UnboundedSender<Option<RequestError>>;

/// A request that is in flight, until it is dropped.
struct Underway {
    batch: Arc<Batch>,
    request: String,
    groups: HashSet<Group>,
}

impl Underway {
    fn begin(batch: &Arc<Batch>, request: &SharedRequest) -> Self {
        let underway = Self {
            batch: Arc::clone(batch),
            request: request.get.path_and_query(),
            groups: request.waiting.iter().filter_map(Waiting::group).collect(),
        };
        let mut state = lock(&batch.state);
        state.in_flight.begin(&underway.request, &underway.groups);
        underway
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        lock(&self.batch.state).in_flight.end(&self.request, &self.groups);
        self.batch.changed.notify_one();
    }
}
