//! The attempts of a call and their result.
//!
//! `retry.rs` decides whether there is another attempt.

use super::Outcome;
use crate::classify::classify;
use crate::layers::Attempts;
use crate::{Error, ErrorKind, Failure};

/// The failed attempts of a call: its own requests, and probes of other calls.
#[derive(Default)]
pub(super) struct Course {
    sent: u32,
    others: u32,
    /// The last result of its own requests.
    own: Option<Outcome>,
    /// The last failure of a probe of another call.
    last: Option<Error>,
}

impl Course {
    /// Number of its own requests.
    pub(super) fn sent(&self) -> u32 {
        self.sent
    }

    /// Number of failed attempts, which count towards the limit of retries.
    pub(super) fn failures(&self) -> u32 {
        self.sent.saturating_add(self.others)
    }

    /// Records that its own request, or a login for it, was sent.
    pub(super) fn counts(&mut self) {
        self.sent = self.sent.saturating_add(1);
    }

    /// Records the result of its own attempt. Returns the failure, if any.
    pub(super) fn ended_with(&mut self, outcome: Outcome) -> Option<Error> {
        let failure = match outcome {
            Ok(reply) => {
                let failure = (!reply.status().is_success()).then(|| classify(&reply));
                self.own = Some(Ok(reply));
                failure
            }
            Err(error) => {
                self.own = Some(Err(error.clone()));
                Some(error)
            }
        };
        self.last.clone_from(&failure);
        failure
    }

    /// Records that a probe of another call failed.
    pub(super) fn others_failed(&mut self, failure: Error) {
        self.others = self.others.saturating_add(1);
        self.last = Some(failure);
    }

    /// Records that the call has to wait because of `failure`.
    pub(super) fn learns(&mut self, failure: Error) {
        self.last = Some(failure);
    }

    /// The last result of its own requests, or else the failure of the others. `stopped` is the reason why
    /// there is no further attempt, unless the limit was reached.
    pub(super) fn end(self, stopped: Option<String>) -> Outcome {
        let others = match self.others {
            0 => None,
            1 => Some("1 request of another lookup failed as well".to_owned()),
            count => Some(format!("{count} requests of other lookups failed as well")),
        };
        match (self.own, self.last) {
            (Some(Ok(mut reply)), _) => {
                let reasons: Vec<String> = others.into_iter().chain(stopped).collect();
                reply.extensions_mut().insert(Attempts {
                    count: self.sent,
                    stopped: (!reasons.is_empty()).then(|| reasons.join("; ")),
                });
                Ok(reply)
            }
            (Some(Err(mut error)), _) => {
                let failure = error.failure_mut();
                failure.attempts = self.sent;
                for reason in others.iter().chain(&stopped) {
                    failure.add_reason(reason);
                }
                Err(error)
            }
            (None, last) => Err(not_sent(last, self.others, stopped)),
        }
    }
}

/// The error of a call that sent nothing because the requests of other calls failed. Its cause is their last
/// failure.
fn not_sent(last: Option<Error>, others: u32, stopped: Option<String>) -> Error {
    let last = last.unwrap_or_else(|| ErrorKind::Connect.into());
    let mut failure = Failure {
        unsent: true,
        reason: Some(match others {
            0 => "not sent because the manager is down".to_owned(),
            1 => "not sent because the request of another lookup failed".to_owned(),
            count => format!("not sent because {count} requests of other lookups failed"),
        }),
        hint: last.failure().hint.clone(),
        source: Some(last.clone().into()),
        ..Failure::default()
    };
    if let Some(stopped) = stopped {
        failure.add_reason(&stopped);
    }
    Error::new(last.kind(), failure)
}
