//! The steps that need the manager: login, clock, version, rate limits, search index. The role is in `role.rs`.

use std::time::Duration;

use futures_util::future::join_all;
use netmgr_lookups::ALL;
use netmgr_transport::{Client, Clocks, Error, ErrorKind as RequestErrorKind, Get};
use netmgr_types::{Deployment, ManagerVersion};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::pace::RequestPace;
use super::report::{DoctorCheck, DoctorReport, Finding};
use super::role;
use crate::failure::CliError;
use crate::flags::command_name;

/// A difference of the clocks that is worth a warning.
const SKEW: Duration = Duration::from_secs(30);
/// Limits that the client keeps (netmgr-transport's defaults).
const OWN_LIMITS: (u64, u64) = (90, 32);
/// Object types whose index is checked. Those that lookups search for.
const SEARCHED: [&str; 8] = [
    "TlsCertificate",
    "PolicyEdgeCluster",
    "PolicyEdgeNode",
    "PolicyEdgeTransportNode",
    "L2BridgeEndpointProfile",
    "PolicyContextProfile",
    "DhcpServerConfig",
    "DistributedVlanConnection",
];

/// Performs the checks in their order. The first request logs in; when the login is refused, nothing else is sent.
pub(super) async fn check(client: &Client, report: &mut DoctorReport) -> Result<(), CliError> {
    let start = Instant::now();
    let version = client.version(None).await;
    let (finding, version) = match version {
        Err(error) if is_login(&error) => {
            return report.add(Finding::failed(
                DoctorCheck::Login,
                &error,
                "check the user name, password and login method in the settings",
            ));
        }
        version => (login(start.elapsed()), version),
    };
    report.add(finding)?;
    report.add(clock(client.clocks()))?;
    let deployment = client.connection().deployment;
    report.add(match &version {
        Ok(version) => gates(version, deployment),
        Err(error) => Finding::failed(DoctorCheck::Version, error, "check that host is a manager"),
    })?;
    let (limits, rate) = limits(client).await;
    let pace = RequestPace::within(rate);
    let (role, is_refused) = role::check(client, &pace).await;
    report.add(role)?;
    report.add(limits)?;
    match is_refused {
        true => Ok(()),
        false => report.add(index(client, &pace).await),
    }
}

/// Whether the login failed and not the request after it.
fn is_login(error: &Error) -> bool {
    let line = error.failure().request_line.as_ref();
    error.kind() == RequestErrorKind::Unauthenticated
        || matches!(
            error.kind(),
            RequestErrorKind::Connect | RequestErrorKind::Tls | RequestErrorKind::Deadline
        )
        || line.is_some_and(|line| line.method.as_str() != "GET")
}

fn login(elapsed: Duration) -> Finding {
    let milliseconds = elapsed.as_millis();
    Finding::ok(DoctorCheck::Login, format!("accepted in {milliseconds} ms"))
        .detail("milliseconds", json!(milliseconds))
}

fn clock(clocks: Option<Clocks>) -> Finding {
    let Some(clocks) = clocks else {
        return Finding::ok(DoctorCheck::Clock, "unknown: responses have no Date header");
    };
    let (difference, word, sign) = match clocks.ahead() {
        Ok(ahead) => (ahead, "ahead of", 1.0),
        Err(behind) => (behind, "behind", -1.0),
    };
    // The manager's time has whole seconds.
    let seconds = difference.as_secs();
    let finding = match difference > SKEW {
        true => Finding::warn(
            DoctorCheck::Clock,
            format!("the manager is {seconds} s {word} this machine"),
            "synchronize both clocks; certificates and tokens depend on the time",
        ),
        false => Finding::ok(DoctorCheck::Clock, "the manager and this machine agree"),
    };
    finding.detail(
        "managerAheadSeconds",
        json!((difference.as_secs_f64() * sign).round()),
    )
}

/// The version, and the functions that it excludes.
fn gates(version: &ManagerVersion, deployment: Deployment) -> Finding {
    let mut missing = Map::new();
    for entry in ALL.iter() {
        let spec = entry.spec;
        let reason = if !spec.availability.includes(deployment) {
            "not available on this kind of manager".to_owned()
        } else {
            match spec.minimum_version(deployment) {
                Some(minimum) if *version < minimum => format!("requires {minimum}"),
                _ => continue,
            }
        };
        missing.insert(command_name(spec.name), json!(reason));
    }
    let available = ALL.len() - missing.len();
    let summary = match missing.len() {
        0 => format!("{version}, all {available} functions"),
        _ => format!("{version}, {available} of {} functions", ALL.len()),
    };
    let gated: Vec<String> = missing
        .iter()
        .filter_map(|(name, reason)| Some((name, reason.as_str()?)))
        .filter(|(_, reason)| reason.starts_with("requires"))
        .map(|(name, reason)| format!("{name} {reason}"))
        .collect();
    let finding = Finding::ok(DoctorCheck::Version, summary)
        .detail("version", json!(version.to_string()))
        .detail("available", json!(available))
        .detail("unavailable", Value::Object(missing));
    match gated.is_empty() {
        true => finding,
        false => finding.note(gated.join("; ")),
    }
}

/// Settings of the API service: `ApiServiceConfig` of the manager's REST API reference.
#[derive(Deserialize)]
struct ApiService {
    client_api_rate_limit: Option<u64>,
    client_api_concurrency_limit: Option<u64>,
}

/// The limits of the manager next to those that the client keeps, and the number of requests per second.
async fn limits(client: &Client) -> (Finding, Option<u64>) {
    let (own_rate, own_parallel) = OWN_LIMITS;
    let reply = client.get(&Get::new("/api/v1/cluster/api-service")).await;
    let settings = match reply.and_then(|reply| reply.json::<ApiService>()) {
        Ok(settings) => settings,
        // Reading the settings needs a permission that lookups do not need, and not every manager has them.
        Err(error)
            if matches!(
                error.kind(),
                RequestErrorKind::PermissionDenied | RequestErrorKind::NotFound
            ) =>
        {
            let finding = Finding::ok(
                DoctorCheck::RateLimits,
                format!(
                    "not shown to this account; netmgr sends at most {own_rate} requests per second, and {own_parallel} \
                     concurrently"
                ),
            );
            return (finding, None);
        }
        Err(error) => {
            return (Finding::failed(DoctorCheck::RateLimits, &error, BUSY), None);
        }
    };
    let ApiService {
        client_api_rate_limit: rate,
        client_api_concurrency_limit: parallel,
    } = settings;
    let below = |limit: Option<u64>, own| limit.is_some_and(|limit| limit != 0 && limit < own);
    let show = |limit: Option<u64>| match limit {
        None => "an unknown number of".to_owned(),
        Some(0) => "unlimited".to_owned(),
        Some(limit) => limit.to_string(),
    };
    let summary = format!(
        "{} requests per second, {} concurrent",
        show(rate),
        show(parallel)
    );
    let finding = if below(rate, own_rate) || below(parallel, own_parallel) {
        Finding::warn(
            DoctorCheck::RateLimits,
            format!("{summary}; netmgr sends up to {own_rate} and {own_parallel}"),
            "raise client_api_rate_limit and client_api_concurrency_limit of the manager, or run fewer concurrent lookups",
        )
    } else {
        Finding::ok(DoctorCheck::RateLimits, summary)
    };
    let finding = finding
        .detail("requestsPerSecond", json!(rate))
        .detail("requestsAtATime", json!(parallel));
    (finding, rate)
}

/// The action after a request that the manager was too busy for.
const BUSY: &str = "run the command again when the manager is less busy";

/// A page of a search.
#[derive(Deserialize)]
struct SearchPage {
    #[serde(rename = "results")]
    _results: Vec<IgnoredAny>,
}

/// Whether searches for each type of object are answered.
async fn index(client: &Client, pace: &RequestPace) -> Finding {
    let root = match client.connection().deployment {
        Deployment::GlobalManager => "/global-manager/api/v1",
        Deployment::PolicyManager | Deployment::HostedCloud => "/policy/api/v1",
    };
    let searches = SEARCHED.map(|kind| async move {
        pace.wait(&format!("the search index of {kind}")).await;
        let start = Instant::now();
        let search = Get::new(format!("{root}/search/query"))
            .query(
                "query",
                format!("resource_type:{kind} AND marked_for_delete:false"),
            )
            .query("page_size", "1");
        // A proxy may answer with its own page.
        let page = client
            .get(&search)
            .await
            .and_then(|reply| reply.json::<SearchPage>());
        (kind, page.map(drop), start.elapsed())
    });
    let results = join_all(searches).await;
    let slowest = results.iter().map(|(.., elapsed)| elapsed.as_millis()).max();
    let elapsed = slowest.unwrap_or_default();
    let failures: Vec<(&str, &Error)> = results
        .iter()
        .filter_map(|(kind, outcome, _)| Some((*kind, outcome.as_ref().err()?)))
        .collect();
    let failed: Vec<&str> = failures.iter().map(|(kind, _)| *kind).collect();
    let action = match failures.first().map(|(_, error)| error.kind()) {
        Some(RequestErrorKind::Throttled) => BUSY,
        Some(RequestErrorKind::NotFound) => {
            "check NETMGR_GLOBAL_MANAGER: global managers have another search; versions before 3.0 have none"
        }
        _ => "wait until the index is rebuilt, or rebuild it on the manager (`start search resync all`)",
    };
    let finding = match failures.first() {
        None => Finding::ok(
            DoctorCheck::SearchIndex,
            format!("searches for {} types took {elapsed} ms", SEARCHED.len()),
        )
        .detail("milliseconds", json!(elapsed)),
        Some((_, error)) if failures.len() == SEARCHED.len() => {
            Finding::failed(DoctorCheck::SearchIndex, error, action)
        }
        Some((_, error)) => Finding::warn(
            DoctorCheck::SearchIndex,
            format!("no response for {} of {} types", failures.len(), SEARCHED.len()),
            action,
        )
        .note(format!("{}: {error}", failed.join(", "))),
    };
    finding.detail("failed", json!(failed))
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::commands::doctor::report::Status;

    #[test]
    fn a_clock_that_differs_by_more_than_half_a_minute_is_a_warning() {
        let here = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        for (manager, status, summary) in [
            (here, Status::Ok, "the manager and this machine agree"),
            (
                here - Duration::from_secs(30),
                Status::Ok,
                "the manager and this machine agree",
            ),
            (
                here - Duration::from_secs(31),
                Status::Warn,
                "the manager is 31 s behind this machine",
            ),
            (
                here + Duration::from_secs(3600),
                Status::Warn,
                "the manager is 3600 s ahead of this machine",
            ),
        ] {
            let finding = clock(Some(Clocks::new(manager, here)));
            assert_eq!((finding.status, finding.summary.as_str()), (status, summary));
        }
        assert_eq!(clock(None).status, Status::Ok);
    }

    #[test]
    fn the_version_excludes_functions() {
        let gated = |version: &str, deployment| {
            let finding = gates(&version.parse().unwrap(), deployment);
            finding.details["unavailable"].as_object().unwrap().clone()
        };
        // Sites are objects of global managers.
        let new = gated("9.1.1", Deployment::PolicyManager);
        assert_eq!(new.keys().collect::<Vec<_>>(), ["policy-site"]);
        let mut old = gated("4.2.1", Deployment::PolicyManager);
        old.retain(|function, _| !new.contains_key(function));
        assert!(
            !old.is_empty()
                && old
                    .values()
                    .all(|reason| reason.as_str().unwrap().starts_with("requires 9."))
        );
        assert!(!gated("9.1.0", Deployment::GlobalManager).is_empty());
    }
}
