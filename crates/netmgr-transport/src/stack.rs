//! Composition of the stack.
//!
//! The layers are in `layers/`, the leaf in `leaf/`.

use std::time::Duration;

use netmgr_types::RetrySettings;
use tower::ServiceBuilder;
use tower::retry::RetryLayer;
use tower::util::BoxCloneSyncService;

use crate::auth::{Auth, Lanes, SharedLogin};
use crate::known_secrets::KnownSecrets;
use crate::layers::attempt_timeout::attempt_timeout;
use crate::layers::base_uri::{Base, base_uri};
use crate::layers::deadline::deadline;
use crate::layers::governor::{GovernorLayer, Lane, Limits};
use crate::layers::meant_status::meant_status;
use crate::layers::origin::origin;
use crate::layers::remember::remember;
use crate::layers::retry::RetryPolicy;
use crate::layers::trace::trace;
use crate::service::BoxStack;

/// Settings of the layers.
#[derive(Debug)]
pub(crate) struct StackSettings {
    pub(crate) base: Base,
    pub(crate) retry: RetrySettings,
    pub(crate) limits: Limits,
    pub(crate) attempt_timeout: Duration,
    pub(crate) lookup_deadline: Duration,
    pub(crate) secrets: KnownSecrets,
}

/// Composes all layers between a call and the network, in two halves with authentication between them. Each
/// half is listed outermost first. Returns the authentication service as well, for early logins and logouts.
pub(crate) fn stack(settings: &StackSettings, auth: SharedLogin, leaf: &BoxStack) -> (BoxStack, Auth) {
    let governor = GovernorLayer::new(settings.limits);
    let below = |lane| {
        let service = ServiceBuilder::new()
            // Logins count towards the manager's limits. Each attempt takes a slot, so that a call that waits
            // for its retry holds none. Authentication waits until this layer is ready before it signs, so
            // that no credential expires in the queue.
            .layer(governor.lane(lane))
            // Below authentication, so that a failed login is reported as one.
            .layer_fn(|inner| origin(inner, settings.base.clone()))
            // Inside the governor, because the attempt timeout excludes the wait for a slot.
            .layer_fn(|inner| attempt_timeout(inner, settings.attempt_timeout))
            // Below all layers that check the status, because an error sent as a success is an error.
            .layer_fn(meant_status)
            // Sees all requests and replies, including logins.
            .layer_fn(|inner| remember(inner, settings.secrets.clone()))
            // The layers above use paths; the leaf requires URLs.
            .layer_fn(|inner| base_uri(inner, settings.base.clone()))
            .service(leaf.clone());
        BoxCloneSyncService::new(service)
    };
    let auth = auth.over(Lanes {
        requests: below(Lane::Request),
        // With their own spans: a login serves many calls, and a logout none.
        logins: trace(below(Lane::Login)),
        logouts: trace(below(Lane::Logout)),
    });
    let above = ServiceBuilder::new()
        // Outermost, so that a call with all its attempts is one span.
        .layer_fn(trace)
        // Limits everything below, including waits and logins.
        .layer_fn(|inner| deadline(inner, settings.lookup_deadline))
        // Outside of authentication, so that every attempt is signed again, and logins with transient
        // failures are retried by the same rules.
        .layer(RetryLayer::new(RetryPolicy::new(&settings.retry)))
        .service(auth.clone());
    (BoxCloneSyncService::new(above), auth)
}

#[cfg(test)]
mod tests;
