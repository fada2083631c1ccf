//! A place for a request that is not known yet.
//!
//! A caller that decides late what it requests, for instance because others may join it until the
//! last moment, waits here for the login and for its place, and composes its request when both are
//! there.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{Extensions, Request, Response};
use tower::ServiceExt;

use super::gate::Pass;
use super::{Auth, Scheme};
use crate::Error;
use crate::client::BoxStack;
use crate::layers::Inner;

/// The right to send one request at once. Dropping it gives the place back.
///
/// Returned by [`crate::Client::reserve`] and taken by [`crate::Get::reserved`].
#[derive(Clone)]
pub struct Reservation(Reserved<BoxStack>);

/// What is held for a request, until its first attempt takes it.
#[derive(Clone)]
pub(super) struct Reserved<S>(Arc<Mutex<Option<Held<S>>>>);

/// What is held for a request.
pub(super) enum Held<S> {
    /// A service that is ready.
    Place(S),
    /// What a login that failed says. It is the answer of the first attempt, which does not send
    /// another login.
    Instead(Result<Response<Bytes>, Error>),
}

impl<S: Inner> Reserved<S> {
    /// What is held for the request with these extensions, at its first attempt.
    pub(super) fn take(extensions: &Extensions) -> Option<Held<S>> {
        let reserved = extensions.get::<Self>()?;
        reserved.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Gives back what is held for the request with these `extensions`, which has to wait for a login
/// or for the end of an outage. Both need a place themselves, and what a login said before the wait
/// is no answer after it.
pub(crate) fn give_back(extensions: &Extensions) {
    drop(Reserved::<BoxStack>::take(extensions));
}

impl Reservation {
    fn of(held: Held<BoxStack>) -> Self {
        Self(Reserved(Arc::new(Mutex::new(Some(held)))))
    }

    /// Makes `request` use the place.
    pub(crate) fn attach<T>(&self, request: &mut Request<T>) {
        request.extensions_mut().insert(self.0.clone());
    }
}

impl Auth<BoxStack> {
    /// Waits until a request could be sent at once. A login that fails is not reported here: the
    /// request reports it.
    pub(crate) async fn reserve(&self) -> Option<Reservation> {
        match &self.shared.scheme {
            Scheme::Issued(issuer) => {
                if let Pass::Instead(answer) = self.shared.gate.pass(|| self.log_in(issuer)).await {
                    return Some(Reservation::of(Held::Instead(answer)));
                }
            }
            Scheme::Header { proof, .. } => proof.settled().await,
            Scheme::Certificate => {}
        }
        let mut service = self.lanes.requests.clone();
        service.ready().await.ok()?;
        Some(Reservation::of(Held::Place(service)))
    }
}

impl fmt::Debug for Reservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reservation")
    }
}
