//! Lists: pages, order, filters, parameters.

use serde_json::json;

use crate::{Inventory, Manager, ManagerSettings, NameFilter};

use super::support::{column, default_manager, get, read, refusal, results};

const POOLS: &str = "/api/v1/pools/ip-pools";
const CERTIFICATES: &str = "/policy/api/v1/infra/certificates";

fn pools(count: usize) -> Manager {
    let inventory = (0..count).fold(Inventory::empty(), |inventory, number| {
        inventory.with(
            POOLS,
            json!({"id": format!("p{number}"), "display_name": format!("pool-{number}")}),
        )
    });
    Manager::new(ManagerSettings::default(), inventory)
}

#[test]
fn pages_show_every_row_once_and_end_without_a_cursor() {
    let manager = pools(5);
    let mut url = format!("{POOLS}?page_size=2");
    let mut names = Vec::new();
    let mut counts = Vec::new();
    loop {
        let page = read(&manager, &url);
        names.extend(column(&results(&page), "display_name"));
        counts.push(page["result_count"].as_u64());
        match page["cursor"].as_str() {
            Some(cursor) => url = format!("{POOLS}?page_size=2&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(names, ["pool-0", "pool-1", "pool-2", "pool-3", "pool-4"]);
    assert_eq!(counts, [Some(5), None, None], "only the first page has a count");
}

#[test]
fn a_full_last_page_has_no_cursor() {
    assert_eq!(
        read(&pools(2), &format!("{POOLS}?page_size=2")).get("cursor"),
        None
    );
}

#[test]
fn pages_may_be_smaller_than_asked() {
    let settings = ManagerSettings {
        max_page_size: 1,
        ..ManagerSettings::default()
    };
    let inventory = Inventory::empty()
        .with(POOLS, json!({"display_name": "a"}))
        .with(POOLS, json!({"display_name": "b"}));
    let page = read(
        &Manager::new(settings, inventory),
        &format!("{POOLS}?page_size=10"),
    );
    assert_eq!(results(&page).len(), 1);
    assert_eq!(page["result_count"], 2);
    assert!(page["cursor"].is_string());
}

#[test]
fn rows_come_in_the_order_asked_for() {
    let manager = pools(3);
    let page = read(&manager, &format!("{POOLS}?sort_by=id&sort_ascending=false"));
    let ids: Vec<_> = results(&page).iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids, ["p2", "p1", "p0"]);
    assert_eq!(page["sort_by"], "id");
    assert_eq!(page["sort_ascending"], false);
}

#[test]
fn bad_parameters_are_refused() {
    let manager = default_manager();
    for query in [
        "page_size=1001",
        "page_size=-1",
        "page_size=many",
        "cursor=1",
        "cursor=!",
        "sort_ascending=maybe",
        "display_name=x",
        "page_size=1&page_size=2",
    ] {
        assert_eq!(refusal(&manager, &format!("{POOLS}?{query}")).0, 400, "{query}");
    }
    let other = read(&manager, &format!("{CERTIFICATES}?page_size=1"))["cursor"].clone();
    let url = format!("{POOLS}?cursor={}", other.as_str().unwrap());
    assert_eq!(refusal(&manager, &url).0, 400, "the cursor of another list");
}

#[test]
fn failure_domains_take_no_parameter() {
    let manager = default_manager();
    assert_eq!(refusal(&manager, "/api/v1/failure-domains?page_size=10").0, 400);
    assert_eq!(refusal(&manager, "/api/v1/failure-domains?sort_by=id").0, 400);
}

#[test]
fn included_fields_change_no_list() {
    let manager = pools(1);
    assert_eq!(
        read(&manager, &format!("{POOLS}?included_fields=id"))["results"],
        read(&manager, POOLS)["results"]
    );
}

#[test]
fn filters_of_the_server_narrow_the_rows() {
    let manager = default_manager();
    for (url, field, wanted) in [
        (
            "/api/v1/upgrade/upgrade-unit-groups?component_type=HOST",
            "type",
            "HOST",
        ),
        ("/api/v1/logical-routers?router_type=VRF", "router_type", "VRF"),
        ("/api/v1/firewall/sections?type=LAYER2", "section_type", "LAYER2"),
        (
            "/api/v1/fabric/compute-managers?server=198.51.100.20",
            "display_name",
            "vc-prod-dr",
        ),
        (
            "/api/v1/fabric/compute-collections?cm_local_id=domain-c31",
            "display_name",
            "Edge-Cluster-01",
        ),
        (
            "/api/v1/fabric/discovered-nodes?ip_address=198.51.100.141",
            "display_name",
            "esx-01.lab.example",
        ),
        (
            "/api/v1/fabric/discovered-nodes?has_parent=false&display_name=esx-03.lab.example",
            "display_name",
            "esx-03.lab.example",
        ),
    ] {
        let rows = results(&read(&manager, url));
        assert!(!rows.is_empty(), "{url}");
        assert!(rows.iter().all(|row| row[field] == wanted), "{url}");
    }
    let none = read(&manager, "/api/v1/fabric/discovered-nodes?ip_address=192.0.2.99");
    assert_eq!(none["results"], json!([]));
    assert_eq!(none["result_count"], 0);
}

#[test]
fn two_nodes_can_have_one_address() {
    let url = "/api/v1/fabric/discovered-nodes?ip_address=198.51.100.44";
    assert_eq!(read(&default_manager(), url)["result_count"], 2);
}

#[test]
fn name_filters_compare_as_set() {
    let count = |name_filter, name: &str| {
        let settings = ManagerSettings {
            name_filter,
            ..ManagerSettings::default()
        };
        let manager = Manager::new(settings, Inventory::default());
        let url = format!("/api/v1/fabric/compute-collections?display_name={name}");
        read(&manager, &url)["result_count"].as_u64()
    };
    assert_eq!(count(NameFilter::Exact, "Compute-Cluster-01"), Some(1));
    assert_eq!(count(NameFilter::Exact, "compute-cluster-01"), Some(0));
    assert_eq!(count(NameFilter::Prefix, "compute-cluster-01"), Some(2));
}

#[test]
fn a_summary_leaves_the_units_out() {
    let manager = default_manager();
    let group = "/api/v1/upgrade/upgrade-unit-groups/c4d5e6f7-0819-4a2b-8c3d-5e6f70810001";
    assert!(read(&manager, group)["upgrade_units"].is_array());
    assert!(
        read(&manager, &format!("{group}?summary=true"))
            .get("upgrade_units")
            .is_none()
    );
    let list = read(&manager, "/api/v1/upgrade/upgrade-unit-groups?summary=true");
    assert!(
        results(&list)
            .iter()
            .all(|row| row.get("upgrade_units").is_none())
    );
}

#[test]
fn deleted_objects_show_only_on_request() {
    let manager = default_manager();
    let listed = |query: &str| {
        let page = read(&manager, &format!("{CERTIFICATES}{query}"));
        column(&results(&page), "id").contains(&"old-cert".to_owned())
    };
    assert!(!listed(""));
    assert!(!listed("?include_mark_for_delete_objects=false"));
    assert!(listed("?include_mark_for_delete_objects=true"));
    assert_eq!(
        refusal(&manager, &format!("{CERTIFICATES}/old-cert")),
        (404, Some(600))
    );
}

#[test]
fn system_owned_profiles_hide_until_asked_for() {
    let url = "/policy/api/v1/infra/sites/default/enforcement-points/default/edge-cluster-high-availability-profiles";
    let shipped = |settings: ManagerSettings, query: &str| {
        let manager = Manager::new(settings, Inventory::default());
        let page = read(&manager, &format!("{url}{query}"));
        column(&results(&page), "id").contains(&"edge-ha-default".to_owned())
    };
    let listing = || ManagerSettings {
        lists_system_owned: true,
        ..ManagerSettings::default()
    };
    assert!(!shipped(ManagerSettings::default(), ""));
    assert!(shipped(ManagerSettings::default(), "?include_system_owned=true"));
    assert!(shipped(listing(), ""));
    assert!(!shipped(listing(), "?include_system_owned=false"));
}

#[test]
fn an_empty_collection_is_an_empty_list() {
    let manager = Manager::new(ManagerSettings::default(), Inventory::empty());
    assert_eq!(read(&manager, POOLS)["result_count"], 0);
    assert_eq!(read(&manager, CERTIFICATES)["result_count"], 0);
    let clusters = "/policy/api/v1/infra/sites/default/enforcement-points/default/edge-clusters";
    assert_eq!(read(&manager, clusters)["result_count"], 0);
    let nodes = format!("{clusters}/none/edge-nodes");
    assert_eq!(get(&manager, &nodes).status, 404, "nothing to have nodes");
}
