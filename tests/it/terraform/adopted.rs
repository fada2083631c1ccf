//! Objects of a manager that `netmgr adopt` brings under the provider `nsxt`, in the real host.
//!
//! Run manually: the variable `NETMGR_TERRAFORM_PEER` is the path of a binary of that provider.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;

use netmgr_sim::{Inventory, Manager, ManagerSettings, Simulator, User};
use serde_json::{Value, json};
use tokio::process::Command;

use super::peer::{PASSWORD, module};
use super::support::{Module, host, serve};
use crate::programs::program;

const DOMAIN: &str = "/infra/domains/default";
const POINT: &str = "/infra/sites/default/enforcement-points/default";

/// The types to adopt, and how many objects of each there are.
const TYPES: [(&str, usize); 12] = [
    ("DhcpServerConfig", 20),
    ("Group", 120),
    ("IpAddressBlock", 20),
    ("IpAddressPool", 20),
    ("IpAddressPoolStaticSubnet", 20),
    ("PolicyNatRule", 40),
    ("SecurityPolicy", 80),
    ("Segment", 60),
    ("Service", 74),
    ("StaticRoutes", 20),
    ("Tier0", 4),
    ("Tier1", 22),
];

#[tokio::test(flavor = "multi_thread")]
async fn adopted_objects_are_imported_without_changes_and_refer_to_each_other() {
    let name = "adopted_objects_are_imported_without_changes_and_refer_to_each_other";
    let host = host!("adopted_objects_are_imported_without_changes_and_refer_to_each_other");
    let Some(peer) = std::env::var_os("NETMGR_TERRAFORM_PEER").map(PathBuf::from) else {
        let _ = writeln!(
            std::io::stderr(),
            "skipped {name}: no provider to import with is set"
        );
        return;
    };
    let mut inventory = Inventory::empty();
    inventory.add_document(&document().to_string()).unwrap();
    let builder = Simulator::builder()
        .user(User::local("admin", PASSWORD))
        .requests_per_second(10_000);
    let manager = serve(builder.manager(Manager::new(ManagerSettings::default(), inventory))).await;
    let module = module(host, &peer, &manager).with(&manager);
    let adopt = async |arguments: &[&str]| {
        let mut command = Command::new(program("netmgr"));
        let command = command
            .arg("adopt")
            .args(arguments)
            .env_clear()
            .envs(manager.env());
        let output = command.current_dir(module.path("module")).output().await.unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success(),
            "{text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        text
    };
    let types: Vec<&str> = TYPES.iter().flat_map(|(name, _)| ["--type", name]).collect();
    let count: usize = TYPES.iter().map(|(_, count)| count).sum();
    let report = adopt(&[&types[..], &["--to", "terraform"]].concat()).await;
    assert_eq!(
        report,
        format!(
            "./imports.tf: {count} imports\nleft out: 1 of type Service: predefined or owned by the system\n"
        )
    );
    let unchanged = format!("Plan: {count} to import, 0 to add, 0 to change, 0 to destroy.");
    let generated = module.run("plan -generate-config-out=generated.tf").await;
    // OpenTofu generates texts that the provider rejects, until they are removed.
    if !host.is_opentofu {
        let plan = generated.succeeded();
        assert!(plan.contains(&unchanged), "{plan}");
    }
    let report = adopt(&["--finish", "."]).await;
    assert!(!report.contains("Left to you"), "{report}");
    module.run("fmt").await.succeeded();
    assert_eq!(literal_paths(&module), Vec::<String>::new());
    let plan = module.run("plan").await.succeeded();
    assert!(plan.contains(&unchanged), "{plan}");
    let applied = module.run("apply -auto-approve").await.succeeded();
    let imported = format!("Apply complete! Resources: {count} imported, 0 added, 0 changed, 0 destroyed.");
    assert!(applied.contains(&imported), "{applied}");
    let plan = module.run("plan").await.succeeded();
    assert!(plan.contains("No changes."), "{plan}");
}

/// The lines with policy paths in the generated file, which only contain them in comments.
fn literal_paths(module: &Module) -> Vec<String> {
    let text = module.read("generated.tf");
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && line.contains("\"/infra"));
    lines.map(str::to_owned).collect()
}

/// The objects by collection.
fn document() -> Value {
    let mut objects: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut add = |collection: String, object: Value| objects.entry(collection).or_default().push(object);
    add(
        format!("{POINT}/transport-zones"),
        json!({ "id": "overlay", "display_name": "overlay", "tz_type": "OVERLAY_BACKED" }),
    );
    add(
        format!("{POINT}/edge-clusters"),
        json!({ "id": "edge", "display_name": "edge" }),
    );
    let edge = format!("{POINT}/edge-clusters/edge");
    add(
        "/infra/services".to_owned(),
        json!({ "id": "HTTPS", "display_name": "HTTPS", "is_default": true, "service_entries": [] }),
    );
    for (name, count) in TYPES {
        for number in 0..count {
            let (collection, mut object) = object(name, number, &edge);
            object["id"] = format!("{}-{number}", name.to_lowercase()).into();
            object["display_name"] = format!("{name} {number}").into();
            if name == "Tier0" {
                let services = format!("/infra/tier-0s/tier0-{number}/locale-services");
                add(
                    services.clone(),
                    json!({ "id": "default", "edge_cluster_path": edge }),
                );
                add(
                    format!("{services}/default/bgp"),
                    json!({ "id": "bgp", "enabled": true, "ecmp": true }),
                );
            }
            if name == "SecurityPolicy" {
                for rule in 0..3 {
                    add(
                        format!("{collection}/securitypolicy-{number}/rules"),
                        security_rule(number, rule),
                    );
                }
            }
            add(collection, object);
        }
    }
    json!(objects)
}

/// An object of a type without its names, and its collection.
fn object(name: &str, number: usize, edge: &str) -> (String, Value) {
    let group = |number: usize| format!("{DOMAIN}/groups/group-{}", number % 120);
    let (collection, object) = match name {
        "DhcpServerConfig" => (
            "/infra/dhcp-server-configs",
            json!({ "server_addresses": [format!("10.200.{number}.1/24")], "edge_cluster_path": edge }),
        ),
        // Each third group contains another one and a segment.
        "Group" => (
            "/infra/domains/default/groups",
            match number % 3 {
                0 => json!({ "expression": [{
                    "resource_type": "Condition", "member_type": "VirtualMachine", "key": "Tag",
                    "operator": "EQUALS", "value": format!("app|web-{number}"),
                }], "tags": [{ "scope": "env", "tag": "prod" }] }),
                1 => json!({ "expression": [{
                    "resource_type": "IPAddressExpression", "ip_addresses": [format!("10.0.{number}.8/29")],
                }] }),
                _ => json!({ "expression": [{
                    "resource_type": "PathExpression",
                    "paths": [group(number - 1), format!("/infra/segments/segment-{}", number % 60)],
                }] }),
            },
        ),
        "IpAddressBlock" => (
            "/infra/ip-blocks",
            json!({ "cidr": format!("10.{number}.0.0/16"), "visibility": "PRIVATE" }),
        ),
        "IpAddressPool" => ("/infra/ip-pools", json!({})),
        "IpAddressPoolStaticSubnet" => {
            let pool = format!("/infra/ip-pools/ipaddresspool-{number}/ip-subnets");
            let object = json!({
                "resource_type": name,
                "cidr": format!("172.16.{number}.0/24"), "gateway_ip": format!("172.16.{number}.1"),
                "allocation_ranges": [{ "start": format!("172.16.{number}.10"), "end": format!("172.16.{number}.20") }],
            });
            return (pool, object);
        }
        "PolicyNatRule" => (
            "/infra/tier-1s/tier1-1/nat/USER/nat-rules",
            json!({
                "action": "SNAT", "source_network": format!("10.9.{number}.0/24"), "translated_network": "1.2.3.4",
                "enabled": true, "logging": false, "sequence_number": number,
                "firewall_match": "MATCH_INTERNAL_ADDRESS", "service": "/infra/services/service-1",
            }),
        ),
        "SecurityPolicy" => (
            "/infra/domains/default/security-policies",
            json!({
                "category": "Application", "sequence_number": number, "stateful": true, "tcp_strict": false,
                "locked": false, "scope": [group(number)],
            }),
        ),
        "Segment" => (
            "/infra/segments",
            json!({
                "connectivity_path": format!("/infra/tier-1s/tier1-{}", number % 22),
                "transport_zone_path": format!("{POINT}/transport-zones/overlay"),
                "subnets": [{ "gateway_address": format!("10.{number}.0.1/24"), "network": format!("10.{number}.0.0/24") }],
                "admin_state": "UP", "replication_mode": "MTEP", "advanced_config": { "connectivity": "ON" },
            }),
        ),
        "Service" => (
            "/infra/services",
            json!({ "service_entries": [{
                "resource_type": "L4PortSetServiceEntry", "id": "tcp", "display_name": "tcp", "l4_protocol": "TCP",
                "destination_ports": [(8000 + number).to_string()], "source_ports": [],
            }] }),
        ),
        "StaticRoutes" => (
            "/infra/tier-1s/tier1-0/static-routes",
            json!({
                "network": format!("192.168.{number}.0/24"),
                "next_hops": [{ "ip_address": "10.0.0.1", "admin_distance": 1 }],
            }),
        ),
        "Tier0" => (
            "/infra/tier-0s",
            json!({
                "disable_firewall": false, "default_rule_logging": false, "force_whitelisting": false,
                "ha_mode": "ACTIVE_STANDBY", "failover_mode": "NON_PREEMPTIVE",
                "transit_subnets": ["100.64.0.0/16"], "internal_transit_subnets": ["169.254.0.0/24"],
            }),
        ),
        "Tier1" => (
            "/infra/tier-1s",
            json!({
                "disable_firewall": false, "default_rule_logging": false, "force_whitelisting": false,
                "enable_standby_relocation": false, "ha_mode": "ACTIVE_STANDBY", "failover_mode": "NON_PREEMPTIVE",
                "type": "ROUTED", "pool_allocation": "ROUTING",
                "tier0_path": format!("/infra/tier-0s/tier0-{}", number % 4),
                "route_advertisement_types": ["TIER1_CONNECTED"],
                "dhcp_config_paths": [format!("/infra/dhcp-server-configs/dhcpserverconfig-{}", number % 20)],
            }),
        ),
        other => unreachable!("{other} is not adopted"),
    };
    (collection.to_owned(), object)
}

/// A rule of a policy, which names groups and services, one of them predefined.
fn security_rule(policy: usize, rule: usize) -> Value {
    let group = |number: usize| format!("{DOMAIN}/groups/group-{}", number % 120);
    json!({
        "id": format!("r{rule}"), "display_name": format!("rule {rule}"), "sequence_number": rule,
        "action": "ALLOW", "direction": "IN_OUT", "ip_protocol": "IPV4_IPV6", "logged": false, "disabled": false,
        "source_groups": [group(policy + rule)], "destination_groups": [group(policy * 7 + rule)],
        "services": [format!("/infra/services/service-{}", (policy + rule) % 74), "/infra/services/HTTPS"],
        "profiles": ["ANY"], "scope": ["ANY"], "sources_excluded": false, "destinations_excluded": false,
    })
}
