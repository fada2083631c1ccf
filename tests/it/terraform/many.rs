//! Many data sources: shared requests, one login, large results.

use std::time::Duration;

use netmgr_sim::{DEFAULT_PASSWORD, Inventory, Manager, ManagerSettings, Simulator};
use serde_json::json;

use super::support::{Module, host, manager, serve};

/// A manager with this many groups.
async fn manager_of(groups: usize) -> Simulator {
    let mut inventory = Inventory::empty();
    for number in 0..groups {
        let group = json!({"id": format!("group-{number}"), "display_name": format!("name-{number}")});
        inventory.add("/api/v1/ns-groups", group).unwrap();
    }
    let builder = Simulator::builder()
        .latency(Duration::from_millis(20))
        .manager(Manager::new(ManagerSettings::default(), inventory));
    serve(builder).await
}

fn groups(count: usize) -> String {
    groups_of("netmgr", count)
}

/// Data sources with this prefix.
fn groups_of(prefix: &str, count: usize) -> String {
    format!(
        "data \"{prefix}_ns_group\" \"all\" {{\n  provider     = netmgr\n  count        = {count}\n  \
         display_name = \"name-${{count.index}}\"\n}}\n\
         output \"ids\" {{ value = data.{prefix}_ns_group.all[*].id }}\n"
    )
}

/// Requests that are neither logins nor logouts.
fn reads(manager: &Simulator) -> u64 {
    let counters = manager.counters();
    let requests = counters.requests.iter();
    let reads = requests.filter(|(request, _)| !request.contains("/api/session/"));
    reads.map(|(_, count)| count).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_data_sources_at_once_share_their_requests() {
    let host = host!("a_thousand_data_sources_at_once_share_their_requests");
    for prefix in ["netmgr", "nsxt"] {
        let manager = manager_of(1000).await;
        let module = Module::new(host, &groups_of(prefix, 1000)).with(&manager);
        // Reads happen in the plan.
        module.run("plan -parallelism=1000").await.succeeded();
        let counters = manager.counters();
        assert!(reads(&manager) <= 60, "{:?}", counters.requests);
        assert_eq!(
            counters.statuses.keys().collect::<Vec<_>>(),
            [&200],
            "{:?}",
            counters.statuses
        );
        assert_eq!((counters.logins, counters.sessions_destroyed), (1, 1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_data_sources_ten_at_a_time_all_succeed() {
    let host = host!("a_hundred_data_sources_ten_at_a_time_all_succeed");
    let manager = manager_of(100).await;
    let module = Module::new(host, &groups(100)).with(&manager);
    module.run("apply -auto-approve").await.succeeded();
    let outputs = module.outputs().await;
    let ids = outputs["ids"].as_array().unwrap();
    assert_eq!(ids.len(), 100);
    assert_eq!(ids[99], "group-99");
    assert!(reads(&manager) < 100, "{}", reads(&manager));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_map_of_fifty_thousand_objects_arrives() {
    let host = host!("a_map_of_fifty_thousand_objects_arrives");
    let manager = manager_of(50_000).await;
    let text = "data \"netmgr_ns_groups\" \"all\" {}\n\
                output \"one\" { value = data.netmgr_ns_groups.all.items[\"name-49999\"] }\n\
                output \"count\" { value = length(data.netmgr_ns_groups.all.items) }\n";
    let module = Module::new(host, text).with(&manager);
    module.run("apply -auto-approve").await.succeeded();
    let outputs = module.outputs().await;
    assert_eq!(outputs["one"], "group-49999");
    assert_eq!(outputs["count"], 50_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_reads_with_a_wrong_password_are_one_login() {
    let host = host!("ten_reads_with_a_wrong_password_are_one_login");
    let manager = manager().await;
    let mut module = Module::new(host, &groups(10)).with(&manager);
    module.set("NETMGR_PASSWORD", "wrong");
    let errors = module.run("plan").await.failed();
    assert!(errors.contains("Error: Login failed"), "{errors}");
    let counters = manager.counters();
    assert_eq!((counters.logins, counters.failed_logins), (0, 1));
}

/// Ten aliases are ten processes, which a plan starts at the same time.
#[tokio::test(flavor = "multi_thread")]
async fn ten_providers_with_a_wrong_password_lock_no_account() {
    let host = host!("ten_providers_with_a_wrong_password_lock_no_account");
    for session in ["true", "false"] {
        let manager = manager().await;
        let aliases: String = (0..10)
            .map(|number| {
                format!(
                    "provider \"netmgr\" {{ alias = \"p{number}\" }}\n\
                     data \"netmgr_ip_pool\" \"p{number}\" {{\n  provider = netmgr.p{number}\n  \
                     display_name = \"tep-pool\"\n}}\n"
                )
            })
            .collect();
        let mut module = Module::new(host, &aliases).with(&manager);
        module.set("NETMGR_SESSION_AUTH", session);
        module.set("NETMGR_PASSWORD", "wrong");
        for command in ["plan", "apply -auto-approve", "plan"] {
            let errors = module.run(command).await.failed();
            assert!(
                errors.contains("not sent, because the manager rejected the same user name and password"),
                "{errors}"
            );
        }
        assert!(module.started().len() >= 30, "{}", module.started().len());
        // Those that are sent before the first is rejected.
        let failed = manager.counters().failed_logins;
        assert!((1..=4).contains(&failed), "{failed}");
        module.set("NETMGR_PASSWORD", DEFAULT_PASSWORD);
        module.run("apply -auto-approve").await.succeeded();
        assert_eq!(manager.counters().failed_logins, failed);
    }
}
