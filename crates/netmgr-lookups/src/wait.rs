//! Waits for the realization of an object: the schedule of polls, and what their results mean (decision waits).
//!
//! Each wait has its own schedule. Simultaneous polls of one state share a request, like all equal requests.

use std::sync::Arc;
use std::time::Duration;

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Get, Reply};
use serde_json::Value;
use tokio::time::{Instant, sleep, sleep_until};

use crate::contract::call::{Progress, Waits};
use crate::contract::context::LookupContext;
use crate::contract::error::{Clues, Error, Place};
use crate::finding::tree::Tree;

/// Maximum time between two polls.
const LONGEST: Duration = Duration::from_secs(10);
/// Additional time for a poll in flight at the end of the wait.
const GRACE: Duration = Duration::from_secs(30);
/// Time for the only poll of a wait that reads the state once.
const ONCE: Duration = Duration::from_secs(300);

/// Interpretation of the response for a state.
pub(crate) type ReadState = Arc<dyn Fn(&Reply) -> Result<RealizationState, RequestError> + Send + Sync>;

/// A wait for a state.
#[derive(Clone)]
pub(crate) struct Wait {
    /// Description of the object for messages: `compute manager cm-1`.
    pub what: String,
    /// The request for its state.
    pub state: Get,
    /// Interpretation of the response.
    pub read: ReadState,
    /// Policy path of the object, if the manager may know it before it has a state.
    pub intent: Option<String>,
    /// Time before the first poll.
    pub delay: Duration,
    /// Maximum duration of the wait, including the delay.
    pub timeout: Duration,
    /// Time between two polls. By default, it grows from 1 s to 10 s.
    pub interval: Option<Duration>,
}

impl Wait {
    /// A wait that polls at growing intervals.
    pub(crate) fn new(
        what: String,
        state: Get,
        read: impl Fn(&Reply) -> Result<RealizationState, RequestError> + Send + Sync + 'static,
        delay: Duration,
        timeout: Duration,
    ) -> Self {
        Self {
            what,
            state,
            read: Arc::new(read),
            intent: None,
            delay,
            timeout,
            interval: None,
        }
    }
}

/// Waits are limited to a year, because adding a longer duration could overflow the clock.
pub(crate) const LONG: Duration = Duration::from_secs(365 * 24 * 3600);

/// A state that the manager reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RealizationState {
    /// Name of the state.
    pub name: String,
    /// Meaning for the wait.
    pub verdict: RealizationStage,
    /// Reason that the manager gives for a failed state, if any.
    pub reason: Option<String>,
}

impl RealizationState {
    /// A state for which the manager gives no reason.
    pub(crate) fn new(name: impl Into<String>, verdict: RealizationStage) -> Self {
        Self {
            name: name.into(),
            verdict,
            reason: None,
        }
    }

    /// The same state with a reason.
    pub(crate) fn because(self, reason: Option<String>) -> Self {
        Self { reason, ..self }
    }

    /// The reason that the manager gives, or a clause that it gives none.
    pub(crate) fn why(&self) -> &str {
        self.reason.as_deref().unwrap_or("the manager gives no reason")
    }
}

/// Meaning of a state for a wait, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RealizationStage {
    /// The state is final and a success.
    Done,
    /// The object has no state yet, or does not exist.
    Absent,
    /// The state will change.
    Pending,
    /// There are states, but none that the inputs select.
    Unselected,
    /// The state is final and a failure, which the function returns as its result.
    Reported,
    /// The state is final and a failure.
    Failed,
}

impl RealizationStage {
    fn is_final(self) -> bool {
        !matches!(self, Self::Pending | Self::Unselected | Self::Absent)
    }
}

/// The polls of a wait so far.
#[derive(Debug, Default)]
struct Polls {
    count: u32,
    state: Option<RealizationState>,
    elapsed: Duration,
    /// Error of the last poll, if it is transient.
    trouble: Option<RequestError>,
    /// Time from `elapsed` to the next poll, if there is one.
    next: Option<Duration>,
}

impl Polls {
    /// Whether there are entities, but none of the wanted type.
    fn is_unselected(&self) -> bool {
        let state = self.state.as_ref();
        state.is_some_and(|state| state.verdict == RealizationStage::Unselected)
    }
}

impl LookupContext<'_> {
    /// Waits until the state is final, or reads it once if the call does not wait. A wait continues through
    /// transient failures until its timeout.
    ///
    /// # Errors
    ///
    /// [`Error::RealizationFailed`] for a failed state, [`Error::WaitExceeded`], and, if a poll fails
    /// permanently, [`Error::NotFound`], [`Error::Unsupported`] or [`Error::Manager`].
    pub(crate) async fn wait(&self, wait: &Wait) -> Result<RealizationState, Error> {
        let state = match self.call.waits {
            Waits::ReportOnce => {
                self.admit().await?;
                self.read_once(wait).await?
            }
            Waits::Wait | Waits::UntilSuccess => {
                let waited = self.await_admission(wait).await?;
                self.follow(&Wait {
                    timeout: wait.timeout.saturating_sub(waited),
                    ..wait.clone()
                })
                .await?
            }
        };
        let is_error = match state.verdict {
            RealizationStage::Failed => true,
            RealizationStage::Reported => self.call.waits == Waits::UntilSuccess,
            _ => false,
        };
        match is_error {
            true => {
                let (name, reason) = (self.sanitized(&state.name), self.sanitized(state.why()));
                Err(self.realization_failed(wait.what.clone(), name, reason))
            }
            false => Ok(state),
        }
    }

    /// Checks that the manager knows an object that has no state.
    async fn check_intent(&self, wait: &Wait, path: &str) -> Result<(), Error> {
        let tree = Tree::around(path, self.scope.deployment).unwrap_or(Tree::Local);
        let object = self.get::<Value>(wait.what.clone(), Get::new(tree.root()).policy_path(path));
        match object.await {
            Err(error @ Error::NotFound { .. }) => Err(error.with_clues(Clues::missing(Place::Parent))),
            Err(Error::Unsupported { source, .. }) => Err(self.no_api_at(path, &tree, source, Vec::new())),
            // Other failures do not show that it is missing.
            _ => Ok(()),
        }
    }

    /// Waits until the manager reports its version, if the function requires one, and admits the function.
    /// Returns the elapsed time.
    async fn await_admission(&self, wait: &Wait) -> Result<Duration, Error> {
        let started = Instant::now();
        let end = started + wait.timeout;
        let mut pauses = pauses();
        let mut waited = Duration::ZERO;
        loop {
            let trouble = match self.admit_until(end).await {
                Ok(()) => return Ok(waited),
                Err(Error::Manager { source, .. }) if may_pass(&source) => source,
                Err(error) => return Err(error),
            };
            let pause = pauses.next().unwrap_or(LONGEST);
            waited = started.elapsed() + pause;
            let polls = Polls {
                elapsed: started.elapsed(),
                trouble: Some(trouble),
                next: Some(pause),
                ..Polls::default()
            };
            if waited >= wait.timeout {
                return Err(self.exceeded(wait, polls));
            }
            self.report(wait, &polls);
            sleep(pause).await;
        }
    }

    async fn read_once(&self, wait: &Wait) -> Result<RealizationState, Error> {
        match self.poll(wait, Instant::now() + ONCE).await {
            Ok(state) => Ok(state),
            Err(error) => Err(self.poll_failed(wait, error).await),
        }
    }

    async fn poll(&self, wait: &Wait, deadline: Instant) -> Result<RealizationState, RequestError> {
        let reply = self.fetch_until(deadline).path(wait.state.clone()).await?;
        (wait.read)(&reply)
    }

    /// The error of a failed poll: missing object, missing API, or another error.
    async fn poll_failed(&self, wait: &Wait, source: RequestError) -> Error {
        match source.kind() {
            RequestErrorKind::NotFound if source.names_an_object() => {
                self.not_found(format!("there is no {}", wait.what), None, Some(source))
            }
            RequestErrorKind::NotFound => {
                // A proxy that knows no path does not show that the object is missing.
                let missing = match &wait.intent {
                    Some(path) if source.is_of_manager() => self.check_intent(wait, path).await.err(),
                    _ => None,
                };
                match missing {
                    Some(missing) => missing,
                    None => self.no_api(self.spec.noun, source).await,
                }
            }
            _ => Error::request_failed(self.spec.name, format!("the state of {}", wait.what), source),
        }
    }

    /// Polls until the state is final or the timeout expires.
    async fn follow(&self, wait: &Wait) -> Result<RealizationState, Error> {
        let started = Instant::now();
        let end = started + wait.timeout;
        let mut pauses = pauses();
        let mut next_pause = || wait.interval.or_else(|| pauses.next()).unwrap_or(LONGEST);
        let mut pause = wait.delay;
        let mut polls = Polls::default();
        let mut intent = wait.intent.as_ref();
        loop {
            let due = Instant::now() + pause;
            sleep_until(due.min(end)).await;
            if due >= end {
                polls.elapsed = started.elapsed();
                return Err(self.exceeded(wait, polls));
            }
            let mut polled = self.poll(wait, end + GRACE).await;
            let has_no_state = match &polled {
                Ok(state) => state.verdict == RealizationStage::Absent,
                Err(error) => error.kind() == RequestErrorKind::NotFound && error.names_an_object(),
            };
            if has_no_state && wait.intent.is_some() {
                if let Some(path) = intent.take() {
                    self.check_intent(wait, path).await?;
                }
                polled = polled.or_else(|_| Ok(RealizationState::new("UNKNOWN", RealizationStage::Absent)));
            }
            polls.count += 1;
            polls.elapsed = started.elapsed();
            pause = next_pause();
            let is_final = match polled {
                Ok(state) => {
                    let is_final = state.verdict.is_final();
                    polls.trouble = None;
                    polls.state = Some(state);
                    is_final
                }
                Err(error) if may_pass(&error) => {
                    polls.trouble = Some(error);
                    false
                }
                Err(error) => return Err(self.poll_failed(wait, error).await),
            };
            // No poll is sent after the timeout.
            polls.next = Some(pause).filter(|pause| !is_final && Instant::now() + *pause < end);
            self.report(wait, &polls);
            if let Some(state) = polls.state.take_if(|_| is_final) {
                return Ok(state);
            }
        }
    }

    fn report(&self, wait: &Wait, polls: &Polls) {
        self.progress(&Progress {
            what: wait.what.clone(),
            // The types that exist, before the wait is over.
            state: match polls.is_unselected() {
                true => self.last_state_and_reason(polls),
                false => self.last_state(polls),
            },
            polls: polls.count,
            elapsed: polls.elapsed,
            trouble: polls.trouble.as_ref().map(trouble),
            next: polls.next,
        });
    }

    fn last_state(&self, polls: &Polls) -> String {
        match &polls.state {
            Some(state) => self.sanitized(&state.name),
            None => "not read yet".to_owned(),
        }
    }

    fn last_state_and_reason(&self, polls: &Polls) -> String {
        let state = self.last_state(polls);
        match polls.state.as_ref().and_then(|state| state.reason.as_ref()) {
            Some(reason) => format!("{state} ({})", self.sanitized(reason)),
            None => state,
        }
    }

    fn exceeded(&self, wait: &Wait, polls: Polls) -> Error {
        Error::WaitExceeded {
            function: self.spec.name,
            what: wait.what.clone(),
            waited: polls.elapsed,
            polls: polls.count,
            last_state: self.last_state_and_reason(&polls),
            is_unselected: polls.is_unselected(),
            source: polls.trouble,
        }
    }
}

/// Whether a later poll may succeed, because the manager is overloaded, restarting or unreachable.
fn may_pass(error: &RequestError) -> bool {
    matches!(
        error.kind(),
        RequestErrorKind::Throttled
            | RequestErrorKind::Unavailable
            | RequestErrorKind::Server
            | RequestErrorKind::Connect
            | RequestErrorKind::Deadline
    )
}

/// A short description of a transient failure: its status, or the reason why it has none.
fn trouble(error: &RequestError) -> String {
    let failure = error.failure();
    match (failure.status, failure.reason.as_deref()) {
        (Some(status), _) => status.as_u16().to_string(),
        (None, Some(reason)) => reason.to_owned(),
        (None, None) => "connection failed".to_owned(),
    }
}

/// The times between polls: 1, 2, 4, 8, 10, 10 … s.
fn pauses() -> impl Iterator<Item = Duration> {
    std::iter::successors(Some(Duration::from_secs(1)), |last| {
        Some((*last * 2).min(LONGEST))
    })
}

#[cfg(test)]
mod tests;
