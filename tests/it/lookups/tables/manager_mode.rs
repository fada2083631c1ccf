//! Objects of manager mode, which newer managers lack, and certificates of the manager API.

use netmgr_lookups::ErrorKind::{Ambiguous, InvalidInput, NotFound, Unsupported};
use netmgr_sim::ManagerMode;
use serde_json::json;

use crate::lookups::harness::World;
use crate::lookups::table::Kind::*;
use crate::lookups::table::Table;

pub(super) fn tables() -> Vec<Table> {
    vec![
        certificate(),
        edge_cluster(),
        firewall_section(),
        ip_pool(),
        tier0(),
        tier1(),
        mac_pool(),
        ns_group(),
        ns_service(),
    ]
}

/// A realistic manager of version 9.
fn without_manager_mode() -> World {
    let mut world = World::local().version("9.0.1.0.24952111");
    world.settings.manager_mode = ManagerMode::Gone;
    world.label += ", manager mode gone";
    world
}

/// Facts of a function that finds an object by id or exact name.
struct Exact {
    function: &'static str,
    collection: &'static str,
    id: &'static str,
    name: &'static str,
    description: &'static str,
}

impl Exact {
    fn table(&self) -> Table {
        let Self {
            id,
            name,
            description,
            ..
        } = *self;
        let beginning = &name[..name.len() - 1];
        Table::of(self.function)
            .finds(ById, json!({"id": id}), id)
            .finds(
                ById,
                json!({"id": id, "displayName": "", "description": null}),
                id,
            )
            .finds(ByName, json!({"displayName": name}), id)
            .fails(ByPrefix, json!({"displayName": beginning}), NotFound)
            .fails(
                Absent,
                json!({"displayName": name.to_uppercase() + "!"}),
                NotFound,
            )
            .fails(Absent, json!({"id": "no-such-id"}), NotFound)
            .fails(NothingGiven, json!({}), InvalidInput)
            .fails(
                NothingGiven,
                json!({"id": "", "description": description}),
                InvalidInput,
            )
            .finds(
                Fits("description"),
                json!({"displayName": name, "description": description}),
                id,
            )
            .fails(
                Excludes("description"),
                json!({"displayName": name, "description": "another"}),
                NotFound,
            )
            .finds(
                IdBeside,
                json!({"id": id, "displayName": "another", "description": "another"}),
                id,
            )
            .on(World::local().with(self.collection, json!({"id": "twin", "display_name": name})))
            .fails(Several, json!({"displayName": name}), Ambiguous)
    }
}

fn certificate() -> Table {
    let exact = Exact {
        function: "getCertificate",
        collection: "/api/v1/trust-management/certificates",
        id: "0a4e7b9c-2d31-4b0e-9c7f-1a2b3c4d0001",
        name: "edge-lb-cert",
        description: "Load balancer certificate",
    };
    let nameless = "0a4e7b9c-2d31-4b0e-9c7f-1a2b3c4d0006";
    exact
        .table()
        .on(World::local())
        .finds(ByName, json!({"displayName": nameless}), nameless)
}

fn edge_cluster() -> Table {
    let (edge, prod) = (
        "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0010",
        "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001",
    );
    let spare = "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0002";
    Table::of("getEdgeCluster")
        .finds(ById, json!({"id": edge}), edge)
        .finds(ById, json!({"id": spare}), spare)
        .finds(ByName, json!({"displayName": "edge-cluster-prod"}), prod)
        .finds(ByPrefix, json!({"displayName": "edge-cluster-p"}), prod)
        .finds(ExactBeatsPrefix, json!({"displayName": "edge"}), edge)
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(NothingGiven, json!({"deploymentType": "UNKNOWN"}), InvalidInput)
        .fails(Absent, json!({"displayName": "Edge"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(Several, json!({"displayName": "edge-cluster"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "edge-c", "description": "Production edges"}),
            prod,
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "edge", "description": "x"}),
            NotFound,
        )
        .finds(
            Fits("deploymentType"),
            json!({"displayName": "edge-c", "deploymentType": "UNKNOWN"}),
            spare,
        )
        .fails(
            Excludes("deploymentType"),
            json!({"displayName": "edge-2", "deploymentType": "VIRTUAL_MACHINE"}),
            NotFound,
        )
        .finds(
            Fits("memberNodeType"),
            json!({"displayName": "edge-c", "memberNodeType": "EDGE_NODE"}),
            prod,
        )
        .fails(
            Excludes("memberNodeType"),
            json!({"displayName": "edge-2", "memberNodeType": "UNKNOWN"}),
            NotFound,
        )
        .finds(
            IdBeside,
            json!({"id": edge, "displayName": "core", "memberNodeType": "UNKNOWN"}),
            edge,
        )
        .on(World::local().with(
            "/api/v1/edge-clusters",
            json!({
                "id": "liar", "deployment_type": "VIRTUAL_MACHINE", "members": []
            }),
        ))
        .finds(ById, json!({"id": "liar"}), "liar")
        .on(without_manager_mode())
        .fails(NoApi, json!({"displayName": "edge"}), Unsupported)
        .fails(NoApi, json!({"id": edge}), Unsupported)
}

fn firewall_section() -> Table {
    let exact = Exact {
        function: "getFirewallSection",
        collection: "/api/v1/firewall/sections",
        id: "7a6b5c4d-3e2f-4101-9a8b-7c6d5e4f0001",
        name: "block all",
        description: "Explicit drop section",
    };
    gone(
        exact
            .table()
            .on(World::local())
            .fails(Several, json!({"displayName": "twin section"}), Ambiguous),
    )
}

fn ip_pool() -> Table {
    let exact = Exact {
        function: "getIpPool",
        collection: "/api/v1/pools/ip-pools",
        id: "1d2c3b4a-5968-4778-8695-a4b3c2d10001",
        name: "tep-pool",
        description: "Tunnel endpoints",
    };
    let nameless = "1d2c3b4a-5968-4778-8695-a4b3c2d10005";
    gone(
        exact
            .table()
            .on(World::local())
            .finds(ByName, json!({"displayName": nameless}), nameless),
    )
}

fn mac_pool() -> Table {
    gone(
        Exact {
            function: "getMacPool",
            collection: "/api/v1/pools/mac-pools",
            id: "3e4d5c6b-7a89-4c0b-8d1e-2f3041520001",
            name: "DefaultMacPool",
            description: "Shipped pool",
        }
        .table(),
    )
}

fn ns_group() -> Table {
    gone(
        Exact {
            function: "getNsGroup",
            collection: "/api/v1/ns-groups",
            id: "5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0001",
            name: "group-web",
            description: "Web tier",
        }
        .table(),
    )
}

fn ns_service() -> Table {
    gone(
        Exact {
            function: "getNsService",
            collection: "/api/v1/ns-services",
            id: "6b5c4d3e-2f10-4bac-9d8e-7f6051420001",
            name: "HTTP",
            description: "HTTP",
        }
        .table(),
    )
}

fn gone(table: Table) -> Table {
    table
        .on(without_manager_mode())
        .fails(NoApi, json!({"displayName": "x"}), Unsupported)
        .fails(NoApi, json!({"id": "x"}), Unsupported)
        .on(World::global())
        .fails(NoApi, json!({"displayName": "x"}), Unsupported)
        .on(World::cloud())
        .fails(NoApi, json!({"id": "x"}), Unsupported)
}

fn tier0() -> Table {
    let (prod, lab) = (
        "8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40001",
        "8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40002",
    );
    let (tier1, vrf) = (
        "8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40003",
        "8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40005",
    );
    let cluster = "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001";
    let table = Table::of("getLogicalTier0Router")
        .finds(ById, json!({"id": prod}), prod)
        .finds(ByName, json!({"displayName": "t0-prod-lab"}), lab)
        .finds(ByPrefix, json!({"displayName": "t0-prod-l"}), lab)
        .finds(ExactBeatsPrefix, json!({"displayName": "t0-prod"}), prod)
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(NothingGiven, json!({"edgeClusterId": cluster}), InvalidInput)
        .fails(Absent, json!({"displayName": "T0-PROD"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(OfAnotherType, json!({"id": tier1}), NotFound)
        .fails(OfAnotherType, json!({"id": vrf}), NotFound)
        .fails(OfAnotherType, json!({"displayName": "vrf-red"}), NotFound)
        .fails(Several, json!({"displayName": "t0-pro"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "t0", "description": "North-south router"}),
            prod,
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "t0-prod", "description": "x"}),
            NotFound,
        )
        .finds(
            Fits("edgeClusterId"),
            json!({"displayName": "t0-prod", "edgeClusterId": cluster}),
            prod,
        )
        .fails(
            Excludes("edgeClusterId"),
            json!({"displayName": "t0-prod", "edgeClusterId": "x"}),
            NotFound,
        )
        .finds(
            Fits("highAvailabilityMode"),
            json!({"displayName": "t0-pr", "highAvailabilityMode": "ACTIVE_STANDBY"}),
            lab,
        )
        .fails(
            Excludes("highAvailabilityMode"),
            json!({"displayName": "t0-prod-lab", "highAvailabilityMode": "ACTIVE_ACTIVE"}),
            NotFound,
        )
        .finds(
            IdBeside,
            json!({"id": prod, "displayName": "t0-prod-lab", "highAvailabilityMode": "ACTIVE_STANDBY"}),
            prod,
        );
    gone(table)
}

fn tier1() -> Table {
    let (web, dist) = (
        "8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40003",
        "8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40004",
    );
    let (web2, tier0) = (
        "8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40007",
        "8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40001",
    );
    let cluster = "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0010";
    let described = World::local().with(
        "/api/v1/logical-routers",
        json!({
            "id": "app", "display_name": "t1-app", "router_type": "TIER1", "description": "App tier"
        }),
    );
    let table = Table::of("getLogicalTier1Router")
        .finds(ById, json!({"id": web}), web)
        .finds(ById, json!({"id": dist}), dist)
        .finds(ByName, json!({"displayName": "t1-web-2"}), web2)
        .finds(ByPrefix, json!({"displayName": "t1-d"}), dist)
        .finds(ExactBeatsPrefix, json!({"displayName": "t1-web"}), web)
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(Absent, json!({"displayName": "t1-x"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(OfAnotherType, json!({"id": tier0}), NotFound)
        .fails(OfAnotherType, json!({"displayName": "t0-prod"}), NotFound)
        .fails(Several, json!({"displayName": "t1-"}), Ambiguous)
        .finds(
            Fits("edgeClusterId"),
            json!({"displayName": "t1-we", "edgeClusterId": cluster}),
            web2,
        )
        .fails(
            Excludes("edgeClusterId"),
            json!({"displayName": "t1-dist", "edgeClusterId": cluster}),
            NotFound,
        )
        .finds(IdBeside, json!({"id": dist, "edgeClusterId": cluster}), dist)
        .on(described)
        .finds(
            Fits("description"),
            json!({"displayName": "t1", "description": "App tier"}),
            "app",
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "t1-app", "description": "Web tier"}),
            NotFound,
        );
    gone(table)
}
