//! The layer that signs each attempt, and logs in if necessary.
//!
//! It is inside retry, so that each attempt is signed with a current credential, and outside the governor, so
//! that logins are limited, timed and sent like any other request. A request is signed when the governor has
//! a slot for it (0142). Signing and sending are in `sending.rs`, logins in `login.rs`, `session.rs`,
//! `cloud.rs` and `header.rs`, their sharing in `gate.rs` and `proof.rs`, and the interpretation of replies
//! in `refusal.rs`.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::header::AUTHORIZATION;
use http::{Request, Response};
use netmgr_types::{Connection, Credentials, Deployment};
use tokio::time::timeout;
use tower::{Service, ServiceExt};

use crate::Error;
use crate::call_context::{Reservation, Reserved};
use crate::refused_logins::Guard;
use crate::service::{BoxStack, Outcome as Reply};

mod check;
mod cloud;
mod confirmation;
mod cookies;
mod credential;
mod gate;
mod header;
mod login;
mod outage;
mod proof;
mod refusal;
mod sending;
mod session;

use check::Shown;
use cloud::Exchanges;
use confirmation::Confirmation;
use credential::Credential;
pub(crate) use gate::REFUSAL_HOLDS;
use gate::{Gate, Outcome, Pass};
use login::Issuer;
use outage::Outage;
use proof::Proof;
use session::Sessions;

/// Maximum time to wait for the acknowledgement of a logout.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Layer of [`Auth`]. Services of one layer share their login.
#[derive(Clone)]
pub(crate) struct AuthLayer {
    shared: Arc<Shared>,
}

/// The inner services: the same service in three lanes of the governor.
#[derive(Clone)]
pub(crate) struct Lanes {
    pub(crate) requests: BoxStack,
    pub(crate) logins: BoxStack,
    pub(crate) logouts: BoxStack,
}

/// Signs requests and sends them on.
#[derive(Clone)]
pub(crate) struct Auth {
    lanes: Lanes,
    shared: Arc<Shared>,
}

struct Shared {
    scheme: Scheme,
    gate: Arc<Gate>,
    outage: Arc<Outage<Outcome>>,
    confirmation: Arc<Confirmation>,
    /// Refusals of other processes.
    guard: Option<Guard>,
}

enum Scheme {
    /// A login issues a credential, which is renewed.
    Issued(Arc<dyn Issuer>),
    /// Each request is a login.
    Header {
        credential: Arc<Credential>,
        proof: Arc<Proof>,
        outage: Arc<Outage<Shown>>,
    },
    /// The connection itself is authenticated.
    Certificate,
}

impl AuthLayer {
    /// Creates a layer for the credentials of `connection`. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Config`](crate::ErrorKind::Config) if the address of the cloud's token exchange is not a URL.
    pub(crate) fn try_new(connection: &Connection, guard: Option<Guard>) -> Result<Self, Error> {
        let scheme = match &connection.credentials {
            Credentials::Session(login) => Scheme::Issued(Arc::new(Sessions(login.clone()))),
            Credentials::Cloud(login) => Scheme::Issued(Arc::new(Exchanges::try_new(login.clone())?)),
            Credentials::Header(login) => Scheme::Header {
                credential: Arc::new(Credential::new([(AUTHORIZATION, header::authorization(login))])),
                // The hosted cloud may refuse the fixed request regardless of the credentials
                // (manager-transport 7.3).
                proof: Arc::new(Proof::new(connection.deployment != Deployment::HostedCloud)),
                outage: Arc::default(),
            },
            Credentials::Certificate => Scheme::Certificate,
        };
        Ok(Self {
            shared: Arc::new(Shared {
                scheme,
                gate: Arc::default(),
                outage: Arc::default(),
                confirmation: Arc::default(),
                guard,
            }),
        })
    }

    /// Creates the service on top of `lanes`.
    pub(crate) fn over(&self, lanes: Lanes) -> Auth {
        Auth {
            lanes,
            shared: self.shared.clone(),
        }
    }
}

impl Service<Request<Bytes>> for Auth {
    type Response = Response<Bytes>;
    type Error = Error;
    type Future = BoxFuture<'static, Reply>;

    /// Always ready, because each request of a call waits for the inner service.
    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let auth = self.clone();
        Box::pin(async move {
            match &auth.shared.scheme {
                Scheme::Issued(issuer) => auth.send_issued(issuer, request).await,
                Scheme::Header {
                    credential,
                    proof,
                    outage,
                } => auth.send_with_header(credential, proof, outage, request).await,
                Scheme::Certificate => match auth.lane(&request) {
                    Reserved::Slot(service) => service.oneshot(request).await,
                    Reserved::Failed(answer) => answer,
                },
            }
        })
    }
}

impl Auth {
    /// Logs in before the first request, if a login is a separate request. A transient failure is ignored; a
    /// refusal is remembered.
    pub(crate) async fn open(&self) {
        if let Scheme::Issued(issuer) = &self.shared.scheme {
            let log_in = || self.log_in(issuer);
            if let Pass::Instead(_) = self.shared.gate.pass(log_in).await {
                tracing::debug!("no login before the first request");
            }
        }
    }

    /// Waits until a request can be sent immediately. The request reports a failed login.
    pub(crate) async fn reserve(&self) -> Option<Reservation> {
        match &self.shared.scheme {
            Scheme::Issued(issuer) => {
                if let Pass::Instead(outcome) = self.shared.gate.pass(|| self.log_in(issuer)).await {
                    return Some(Reservation::new(Reserved::Failed(outcome)));
                }
            }
            Scheme::Header { proof, .. } => proof.settled().await,
            Scheme::Certificate => {}
        }
        let mut service = self.lanes.requests.clone();
        service.ready().await.ok()?;
        Some(Reservation::new(Reserved::Slot(service)))
    }

    /// Whether [`Auth::open`] would send anything.
    pub(crate) fn opens(&self) -> bool {
        matches!(self.shared.scheme, Scheme::Issued(_))
    }

    /// Ends the session, if there is one, with a short timeout.
    pub(crate) async fn close(&self) {
        let Scheme::Issued(issuer) = &self.shared.scheme else {
            return;
        };
        let Some(destroy) = issuer.destroy() else {
            return;
        };
        let end = async {
            let session = self.shared.gate.take().await?;
            Some(self.lanes.logouts.clone().oneshot(session.sign(destroy)).await)
        };
        match timeout(CLOSE_TIMEOUT, end).await {
            Ok(None) => {}
            Ok(Some(Ok(reply))) => tracing::debug!(status = reply.status().as_u16(), "session ended"),
            Ok(Some(Err(_))) | Err(_) => tracing::debug!("session not ended; it will time out"),
        }
    }
}

#[cfg(test)]
mod tests;
