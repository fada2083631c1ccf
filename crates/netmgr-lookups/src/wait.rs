//! Waits for the realization of an object: the schedule of polls, and pollers that identical waits share.
//!
//! Source: manager-api B.3, manager-transport 4.6, lookup-provider sections 3 and 8.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use netmgr_transport::{Client, Error as RequestError, ErrorKind as RequestErrorKind, Get, Reply};
use netmgr_types::InvalidProperty;
use tokio::sync::watch;
use tokio::time::Instant;
use tracing::instrument::WithSubscriber as _;

use crate::call::{Progress, Waits};
use crate::context::Context;
use crate::error::Error;
use crate::executor::names_an_object;
use crate::sharing::Caller;

/// Maximum time between two polls.
const LONGEST: Duration = Duration::from_secs(10);
/// Additional time for a poll in flight at the end of the wait.
const GRACE: Duration = Duration::from_secs(30);
/// Time for the only poll of a wait that reports once.
const ONCE: Duration = Duration::from_secs(300);

/// A wait for a state.
#[derive(Debug, Clone)]
pub(crate) struct Wait {
    /// Description of the object: `compute manager cm-1`.
    pub what: String,
    /// The request for its state.
    pub state: Get,
    /// Interpretation of the response.
    pub read: fn(&Reply) -> Result<State, RequestError>,
    /// Time before the first poll.
    pub delay: Duration,
    /// Maximum duration of the wait, including the delay.
    pub timeout: Duration,
}

/// Delay and timeout of a wait: by default 1 s and 1200 s. The timeout is at least 1 s.
///
/// Source: lookup-provider section 8, manager-api A.3.
pub(crate) fn schedule(
    delay: Option<Duration>,
    timeout: Option<Duration>,
) -> Result<(Duration, Duration), InvalidProperty> {
    let timeout = timeout.unwrap_or(Duration::from_secs(1200));
    if timeout < Duration::from_secs(1) {
        return Err(InvalidProperty::new("timeout", "must be at least 1 second"));
    }
    // Limit waits to a year, because adding a longer duration could overflow the clock.
    const LONG: Duration = Duration::from_secs(365 * 24 * 3600);
    Ok((
        delay.unwrap_or(Duration::from_secs(1)).min(LONG),
        timeout.min(LONG),
    ))
}

/// A state that the manager reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    /// Name of the state.
    pub name: String,
    /// Meaning for the wait.
    pub verdict: Verdict,
    /// Reason that the manager gives for a failed state, if any.
    pub reason: Option<String>,
}

/// Meaning of a state for a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The state will change.
    Pending,
    /// The state is final and a success.
    Done,
    /// The state is final and a failure.
    Failed,
}

/// Active pollers, keyed by state and schedule.
#[derive(Debug, Default)]
pub(crate) struct Pollers(Mutex<HashMap<Key, Weak<watch::Receiver<View>>>>);

/// Waits are identical if they read the same state on the same schedule.
type Key = (String, Duration, Duration);

/// Results of a poller so far.
#[derive(Debug, Clone)]
struct View {
    polls: u32,
    state: Option<State>,
    elapsed: Duration,
    /// Error of the last poll, if it is transient.
    trouble: Option<RequestError>,
    /// Time from `elapsed` to the next poll, if there is one.
    next: Option<Duration>,
    end: Option<End>,
}

/// Result of a poller.
#[derive(Debug, Clone)]
enum End {
    Final,
    Exceeded,
    Request(RequestError),
}

impl Context<'_> {
    /// Waits until the state is final, or reads it once if the call does not wait. A wait continues through
    /// transient failures until its timeout (0152).
    ///
    /// # Errors
    ///
    /// [`Error::RealizationFailed`] for a failed state, [`Error::WaitExceeded`], and, if a poll fails
    /// permanently, [`Error::NotFound`], [`Error::Unsupported`] or [`Error::Manager`].
    pub(crate) async fn wait(&self, wait: &Wait) -> Result<State, Error> {
        let state = match self.call.waits {
            Waits::ReportOnce => {
                self.admit().await?;
                self.read_once(wait).await?
            }
            Waits::Wait => {
                let waited = self.await_admission(wait).await?;
                self.follow(&Wait {
                    timeout: wait.timeout.saturating_sub(waited),
                    ..wait.clone()
                })
                .await?
            }
        };
        match state.verdict {
            Verdict::Failed => {
                let reason = state
                    .reason
                    .unwrap_or_else(|| "the manager gives no reason".to_owned());
                Err(self.realization_failed(wait.what.clone(), state.name, reason))
            }
            Verdict::Pending | Verdict::Done => Ok(state),
        }
    }

    /// Waits until the manager reports its version, if the function requires one, and admits the function.
    /// Returns the elapsed time.
    async fn await_admission(&self, wait: &Wait) -> Result<Duration, Error> {
        let started = Instant::now();
        let end = started + wait.timeout;
        let mut pauses = Pauses::default();
        let mut waited = Duration::ZERO;
        loop {
            let trouble = match self.admit_until(end).await {
                Ok(()) => return Ok(waited),
                Err(Error::Manager { source, .. }) if may_pass(&source) => source,
                Err(error) => return Err(error),
            };
            let pause = pauses.next().unwrap_or(LONGEST);
            waited = started.elapsed() + pause;
            let view = View {
                polls: 0,
                state: None,
                elapsed: started.elapsed(),
                trouble: Some(trouble),
                next: Some(pause),
                end: None,
            };
            if waited >= wait.timeout {
                return Err(self.exceeded(wait, view));
            }
            self.report(wait, &view);
            tokio::time::sleep(pause).await;
        }
    }

    async fn read_once(&self, wait: &Wait) -> Result<State, Error> {
        let caller = Caller {
            deadline: Instant::now() + ONCE,
            ..self.caller()
        };
        let reply = self.sharing.path(wait.state.clone(), caller).await;
        match reply.and_then(|reply| (wait.read)(&reply)) {
            Ok(state) => Ok(state),
            Err(error) => Err(self.poll_failed(wait, error).await),
        }
    }

    /// The error of a failed poll: missing object, missing API, or another error.
    async fn poll_failed(&self, wait: &Wait, source: RequestError) -> Error {
        match source.kind() {
            RequestErrorKind::NotFound if names_an_object(&source) => {
                self.not_found(format!("there is no {}", wait.what), None, Some(source))
            }
            RequestErrorKind::NotFound => self.no_api(source).await,
            _ => Error::request_failed(self.spec.name, format!("the state of {}", wait.what), source),
        }
    }

    /// Follows the poller of this wait, and starts it if it is not running.
    async fn follow(&self, wait: &Wait) -> Result<State, Error> {
        let poller = self.pollers.join(self.client, wait);
        let mut views = (*poller).clone();
        let mut reported = 0;
        loop {
            let view = views.borrow_and_update().clone();
            if view.polls > reported && !matches!(view.end, Some(End::Request(_))) {
                reported = view.polls;
                self.report(wait, &view);
            }
            match (&view.end, &view.state) {
                (Some(End::Final), Some(state)) => return Ok(state.clone()),
                (Some(End::Request(source)), _) => {
                    return Err(self.poll_failed(wait, source.clone()).await);
                }
                (Some(End::Exceeded | End::Final), _) => return Err(self.exceeded(wait, view)),
                (None, _) => {}
            }
            if views.changed().await.is_err() {
                return Err(self.internal("a poller ended without a result"));
            }
        }
    }
}

impl Context<'_> {
    fn report(&self, wait: &Wait, view: &View) {
        self.progress(&Progress {
            what: wait.what.clone(),
            state: view.last_state(),
            polls: view.polls,
            elapsed: view.elapsed,
            trouble: view.trouble.as_ref().map(trouble),
            next: view.next,
        });
    }

    fn exceeded(&self, wait: &Wait, view: View) -> Error {
        Error::WaitExceeded {
            function: self.spec.name,
            what: wait.what.clone(),
            waited: view.elapsed,
            polls: view.polls,
            last_state: self.shown(&view.last_state()),
            source: view.trouble,
        }
    }
}

impl View {
    fn last_state(&self) -> String {
        match &self.state {
            Some(state) => state.name.clone(),
            None => "not read yet".to_owned(),
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

/// A short description of a transient failure: its status, or else the reason why there is none.
fn trouble(error: &RequestError) -> String {
    let failure = error.failure();
    match (failure.status, failure.reason.as_deref()) {
        (Some(status), _) => status.as_u16().to_string(),
        (None, Some(reason)) => reason.to_owned(),
        (None, None) => "connection failed".to_owned(),
    }
}

impl Pollers {
    /// Returns the poller of `wait`. It runs as long as a receiver exists.
    fn join(&self, client: &Client, wait: &Wait) -> Arc<watch::Receiver<View>> {
        let key = (wait.state.path_and_query(), wait.delay, wait.timeout);
        let mut pollers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let running = pollers.get(&key).and_then(Weak::upgrade);
        if let Some(running) = running.filter(|views| views.borrow().end.is_none()) {
            return running;
        }
        pollers.retain(|_, poller| poller.strong_count() > 0);
        let (sender, receiver) = watch::channel(View {
            polls: 0,
            state: None,
            elapsed: Duration::ZERO,
            trouble: None,
            next: None,
            end: None,
        });
        let receiver = Arc::new(receiver);
        pollers.insert(key, Arc::downgrade(&receiver));
        // It logs where the first of its waits does: nowhere when the arguments are secret.
        tokio::spawn(poll(client.clone(), wait.clone(), sender).with_current_subscriber());
        receiver
    }
}

/// Polls until the state is final, the timeout expires, or all receivers are dropped.
async fn poll(client: Client, wait: Wait, views: watch::Sender<View>) {
    let work = async {
        let started = Instant::now();
        let end = started + wait.timeout;
        let mut pause = wait.delay;
        let mut pauses = Pauses::default();
        loop {
            let over = Instant::now() + pause >= end;
            tokio::time::sleep_until((Instant::now() + pause).min(end)).await;
            if over {
                views.send_modify(|view| {
                    view.elapsed = started.elapsed();
                    view.end = Some(End::Exceeded);
                });
                return;
            }
            let read = read_state(&client, &wait, end + GRACE).await;
            pause = pauses.next().unwrap_or(LONGEST);
            views.send_modify(|view| {
                view.polls += 1;
                view.elapsed = started.elapsed();
                match read {
                    Ok(state) => {
                        view.trouble = None;
                        if state.verdict != Verdict::Pending {
                            view.end = Some(End::Final);
                        }
                        view.state = Some(state);
                    }
                    Err(error) if may_pass(&error) => view.trouble = Some(error),
                    Err(error) => view.end = Some(End::Request(error)),
                }
                // A poll that the timeout precedes is not made.
                let next = Some(pause).filter(|pause| Instant::now() + *pause < end);
                view.next = next.filter(|_| view.end.is_none());
            });
            if views.borrow().end.is_some() {
                return;
            }
        }
    };
    tokio::select! {
        () = work => {}
        () = views.closed() => {}
    }
}

/// The times between polls: 1, 2, 4, 8, 10, 10 … s.
#[derive(Default)]
struct Pauses(Option<Duration>);

impl Iterator for Pauses {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        let pause = self
            .0
            .map_or(Duration::from_secs(1), |last| (last * 2).min(LONGEST));
        self.0 = Some(pause);
        Some(pause)
    }
}

async fn read_state(client: &Client, wait: &Wait, deadline: Instant) -> Result<State, RequestError> {
    let reply = client.get(&wait.state.clone().deadline(deadline)).await?;
    (wait.read)(&reply)
}

#[cfg(test)]
mod tests;
