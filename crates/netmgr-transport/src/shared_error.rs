//! One failure told to several callers.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use crate::{Error, Failure};

/// The same failure for one more caller.
pub(crate) fn copy(shared: &Arc<Error>) -> Error {
    let copied = |failure: &Failure| {
        Box::new(Failure {
            exchange: failure.exchange.clone(),
            status: failure.status,
            api: failure.api.clone(),
            body_line: failure.body_line.clone(),
            request_id: failure.request_id.clone(),
            attempts: failure.attempts,
            elapsed: failure.elapsed,
            unsent: failure.unsent,
            reason: failure.reason.clone(),
            hint: failure.hint.clone(),
            source: failure.source.is_some().then(|| Cause(shared.clone()).into()),
        })
    };
    match &**shared {
        Error::Config { property, reason, .. } => Error::Config {
            property,
            reason: reason.clone(),
            source: None,
        },
        Error::InvalidRequest(failure) => Error::InvalidRequest(copied(failure)),
        Error::Unauthenticated(failure) => Error::Unauthenticated(copied(failure)),
        Error::PermissionDenied(failure) => Error::PermissionDenied(copied(failure)),
        Error::Unlicensed(failure) => Error::Unlicensed(copied(failure)),
        Error::NotFound(failure) => Error::NotFound(copied(failure)),
        Error::Rejected(failure) => Error::Rejected(copied(failure)),
        Error::Throttled(failure) => Error::Throttled(copied(failure)),
        Error::Unavailable(failure) => Error::Unavailable(copied(failure)),
        Error::Server(failure) => Error::Server(copied(failure)),
        Error::Connect(failure) => Error::Connect(copied(failure)),
        Error::Tls(failure) => Error::Tls(copied(failure)),
        Error::Deadline(failure) => Error::Deadline(copied(failure)),
        Error::BadReply(failure) => Error::BadReply(copied(failure)),
    }
}

/// The cause of a shared failure, which stays where it is.
struct Cause(Arc<Error>);

impl Cause {
    fn inner(&self) -> &(dyn StdError + Send + Sync + 'static) {
        let failure = self.0.failure().expect("made of a failure");
        failure
            .source
            .as_deref()
            .expect("made of a failure with a source")
    }
}

/// As the cause itself: what else the failure holds may not be shown yet.
impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.inner(), f)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.inner(), f)
    }
}

impl StdError for Cause {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.inner().source()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_tells_the_same_and_keeps_the_chain_of_causes() {
        let below = std::io::Error::other(std::fmt::Error);
        let shared = Arc::new(Error::Connect(Box::new(Failure {
            reason: Some("reset".to_owned()),
            attempts: 3,
            source: Some(below.into()),
            ..Failure::default()
        })));
        let copy = copy(&shared);
        assert!(matches!(copy, Error::Connect(_)));
        assert_eq!(copy.to_string(), shared.to_string());
        let cause = |error: &Error| {
            let cause = error.failure().unwrap().source.as_deref().unwrap();
            (cause.to_string(), cause.source().map(ToString::to_string))
        };
        assert_eq!(cause(&copy), cause(&shared));
    }
}
