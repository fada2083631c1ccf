//! Tables of compute managers, upgrades and the manager's own cluster.

use netmgr_lookups::ErrorKind::{Ambiguous, InvalidInput, NotFound, Unsupported};
use netmgr_sim::NameFilter;
use serde_json::json;

use crate::lookups::harness::World;
use crate::lookups::table::Kind::*;
use crate::lookups::table::Table;

pub(super) fn tables() -> Vec<Table> {
    vec![
        compute_collection(),
        compute_manager(),
        discovered_node(),
        upgrade_group(
            "getEdgeUpgradeGroup",
            "c4d5e6f7-0819-4a2b-8c3d-5e6f70810001",
            "EDGE",
        ),
        upgrade_group(
            "getHostUpgradeGroup",
            "c4d5e6f7-0819-4a2b-8c3d-5e6f70810004",
            "HOST",
        ),
        failure_domain(),
        cluster_node(),
    ]
}

fn compute_collection() -> Table {
    let vc = "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910";
    let (c20, c31, c42) = (
        format!("{vc}:domain-c20"),
        format!("{vc}:domain-c31"),
        format!("{vc}:domain-c42"),
    );
    let (c41, other) = (
        format!("{vc}:domain-c41"),
        "11111111-3b2a-4190-8f7e-6d5c4b3a2910:domain-c41",
    );
    let first = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001";
    let second = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0002";
    let mut loose = World::local();
    loose.settings.name_filter = NameFilter::Prefix;
    loose.label += ", whose name filter is loose";
    let odd = World::local().with("/api/v1/fabric/compute-collections", json!({
        "external_id": "kvm:1", "display_name": "twin", "origin_type": "KVM", "cm_local_id": null, "origin_id": null
    }));
    Table::of("getComputeCollection")
        .finds(ByName, json!({"displayName": "Compute-Cluster-01"}), &c20)
        .finds(ByName, json!({"displayName": "Rack (2)/Zürich"}), &c42)
        .fails(ByPrefix, json!({"displayName": "Edge-Cluster"}), NotFound)
        .finds(ById, json!({"displayName": "Edge-Cluster-01", "id": c31}), &c31)
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(NothingGiven, json!({"id": c31}), InvalidInput)
        .fails(Absent, json!({"displayName": "compute-cluster-01"}), NotFound)
        .fails(Absent, json!({"displayName": "x", "id": "no:such"}), NotFound)
        .fails(Several, json!({"displayName": "twin"}), Ambiguous)
        .finds(
            Fits("originId"),
            json!({"displayName": "twin", "originId": second}),
            other,
        )
        .finds(
            Fits("originId"),
            json!({"displayName": "twin", "originId": first}),
            &c41,
        )
        .fails(
            Excludes("originId"),
            json!({"displayName": "Compute-Cluster-01", "originId": second}),
            NotFound,
        )
        .finds(
            Fits("cmLocalId"),
            json!({"displayName": "Compute-Cluster-01", "cmLocalId": "domain-c20"}),
            &c20,
        )
        .fails(
            Excludes("cmLocalId"),
            json!({"displayName": "Compute-Cluster-01", "cmLocalId": "domain-c31"}),
            NotFound,
        )
        .fails(
            Excludes("originType"),
            json!({"displayName": "Compute-Cluster-01", "originType": "KVM"}),
            NotFound,
        )
        .finds(
            IdBeside,
            json!({"displayName": "x", "id": c31, "cmLocalId": "domain-c20"}),
            &c31,
        )
        .on(odd)
        .finds(
            Fits("originType"),
            json!({"displayName": "twin", "originType": "KVM"}),
            "kvm:1",
        )
        .on(loose)
        .finds(
            ExactBeatsPrefix,
            json!({"displayName": "Compute-Cluster-01"}),
            &c20,
        )
        .fails(ByPrefix, json!({"displayName": "Compute-Cluster"}), NotFound)
        .on(World::global())
        .fails(NoApi, json!({"displayName": "x"}), Unsupported)
}

fn compute_manager() -> Table {
    let (prod, dr) = (
        "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001",
        "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0002",
    );
    let collection = "/api/v1/fabric/compute-managers";
    let only = World::local().bare().with(
        collection,
        json!({"id": "one", "display_name": "vc", "server": "vc.example"}),
    );
    Table::of("getComputeManager")
        .finds(ById, json!({"id": prod}), prod)
        .finds(ById, json!({"id": dr}), dr)
        .finds(ByName, json!({"displayName": "vc-prod"}), prod)
        .fails(ByPrefix, json!({"displayName": "vc-prod-"}), NotFound)
        .fails(NothingGiven, json!({}), Ambiguous)
        .fails(Absent, json!({"displayName": "VC-PROD"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .finds(
            Fits("description"),
            json!({"displayName": "vc-prod", "description": "Production vCenter"}),
            prod,
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "vc-prod", "description": "x"}),
            NotFound,
        )
        .finds(IdBeside, json!({"id": prod, "displayName": "vc-prod-dr"}), prod)
        .on(only)
        .finds(NothingGiven, json!({}), "one")
        .fails(Excludes("description"), json!({"description": "x"}), NotFound)
        .on(World::local().bare())
        .fails(NothingGiven, json!({}), NotFound)
        .on(World::local().with(collection, json!({"id": "twin", "display_name": "vc-prod"})))
        .fails(Several, json!({"displayName": "vc-prod"}), Ambiguous)
        .on(World::cloud())
        .fails(NoApi, json!({}), Unsupported)
}

fn discovered_node() -> Table {
    let vc = "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910";
    let (h41, h43) = (format!("{vc}:host-41"), format!("{vc}:host-43"));
    let six = World::local().with(
        "/api/v1/fabric/discovered-nodes",
        json!({
            "external_id": "six", "ip_addresses": ["2001:db8::41"]
        }),
    );
    Table::of("getDiscoveredNode")
        .finds(ById, json!({"id": h41}), &h41)
        .finds(ById, json!({"id": h43, "computeManagerState": "success"}), &h43)
        .finds(
            ById,
            json!({"id": h43, "ipAddress": "198.51.100.41", "computeManagerState": ""}),
            &h43,
        )
        .finds(
            Fits("ipAddress"),
            json!({"ipAddress": "198.51.100.41", "computeManagerState": "success"}),
            &h41,
        )
        .finds(Fits("ipAddress"), json!({"ipAddress": "198.51.100.141"}), &h41)
        .fails(Absent, json!({"ipAddress": "198.51.100.4"}), NotFound)
        .fails(Absent, json!({"id": "no:such"}), NotFound)
        .fails(Several, json!({"ipAddress": "198.51.100.44"}), Ambiguous)
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(
            NothingGiven,
            json!({"computeManagerState": "success"}),
            InvalidInput,
        )
        .finds(IdBeside, json!({"id": h41, "ipAddress": "198.51.100.42"}), &h41)
        .on(six)
        .finds(Fits("ipAddress"), json!({"ipAddress": "2001:0DB8:0::41"}), "six")
        .on(World::global())
        .fails(NoApi, json!({"ipAddress": "198.51.100.41"}), Unsupported)
}

/// Both kinds have a group `edge-cluster-prod`; the ids distinguish them.
fn upgrade_group(function: &'static str, id: &str, of_type: &str) -> Table {
    let foreign = ["0001", "0004", "0005"]
        .map(|end| format!("c4d5e6f7-0819-4a2b-8c3d-5e6f7081{end}"))
        .into_iter()
        .filter(|other| other != id);
    let prepared = |mut input: serde_json::Value| {
        input["upgradePrepareId"] = json!("prepare-1");
        input
    };
    let name = "edge-cluster-prod";
    let described = World::local().with(
        "/api/v1/upgrade/upgrade-unit-groups",
        json!({
            "id": "described", "type": of_type, "display_name": "rack", "description": "Rack 1"
        }),
    );
    let twin = World::local().with(
        "/api/v1/upgrade/upgrade-unit-groups",
        json!({
            "id": "twin", "type": of_type, "display_name": name
        }),
    );
    let table = Table::of(function)
        .finds(ById, prepared(json!({"id": id})), id)
        .finds(ByName, prepared(json!({"displayName": name})), id)
        .fails(
            ByPrefix,
            prepared(json!({"displayName": "edge-cluster-pro"})),
            NotFound,
        )
        .fails(NothingGiven, prepared(json!({})), InvalidInput)
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(
            Absent,
            prepared(json!({"displayName": "no-such-group"})),
            NotFound,
        )
        .fails(Absent, prepared(json!({"id": "no-such-id"})), NotFound)
        .finds(
            IdBeside,
            prepared(json!({"id": id, "displayName": "another"})),
            id,
        );
    let table = foreign.fold(table, |table, id| {
        table.fails(OfAnotherType, prepared(json!({"id": id})), NotFound)
    });
    table
        .on(described)
        .finds(
            Fits("description"),
            prepared(json!({"displayName": "rack", "description": "Rack 1"})),
            "described",
        )
        .fails(
            Excludes("description"),
            prepared(json!({"displayName": "rack", "description": "Rack 2"})),
            NotFound,
        )
        .on(twin)
        .fails(Several, prepared(json!({"displayName": name})), Ambiguous)
        .on(World::cloud())
        .fails(NoApi, prepared(json!({"displayName": name})), Unsupported)
}

fn failure_domain() -> Table {
    let (rack1, rack10) = (
        "4fc1e3b0-1cd4-4339-86c8-f76baddb0001",
        "4fc1e3b0-1cd4-4339-86c8-f76baddb0002",
    );
    Table::of("getFailureDomain")
        .finds(ById, json!({"id": rack1}), rack1)
        .finds(ByName, json!({"displayName": "fd-rack-10"}), rack10)
        .finds(
            ByPrefix,
            json!({"displayName": "system"}),
            "4fc1e3b0-1cd4-4339-86c8-f76baddb0000",
        )
        .finds(ExactBeatsPrefix, json!({"displayName": "fd-rack-1"}), rack1)
        .fails(NothingGiven, json!({"description": "Rack 1"}), InvalidInput)
        .fails(Absent, json!({"displayName": "Fd-rack-1"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(Several, json!({"displayName": "fd-"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "fd-", "description": "Rack 10"}),
            rack10,
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "fd-rack-10", "description": "Rack 1"}),
            NotFound,
        )
        .finds(IdBeside, json!({"id": rack1, "displayName": "fd-rack-10"}), rack1)
        .on(World::cloud())
        .fails(NoApi, json!({"displayName": "x"}), Unsupported)
}

fn cluster_node() -> Table {
    let (a, controller) = (
        "3c1b5a70-9e0d-4d3b-8a34-7d0a5a6e1001",
        "5d8e2f11-4b6a-4f0b-9a42-c0ffee000001",
    );
    let twin = World::local().with("/api/v1/cluster/nodes", json!({
        "id": "twin", "display_name": "mgr-a", "description": "Second", "appliance_mgmt_listen_addr": "192.0.2.99"
    }));
    Table::of("getManagerClusterNode")
        .finds(ById, json!({"id": a}), a)
        .finds(ById, json!({"id": controller}), controller)
        .finds(ByName, json!({"displayName": "mgr-a"}), a)
        .fails(ByPrefix, json!({"displayName": "mgr"}), NotFound)
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(
            NothingGiven,
            json!({"applianceMgmtListenAddress": "192.0.2.11"}),
            InvalidInput,
        )
        .fails(Absent, json!({"displayName": "MGR-A"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .finds(
            Fits("applianceMgmtListenAddress"),
            json!({"displayName": "mgr-a", "applianceMgmtListenAddress": "192.0.2.11"}),
            a,
        )
        .fails(
            Excludes("applianceMgmtListenAddress"),
            json!({"displayName": "ctl-a", "applianceMgmtListenAddress": "192.0.2.11"}),
            NotFound,
        )
        .finds(IdBeside, json!({"id": a, "displayName": "mgr-b"}), a)
        .on(twin)
        .fails(Several, json!({"displayName": "mgr-a"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "mgr-a", "description": "Second"}),
            "twin",
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "mgr-a", "description": "Third"}),
            NotFound,
        )
        .on(World::global())
        .finds(ByName, json!({"displayName": "mgr-a"}), a)
        .on(World::cloud())
        .fails(NoApi, json!({"displayName": "mgr-a"}), Unsupported)
}
