//! Checks after an upgrade.

use std::sync::Arc;
use std::time::Duration;

use netmgr_transport::{Get, Reply};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Latest, keep, seconds, taken, wait};
use crate::context::LookupContext;
use crate::error::Error;
use crate::read::ObjectKind;
use crate::wait::{RealizationStage, RealizationState, Wait};

/// Output of `getUpgradePostcheck`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UpgradePostcheck {
    /// Groups in which checks failed.
    pub failed_group: Vec<FailedUpgradeGroup>,
    /// Id of the upgrade run resource and the kind of the components.
    pub id: String,
}

/// A group of components in which checks failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FailedUpgradeGroup {
    /// Details of the checks; empty if there are none.
    pub details: String,
    /// Number of failures and warnings.
    pub failure_count: i64,
    /// Id of the group.
    pub id: String,
    /// Status of the checks.
    pub status: String,
}

/// The checks of groups, as the manager sends them.
#[derive(Debug, Deserialize)]
struct CheckedGroups {
    results: Vec<CheckedGroup>,
}

/// The checks of a group.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct CheckedGroup {
    id: Option<String>,
    post_upgrade_status: Option<CheckStatus>,
}

/// The status of checks.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct CheckStatus {
    status: Option<String>,
    details: Option<String>,
    failure_count: Option<i64>,
    node_with_issues_count: Option<i64>,
}

/// Path of the checks of groups.
const CHECKED_GROUPS: &str = "/api/v1/upgrade/upgrade-unit-groups/aggregate-info";
/// Groups of edges with their checks.
pub(crate) const CHECKED_EDGE_GROUP: ObjectKind =
    ObjectKind::fixed("upgrade group", "", CHECKED_GROUPS).listed_with(&[("component_type", "EDGE")]);
/// Groups of hosts with their checks.
pub(crate) const CHECKED_HOST_GROUP: ObjectKind =
    ObjectKind::fixed("upgrade group", "", CHECKED_GROUPS).listed_with(&[("component_type", "HOST")]);

pub(crate) async fn upgrade_postcheck(
    cx: &LookupContext<'_>,
    run: &str,
    kind: &str,
    delay: &Option<Duration>,
    interval: &Option<Duration>,
    timeout: &Option<Duration>,
) -> Result<UpgradePostcheck, Error> {
    let latest: Latest<Vec<CheckedGroup>> = Latest::default();
    let kept = Arc::clone(&latest);
    let read = move |reply: &Reply| {
        let body: CheckedGroups = reply.json()?;
        let status = |group: &CheckedGroup| group.post_upgrade_status.as_ref()?.status.clone();
        let mut statuses = body.results.iter().filter_map(status);
        let is_pending = statuses.any(|status| status == "IN_PROGRESS");
        keep(&kept, body.results);
        Ok(RealizationState {
            name: if is_pending { "IN_PROGRESS" } else { "COMPLETED" }.to_owned(),
            verdict: if is_pending {
                RealizationStage::Pending
            } else {
                RealizationStage::Done
            },
            reason: None,
        })
    };
    wait(
        cx,
        Wait {
            what: format!("checks after the upgrade of {kind} groups"),
            state: Get::new(CHECKED_GROUPS).query("component_type", kind),
            read: Arc::new(read),
            delay: seconds(delay, 30),
            timeout: seconds(timeout, 1800),
            interval: Some(seconds(interval, 30)),
        },
    )
    .await?;
    let failed = |group: CheckedGroup| {
        let status = group.post_upgrade_status.unwrap_or_default();
        let count = status
            .failure_count
            .or(status.node_with_issues_count)
            .unwrap_or_default();
        let name = status.status.unwrap_or_default();
        (name != "COMPLETED" || count > 0).then(|| FailedUpgradeGroup {
            details: status.details.unwrap_or_default(),
            failure_count: count,
            id: group.id.unwrap_or_default(),
            status: name,
        })
    };
    let groups = taken(&latest).unwrap_or_default();
    Ok(UpgradePostcheck {
        failed_group: groups.into_iter().filter_map(failed).collect(),
        id: format!("{run}/{kind}"),
    })
}
