//! The outcome of a call, in words that are the same for all functions.

use std::fmt;
use std::time::Duration;

use netmgr_lookups::{Error, ErrorKind};
use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind};
use serde_json::Value;

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// With the answer that the manager gives without a fault.
    Right,
    /// With a part of a table, and a warning that it may be incomplete.
    Part,
    /// With another answer. Never allowed.
    Wrong,
    /// With an error of this kind.
    Fails(&'static str),
    /// With a panic. Never allowed.
    Panics,
    /// Not within hours. Never allowed.
    Hangs,
}

pub(super) use Outcome::{Fails, Part, Right};

/// The errors by kind. Those of requests have the names with which their messages begin.
pub(super) const UNAVAILABLE: Outcome = Fails("manager unavailable");
pub(super) const FAILED: Outcome = Fails("manager error");
pub(super) const THROTTLED: Outcome = Fails("throttled");
pub(super) const NO_CONNECTION: Outcome = Fails("connection failed");
pub(super) const REFUSED: Outcome = Fails("request rejected");
pub(super) const NO_LOGIN: Outcome = Fails("login rejected");
pub(super) const DENIED: Outcome = Fails("permission denied");
pub(super) const UNLICENSED: Outcome = Fails("no licence");
pub(super) const UNEXPECTED: Outcome = Fails("unexpected response");
pub(super) const DEADLINE: Outcome = Fails("deadline exceeded");
pub(super) const NOT_FOUND: Outcome = Fails("not found");
pub(super) const UNSUPPORTED: Outcome = Fails("not supported");
pub(super) const WAIT_EXCEEDED: Outcome = Fails("wait exceeded");

impl Outcome {
    /// The outcome of a call whose correct answer is known.
    pub(super) fn of(result: &Result<Value, Error>, warnings: &[String], right: &Value) -> Self {
        match result {
            Ok(answer) if answer == right => Right,
            Ok(answer)
                if warnings.iter().any(|text| text.contains("incomplete")) && is_part(answer, right) =>
            {
                Part
            }
            Ok(_) => Self::Wrong,
            Err(error) => failure(error),
        }
    }
}

/// Whether `answer` lacks entries of `right` in one table, but not all, and is otherwise equal.
fn is_part(answer: &Value, right: &Value) -> bool {
    let (Value::Object(answer), Value::Object(right)) = (answer, right) else {
        return false;
    };
    answer.len() == right.len()
        && answer.iter().all(|(name, value)| match (value, right.get(name)) {
            (value, Some(whole)) if value == whole => true,
            (Value::Object(part), Some(Value::Object(whole))) => {
                !part.is_empty() && part.iter().all(|(key, value)| whole.get(key) == Some(value))
            }
            _ => false,
        })
}

fn failure(error: &Error) -> Outcome {
    match error {
        Error::Manager { source, .. } => request_failure(source),
        Error::WaitExceeded { .. } => WAIT_EXCEEDED,
        Error::Internal { .. } => Fails("internal error"),
        _ => match error.kind() {
            ErrorKind::NotFound => NOT_FOUND,
            ErrorKind::Unsupported => UNSUPPORTED,
            ErrorKind::DeadlineExceeded => DEADLINE,
            ErrorKind::InvalidInput => Fails("invalid input"),
            ErrorKind::RealizationFailed => Fails("realization failed"),
            _ => Fails("another error"),
        },
    }
}

fn request_failure(error: &RequestError) -> Outcome {
    match error.kind() {
        RequestErrorKind::Unavailable => UNAVAILABLE,
        RequestErrorKind::Server => FAILED,
        RequestErrorKind::Throttled => THROTTLED,
        RequestErrorKind::Connect => NO_CONNECTION,
        RequestErrorKind::Rejected => REFUSED,
        RequestErrorKind::Unauthenticated => NO_LOGIN,
        RequestErrorKind::PermissionDenied => DENIED,
        RequestErrorKind::Unlicensed => UNLICENSED,
        RequestErrorKind::BadReply => UNEXPECTED,
        RequestErrorKind::Deadline => DEADLINE,
        RequestErrorKind::NotFound => NOT_FOUND,
        _ => Fails("another request error"),
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Right => "success",
            Part => "part of the table, with a warning",
            Self::Wrong => "WRONG ANSWER",
            Fails(kind) => kind,
            Self::Panics => "PANIC",
            Self::Hangs => "HANG",
        })
    }
}

/// The facts about a call that rules check.
#[derive(Debug, Clone)]
pub(super) struct Course {
    pub(super) outcome: Outcome,
    /// Requests, including logins.
    pub(super) requests: u32,
    pub(super) logins: u32,
    pub(super) time: Duration,
    /// The error with its causes, or the answer.
    pub(super) text: String,
}
