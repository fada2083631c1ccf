//! A fixed, cheap request for the version of the node. It determines whether the manager responds, or whether
//! it accepts a credential.
//!
//! `proof.rs`, `confirmation.rs` and `outage.rs` decide when it is sent. Source: manager-transport 7.1.

use std::sync::Arc;

use bytes::Bytes;
use http::header::ACCEPT;
use http::{Request, Response, StatusCode};
use tower::ServiceExt;

use super::credential::Credential;
use super::outage::{Ended, Ending, Outage};
use super::refusal::{Verdict, verdict};
use crate::Error;
use crate::classify::{classify, is_of_manager};
use crate::layers::Inner;
use crate::refused_logins::Guard;

/// Result of the request for a credential.
#[derive(Clone)]
pub(super) enum Shown {
    /// The manager accepts it.
    Accepted,
    /// The manager refuses it.
    Refused(Error),
    /// The reply may be a refusal, or the page of a proxy.
    Doubtful,
    /// No result because of a transient error.
    Answered(Response<Bytes>),
    /// No result because there was no reply.
    Failed(Error),
    /// No result because a proxy responds to this request.
    Nothing,
}

impl Ending for Shown {
    fn ended(&self) -> Ended {
        match self {
            Self::Accepted | Self::Refused(_) => Ended::Verdict,
            Self::Answered(reply) => Ended::by_reply(reply.status()),
            Self::Failed(error) => Ended::by_failure(error),
            Self::Doubtful | Self::Nothing => Ended::Uncounted,
        }
    }
}

/// Whether the manager accepts `credential`.
pub(super) async fn show<S: Inner>(lane: S, credential: Arc<Credential>) -> Shown {
    let reply = match lane.oneshot(credential.sign(request())).await {
        Ok(reply) => reply,
        Err(error) => return Shown::Failed(error),
    };
    tracing::debug!(status = reply.status().as_u16(), "login verified");
    match verdict(&reply) {
        Verdict::Accepted => Shown::Accepted,
        Verdict::Refused => Shown::Refused(classify(&reply)),
        Verdict::Doubtful => Shown::Doubtful,
        Verdict::Unknown if is_transient(reply.status()) => Shown::Answered(reply),
        Verdict::Unknown => Shown::Nothing,
    }
}

/// Like [`show`], for a credential that makes each request a login. Observes the limits of an outage, and refusals of
/// other processes.
pub(super) async fn show_by_login<S: Inner>(
    lane: S,
    credential: Arc<Credential>,
    outage: Arc<Outage<Shown>>,
    guard: Option<Guard>,
) -> Shown {
    if let Some(last) = outage.needs_check()
        && !outage.checked(answers(lane.clone()).await)
    {
        return last;
    }
    let turn = match Guard::turn_of(guard.as_ref()).await {
        Ok(turn) => turn,
        Err(error) => return Shown::Failed(error),
    };
    let shown = show(lane, credential).await;
    outage.note(&shown);
    let verdict = match &shown {
        Shown::Accepted => Some(Verdict::Accepted),
        Shown::Refused(_) => Some(Verdict::Refused),
        Shown::Doubtful | Shown::Answered(_) | Shown::Failed(_) | Shown::Nothing => None,
    };
    turn.end(verdict).await;
    shown
}

/// Whether the manager itself responds to a request without credentials.
pub(super) async fn answers<S: Inner>(lane: S) -> bool {
    let Ok(reply) = lane.oneshot(request()).await else {
        return false;
    };
    match reply.status() {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => is_of_manager(&reply),
        status => status.is_success(),
    }
}

fn request() -> Request<Bytes> {
    Request::get("/api/v1/node/version")
        .header(ACCEPT, "application/json")
        .body(Bytes::new())
        .expect("a fixed path")
}

/// Whether a login with this status can be retried.
pub(super) fn is_transient(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status.as_u16(), 408 | 409 | 425 | 429)
}
