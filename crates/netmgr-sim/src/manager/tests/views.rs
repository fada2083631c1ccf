//! Tests of lists that are derived from other objects, of single objects, and of the data centre of the default
//! inventory.

use serde_json::{Value, json};

use crate::{Inventory, Manager, ManagerSettings};

use super::support::{column, default_manager, read, refusal, results, search};

const INFRA: &str = "/policy/api/v1/infra";
const DEV: &str = "/policy/api/v1/orgs/default/projects/dev";

fn rows(manager: &Manager, url: &str) -> Vec<Value> {
    results(&read(manager, url))
}

#[test]
fn the_data_centre_has_twenty_virtual_machines_with_interfaces() {
    let manager = default_manager();
    let machines = rows(&manager, "/api/v1/fabric/virtual-machines");
    assert_eq!(machines.len(), 20);
    let owners = column(&rows(&manager, "/api/v1/fabric/vifs"), "owner_vm_id");
    for machine in column(&machines, "external_id") {
        let connected = owners.contains(&machine);
        let row = machines
            .iter()
            .find(|row| row["external_id"] == *machine)
            .unwrap();
        assert!(connected || row["display_name"] == "build", "{machine}");
    }
    assert_eq!(search(&manager, "resource_type:VirtualMachine").len(), 20);
}

#[test]
fn the_data_centre_has_gateways_segments_groups_and_a_project_with_a_vpc() {
    let manager = default_manager();
    assert!(!rows(&manager, &format!("{INFRA}/tier-0s")).is_empty());
    assert!(rows(&manager, &format!("{INFRA}/tier-1s")).len() >= 3);
    let segments = rows(&manager, &format!("{INFRA}/segments"));
    let groups = rows(&manager, &format!("{INFRA}/domains/default/groups")).to_vec();
    let refers = |group: &Value| {
        segments
            .iter()
            .any(|segment| group.to_string().contains(segment["path"].as_str().unwrap()))
    };
    assert!(groups.iter().any(refers), "{groups:?}");
    assert!(!rows(&manager, &format!("{DEV}/vpcs")).is_empty());
    assert!(rows(&manager, &format!("{INFRA}/sites")).len() >= 2);
}

#[test]
fn realized_virtual_machines_are_listed_without_cursor_and_count() {
    let manager = default_manager();
    let url = format!("{INFRA}/realized-state/virtual-machines");
    let first = read(&manager, &format!("{url}?page_size=15"));
    assert_eq!(first.as_object().unwrap().keys().collect::<Vec<_>>(), ["results"]);
    assert_eq!(results(&first).len(), 15);
    assert_eq!(rows(&manager, &format!("{url}?page_size=15&cursor=15")).len(), 5);
    assert!(rows(&manager, &format!("{url}?cursor=20")).is_empty());
    let ids: Vec<String> = rows(&manager, &url)
        .iter()
        .map(|row| row["external_id"].to_string())
        .collect();
    assert!(ids.is_sorted());
}

#[test]
fn a_project_sees_the_virtual_machines_on_its_ports() {
    let machines = rows(
        &default_manager(),
        &format!("{DEV}/infra/realized-state/virtual-machines"),
    );
    assert_eq!(column(&machines, "display_name"), ["dev-01", "dev-02"]);
}

#[test]
fn interfaces_are_found_by_their_attachment() {
    let manager = default_manager();
    let url = format!("{INFRA}/realized-state/enforcement-points/default/vifs");
    let all = rows(&manager, &url);
    let id = all[0]["lport_attachment_id"].as_str().unwrap();
    assert_eq!(
        rows(&manager, &format!("{url}?lport_attachment_id={id}")).len(),
        1
    );
    // Virtual machines and interfaces have no request by id.
    let machine = all[0]["owner_vm_id"].as_str().unwrap();
    assert_eq!(
        refusal(&manager, &format!("/api/v1/fabric/virtual-machines/{machine}")).0,
        404
    );
}

#[test]
fn members_and_groups_of_bare_metal_servers_agree() {
    let manager = default_manager();
    let members = format!("{INFRA}/domains/default/groups/bare-metal/members");
    let servers = rows(&manager, &format!("{members}/bms"));
    assert_eq!(column(&servers, "display_name"), ["bms-1", "bms-1-2"]);
    let interfaces = rows(&manager, &format!("{members}/bmsi"));
    assert_eq!(column(&interfaces, "display_name"), ["bms-1-eth0"]);
    let id = servers[0]["external_id"].as_str().unwrap();
    let groups = rows(
        &manager,
        &format!("{INFRA}/bms-group-associations?bms_external_id={id}"),
    );
    assert_eq!(
        column(&groups, "path"),
        ["/infra/domains/default/groups/bare-metal"]
    );
    let id = interfaces[0]["external_id"].as_str().unwrap();
    let groups = rows(
        &manager,
        &format!("{INFRA}/bmsi-group-associations?bmsi_external_id={id}"),
    );
    assert_eq!(column(&groups, "target_display_name"), ["bare-metal"]);
    assert_eq!(
        refusal(&manager, &format!("{INFRA}/bms-group-associations")).0,
        400
    );
    let missing = format!("{INFRA}/domains/default/groups/missing/members/bms");
    assert_eq!(refusal(&manager, &missing), (404, Some(600)));
}

#[test]
fn bare_metal_servers_are_found_by_the_search_only() {
    let manager = default_manager();
    assert_eq!(search(&manager, "resource_type:BareMetalServer").len(), 4);
    assert_eq!(
        refusal(&manager, "/policy/api/v1/inventory/bare-metal-servers"),
        (404, None)
    );
}

#[test]
fn tags_of_a_scope_are_listed_once() {
    let manager = default_manager();
    let tags = |tree: &str| column(&rows(&manager, &format!("{tree}/tags?scope=tier")), "tag");
    assert_eq!(tags(INFRA), ["admin", "app", "build", "db", "dev", "web"]);
    assert_eq!(tags(&format!("{DEV}/infra")), ["dev"]);
}

#[test]
fn shared_resources_are_filtered_by_the_type_of_their_targets() {
    let manager = default_manager();
    let shared = |query: &str| column(&rows(&manager, &format!("{DEV}/shared-with-me{query}")), "id");
    assert_eq!(shared("?resource_type=Group"), ["web-servers"]);
    assert_eq!(shared("?resource_type=Service"), ["web-8443"]);
    assert_eq!(shared("").len(), 2);
    let org = rows(
        &manager,
        "/policy/api/v1/orgs/default/shared-with-me?resource_type=Service",
    );
    assert_eq!(column(&org, "id"), ["built-in-services"]);
}

#[test]
fn rules_are_shown_with_their_policy_but_not_in_lists() {
    let manager = default_manager();
    let policies = format!("{INFRA}/domains/default/intrusion-service-policies");
    assert_eq!(
        read(&manager, &format!("{policies}/ids-east-west"))["rules"][0]["id"],
        "detect-all"
    );
    let listed = rows(&manager, &policies);
    assert!(listed.iter().all(|policy| policy.get("rules").is_none()));
}

#[test]
fn a_single_object_is_read_at_its_own_path() {
    let manager = default_manager();
    for (path, id) in [
        ("/tier-1s/t1-web/dns-forwarder", "dns-forwarder"),
        ("/tier-1s/t1-web/security-config", "security-config"),
        (
            "/settings/firewall/security/intrusion-services",
            "intrusion-services",
        ),
    ] {
        let body = read(&manager, &format!("{INFRA}{path}"));
        let (parent, _) = path.rsplit_once('/').unwrap();
        assert_eq!(body["id"], id);
        assert_eq!(body["path"], format!("/infra{path}"));
        assert_eq!(body["parent_path"], format!("/infra{parent}"));
    }
    assert_eq!(search(&manager, "resource_type:PolicyDnsForwarder").len(), 2);
    let without = format!("{INFRA}/tier-1s/t1-db/dns-forwarder");
    assert_eq!(refusal(&manager, &without), (404, Some(600)));
    assert_eq!(
        read(&manager, "/api/v1/proxy/config")["host"],
        "proxy.lab.example"
    );
}

#[test]
fn an_object_without_entry_counts_as_realized() {
    let manager = default_manager();
    let entities = |intent: &str| {
        rows(
            &manager,
            &format!("{INFRA}/realized-state/realized-entities?intent_path={intent}"),
        )
    };
    assert_eq!(
        column(&entities("/infra/segments/web-tier"), "state"),
        ["REALIZED", "UNREALIZED"]
    );
    let derived = entities("/infra/segments/app-tier");
    assert_eq!(derived[0]["entity_type"], "RealizedSegment");
    assert_eq!(derived[0]["state"], "REALIZED");
    assert!(entities("/infra/segments/missing").is_empty());
    assert_eq!(
        refusal(&manager, &format!("{INFRA}/realized-state/realized-entities")).0,
        400
    );
}

#[test]
fn vpcs_are_listed_below_their_project_and_contain_objects() {
    let manager = default_manager();
    assert_eq!(read(&manager, &format!("{DEV}/vpcs/web"))["resource_type"], "Vpc");
    assert_eq!(
        read(&manager, &format!("{DEV}/vpcs/web/nat/USER"))["nat_type"],
        "USER"
    );
    let ports = rows(&manager, &format!("{DEV}/vpcs/web/subnets/frontend/ports"));
    assert_eq!(column(&ports, "resource_type"), ["VpcSubnetPort"]);
    assert_eq!(
        refusal(&manager, &format!("{DEV}/vpcs/missing/groups")),
        (404, Some(600))
    );
}

#[test]
fn the_domain_default_exists_in_every_tree() {
    let inventory = Inventory::empty().with("/orgs/default/projects", json!({"id": "new"}));
    let manager = Manager::new(ManagerSettings::default(), inventory);
    for tree in ["infra", "orgs/default/projects/new/infra"] {
        let url = format!("/policy/api/v1/{tree}/domains/default/groups");
        assert!(rows(&manager, &url).is_empty());
    }
    let other = format!("{INFRA}/domains/other/groups");
    assert_eq!(refusal(&manager, &other), (404, Some(600)));
}

#[test]
fn a_derived_list_takes_no_objects() {
    let mut inventory = Inventory::empty();
    assert!(inventory.add("/infra/tags", json!({"scope": "a"})).is_err());
}
