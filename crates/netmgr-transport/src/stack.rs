//! The stack, composed in one place.
//!
//! Not here: what each layer does (`layers/`) and what sends (`leaf/`).

use std::time::Duration;

use netmgr_types::RetrySettings;
use tower::ServiceBuilder;
use tower::util::BoxCloneSyncService;

use crate::auth::{Auth, AuthLayer, Lanes};
use crate::client::BoxStack;
use crate::known_secrets::KnownSecrets;
use crate::layers::attempt_timeout::AttemptTimeoutLayer;
use crate::layers::base_uri::{Base, BaseUriLayer};
use crate::layers::deadline::DeadlineLayer;
use crate::layers::governor::{GovernorLayer, Lane, Limits};
use crate::layers::meant_status::MeantStatusLayer;
use crate::layers::origin::OriginLayer;
use crate::layers::remember::RememberLayer;
use crate::layers::retry::RetryLayer;
use crate::layers::trace::trace;

/// What the layers need to know.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) base: Base,
    pub(crate) retry: RetrySettings,
    pub(crate) limits: Limits,
    pub(crate) attempt_timeout: Duration,
    pub(crate) lookup_deadline: Duration,
    pub(crate) secrets: KnownSecrets,
}

/// Everything between a call and the wire, and the authentication in the middle of it, through which
/// a client logs in early and logs out. Each half outermost first.
pub(crate) fn stack(settings: &Settings, auth: &AuthLayer, leaf: &BoxStack) -> (BoxStack, Auth<BoxStack>) {
    let governor = GovernorLayer::new(settings.limits);
    let below = |lane| {
        let service = ServiceBuilder::new()
            // Below authentication, so that a failed login is reported as one.
            .layer(OriginLayer(settings.base.clone()))
            // Logins count towards the manager's limits too. Each attempt takes a place of its own,
            // so that a call that waits for its retry holds none. Authentication waits until this
            // layer is ready before it signs, so that no credential grows old in the queue.
            .layer(governor.lane(lane))
            // Inside the governor: waiting for a place does not use up the attempt.
            .layer(AttemptTimeoutLayer(settings.attempt_timeout))
            // Below everything that looks at a status: an error sent as a success is an error.
            .layer(MeantStatusLayer)
            // Every request and reply passes here, logins included.
            .layer(RememberLayer(settings.secrets.clone()))
            // Everything above knows paths only; the leaf gets URLs.
            .layer(BaseUriLayer(settings.base.clone()))
            .service(leaf.clone());
        BoxCloneSyncService::new(service)
    };
    let auth = auth.over(Lanes {
        requests: below(Lane::Request),
        logins: below(Lane::Login),
        logouts: below(Lane::Logout),
    });
    let above = ServiceBuilder::new()
        // Sees the call as its caller does: once, with all its attempts.
        .layer_fn(trace)
        // Bounds everything below, waiting and logins included.
        .layer(DeadlineLayer(settings.lookup_deadline))
        // Outside of authentication, so that every attempt is signed anew and a login that fails
        // for a passing reason is repeated by the same rules.
        .layer(RetryLayer::new(&settings.retry))
        .service(auth.clone());
    (BoxCloneSyncService::new(above), auth)
}

#[cfg(test)]
mod tests;
