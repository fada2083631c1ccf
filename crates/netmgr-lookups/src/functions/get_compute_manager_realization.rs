//! `getComputeManagerRealization`: waits until a compute manager is realized and registered.

use std::time::Duration;

use netmgr_transport::{Error as RequestError, Get, Reply};
use netmgr_types::number;
use netmgr_types::shapes::given;
use netmgr_types::wire::{ComputeManagerState, ComputeManagerStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::spec::ResultKind;
use crate::declared::rules::Rule::{Required, Unchecked};
use crate::declared::rules::{at_least_one, delay};
use crate::declared::{OfKind as _, calls};
use crate::functions::realization::seconds;
use crate::functions::system::{COMPUTE_MANAGERS, GetComputeManager};
use crate::wait::{RealizationStage, RealizationState, Wait};
use crate::wording::reasons::Reasons;

calls! {
    ENTRIES;

    /// Waits until a compute manager is realized and registered.
    GetComputeManagerRealization = "getComputeManagerRealization", "compute manager" {
        inputs: {
            /// Id of the compute manager.
            id: String => Required,
            /// Whether to also wait until the compute manager is registered. Default true.
            #[serde(default)]
            #[schemars(extend("default" = true))]
            check_registration: Option<bool> => Unchecked,
            /// Seconds before the first poll. Default 1.
            delay: Option<Duration> => delay(1),
            /// Maximum duration of the wait in seconds, including the delay. At least 1. Default 1200.
            timeout: Option<Duration> => at_least_one(1200),
        },
        output: ComputeManagerRealization => wait(id, check_registration, delay, timeout),
        reads: [GetComputeManager::KIND],
        facts: answer(ResultKind::State)
            .example(r#"{"id": "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001", "timeout": 600}"#)
            .source("3, 4.2 and 4.3")
    }
}

/// Output of `getComputeManagerRealization`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ComputeManagerRealization {
    /// Id of the compute manager.
    pub id: String,
    /// Realization state: `success`, `partial_success` or `orphaned`. A preview may also return a state that
    /// is not final.
    pub state: String,
    /// Registration status, such as `REGISTERED`; empty if it was not checked.
    pub registration_status: String,
    /// Whether the registration was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_registration: Option<bool>,
    /// Seconds before the first poll.
    #[serde(default, with = "number::seconds", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub delay: Option<Duration>,
    /// Maximum duration of the wait in seconds.
    #[serde(default, with = "number::seconds", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub timeout: Option<Duration>,
}

impl GetComputeManagerRealization {
    /// Waits for the compute manager with this id.
    pub fn of(id: impl Into<String>) -> Self {
        Self::default().id(id)
    }
}

/// Polls the state until it is final, and then the registration. Each of the two waits has the full `delay` and
/// `timeout`.
async fn wait(
    cx: &LookupContext<'_>,
    id: &str,
    check_registration: &Option<bool>,
    delay: &Option<Duration>,
    timeout: &Option<Duration>,
) -> Result<ComputeManagerRealization, Error> {
    let (delay, timeout) = (seconds(delay, 1), seconds(timeout, 1200));
    let check_registration = check_registration.unwrap_or(true);
    let manager = format!("compute manager {}", cx.sanitized(id));
    let at = |part: &str| Get::new(COMPUTE_MANAGERS).segment(id).segment(part);
    let wait = Wait::new(manager.clone(), at("state"), realization, delay, timeout);
    let state = cx.wait(&wait).await?;
    check_state(cx, &manager, &state)?;
    let registration = if check_registration {
        let what = format!("registration of {manager}");
        let wait = Wait::new(what.clone(), at("status"), registration, delay, timeout);
        let status = cx.wait(&wait).await?;
        if let Some(reason) = status.reason {
            let name = cx.sanitized(&status.name);
            cx.warn(&format!("{what} is {name}: {}", cx.quoted(&reason)));
        }
        status.name
    } else {
        String::new()
    };
    Ok(ComputeManagerRealization {
        id: id.to_owned(),
        state: state.name,
        registration_status: registration,
        check_registration: Some(check_registration),
        delay: Some(delay),
        timeout: Some(timeout),
    })
}

/// Checks whether a final state of `manager` is a success.
fn check_state(cx: &LookupContext<'_>, manager: &str, state: &RealizationState) -> Result<(), Error> {
    let name = cx.sanitized(&state.name);
    match state.name.to_ascii_lowercase().as_str() {
        "partial_success" if !cx.scope.tolerate_partial_success => {
            let why = match &state.reason {
                Some(reason) => cx.sanitized(reason),
                None => "it is only partially realized".to_owned(),
            };
            Err(cx.realization_failed(manager.to_owned(), name, why))
        }
        "orphaned" => {
            cx.warn(&format!("{manager} is orphaned: its state is {name}"));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Reads the realization state. An absent or empty one is `unknown`.
pub(crate) fn realization(reply: &Reply) -> Result<RealizationState, RequestError> {
    let body: ComputeManagerState = reply.json()?;
    let reason = Reasons::default()
        .whole(body.failure_message.as_deref(), body.failure_code)
        .parts(body.details.as_deref().unwrap_or_default())
        .text();
    let name = given(&body.state).unwrap_or("unknown").to_owned();
    let verdict = match name.to_ascii_lowercase().as_str() {
        "pending" | "in_progress" | "in_sync" | "unknown" => RealizationStage::Pending,
        "success" | "partial_success" | "orphaned" => RealizationStage::Done,
        _ => RealizationStage::Failed,
    };
    Ok(RealizationState::new(name, verdict).because(reason))
}

/// Reads the registration status. An absent or empty status is pending.
fn registration(reply: &Reply) -> Result<RealizationState, RequestError> {
    let body: ComputeManagerStatus = reply.json()?;
    let name = given(&body.registration_status).unwrap_or("unknown").to_owned();
    let verdict = match name.to_ascii_uppercase().as_str() {
        "CONNECTING" | "REGISTERING" | "UNKNOWN" => RealizationStage::Pending,
        "REGISTERED" | "UNREGISTERED" | "REGISTERED_WITH_ERRORS" => RealizationStage::Done,
        _ => RealizationStage::Failed,
    };
    let reason = Reasons::default().errors(&body.registration_errors).text();
    Ok(RealizationState::new(name, verdict).because(reason))
}
