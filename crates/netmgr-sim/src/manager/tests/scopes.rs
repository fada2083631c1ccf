//! Tests of trees, kinds of manager and versions.

use serde_json::json;

use crate::{ApiRequest, Inventory, Manager, ManagerAddress, ManagerKind, ManagerMode, ManagerSettings};

use super::support::{column, default_manager, get, read, refusal, results};

const PROJECT: &str = "/policy/api/v1/orgs/default/projects/dev/infra";
const POINT: &str = "/policy/api/v1/infra/sites/default/enforcement-points/default";
const SEARCH: &str = "search/query?query=resource_type:BfdProfile";

fn manager(settings: ManagerSettings) -> Manager {
    Manager::new(settings, Inventory::default())
}

fn of_kind(kind: ManagerKind) -> Manager {
    manager(ManagerSettings {
        kind,
        ..ManagerSettings::default()
    })
}

fn of_version(version: &str) -> Manager {
    manager(ManagerSettings {
        version: version.to_owned(),
        ..ManagerSettings::default()
    })
}

#[test]
fn objects_are_found_in_their_own_tree_only() {
    let manager = default_manager();
    assert_eq!(
        read(&manager, &format!("{PROJECT}/certificates/dev-only"))["id"],
        "dev-only"
    );
    for url in [
        "/policy/api/v1/infra/certificates/dev-only".to_owned(),
        "/policy/api/v1/orgs/default/projects/dev2/infra/certificates/dev-only".to_owned(),
        "/policy/api/v1/orgs/default/projects/dev/vpcs/web/certificates/dev-only".to_owned(),
        format!("{PROJECT}/certificates/web-only"),
        format!("{PROJECT}/certificates/dev2-only"),
        "/policy/api/v1/orgs/default/projects/none/infra/certificates".to_owned(),
    ] {
        assert_eq!(refusal(&manager, &url), (404, Some(600)), "{url}");
    }
}

#[test]
fn one_id_names_different_objects_in_different_trees() {
    let manager = default_manager();
    let description = |tree: &str| {
        read(
            &manager,
            &format!("/policy/api/v1{tree}/certificates/lb-cert-web"),
        )["description"]
            .clone()
    };
    assert_eq!(description("/infra"), "Web front end");
    assert_eq!(description("/orgs/default/projects/dev/infra"), json!(null));
    assert_eq!(
        description("/orgs/default/projects/dev2/infra"),
        "In project dev2"
    );
    assert_eq!(description("/orgs/default/projects/dev/vpcs/web"), "In VPC web");
    assert_eq!(description("/global-infra"), "Global");
}

#[test]
fn projects_are_listed_and_read_like_other_policy_objects() {
    let manager = default_manager();
    let projects = "/policy/api/v1/orgs/default/projects";
    let project = read(&manager, &format!("{projects}/dev"));
    assert_eq!(project["path"], "/orgs/default/projects/dev");
    assert_eq!(project["resource_type"], "Project");
    let listed = column(&results(&read(&manager, projects)), "id");
    assert!(listed.contains(&"dev".to_owned()) && listed.contains(&"dev2".to_owned()));
    assert_eq!(refusal(&manager, &format!("{projects}/none")), (404, Some(600)));
    // Projects came with 4.1, and a global manager has none.
    let old = of_version("4.0.1.1.0.21598726");
    assert_eq!(refusal(&old, &format!("{projects}/dev")), (404, None));
    let global = of_kind(ManagerKind::Global);
    assert_eq!(
        refusal(&global, "/global-manager/api/v1/orgs/default/projects/dev"),
        (404, None)
    );
}

#[test]
fn a_project_without_objects_has_empty_lists() {
    let empty = Inventory::empty().with("/orgs/default/projects", json!({"id": "new"}));
    let manager = Manager::new(ManagerSettings::default(), empty);
    let list = |project: &str| format!("/policy/api/v1/orgs/default/projects/{project}/infra/certificates");
    assert_eq!(read(&manager, &list("new"))["results"], json!([]));
    assert_eq!(refusal(&manager, &list("none")), (404, Some(600)));
}

#[test]
fn ids_are_case_sensitive_and_percent_encoded() {
    let manager = default_manager();
    let collection = "/api/v1/fabric/compute-collections/7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910";
    assert_eq!(get(&manager, &format!("{collection}%3Adomain-c20")).status, 200);
    assert_eq!(get(&manager, &format!("{collection}:domain-c20")).status, 200);
    assert_eq!(get(&manager, &format!("{collection}:DOMAIN-c20")).status, 404);
    assert_eq!(refusal(&manager, "/policy/api/v1/infra/certificates/%ff").0, 400);
}

#[test]
fn a_global_manager_has_its_own_root() {
    let global = of_kind(ManagerKind::Global);
    let root = "/global-manager/api/v1";
    read(&global, &format!("{root}/global-infra/bfd-profiles/fast-bfd"));
    read(&global, &format!("{root}/{SEARCH}"));
    read(&global, "/api/v1/cluster");
    read(&global, "/api/v1/cluster/nodes");
    read(&global, "/api/v1/node/version");
    for url in [
        "/policy/api/v1/infra/bfd-profiles/fast-bfd".to_owned(),
        format!("/policy/api/v1/{SEARCH}"),
        format!("/api/v1/{SEARCH}"),
        format!("{root}/infra/bfd-profiles/fast-bfd"),
        format!("{root}/orgs/default/projects/dev/infra/certificates/dev-only"),
        format!("{root}/global-infra/distributed-vlan-connections"),
        "/api/v1/edge-clusters".to_owned(),
        "/api/v1/fabric/compute-managers".to_owned(),
    ] {
        assert_eq!(refusal(&global, &url), (404, None), "{url}");
    }
    let local = default_manager();
    assert_eq!(
        refusal(&local, &format!("{root}/global-infra/bfd-profiles")),
        (404, None)
    );
}

#[test]
fn a_local_manager_shows_what_a_global_one_pushed() {
    let profile = read(
        &default_manager(),
        "/policy/api/v1/global-infra/bfd-profiles/fast-bfd",
    );
    assert_eq!(profile["path"], "/global-infra/bfd-profiles/fast-bfd");
}

#[test]
fn the_hosted_cloud_has_no_manager_mode() {
    let cloud = of_kind(ManagerKind::HostedCloud);
    read(&cloud, "/policy/api/v1/infra/bfd-profiles/fast-bfd");
    read(
        &cloud,
        "/policy/api/v1/infra/sites/default/enforcement-points/vmc-enforcementpoint/edge-clusters",
    );
    read(&cloud, "/api/v1/node/version");
    for url in [
        "/api/v1/cluster",
        "/api/v1/cluster/nodes",
        "/api/v1/edge-clusters",
        "/api/v1/fabric/compute-managers",
        "/api/v1/search/query?query=id:x",
    ] {
        assert_eq!(refusal(&cloud, url), (404, None), "{url}");
    }
}

#[test]
fn the_version_can_be_refused() {
    let settings = ManagerSettings {
        refuses_version: true,
        ..ManagerSettings::default()
    };
    assert_eq!(
        refusal(&manager(settings), "/api/v1/node/version"),
        (403, Some(401))
    );
}

#[test]
fn old_managers_leave_the_product_version_out() {
    let settings = ManagerSettings {
        version: "4.2.1.0.0.24304122".to_owned(),
        reports_product_version: false,
        ..ManagerSettings::default()
    };
    assert_eq!(
        read(&manager(settings), "/api/v1/node/version"),
        json!({"node_version": "4.2.1.0.0.24304122"})
    );
}

#[test]
fn apis_begin_with_their_version() {
    let (nodes, profiles, configs) = (
        format!("{POINT}/edge-transport-nodes"),
        format!("{POINT}/edge-cluster-high-availability-profiles"),
        "/policy/api/v1/infra/settings/security/cluster-configs".to_owned(),
    );
    let projects = format!("{PROJECT}/certificates");
    let search = format!("/policy/api/v1/{SEARCH}");
    for (url, last_without, first_with) in [
        (&nodes, "4.2.3.3.0.25171318", "9.0.0.0.24952111"),
        (&profiles, "4.2.3.3.0.25171318", "9.0"),
        (&configs, "9.0.1.0.24952111", "9.1.0.0"),
        (&projects, "4.0.1", "4.1.0"),
        (&search, "2.5.2.2.0.17003648", "3.0.0"),
    ] {
        assert_eq!(refusal(&of_version(last_without), url), (404, None), "{url}");
        read(&of_version(first_with), url);
    }
}

#[test]
fn the_search_knows_no_type_that_the_version_lacks() {
    let url = "/policy/api/v1/search/query?query=resource_type:PolicyEdgeTransportNode";
    assert_eq!(read(&of_version("4.2.1"), url)["result_count"], 0);
}

#[test]
fn manager_mode_can_be_gone() {
    let gone = manager(ManagerSettings {
        manager_mode: ManagerMode::Gone,
        ..ManagerSettings::default()
    });
    for collection in [
        "edge-clusters",
        "logical-routers",
        "ns-groups",
        "ns-services",
        "firewall/sections",
        "pools/ip-pools",
        "pools/mac-pools",
    ] {
        let url = format!("/api/v1/{collection}");
        assert_eq!(refusal(&gone, &url), (404, None), "{url}");
    }
    for collection in [
        "fabric/compute-managers",
        "trust-management/certificates",
        "upgrade/upgrade-unit-groups",
        "cluster/nodes",
    ] {
        read(&gone, &format!("/api/v1/{collection}"));
    }
}

#[test]
fn the_first_node_of_the_cluster_is_the_endpoint() {
    let manager = default_manager();
    let address = |manager: &Manager| read(manager, "/api/v1/cluster")["nodes"][0]["api_listen_addr"].clone();
    assert_eq!(address(&manager)["ip_address"], "127.0.0.1");
    manager.set_endpoint(ManagerAddress {
        ip_address: "::1".to_owned(),
        fqdn: "sim.example".to_owned(),
        port: 8443,
        certificate_sha256_thumbprint: Some("ab".repeat(32)),
    });
    let address = address(&manager);
    assert_eq!(address["ip_address"], "::1");
    assert_eq!(address["fqdn"], "sim.example");
    assert_eq!(address["certificate_sha256_thumbprint"], "ab".repeat(32));
}

#[test]
fn nothing_is_written() {
    let manager = default_manager();
    let post = |path: &str| {
        let call = ApiRequest {
            method: http::Method::POST,
            path: path.to_owned(),
            query: Vec::new(),
            body: bytes::Bytes::from_static(b"{}"),
        };
        manager.respond(&call).status
    };
    assert_eq!(post("/api/v1/edge-clusters"), 405);
    assert_eq!(post("/api/v1/node/version"), 405);
    assert_eq!(post("/policy/api/v1/search/query"), 405);
    assert_eq!(post("/api/v1/nothing"), 404);
}
