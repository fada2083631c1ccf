//! The context that travels with a call through the stack: facts for the layers, and their findings.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use tokio::time::Instant;

use crate::lock::lock;
use crate::service::{BoxStack, Outcome};
use crate::{Error, RequestLine};

/// The context of a call, an extension of its request. Clones, one for each attempt, share the history of the call.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallContext {
    /// Time at which the caller started to wait.
    pub(crate) since: Option<Instant>,
    /// Deadline of the call.
    pub(crate) deadline: Option<Instant>,
    /// Whether the caller has an alternative read.
    pub(crate) has_alternative: bool,
    /// Whether the request stands in for the requests of several lookups.
    pub(crate) is_wide: bool,
    /// The reservation that the first attempt uses.
    pub(crate) reservation: Option<Reservation>,
    /// Receiver of the delays that the manager requests.
    pub(crate) on_pause: Option<OnPause>,
    course: Arc<Mutex<CallHistory>>,
}

/// Receives each delay that the manager requests, and the number of attempts before it.
#[derive(Clone)]
pub(crate) struct OnPause(pub(crate) Arc<dyn Fn(Duration, u32) + Send + Sync>);

impl fmt::Debug for OnPause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OnPause").finish_non_exhaustive()
    }
}

/// The attempts of a call and their outcomes.
#[derive(Debug, Default)]
struct CallHistory {
    /// Number of attempts that were sent, or failed because of their login or connection.
    attempts: u32,
    /// Whether the current attempt is one of them.
    is_counted: bool,
    /// Whether the request of the current attempt was sent.
    is_sent: bool,
    /// Whether the current attempt has timed out.
    has_timed_out: bool,
    /// Failure of the last attempt.
    last: Option<Error>,
}

impl CallContext {
    /// The context of a request; empty if it has none.
    pub(crate) fn of(request: &Request<Bytes>) -> Self {
        request.extensions().get::<Self>().cloned().unwrap_or_default()
    }

    /// The context of a request, which gets one if it has none.
    pub(crate) fn of_mut(request: &mut Request<Bytes>) -> &mut Self {
        request.extensions_mut().get_or_insert_default()
    }

    /// A context with the same facts for another call.
    pub(crate) fn for_call(&self) -> Self {
        Self {
            course: Arc::default(),
            ..self.clone()
        }
    }

    /// Records that an attempt starts.
    pub(crate) fn start_attempt(&self) {
        let mut course = self.course();
        course.is_counted = false;
        course.is_sent = false;
    }

    /// Records that the request of the current attempt is sent.
    pub(crate) fn sent(&self) {
        self.count();
        let mut course = self.course();
        course.is_sent = true;
        course.has_timed_out = false;
    }

    /// Counts the current attempt, once.
    pub(crate) fn count(&self) {
        let mut course = self.course();
        if !course.is_counted {
            course.is_counted = true;
            course.attempts = course.attempts.saturating_add(1);
        }
    }

    /// Records how the current attempt failed.
    pub(crate) fn failed(&self, error: Error) {
        self.course().last = Some(error);
    }

    /// Records that the current attempt has timed out, before its exchange is dropped.
    pub(crate) fn timed_out(&self) {
        self.course().has_timed_out = true;
    }

    /// Whether the request of the current attempt was sent.
    pub(crate) fn is_sent(&self) -> bool {
        self.course().is_sent
    }

    /// Whether the current attempt has timed out.
    pub(crate) fn has_timed_out(&self) -> bool {
        self.course().has_timed_out
    }

    /// Whether the current attempt is counted.
    pub(crate) fn is_counted(&self) -> bool {
        self.course().is_counted
    }

    /// Number of attempts so far.
    pub(crate) fn attempts(&self) -> u32 {
        self.course().attempts
    }

    /// Failure of the last attempt, if any.
    pub(crate) fn last_failure(&self) -> Option<Error> {
        self.course().last.clone()
    }

    fn course(&self) -> MutexGuard<'_, CallHistory> {
        lock(&self.course)
    }
}

/// The right to send one request immediately. Dropping it releases the slot.
///
/// Returned by [`crate::Client::reserve`] and taken by [`crate::Get::reserved`].
#[derive(Clone)]
pub struct Reservation(Arc<Mutex<Option<Reserved>>>);

/// The capacity that is reserved for the first attempt of a call.
pub(crate) enum Reserved {
    /// A service that is ready.
    Slot(BoxStack),
    /// The result of a failed login. It becomes the result of the attempt, which does not send another login.
    Failed(Outcome),
}

impl Reservation {
    pub(crate) fn new(reserved: Reserved) -> Self {
        Self(Arc::new(Mutex::new(Some(reserved))))
    }

    /// Takes the reservation, once.
    pub(crate) fn take(&self) -> Option<Reserved> {
        lock(&self.0).take()
    }
}

impl fmt::Debug for Reservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reservation")
    }
}

/// The layers' knowledge of a reply, as an extension of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReplyContext {
    /// The request that it belongs to, which may be a login for the request of the call.
    pub(crate) request_line: Option<RequestLine>,
    /// The status that the manager sent, if the body means another one.
    pub(crate) sent_as: Option<StatusCode>,
    /// The finding of authentication about a reply that seems to refuse the login.
    pub(crate) refusal: Option<RefusalCause>,
    /// Number of attempts of the call.
    pub(crate) attempts: u32,
    /// Reason why there was no further attempt, unless the limit was reached.
    pub(crate) stopped: Option<String>,
}

/// The meaning of a reply that seems to refuse the login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusalCause {
    /// The manager accepts the login.
    OfPath,
    /// It followed a new login.
    AfterNewLogin,
    /// It followed a new login that created a session.
    OfNewSession,
    /// No reply shows whether the manager accepts the login.
    Unclear,
}

impl ReplyContext {
    /// The context of a reply; empty if it has none.
    pub(crate) fn of(reply: &Response<Bytes>) -> Self {
        reply.extensions().get::<Self>().cloned().unwrap_or_default()
    }

    /// The context of a reply, which gets one if it has none.
    pub(crate) fn of_mut(reply: &mut Response<Bytes>) -> &mut Self {
        reply.extensions_mut().get_or_insert_default()
    }
}
