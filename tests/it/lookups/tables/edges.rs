//! Policy objects below a site and an enforcement point.

use netmgr_lookups::ErrorKind::{Ambiguous, InvalidInput, NotFound};
use serde_json::json;

use crate::lookups::harness::World;
use crate::lookups::table::Kind::*;
use crate::lookups::table::Table;

pub(super) fn tables() -> Vec<Table> {
    vec![
        bridge_profile(),
        edge_cluster(),
        high_availability_profile(),
        edge_node(),
        edge_transport_node(),
    ]
}

const POINT: &str = "/infra/sites/default/enforcement-points/default";

fn bridge_profile() -> Table {
    let second = "/infra/sites/default/enforcement-points/second/edge-bridge-profiles";
    let twins = World::local().with(
        &format!("{POINT}/edge-bridge-profiles"),
        json!({
            "id": "twin", "display_name": "bridge-prod"
        }),
    );
    let elsewhere = World::local()
        .at_point("second")
        .with(second, json!({"id": "default", "display_name": "bridge-second"}));
    Table::of("getPolicyBridgeProfile")
        .finds(ById, json!({"id": "bridge-prod"}), "bridge-prod")
        .finds(ByName, json!({"displayName": "bridge-prod-2"}), "bridge-prod-2")
        .finds(ByPrefix, json!({"displayName": "bridge-prod-"}), "bridge-prod-2")
        .finds(
            ExactBeatsPrefix,
            json!({"displayName": "bridge-prod"}),
            "bridge-prod",
        )
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(Absent, json!({"displayName": "Bridge-prod"}), NotFound)
        .fails(Absent, json!({"displayName": "bridge-old"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(Absent, json!({"id": "bridge-old"}), NotFound)
        .fails(Several, json!({"displayName": "bridge-pro"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "bridge", "description": "Bridge for legacy VLANs"}),
            "bridge-prod",
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "bridge-prod", "description": "x"}),
            NotFound,
        )
        .fails(
            IdBeside,
            json!({"id": "bridge-prod", "displayName": "bridge-prod"}),
            InvalidInput,
        )
        .on(twins)
        .fails(Several, json!({"displayName": "bridge-prod"}), Ambiguous)
        .on(elsewhere)
        .finds(EnforcementPoint, json!({"id": "default"}), "default")
        .finds(EnforcementPoint, json!({"id": "bridge-prod"}), "bridge-prod")
        .finds(
            EnforcementPoint,
            json!({"displayName": "bridge-second"}),
            "default",
        )
}

fn edge_cluster() -> Table {
    let of = |end: &str| format!("2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0{end}");
    let (edge, prod) = (of("010"), of("001"));
    let second = "/infra/sites/second/enforcement-points/default/edge-clusters";
    let two_sites = World::local().with(second, json!({"id": "second-site", "display_name": "rack-2"}));
    Table::of("getPolicyEdgeCluster")
        .finds(ById, json!({"id": edge}), &edge)
        .finds(ByName, json!({"displayName": "edge-cluster-prod"}), &prod)
        .finds(ByPrefix, json!({"displayName": "edge-cluster-p"}), &prod)
        .finds(ExactBeatsPrefix, json!({"displayName": "edge"}), &edge)
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(
            NothingGiven,
            json!({"sitePath": "/infra/sites/default"}),
            Ambiguous,
        )
        .fails(Absent, json!({"displayName": "Edge"}), NotFound)
        .fails(Absent, json!({"displayName": "edge-old"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(Several, json!({"displayName": "ec-twin"}), Ambiguous)
        .fails(Several, json!({"displayName": "edge-cluster"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "edge-", "description": "Production edges"}),
            &prod,
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "edge-2", "description": "x"}),
            NotFound,
        )
        .finds(IdBeside, json!({"id": edge, "displayName": "edge-2"}), &edge)
        .finds(
            Fits("sitePath"),
            json!({"displayName": "edge", "sitePath": "/infra/sites/default/"}),
            &edge,
        )
        .finds(
            Fits("sitePath"),
            json!({"id": edge, "sitePath": "/infra/sites/default"}),
            &edge,
        )
        .fails(
            Excludes("sitePath"),
            json!({"displayName": "edge", "sitePath": "/infra/sites/other"}),
            NotFound,
        )
        .fails(
            Excludes("sitePath"),
            json!({"id": edge, "sitePath": "/infra/sites/other"}),
            NotFound,
        )
        .fails(
            Excludes("sitePath"),
            json!({"displayName": "edge", "sitePath": "paris"}),
            InvalidInput,
        )
        .on(two_sites)
        .finds(
            Fits("sitePath"),
            json!({"sitePath": "/infra/sites/second"}),
            "second-site",
        )
        .finds(ById, json!({"id": "second-site"}), "second-site")
        .on(World::local().at_point("vmc-enforcementpoint"))
        .finds(EnforcementPoint, json!({"id": of("201")}), &of("201"))
        .finds(EnforcementPoint, json!({"id": edge}), &edge)
        .finds(
            EnforcementPoint,
            json!({"sitePath": "/infra/sites/default"}),
            &of("201"),
        )
        .on(World::cloud())
        .finds(OnHostedCloud, json!({"displayName": "sddc-edge"}), &of("201"))
        .finds(OnHostedCloud, json!({"id": of("201")}), &of("201"))
        .on(World::global())
        .finds(
            OnGlobalManager,
            json!({"sitePath": "/global-infra/sites/paris"}),
            &of("101"),
        )
        .finds(
            OnGlobalManager,
            json!({"sitePath": "/global-infra/sites/london", "displayName": "edge"}),
            &of("121"),
        )
        .finds(
            OnGlobalManager,
            json!({"sitePath": "/global-infra/sites/london", "id": of("122")}),
            &of("122"),
        )
        .finds(
            OnGlobalManager,
            json!({"sitePath": "/global-infra/sites/paris", "displayName": "ec"}),
            &of("101"),
        )
        .fails(
            OnGlobalManager,
            json!({"sitePath": "/global-infra/sites/london"}),
            Ambiguous,
        )
        .fails(
            OnGlobalManager,
            json!({"sitePath": "/global-infra/sites/london", "id": of("101")}),
            NotFound,
        )
        .fails(
            OnGlobalManager,
            json!({"sitePath": "/global-infra/sites/berlin"}),
            NotFound,
        )
        .fails(OnGlobalManager, json!({"displayName": "edge"}), InvalidInput)
        .fails(OnGlobalManager, json!({"id": of("101")}), InvalidInput)
}

fn high_availability_profile() -> Table {
    let collection = "edge-cluster-high-availability-profiles";
    let second = format!("/infra/sites/second/enforcement-points/default/{collection}");
    let other_point = format!("/infra/sites/default/enforcement-points/edge-point/{collection}");
    let twins = World::local().with(
        &format!("{POINT}/{collection}"),
        json!({
            "id": "twin", "display_name": "edge-ha-fast"
        }),
    );
    Table::of("getPolicyEdgeHighAvailabilityProfile")
        .finds(ById, json!({"id": "edge-ha-fast"}), "edge-ha-fast")
        .finds(ByName, json!({"displayName": "edge-ha-fast-2"}), "edge-ha-fast-2")
        .finds(
            ByPrefix,
            json!({"displayName": "system-default"}),
            "edge-ha-default",
        )
        .finds(
            ExactBeatsPrefix,
            json!({"displayName": "edge-ha-fast"}),
            "edge-ha-fast",
        )
        .fails(
            NothingGiven,
            json!({"sitePath": "/infra/sites/default"}),
            InvalidInput,
        )
        .fails(Absent, json!({"displayName": "EDGE-ha-fast"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(Several, json!({"displayName": "edge-ha"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "edge-ha", "description": "Fast failover"}),
            "edge-ha-fast",
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "edge-ha-fast", "description": "x"}),
            NotFound,
        )
        .finds(
            IdBeside,
            json!({"id": "edge-ha-fast", "displayName": "another"}),
            "edge-ha-fast",
        )
        .on(World::local().with(
            &second,
            json!({"id": "second-ha", "display_name": "edge-ha-fast"}),
        ))
        .finds(ByName, json!({"displayName": "edge-ha-fast"}), "edge-ha-fast")
        .finds(ById, json!({"id": "second-ha"}), "second-ha")
        .finds(
            Fits("sitePath"),
            json!({"displayName": "edge-ha", "sitePath": "/infra/sites/second"}),
            "second-ha",
        )
        .fails(
            Excludes("sitePath"),
            json!({"id": "edge-ha-fast", "sitePath": "/infra/sites/second"}),
            NotFound,
        )
        .on(twins)
        .fails(Several, json!({"displayName": "edge-ha-fast"}), Ambiguous)
        .on(World::local()
            .at_point("edge-point")
            .with(&other_point, json!({"id": "far", "display_name": "far"})))
        .finds(EnforcementPoint, json!({"displayName": "far"}), "far")
        .finds(EnforcementPoint, json!({"id": "far"}), "far")
}

fn edge_node() -> Table {
    let cluster = |end: &str| format!("{POINT}/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c{end}");
    let (two, one, other) = (cluster("0001"), cluster("0010"), cluster("0011"));
    let uuid = |end: &str| format!("6e5d4c3b-2a19-4f08-9e7d-6c5b4a39{end}");
    let global = |site: &str, end: &str| {
        format!(
            "/global-infra/sites/{site}/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c{end}"
        )
    };
    let described = World::local().with(
        &format!("{two}/edge-nodes"),
        json!({
            "member_index": 2, "display_name": "edge-03", "description": "Spare"
        }),
    );
    let twins = World::local().with(
        &format!("{two}/edge-nodes"),
        json!({
            "member_index": 2, "display_name": "edge-01"
        }),
    );
    Table::of("getPolicyEdgeNode")
        .finds(ById, json!({"edgeClusterPath": two, "id": "1"}), "1")
        .finds(ById, json!({"edgeClusterPath": two, "id": uuid("0002")}), "1")
        .finds(ById, json!({"edgeClusterPath": other, "id": uuid("0005")}), "1")
        .finds(
            ByName,
            json!({"edgeClusterPath": two, "displayName": "edge-01"}),
            "0",
        )
        .finds(
            ByName,
            json!({"edgeClusterPath": format!("{other}/"), "displayName": "edge-01"}),
            "0",
        )
        .finds(
            ByPrefix,
            json!({"edgeClusterPath": one, "displayName": "edge"}),
            "0",
        )
        .finds(NothingGiven, json!({"edgeClusterPath": one}), "0")
        .fails(NothingGiven, json!({"edgeClusterPath": two}), Ambiguous)
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(
            NothingGiven,
            json!({"edgeClusterPath": "edge", "id": "0"}),
            InvalidInput,
        )
        .fails(
            Absent,
            json!({"edgeClusterPath": two, "displayName": "edge-03"}),
            NotFound,
        )
        .fails(Absent, json!({"edgeClusterPath": two, "id": "7"}), NotFound)
        .fails(
            Absent,
            json!({"edgeClusterPath": two, "id": uuid("0003")}),
            NotFound,
        )
        .fails(
            Absent,
            json!({"edgeClusterPath": cluster("9999"), "displayName": "edge-01"}),
            NotFound,
        )
        .fails(
            Several,
            json!({"edgeClusterPath": two, "displayName": "edge-"}),
            Ambiguous,
        )
        .finds(
            Fits("memberIndex"),
            json!({"edgeClusterPath": two, "memberIndex": 0}),
            "0",
        )
        .finds(
            Fits("memberIndex"),
            json!({"edgeClusterPath": two, "memberIndex": 1.0}),
            "1",
        )
        .finds(
            Fits("memberIndex"),
            json!({"edgeClusterPath": two, "displayName": "edge-", "memberIndex": 1}),
            "1",
        )
        .fails(
            Excludes("memberIndex"),
            json!({"edgeClusterPath": two, "displayName": "edge-01", "memberIndex": 1}),
            NotFound,
        )
        .fails(
            Excludes("memberIndex"),
            json!({"edgeClusterPath": two, "memberIndex": 5}),
            NotFound,
        )
        .fails(
            WrongType("memberIndex".to_owned()),
            json!({"edgeClusterPath": two, "memberIndex": -1}),
            InvalidInput,
        )
        .finds(
            IdBeside,
            json!({"edgeClusterPath": two, "id": "1", "memberIndex": 0}),
            "1",
        )
        .on(described)
        .finds(
            Fits("description"),
            json!({"edgeClusterPath": two, "displayName": "edge", "description": "Spare"}),
            "2",
        )
        .fails(
            Excludes("description"),
            json!({"edgeClusterPath": two, "displayName": "edge-01", "description": "Spare"}),
            NotFound,
        )
        .on(twins)
        .fails(
            Several,
            json!({"edgeClusterPath": two, "displayName": "edge-01"}),
            Ambiguous,
        )
        .on(World::global())
        .finds(
            OnGlobalManager,
            json!({"edgeClusterPath": global("paris", "0101")}),
            "0",
        )
        .finds(
            OnGlobalManager,
            json!({"edgeClusterPath": global("london", "0121"), "id": "1"}),
            "1",
        )
        .finds(
            OnGlobalManager,
            json!({"edgeClusterPath": global("london", "0121"), "id": uuid("0122")}),
            "1",
        )
        .finds(
            OnGlobalManager,
            json!({"edgeClusterPath": global("london", "0121"), "displayName": "edge-london-01"}),
            "0",
        )
}

fn edge_transport_node() -> Table {
    let collection = format!("{POINT}/edge-transport-nodes");
    let other_point = "/infra/sites/default/enforcement-points/edge-point/edge-transport-nodes";
    Table::of("getPolicyEdgeTransportNode")
        .finds(ById, json!({"id": "edge-01"}), "edge-01")
        .finds(ByName, json!({"displayName": "edge-02"}), "edge-02")
        .finds(ByPrefix, json!({"displayName": "edge-slo"}), "edge-slow")
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(Absent, json!({"displayName": "Edge-02"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(Several, json!({"displayName": "edge-0"}), Ambiguous)
        .fails(Several, json!({"displayName": "edge"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "edge", "description": "Ends down"}),
            "edge-down",
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "edge-01", "description": "x"}),
            NotFound,
        )
        .finds(
            IdBeside,
            json!({"id": "edge-01", "displayName": "edge-02"}),
            "edge-01",
        )
        .on(World::local().with(&collection, json!({"id": "edge-010", "display_name": "edge-010"})))
        .finds(ExactBeatsPrefix, json!({"displayName": "edge-01"}), "edge-01")
        .on(World::local()
            .at_point("edge-point")
            .with(other_point, json!({"id": "far", "display_name": "far"})))
        .finds(EnforcementPoint, json!({"id": "far"}), "far")
        .finds(EnforcementPoint, json!({"id": "edge-01"}), "edge-01")
        .finds(EnforcementPoint, json!({"displayName": "far"}), "far")
}
