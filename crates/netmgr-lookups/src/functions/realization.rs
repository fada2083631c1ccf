//! The common parts of the functions that wait.
//!
//! The schedule of polls is in `wait.rs`; the declarations of the functions are in `functions/realizations.rs`.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use netmgr_transport::{Error as RequestError, Get, Reply};
use netmgr_types::PolicyPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::finding::tree::Tree;
use crate::lock::lock;
use crate::wait::{LONG, RealizationStage, RealizationState, Wait};

pub(crate) mod appliances;
pub(crate) mod entities;
pub(crate) mod hosts;
pub(crate) mod upgrade;

/// The result of a wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Realization {
    /// Id of the object.
    pub id: String,
    /// Its state. A preview may also return a state that is not final.
    pub state: String,
}

/// Keeps data of a poll other than the state.
pub(crate) type Latest<T> = Arc<Mutex<Option<T>>>;

fn keep<T>(latest: &Latest<T>, value: T) {
    *lock(latest) = Some(value);
}

fn taken<T>(latest: &Latest<T>) -> Option<T> {
    lock(latest).take()
}

pub(crate) fn seconds(value: &Option<Duration>, default: u64) -> Duration {
    value.unwrap_or(Duration::from_secs(default)).min(LONG)
}

/// The request for `path` followed by `part`.
pub(crate) fn below(cx: &LookupContext<'_>, path: &str, part: &str) -> Get {
    let tree = Tree::around(path, cx.scope.deployment).unwrap_or(Tree::Local);
    Get::new(tree.root()).policy_path(path).segment(part)
}

/// The wait for the state at `state` below `path`. Defaults: a poll each second, for `longest` seconds.
fn state_below(
    cx: &LookupContext<'_>,
    noun: &str,
    path: &str,
    read: impl Fn(&Reply) -> Result<RealizationState, RequestError> + Send + Sync + 'static,
    [delay, timeout]: [&Option<Duration>; 2],
    longest: u64,
) -> Wait {
    let what = format!("{noun} {}", cx.sanitized(path));
    let (delay, timeout) = (seconds(delay, 1), seconds(timeout, longest));
    Wait {
        intent: Some(path.to_owned()),
        ..Wait::new(what, below(cx, path, "state"), read, delay, timeout)
    }
}

/// Waits for the state of the object at `path`, like [`state_below`].
async fn realized(
    cx: &LookupContext<'_>,
    noun: &str,
    path: &str,
    read: impl Fn(&Reply) -> Result<RealizationState, RequestError> + Send + Sync + 'static,
    schedule: [&Option<Duration>; 2],
    longest: u64,
) -> Result<Realization, Error> {
    let state = wait(cx, state_below(cx, noun, path, read, schedule, longest)).await?;
    Ok(Realization {
        id: PolicyPath::trusted(path).id().to_owned(),
        state: state.name,
    })
}

/// Waits, and warns with the reason if the final state is not a complete success.
async fn wait(cx: &LookupContext<'_>, wait: Wait) -> Result<RealizationState, Error> {
    let state = cx.wait(&wait).await?;
    if state.reason.is_some() || state.verdict == RealizationStage::Reported {
        let reason = state.reason.as_deref().map(|reason| cx.quoted(reason));
        let reason = reason.unwrap_or_else(|| state.why().to_owned());
        let name = cx.sanitized(&state.name);
        cx.warn(&format!("the state of {} is {name}: {reason}", wait.what));
    }
    Ok(state)
}
