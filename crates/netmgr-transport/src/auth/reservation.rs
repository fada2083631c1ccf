//! Reservations of slots for requests that are not known yet.
//!
//! A caller that decides late what it requests, for instance because other callers may join it, first waits
//! for the login and a slot, and then composes its request.

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

/// The right to send one request immediately. Dropping it releases the slot.
///
/// Returned by [`crate::Client::reserve`] and taken by [`crate::Get::reserved`].
#[derive(Clone)]
pub struct Reservation(Reserved<BoxStack>);

/// The reservation of a request, until its first attempt uses it.
#[derive(Clone)]
pub(super) struct Reserved<S>(Arc<Mutex<Option<Held<S>>>>);

/// A reservation for a request.
pub(super) enum Held<S> {
    /// A service that is ready.
    Place(S),
    /// The result of a failed login. It becomes the result of the first attempt, which does not send another
    /// login.
    Instead(Result<Response<Bytes>, Error>),
}

impl<S: Inner> Reserved<S> {
    /// Takes the reservation of the request with these extensions, at its first attempt.
    pub(super) fn take(extensions: &Extensions) -> Option<Held<S>> {
        let reserved = extensions.get::<Self>()?;
        reserved.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Releases the reservation of the request with these `extensions`, which has to wait for a login or the end
/// of an outage. Both need a slot themselves, and the result of an earlier login is no longer valid.
pub(crate) fn give_back(extensions: &Extensions) {
    drop(Reserved::<BoxStack>::take(extensions));
}

impl Reservation {
    fn of(held: Held<BoxStack>) -> Self {
        Self(Reserved(Arc::new(Mutex::new(Some(held)))))
    }

    /// Attaches the reservation to `request`.
    pub(crate) fn attach<T>(&self, request: &mut Request<T>) {
        request.extensions_mut().insert(self.0.clone());
    }
}

impl Auth<BoxStack> {
    /// Waits until a request can be sent immediately. The request reports a failed login.
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
