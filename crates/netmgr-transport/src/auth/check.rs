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
use crate::refused_logins::{Denied, Guard, GuardedTurn, LoginEnd};
use crate::service::Inner;

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
        && !checked(&lane, &outage, guard.as_ref()).await
    {
        return last;
    }
    let (service, turn) = match slot_and_turn(&lane, guard.as_ref()).await {
        Ok(both) => both,
        Err(error) => return Shown::Failed(error),
    };
    let shown = show(service, credential).await;
    outage.note(&shown);
    turn.end(match &shown {
        Shown::Accepted => LoginEnd::Accepted,
        Shown::Refused(_) => LoginEnd::Refused,
        Shown::Answered(reply) if is_of_gateway(reply.status()) => LoginEnd::Lost,
        Shown::Failed(error) if is_lost(error) => LoginEnd::Lost,
        Shown::Doubtful | Shown::Answered(_) | Shown::Failed(_) | Shown::Nothing => LoginEnd::Uncounted,
    })
    .await;
    shown
}

/// Whether another login may be sent during an outage, by a request that is no login. Its result is shared with other
/// processes, which may not send theirs either.
pub(super) async fn checked<S: Inner, T: Ending>(
    lane: &S,
    outage: &Outage<T>,
    guard: Option<&Guard>,
) -> bool {
    let responds = answers(lane.clone()).await;
    if let Some(guard) = guard {
        let _ = guard.checked(responds).await;
    }
    outage.checked(responds)
}

/// A slot of `lane`, and then the turn of this process to log in: other processes do not wait for the slot as well.
pub(super) async fn slot_and_turn<S: Inner>(
    lane: &S,
    guard: Option<&Guard>,
) -> Result<(S, GuardedTurn), Error> {
    loop {
        let mut service = lane.clone();
        service.ready().await?;
        match Guard::turn_of(guard).await {
            Ok(turn) => return Ok((service, turn)),
            Err(Denied::Refused(error)) => return Err(error),
            Err(Denied::Lost(lost)) => {
                // The check needs the slot.
                drop(service);
                lost.checked(answers(lane.clone()).await).await?;
            }
        }
    }
}

/// Whether a login that failed with `error` may have been counted by the manager, although there was no reply.
pub(super) fn is_lost(error: &Error) -> bool {
    Ended::by_failure(error) == Ended::Counted && error.failure().status.is_none()
}

/// Whether a reply with this status replaces one of the manager, which may have counted the login.
pub(super) fn is_of_gateway(status: StatusCode) -> bool {
    matches!(status, StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT)
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

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt as _;
    use netmgr_types::{Connection, Credentials};

    use super::*;
    use crate::RefusedLogins;
    use crate::layers::testing::pair;
    use crate::testing::{connection, login};

    #[tokio::test]
    async fn a_turn_is_taken_with_the_slot_at_hand() {
        let folder = tempfile::tempdir().unwrap();
        let guard = || {
            let connection = Connection::new(connection().host, Credentials::Header(login()));
            RefusedLogins::in_folder(folder.path()).guard(&connection)
        };
        let (lane, mut manager) = pair();
        manager.allow(0);
        let (ours, theirs) = (guard(), guard());
        let mut waiting = pin!(slot_and_turn(&lane, ours.as_ref()));
        assert!(waiting.as_mut().now_or_never().is_none());
        // Another process logs in while this one waits for its slot.
        let turn = Guard::turn_of(theirs.as_ref()).await;
        turn.unwrap_or_else(|_| panic!("goes"))
            .end(LoginEnd::Uncounted)
            .await;
        assert!(waiting.as_mut().now_or_never().is_none());
        manager.allow(1);
        let _both = waiting.await.unwrap();
    }
}
