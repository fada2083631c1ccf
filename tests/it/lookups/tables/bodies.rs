//! Functions that read one body or a whole map, or wait.

use netmgr_lookups::ErrorKind::{InvalidInput, NotFound, PermissionDenied, RealizationFailed, Unsupported};
use netmgr_sim::ManagerMode;
use serde_json::json;

use crate::lookups::harness::World;
use crate::lookups::table::Kind::*;
use crate::lookups::table::Table;

pub(super) fn tables() -> Vec<Table> {
    vec![
        management_cluster(),
        manager_info(),
        map("getNsGroups")
            .on(no_groups())
            .finds(NothingGiven, json!({}), "getNsGroups"),
        map("getNsServices"),
        container_clusters(),
        cluster_security_config(),
        compute_manager_realization(),
        edge_transport_node_realization(),
    ]
}

fn management_cluster() -> Table {
    let id = "b7c2d9b6-1f53-4a7e-8d0c-9f3a52c10001";
    Table::of("getManagementCluster")
        .finds(NothingGiven, json!({}), id)
        .on(World::global())
        .finds(NothingGiven, json!({}), id)
        .on(World::cloud())
        .fails(NoApi, json!({}), Unsupported)
}

fn manager_info() -> Table {
    let mut old = World::local();
    old.settings.reports_product_version = false;
    old.settings.node_version = Some("3.1.2.0.0.17883596".to_owned());
    old.label += " without a product version";
    let mut refusing = World::cloud();
    refusing.settings.refuses_version = true;
    refusing.label += " that refuses the version";
    Table::of("getManagerInfo")
        .finds(NothingGiven, json!({}), "manager-info")
        .finds(NothingGiven, json!({"id": ""}), "manager-info")
        .finds(IdBeside, json!({"id": "mine"}), "mine")
        .on(World::global())
        .finds(NothingGiven, json!({}), "manager-info")
        .on(old)
        .finds(NothingGiven, json!({}), "manager-info")
        .on(refusing)
        .fails(NoApi, json!({}), PermissionDenied)
}

fn map(function: &'static str) -> Table {
    let mut gone = World::local();
    gone.settings.manager_mode = ManagerMode::Gone;
    gone.label += ", manager mode gone";
    Table::of(function)
        .finds(NothingGiven, json!({}), function)
        .finds(IdBeside, json!({"id": "mine"}), "mine")
        .on(gone)
        .fails(NoApi, json!({}), Unsupported)
        .on(World::global())
        .fails(NoApi, json!({}), Unsupported)
}

fn no_groups() -> World {
    World::local().bare()
}

fn container_clusters() -> Table {
    let name = "getPolicyContainerClusters";
    Table::of(name)
        .finds(NothingGiven, json!({}), name)
        .finds(IdBeside, json!({"id": "mine"}), "mine")
        .on(World::local().at_point("edge-point"))
        .finds(EnforcementPoint, json!({}), name)
        .on(World::global())
        .fails(NoApi, json!({}), Unsupported)
}

fn cluster_security_config() -> Table {
    let vc = "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910";
    let [c20, c31, c40] = ["c20", "c31", "c40"].map(|end| format!("{vc}:domain-{end}"));
    Table::of("getPolicyClusterSecurityConfig")
        .finds(ById, json!({"clusterId": c20}), &c20)
        .finds(ById, json!({"clusterId": c31, "id": "ignored"}), &c31)
        .finds(ById, json!({"clusterId": c40}), &c40)
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(Absent, json!({"clusterId": "domain-c20"}), NotFound)
        .on(World::global())
        .fails(NoApi, json!({"clusterId": c20}), Unsupported)
}

fn compute_manager_realization() -> Table {
    let of = |end: &str| format!("9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e00{end}");
    Table::of("getComputeManagerRealization")
        .finds(ById, json!({"id": of("01")}), &of("01"))
        .finds(
            ById,
            json!({"id": of("01"), "checkRegistration": false, "delay": 0, "timeout": 1.5}),
            &of("01"),
        )
        .fails(ById, json!({"id": of("12")}), RealizationFailed)
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(
            WrongType("timeout".to_owned()),
            json!({"id": "x", "timeout": 0}),
            InvalidInput,
        )
        .fails(
            WrongType("delay".to_owned()),
            json!({"id": "x", "delay": -1}),
            InvalidInput,
        )
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .on(World::global())
        .fails(NoApi, json!({"id": of("01")}), Unsupported)
}

fn edge_transport_node_realization() -> Table {
    let at = |id: &str| format!("/infra/sites/default/enforcement-points/default/edge-transport-nodes/{id}");
    let path = |text: &str| json!({"path": text});
    Table::of("getPolicyEdgeTransportNodeRealization")
        .finds(ById, path(&at("edge-01")), "edge-01")
        .fails(ById, path(&at("edge-failing")), RealizationFailed)
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(NothingGiven, path("edge-01"), InvalidInput)
        .fails(
            NothingGiven,
            path("/infra/sites/default/edge-transport-nodes/edge-01"),
            InvalidInput,
        )
        .fails(
            WrongType("timeout".to_owned()),
            json!({"path": at("edge-01"), "timeout": 0.5}),
            InvalidInput,
        )
        .fails(Absent, path(&at("no-such-node")), NotFound)
        .on(World::global())
        .fails(NoApi, path(&at("edge-01")), Unsupported)
}
