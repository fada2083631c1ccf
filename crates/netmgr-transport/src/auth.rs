//! The layer that signs each attempt, and logs in for that when it has to.
//!
//! It stands inside retry, so that each attempt carries a fresh credential, and outside the
//! governor, so that logins are limited, timed and sent like any other request. Not here: one login
//! (`login.rs`, `session.rs`, `cloud.rs`, `header.rs`), how callers share it (`gate.rs`), and which
//! replies refuse it (`refusal.rs`).

use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, HeaderValue};
use http::{Request, Response};
use netmgr_types::{Connection, Credentials};
use tokio::time::timeout;
use tower::{Layer, Service, ServiceExt};

use crate::Error;
use crate::classify::classify;
use crate::layers::{Answer, Inner};

mod cloud;
mod credential;
mod gate;
mod header;
mod login;
mod refusal;
mod session;

use cloud::Exchanges;
use credential::Credential;
use gate::{Gate, Pass};
use login::{Issuer, log_in, probe};
use refusal::is_refusal;
use session::Sessions;

/// A session is given up when its end is not acknowledged within this time.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Makes [`Auth`] services; those made from one layer share their login.
#[derive(Clone)]
pub(crate) struct AuthLayer {
    shared: Arc<Shared>,
}

/// Signs requests and sends them on.
#[derive(Clone)]
pub(crate) struct Auth<S> {
    inner: S,
    shared: Arc<Shared>,
}

struct Shared {
    scheme: Scheme,
    gate: Arc<Gate>,
}

enum Scheme {
    /// A credential comes from a login, and is renewed.
    Issued(Arc<dyn Issuer>),
    /// Each request is a login.
    Header(HeaderValue),
    /// The connection itself is authenticated.
    Certificate,
}

impl AuthLayer {
    /// A layer for the credentials of `connection`. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Config`] when the address of the cloud's token exchange is no URL.
    pub(crate) fn try_new(connection: &Connection) -> Result<Self, Error> {
        let scheme = match &connection.credentials {
            Credentials::Session(login) => Scheme::Issued(Arc::new(Sessions(login.clone()))),
            Credentials::Cloud(login) => Scheme::Issued(Arc::new(Exchanges::try_new(login.clone())?)),
            Credentials::Header(login) => Scheme::Header(header::authorization(login)),
            Credentials::Certificate => Scheme::Certificate,
        };
        Ok(Self {
            shared: Arc::new(Shared {
                scheme,
                gate: Arc::default(),
            }),
        })
    }
}

impl<S> Layer<S> for AuthLayer {
    type Service = Auth<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Auth {
            inner,
            shared: self.shared.clone(),
        }
    }
}

impl<S: Inner> Service<Request<Bytes>> for Auth<S> {
    type Response = Response<Bytes>;
    type Error = Error;
    type Future = Answer;

    /// Always ready: each of the requests that one call may send waits for the inner service.
    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let auth = self.clone();
        Box::pin(async move {
            match &auth.shared.scheme {
                Scheme::Issued(issuer) => auth.send_issued(issuer, request).await,
                Scheme::Header(header) => auth.send_with_header(header, request).await,
                Scheme::Certificate => auth.inner.oneshot(request).await,
            }
        })
    }
}

impl<S: Inner> Auth<S> {
    /// Sends `request` with the credential of a login; once more with that of a newer login when
    /// the first is refused.
    async fn send_issued(
        &self,
        issuer: &Arc<dyn Issuer>,
        request: Request<Bytes>,
    ) -> Result<Response<Bytes>, Error> {
        let reply = self.send_signed(issuer, request.clone()).await?;
        if !is_refusal(&reply) {
            return Ok(reply);
        }
        let reply = self.send_signed(issuer, request).await?;
        if !is_refusal(&reply) {
            return Ok(reply);
        }
        let mut error = classify(&reply);
        if let Some(failure) = error.failure_mut() {
            failure.add_reason("also after a new login");
        }
        Err(error)
    }

    /// Sends `request` once. A credential that is refused is not used again.
    async fn send_signed(
        &self,
        issuer: &Arc<dyn Issuer>,
        request: Request<Bytes>,
    ) -> Result<Response<Bytes>, Error> {
        let gate = &self.shared.gate;
        let log_in = || log_in(self.inner.clone(), issuer.clone());
        let credential = match gate.pass(log_in).await {
            Pass::With(credential) => credential,
            Pass::Instead(answer) => return answer,
        };
        let reply = self.inner.clone().oneshot(credential.sign(request)).await?;
        if is_refusal(&reply) {
            gate.discard(&credential);
        } else {
            gate.update(&credential, reply.headers());
        }
        Ok(reply)
    }

    /// Sends `request` with the fixed header. Until the manager has accepted the header once, one
    /// request at a time goes, because each is a login.
    async fn send_with_header(
        &self,
        header: &HeaderValue,
        request: Request<Bytes>,
    ) -> Result<Response<Bytes>, Error> {
        let gate = &self.shared.gate;
        let answer = Arc::default();
        let log_in = || {
            let credential = Credential::new([(AUTHORIZATION, header.clone())]);
            let signed = credential.sign(request.clone());
            probe(self.inner.clone(), credential, signed, Arc::clone(&answer))
        };
        let credential = match gate.pass(log_in).await {
            Pass::With(credential) => credential,
            Pass::Instead(answer) => return answer,
        };
        let answered = answer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(reply) = answered {
            return Ok(reply);
        }
        let reply = self.inner.clone().oneshot(credential.sign(request)).await?;
        if is_refusal(&reply) {
            gate.discard(&credential);
            return Err(classify(&reply));
        }
        Ok(reply)
    }

    /// Logs in ahead of the first request, where a login is a request of its own. A transient
    /// failure is forgotten, a refusal is remembered like any other.
    pub(crate) async fn open(&self) {
        if let Scheme::Issued(issuer) = &self.shared.scheme {
            let log_in = || log_in(self.inner.clone(), issuer.clone());
            if let Pass::Instead(_) = self.shared.gate.pass(log_in).await {
                tracing::debug!("no login ahead of the first request");
            }
        }
    }

    /// Whether [`Auth::open`] would send anything.
    pub(crate) fn opens(&self) -> bool {
        matches!(self.shared.scheme, Scheme::Issued(_))
    }

    /// Ends the session, if there is one, without waiting long.
    pub(crate) async fn close(&self) {
        let Scheme::Issued(issuer) = &self.shared.scheme else {
            return;
        };
        let Some(destroy) = issuer.destroy() else {
            return;
        };
        let end = async {
            let session = self.shared.gate.take().await?;
            Some(self.inner.clone().oneshot(session.sign(destroy)).await)
        };
        match timeout(CLOSE_TIMEOUT, end).await {
            Ok(None) => {}
            Ok(Some(Ok(reply))) => tracing::debug!(status = reply.status().as_u16(), "session ended"),
            Ok(Some(Err(_))) | Err(_) => tracing::debug!("session left to time out"),
        }
    }
}

#[cfg(test)]
mod tests;
