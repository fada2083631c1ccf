//! Policy objects directly below the root of a tree, some of them in projects.

use netmgr_lookups::ErrorKind::{Ambiguous, InvalidInput, NotFound};
use serde_json::json;

use crate::lookups::harness::World;
use crate::lookups::table::Kind::*;
use crate::lookups::table::Table;

pub(super) fn tables() -> Vec<Table> {
    vec![
        bfd_profile(),
        certificate(),
        context_profile(),
        dhcp_server(),
        flood_protection_profile(),
        vlan_connection(),
        container_cluster(),
    ]
}

fn bfd_profile() -> Table {
    let described = json!({"id": "fast-bfd", "description": "300 ms probes"});
    Table::of("getPolicyBfdProfile")
        .finds(ById, json!({"id": "fast-bfd"}), "fast-bfd")
        .finds(ById, json!({"id": "default"}), "default")
        .finds(ByName, json!({"displayName": "bfd-fast-2"}), "fast-bfd-2")
        .finds(ByName, json!({"displayName": "nameless"}), "nameless")
        .finds(
            ByPrefix,
            json!({"displayName": "default-g"}),
            "default-gateway-bfd-profile",
        )
        .finds(ExactBeatsPrefix, json!({"displayName": "bfd-fast"}), "fast-bfd")
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(
            NothingGiven,
            json!({"description": "300 ms probes"}),
            InvalidInput,
        )
        .fails(Absent, json!({"displayName": "BFD-fast"}), NotFound)
        .fails(Absent, json!({"displayName": "bfd-going"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(Absent, json!({"id": "going"}), NotFound)
        .fails(Several, json!({"displayName": "bfd-twin"}), Ambiguous)
        .fails(Several, json!({"displayName": "bfd-"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "bfd-fa", "description": "300 ms probes"}),
            "fast-bfd",
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "bfd-fast", "description": "x"}),
            NotFound,
        )
        .fails(
            IdBeside,
            json!({"id": "fast-bfd", "displayName": "bfd-fast"}),
            InvalidInput,
        )
        .fails(IdBeside, described, InvalidInput)
        .on(World::global())
        .finds(OnGlobalManager, json!({"id": "fast-bfd"}), "fast-bfd")
        .finds(OnGlobalManager, json!({"displayName": "bfd-fast"}), "fast-bfd")
        .fails(OnGlobalManager, json!({"displayName": "bfd-twin"}), NotFound)
        .on(World::cloud().version("3.0.0"))
        .finds(OnHostedCloud, json!({"displayName": "bfd-fast"}), "fast-bfd")
}

/// Adds the visibility of a project. Each kind has one object in the project `dev`, one that is only in `dev2`, and one
/// that is only in the VPC `web` of `dev`.
fn in_projects(table: Table, id: &str, name: &str, only_dev2: &str, only_outside: (&str, &str)) -> Table {
    let dev = |mut input: serde_json::Value| {
        input["context"] = json!({"projectId": "dev"});
        input
    };
    table
        .finds(InProject, dev(json!({"id": id})), id)
        .finds(InProject, dev(json!({"displayName": name})), id)
        .finds(
            InProject,
            dev(json!({"displayName": &name[..name.len() - 1]})),
            id,
        )
        .fails(Isolated, dev(json!({"id": only_dev2})), NotFound)
        .fails(Isolated, dev(json!({"displayName": only_dev2})), NotFound)
        .fails(Isolated, dev(json!({"id": only_outside.0})), NotFound)
        .fails(Isolated, dev(json!({"displayName": only_outside.1})), NotFound)
        .fails(Isolated, dev(json!({"id": "web-only"})), NotFound)
        .fails(Isolated, dev(json!({"displayName": "web-only"})), NotFound)
        .fails(Isolated, json!({"id": only_dev2}), NotFound)
        .fails(Isolated, json!({"displayName": only_dev2}), NotFound)
        .fails(
            InProject,
            json!({"id": id, "context": {"projectId": "default"}}),
            InvalidInput,
        )
        .fails(
            InProject,
            json!({"id": id, "context": {"projectId": ""}}),
            InvalidInput,
        )
        .fails(
            InProject,
            json!({"id": id, "context": {"projectId": "a/b"}}),
            InvalidInput,
        )
        .fails(InProject, json!({"id": id, "context": {}}), InvalidInput)
        .fails(
            InProject,
            json!({"id": id, "context": {"projectId": "dev", "vpcId": "web"}}),
            InvalidInput,
        )
        .fails(
            InProject,
            json!({"id": id, "context": {"projectId": "no-such-project"}}),
            NotFound,
        )
}

fn certificate() -> Table {
    let table = Table::of("getPolicyCertificate")
        .finds(ById, json!({"id": "lb-cert-web"}), "lb-cert-web")
        .finds(ByName, json!({"displayName": "lb-cert-web"}), "lb-cert-web")
        .finds(ByPrefix, json!({"displayName": "lb-cert-"}), "lb-cert-web")
        .finds(ExactBeatsPrefix, json!({"displayName": "lb-cert"}), "lb-cert")
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(
            NothingGiven,
            json!({"context": {"projectId": "dev"}}),
            InvalidInput,
        )
        .fails(Absent, json!({"displayName": "Lb-cert"}), NotFound)
        .fails(Absent, json!({"displayName": "old-cert"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(OfAnotherType, json!({"id": "revoked"}), NotFound)
        .fails(Several, json!({"displayName": "cert-twin"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "lb-", "description": "Web front end"}),
            "lb-cert-web",
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "lb-cert", "description": "x"}),
            NotFound,
        )
        .finds(
            IdBeside,
            json!({"id": "lb-cert", "displayName": "lb-cert-web", "description": "x"}),
            "lb-cert",
        );
    in_projects(
        table,
        "lb-cert-web",
        "lb-cert-web",
        "dev2-only",
        ("lb-cert", "cert-twin"),
    )
    .on(World::global())
    .finds(OnGlobalManager, json!({"id": "lb-cert-web"}), "lb-cert-web")
    .finds(OnGlobalManager, json!({"displayName": "global"}), "global-cert")
}

fn context_profile() -> Table {
    let twins = World::local().with(
        "/infra/context-profiles",
        json!({"id": "twin", "display_name": "SSL"}),
    );
    let table = Table::of("getPolicyContextProfile")
        .finds(ById, json!({"id": "DIAMETER"}), "DIAMETER")
        .finds(ByName, json!({"displayName": "DIAMETER-2"}), "DIAMETER-2")
        .finds(ByPrefix, json!({"displayName": "DIAMETER-"}), "DIAMETER-2")
        .finds(ExactBeatsPrefix, json!({"displayName": "DIAMETER"}), "DIAMETER")
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(Absent, json!({"displayName": "diameter"}), NotFound)
        .fails(Absent, json!({"id": "diameter"}), NotFound)
        .finds(
            Fits("description"),
            json!({"displayName": "demo", "description": "In the default space"}),
            "demoprof",
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "SSL", "description": "x"}),
            NotFound,
        )
        .finds(IdBeside, json!({"id": "SSL", "displayName": "TLS"}), "SSL");
    in_projects(table, "demoprof", "demoprof", "prof-dev2", ("SSL", "SSL"))
        .on(twins)
        .fails(Several, json!({"displayName": "SSL"}), Ambiguous)
        .on(World::global())
        .finds(OnGlobalManager, json!({"id": "DIAMETER"}), "DIAMETER")
        .finds(
            OnGlobalManager,
            json!({"displayName": "global-prof"}),
            "global-prof",
        )
}

fn dhcp_server() -> Table {
    let twins = World::local().with(
        "/infra/dhcp-server-configs",
        json!({"id": "twin", "display_name": "plain"}),
    );
    let table = Table::of("getPolicyDhcpServer")
        .finds(ById, json!({"id": "dhcp-2"}), "dhcp-2")
        .finds(ById, json!({"id": "dhcp-plain"}), "dhcp-plain")
        .finds(ByName, json!({"displayName": "dhcp (lab)/2"}), "dhcp-lab")
        .finds(ByPrefix, json!({"displayName": "dhcp (l"}), "dhcp-lab")
        .finds(ExactBeatsPrefix, json!({"displayName": "dhcp-2"}), "dhcp-2")
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(Absent, json!({"displayName": "DHCP-2"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(Several, json!({"displayName": "dhcp"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "dhcp", "description": "DHCP for lab"}),
            "dhcp-2",
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "dhcp-2", "description": "x"}),
            NotFound,
        )
        .finds(
            IdBeside,
            json!({"id": "dhcp-2", "displayName": "dhcp-20"}),
            "dhcp-2",
        );
    in_projects(table, "demodhcp", "demodhcp", "dhcp-dev2", ("dhcp-2", "dhcp-2"))
        .on(twins)
        .fails(Several, json!({"displayName": "plain"}), Ambiguous)
        .on(World::global())
        .finds(OnGlobalManager, json!({"id": "dhcp-2"}), "dhcp-2")
        .finds(OnGlobalManager, json!({"displayName": "global"}), "global-dhcp")
        .on(World::cloud())
        .finds(OnHostedCloud, json!({"displayName": "dhcp-2"}), "dhcp-2")
        .finds(OnHostedCloud, json!({"id": "dhcp-2"}), "dhcp-2")
}

fn flood_protection_profile() -> Table {
    let gateway = json!({"resource_type": "GatewayFloodProtectionProfile", "id": "dfpp-2"});
    let twins = World::local().with(
        "/infra/flood-protection-profiles",
        json!({"id": "twin", "display_name": "dfpp-test"}),
    );
    let table = Table::of("getPolicyDistributedFloodProtectionProfile")
        .finds(ById, json!({"id": "dfpp-1"}), "dfpp-1")
        .finds(ByName, json!({"displayName": "dfpp-test-10"}), "dfpp-10")
        .finds(ByPrefix, json!({"displayName": "dfpp-test-"}), "dfpp-10")
        .finds(ExactBeatsPrefix, json!({"displayName": "dfpp-test"}), "dfpp-1")
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(Absent, json!({"displayName": "dfpp-Test"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(OfAnotherType, json!({"id": "gfpp-1"}), NotFound)
        .fails(OfAnotherType, json!({"displayName": "gateway-only"}), NotFound)
        .fails(
            OfAnotherType,
            json!({"id": "dfpp-1", "context": {"projectId": "dev"}}),
            NotFound,
        )
        .fails(Several, json!({"displayName": "dfpp-tes"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "dfpp-", "description": "Limits for test VMs"}),
            "dfpp-1",
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "dfpp-test", "description": "x"}),
            NotFound,
        )
        .finds(
            IdBeside,
            json!({"id": "dfpp-1", "displayName": "dfpp-test-10"}),
            "dfpp-1",
        );
    in_projects(
        table,
        "dfpp-2",
        "dfpp-proj",
        "dfpp-dev2",
        ("dfpp-10", "dfpp-test"),
    )
    .on(World::local().with("/infra/flood-protection-profiles", gateway))
    .fails(OfAnotherType, json!({"id": "dfpp-2"}), NotFound)
    .on(twins)
    .fails(Several, json!({"displayName": "dfpp-test"}), Ambiguous)
    .on(World::global())
    .finds(OnGlobalManager, json!({"id": "dfpp-1"}), "dfpp-1")
    .finds(OnGlobalManager, json!({"displayName": "dfpp-test"}), "dfpp-1")
    .fails(OnGlobalManager, json!({"displayName": "global-gfpp"}), NotFound)
}

fn vlan_connection() -> Table {
    let collection = "/infra/distributed-vlan-connections";
    let two = World::local().with(
        collection,
        json!({
            "id": "vlan-1000", "display_name": "vlan-1000", "description": "Second"
        }),
    );
    let twins = World::local().with(collection, json!({"id": "twin", "display_name": "vlan-100"}));
    Table::of("getPolicyDistributedVlanConnection")
        .finds(ById, json!({"id": "vlan-100"}), "vlan-100")
        .finds(ByName, json!({"displayName": "vlan-100"}), "vlan-100")
        .finds(ByPrefix, json!({"displayName": "vlan"}), "vlan-100")
        .finds(NothingGiven, json!({}), "vlan-100")
        .fails(Absent, json!({"displayName": "VLAN-100"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(
            Excludes("description"),
            json!({"displayName": "vlan-100", "description": "x"}),
            NotFound,
        )
        .finds(
            IdBeside,
            json!({"id": "vlan-100", "displayName": "vlan-200"}),
            "vlan-100",
        )
        .on(two)
        .finds(ExactBeatsPrefix, json!({"displayName": "vlan-100"}), "vlan-100")
        .finds(
            Fits("description"),
            json!({"displayName": "vlan-", "description": "Second"}),
            "vlan-1000",
        )
        .fails(NothingGiven, json!({}), Ambiguous)
        .fails(Several, json!({"displayName": "vlan-10"}), Ambiguous)
        .on(twins)
        .fails(Several, json!({"displayName": "vlan-100"}), Ambiguous)
        .on(World::local().bare())
        .fails(NothingGiven, json!({}), NotFound)
}

/// Site and enforcement point of container clusters are fixed, regardless of the configuration.
fn container_cluster() -> Table {
    let described = json!({"id": "antrea-prod", "description": "Antrea production cluster"});
    Table::of("getPolicyContainerCluster")
        .finds(ById, json!({"id": "antrea-prod"}), "antrea-prod")
        .finds(ByName, json!({"displayName": "antrea-prod-2"}), "antrea-prod-2")
        .finds(ByPrefix, json!({"displayName": "bm"}), "bm-1")
        .finds(
            ExactBeatsPrefix,
            json!({"displayName": "antrea-prod"}),
            "antrea-prod",
        )
        .fails(NothingGiven, json!({}), InvalidInput)
        .fails(Absent, json!({"displayName": "Antrea-prod"}), NotFound)
        .fails(Absent, json!({"displayName": "antrea-old"}), NotFound)
        .fails(Absent, json!({"id": "no-such-id"}), NotFound)
        .fails(Several, json!({"displayName": "antrea-twin"}), Ambiguous)
        .finds(
            Fits("description"),
            json!({"displayName": "antrea", "description": "Antrea production cluster"}),
            "antrea-prod",
        )
        .fails(
            Excludes("description"),
            json!({"displayName": "bm-1", "description": "x"}),
            NotFound,
        )
        .fails(
            IdBeside,
            json!({"id": "antrea-prod", "displayName": "antrea-prod"}),
            InvalidInput,
        )
        .fails(IdBeside, described, InvalidInput)
        .on(World::local().at_point("edge-point"))
        .finds(EnforcementPoint, json!({"id": "antrea-prod"}), "antrea-prod")
        .finds(
            EnforcementPoint,
            json!({"displayName": "antrea-prod"}),
            "antrea-prod",
        )
}
