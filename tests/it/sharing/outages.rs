//! A manager that is unavailable for a while, and a thousand lookups.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use futures_util::future::join_all;
use netmgr_lookups::{Call, Error};
use netmgr_types::ProviderConfig;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::script::*;

/// Kinds of the manager API, whose names are found in the list.
const LISTED: [(&str, &str, &str); 9] = [
    (
        "getCertificate",
        "/api/v1/trust-management/certificates",
        "certificate_self_signed",
    ),
    (
        "getComputeManager",
        "/api/v1/fabric/compute-managers",
        "ComputeManager",
    ),
    ("getEdgeCluster", "/api/v1/edge-clusters", "EdgeCluster"),
    (
        "getFirewallSection",
        "/api/v1/firewall/sections",
        "FirewallSection",
    ),
    ("getIpPool", "/api/v1/pools/ip-pools", "IpPool"),
    ("getMacPool", "/api/v1/pools/mac-pools", "MacPool"),
    ("getNsGroup", "/api/v1/ns-groups", "NSGroup"),
    ("getNsService", "/api/v1/ns-services", "NSService"),
    ("getFailureDomain", "/api/v1/failure-domains", "FailureDomain"),
];

/// Kinds of the policy API.
const SEARCHED: [(&str, &str, &str); 9] = [
    ("getPolicyBfdProfile", "/infra/bfd-profiles", "BfdProfile"),
    ("getPolicyCertificate", "/infra/certificates", "TlsCertificate"),
    (
        "getPolicyContextProfile",
        "/infra/context-profiles",
        "PolicyContextProfile",
    ),
    (
        "getPolicyDhcpServer",
        "/infra/dhcp-server-configs",
        "DhcpServerConfig",
    ),
    (
        "getPolicyDistributedFloodProtectionProfile",
        "/infra/flood-protection-profiles",
        "DistributedFloodProtectionProfile",
    ),
    (
        "getPolicyBridgeProfile",
        "/infra/sites/default/enforcement-points/default/edge-bridge-profiles",
        "L2BridgeEndpointProfile",
    ),
    (
        "getPolicyContainerCluster",
        "/infra/sites/default/enforcement-points/default/cluster-control-planes",
        "ClusterControlPlane",
    ),
    (
        "getPolicyEdgeCluster",
        "/infra/sites/default/enforcement-points/default/edge-clusters",
        "PolicyEdgeCluster",
    ),
    (
        "getPolicyDistributedVlanConnection",
        "/infra/distributed-vlan-connections",
        "DistributedVlanConnection",
    ),
];

/// Objects of each kind.
const OBJECTS: usize = 60;

fn name(number: usize) -> String {
    format!("object-{number:03}")
}

/// The manager's reply for a path, a list or a search.
fn answer(target: &str) -> Reply {
    if target.starts_with("/api/session/") {
        return Reply::ok(json!({}));
    }
    let row = |kind: &str, path: &str, number: usize| {
        let id = format!("id-{number}");
        json!({"resource_type": kind, "id": id, "display_name": name(number), "path": format!("{path}/{id}")})
    };
    if is_search(target) {
        let rows = SEARCHED
            .iter()
            .filter(|(_, _, kind)| target.contains(&format!("resource_type:{kind} ")));
        return page(
            rows.flat_map(|(_, path, kind)| (0..OBJECTS).map(move |number| row(kind, path, number))),
        );
    }
    let target = target
        .split('?')
        .next()
        .unwrap()
        .trim_start_matches("/policy/api/v1");
    for (_, path, kind) in LISTED.iter().chain(&SEARCHED) {
        match target.strip_prefix(path) {
            Some("") => return page((0..OBJECTS).map(|number| row(kind, path, number))),
            Some(id) => return Reply::ok(row(kind, path, id.trim_start_matches("/id-").parse().unwrap())),
            None => {}
        }
    }
    Reply::missing()
}

/// A thousand lookups: by name, by id and by a prefix.
fn thousand() -> Vec<(&'static str, Value)> {
    let kinds: Vec<_> = LISTED.iter().chain(&SEARCHED).collect();
    (0..1000)
        .map(|number| {
            let (function, ..) = kinds[number % kinds.len()];
            let number = number / kinds.len();
            let input = match number % 4 {
                0 => json!({"id": format!("id-{number}")}),
                _ => json!({"displayName": name(number)}),
            };
            (*function, input)
        })
        .collect()
}

/// The number of requests of a thousand lookups, all of which succeed, while the manager sends `failure` for 5 s. The
/// client may have logged in before.
async fn cost_of_an_outage(failure: Reply, session_auth: bool, logs_in_before: bool) -> usize {
    let change = move |config: &mut ProviderConfig| {
        *config = config.clone().session_auth(session_auth).max_retries(100_u32)
    };
    let begins = Duration::from_secs(if logs_in_before { 10 } else { 0 });
    let name = format!("{failure:?}");
    let script = Script::with(change, move |target, at| {
        match at >= begins && at < begins + Duration::from_secs(5) {
            true => failure.clone(),
            false => answer(target),
        }
    });
    let call = Call::default();
    if logs_in_before {
        script.invoke(POOL, json!({"id": "id-1"})).await.unwrap();
        sleep(begins).await;
    }
    let before = script.sent().len();
    let lookups = thousand();
    let found = join_all(
        lookups
            .iter()
            .map(|(function, input)| script.lookups.invoke(function, input.clone(), &call)),
    )
    .await;
    for ((function, input), found) in lookups.iter().zip(found) {
        assert!(found.is_ok(), "{name}: {function} {input}: {found:?}");
    }
    script.sent().len() - before
}

#[tokio::test(start_paused = true)]
async fn a_thousand_lookups_cost_few_requests_in_an_outage_and_all_succeed_after_it() {
    for (failure, most) in [
        (Reply::error(500), 300),
        (Reply::error(502), 300),
        (Reply::error(503), 300),
        (Reply::Json(503, json!({})), 300),
        (Reply::Reset, 300),
    ] {
        for session_auth in [true, false] {
            for logs_in_before in [true, false] {
                let requests = cost_of_an_outage(failure.clone(), session_auth, logs_in_before).await;
                assert!(
                    requests <= most,
                    "{failure:?}, session {session_auth}, logged in {logs_in_before}: {requests} requests"
                );
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_thousand_lookups_of_a_manager_that_works_are_few_requests() {
    let script = Script::new(|target, _| answer(target));
    let call = Call::default();
    let lookups = thousand();
    let found = join_all(
        lookups
            .iter()
            .map(|(function, input)| script.lookups.invoke(function, input.clone(), &call)),
    );
    for found in found.await {
        found.unwrap();
    }
    assert!(script.sent().len() <= 40, "{} requests", script.sent().len());
}

/// The errors of lookups, the number of requests, and the time until the last answer.
async fn outcomes(script: &Script, lookups: &[(&'static str, Value)]) -> (Vec<Error>, usize, Duration) {
    let (call, started) = (Call::default(), Instant::now());
    let found = lookups
        .iter()
        .map(|(function, input)| script.lookups.invoke(function, input.clone(), &call));
    let errors = join_all(found).await.into_iter().filter_map(Result::err);
    (errors.collect(), script.sent().len(), started.elapsed())
}

#[tokio::test(start_paused = true)]
async fn a_manager_that_stays_down_is_reported_quickly() {
    let lookups = thousand();
    for reply in [
        Reply::error(503),
        Reply::error(429),
        Reply::Reset,
        Reply::Refused,
        Reply::Hang,
    ] {
        let dead = || {
            let reply = reply.clone();
            Script::with(
                |_| {},
                move |target, _| match target.starts_with("/api/session/") {
                    true => Reply::ok(json!({})),
                    false => reply.clone(),
                },
            )
        };
        let (_, _, one) = outcomes(&dead(), &lookups[..1]).await;
        let longest = Duration::from_secs(10).max(3 * one);
        for count in [10, 50, 1000] {
            let (errors, requests, last) = outcomes(&dead(), &lookups[..count]).await;
            let what = format!("{reply:?}, {count} lookups: {last:?}, alone {one:?}, {requests} requests");
            assert_eq!(errors.len(), count, "{what}");
            assert!(last <= longest && requests <= 600, "{what}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn where_half_of_all_requests_fail_the_budget_of_retries_lasts() {
    let number = AtomicUsize::new(0);
    let script = Script::with(
        |config| *config = config.clone().max_retries(20_u32),
        move |target, _| {
            // Half of them, in no order.
            let number = number.fetch_add(1, Relaxed);
            match number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 {
                0 => answer(target),
                _ => Reply::error(503),
            }
        },
    );
    let (errors, requests, _) = outcomes(&script, &thousand()).await;
    assert!(errors.is_empty(), "{errors:#?}");
    assert!(requests <= 1500, "{requests} requests");
}
