//! Signing and sending of requests, and the effect of their replies on the credential.
//!
//! The credential is obtained in `gate.rs` and verified in `proof.rs`.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use tower::{Service, ServiceExt};

use super::Auth;
use super::check::{Shown, answers, is_lost, is_of_gateway, show, show_by_login};
use super::credential::Credential;
use super::gate::{Outcome, Pass, Sending};
use super::login::{Issuer, log_in};
use super::outage::Outage;
use super::proof::{Permit, Proof};
use super::refusal::{Verdict, ends_session, remembered, verdict};
use crate::Error;
use crate::call_context::{CallContext, ReplyContext, Reserved, SeemingRefusal};
use crate::classify::classify;
use crate::refused_logins::{Denied, Guard, LoginEnd};

/// A reply to a signed request, and the credential it was signed with.
enum Sent {
    With(Arc<Credential>, Response<Bytes>),
    /// The login failed with this result.
    Instead(Result<Response<Bytes>, Error>),
}

impl Auth {
    /// Sends `request` with the credential of a login. If that has expired, sends it again with the
    /// credential of a new login.
    pub(super) async fn send_issued(
        &self,
        issuer: &Arc<dyn Issuer>,
        request: Request<Bytes>,
    ) -> Result<Response<Bytes>, Error> {
        let (used, mut reply) = match self.send_signed(issuer, request.clone()).await? {
            Sent::With(used, reply) => (used, reply),
            Sent::Instead(answer) => return answer,
        };
        if !ends_session(&reply) {
            if verdict(&reply) != Verdict::Doubtful {
                return Ok(reply);
            }
            match self.confirm(&used).await {
                Shown::Accepted => {
                    ReplyContext::of_mut(&mut reply).refusal = Some(SeemingRefusal::OfPath);
                    return Ok(reply);
                }
                Shown::Refused(_) | Shown::Doubtful => {}
                Shown::Answered(_) | Shown::Failed(_) | Shown::Nothing => return Ok(reply),
            }
        }
        self.shared.gate.discard(&used);
        let (used, mut reply) = match self.send_signed(issuer, request).await? {
            Sent::With(used, reply) => (used, reply),
            Sent::Instead(answer) => return answer,
        };
        if ends_session(&reply) {
            self.shared.gate.discard(&used);
            ReplyContext::of_mut(&mut reply).refusal = Some(SeemingRefusal::AfterNewLogin);
        } else if verdict(&reply) == Verdict::Doubtful {
            // The login was just accepted, so the refusal concerns the path.
            self.shared.confirmation.accepted(&used);
            ReplyContext::of_mut(&mut reply).refusal = Some(SeemingRefusal::AfterNewLogin);
        }
        Ok(reply)
    }

    /// The reservation of `request`, or else the lane for requests.
    pub(super) fn lane(&self, request: &Request<Bytes>) -> Reserved {
        let reservation = CallContext::of(request).reservation;
        let reserved = reservation.and_then(|reservation| reservation.take());
        reserved.unwrap_or_else(|| Reserved::Slot(self.lanes.requests.clone()))
    }

    /// Prepares a login.
    pub(super) fn log_in(
        &self,
        issuer: &Arc<dyn Issuer>,
    ) -> impl Future<Output = Result<Sending, Outcome>> + Send + 'static {
        let lane = self.lanes.logins.clone();
        let guard = self.shared.guard.clone().filter(|_| issuer.is_counted());
        log_in(lane, issuer.clone(), self.shared.outage.clone(), guard)
    }

    /// Whether the manager accepts `credential` for the fixed request.
    async fn confirm(&self, credential: &Arc<Credential>) -> Shown {
        let check = || show(self.lanes.logins.clone(), credential.clone());
        self.shared.confirmation.of(credential, check).await
    }

    /// Sends `request` once, and stores the cookies of its reply.
    async fn send_signed(&self, issuer: &Arc<dyn Issuer>, request: Request<Bytes>) -> Result<Sent, Error> {
        let gate = &self.shared.gate;
        let log_in = || self.log_in(issuer);
        let mut service = match self.lane(&request) {
            Reserved::Slot(service) => service,
            Reserved::Failed(answer) => return Ok(Sent::Instead(answer)),
        };
        let credential = loop {
            // The login needs a slot as well.
            let leave = || service = self.lanes.requests.clone();
            let passed = leaving(gate.pass(log_in), leave).await;
            if let Pass::Instead(answer) = passed {
                return Ok(Sent::Instead(answer));
            }
            service.ready().await?;
            // The credential may have expired while the request waited for its slot. The slot is then used
            // for the login.
            match gate.at_hand() {
                Some(credential) => break credential,
                None => service = self.lanes.requests.clone(),
            }
        };
        let reply = service.call(credential.sign(request)).await?;
        if !ends_session(&reply) && verdict(&reply) != Verdict::Doubtful {
            gate.update(&credential, reply.headers());
        }
        Ok(Sent::With(credential, reply))
    }

    /// Sends `request` with a fixed credential, which makes it a login. Until the manager has accepted one,
    /// requests are sent one at a time.
    pub(super) async fn send_with_header(
        &self,
        credential: &Arc<Credential>,
        proof: &Arc<Proof>,
        outage: &Arc<Outage<Shown>>,
        request: Request<Bytes>,
    ) -> Result<Response<Bytes>, Error> {
        let fixed = || {
            let lane = self.lanes.logins.clone();
            let guard = self.shared.guard.clone();
            show_by_login(lane, credential.clone(), outage.clone(), guard)
        };
        let (mut service, first, turn) = loop {
            // The fixed request needs a slot as well.
            let leave = || {
                drop(
                    CallContext::of(&request)
                        .reservation
                        .and_then(|reservation| reservation.take()),
                )
            };
            let permitted = leaving(proof.permit(fixed), leave).await;
            let first = match permitted {
                Permit::Send => None,
                Permit::First(first) => Some(first),
                Permit::Instead(answer) => return answer,
            };
            let mut service = match self.lane(&request) {
                Reserved::Slot(service) => service,
                Reserved::Failed(answer) => return answer,
            };
            service.ready().await?;
            // The credential may have been refused while the request waited for its slot.
            if first.is_some() {
                match Guard::turn_of(self.shared.guard.as_ref()).await {
                    Ok(turn) => break (service, first, Some(turn)),
                    Err(Denied::Refused(error)) => return Err(error),
                    Err(Denied::Lost(lost)) => {
                        // The check needs the slot.
                        drop(service);
                        lost.checked(answers(self.lanes.logins.clone()).await).await?;
                        continue;
                    }
                }
            }
            if proof.is_accepted() {
                break (service, None, None);
            }
        };
        let answer = service.call(credential.sign(request)).await;
        let said = answer.as_ref().map_or(Verdict::Unknown, verdict);
        match (said, &answer) {
            (Verdict::Accepted, _) if first.is_some() => proof.accepted(),
            (Verdict::Refused, Ok(reply)) if first.is_some() => proof.refused(remembered(classify(reply))),
            (Verdict::Refused, _) => proof.doubt(),
            _ => {}
        }
        if let Some(turn) = turn {
            // Without the fixed request, each request is the first one until the manager accepts one. Slow ones would
            // count as lost logins of a right password.
            let is_counted = proof.has_fixed();
            turn.end(match (said, &answer) {
                (Verdict::Accepted, _) => LoginEnd::Accepted,
                (Verdict::Refused, _) => LoginEnd::Refused,
                (Verdict::Unknown, Ok(reply)) if is_counted && is_of_gateway(reply.status()) => {
                    LoginEnd::Lost
                }
                (Verdict::Unknown, Err(error)) if is_counted && is_lost(error) => LoginEnd::Lost,
                (Verdict::Doubtful | Verdict::Unknown, _) => LoginEnd::Uncounted,
            })
            .await;
        }
        drop(first);
        let mut reply = answer?;
        if said != Verdict::Doubtful || !proof.has_fixed() {
            return Ok(reply);
        }
        let is_accepted = if proof.is_accepted() {
            let shown = self.confirm(credential).await;
            if let Shown::Refused(error) = &shown {
                proof.refused(error.clone());
            }
            matches!(shown, Shown::Accepted)
        } else {
            matches!(proof.permit(fixed).await, Permit::Send)
        };
        if is_accepted {
            ReplyContext::of_mut(&mut reply).refusal = Some(SeemingRefusal::OfPath);
        }
        Ok(reply)
    }
}

/// Completes `wait`, and calls `leave` if it is not ready immediately.
async fn leaving<T>(wait: impl Future<Output = T>, mut leave: impl FnMut()) -> T {
    let mut wait = pin!(wait);
    poll_fn(|context| {
        let polled = wait.as_mut().poll(context);
        if polled.is_pending() {
            leave();
        }
        polled
    })
    .await
}
