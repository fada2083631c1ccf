//! The contents of the simulated manager and the lookups of a scenario. Both are derived from a few numbers, so that
//! all processes of a scenario derive the same ones.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::simulator::InventoryDocuments;

/// Enforcement point of all objects.
const POINT: &str = "/infra/sites/default/enforcement-points/default";

/// A kind of object and the function that finds it.
pub(crate) struct MeasuredKind {
    function: &'static str,
    collection: &'static str,
    /// Fields in addition to id and name that the function or its list depends on.
    fields: fn(usize) -> Value,
    /// Inputs in addition to `id` and `displayName`.
    inputs: fn(usize) -> Value,
    /// Selectors other than id and name, or fewer of them.
    selectors: LoadSelectors,
}

#[derive(Clone, Copy, PartialEq)]
enum LoadSelectors {
    /// Id, name and prefix of a name.
    All,
    /// Id and name.
    Exact,
    /// The address in `ipAddress`, or the id.
    Address,
    /// The id in `clusterId`.
    Cluster,
    /// Name and prefix below `edgeClusterPath`; the id counts within the cluster.
    Node,
}

const fn kind(function: &'static str, collection: &'static str) -> MeasuredKind {
    MeasuredKind {
        function,
        collection,
        fields: |_| json!({}),
        inputs: |_| json!({}),
        selectors: LoadSelectors::All,
    }
}

/// A kind whose names must match exactly.
const fn exact(function: &'static str, collection: &'static str) -> MeasuredKind {
    MeasuredKind {
        selectors: LoadSelectors::Exact,
        ..kind(function, collection)
    }
}

/// Edge nodes in one cluster.
const NODES: usize = 55;

/// All kinds. The first [`SMALL`] make up the small load: 11 of the manager API and 7 of the policy API. The first
/// [`LARGE`] make up the large load, and all of them the wide one.
const KINDS: &[MeasuredKind] = &[
    exact("getCertificate", "/api/v1/trust-management/certificates"),
    exact("getComputeCollection", "/api/v1/fabric/compute-collections"),
    exact("getComputeManager", "/api/v1/fabric/compute-managers"),
    kind("getEdgeCluster", "/api/v1/edge-clusters"),
    exact("getFirewallSection", "/api/v1/firewall/sections"),
    exact("getIpPool", "/api/v1/pools/ip-pools"),
    MeasuredKind {
        fields: |_| json!({"router_type": "TIER0"}),
        ..kind("getLogicalTier0Router", "/api/v1/logical-routers")
    },
    MeasuredKind {
        fields: |_| json!({"router_type": "TIER1"}),
        ..kind("getLogicalTier1Router", "/api/v1/logical-routers")
    },
    exact("getMacPool", "/api/v1/pools/mac-pools"),
    exact("getNsGroup", "/api/v1/ns-groups"),
    exact("getNsService", "/api/v1/ns-services"),
    kind("getPolicyBfdProfile", "/infra/bfd-profiles"),
    kind("getPolicyBridgeProfile", "{point}/edge-bridge-profiles"),
    kind("getPolicyCertificate", "/infra/certificates"),
    kind("getPolicyContextProfile", "/infra/context-profiles"),
    kind("getPolicyDhcpServer", "/infra/dhcp-server-configs"),
    kind(
        "getPolicyDistributedFloodProtectionProfile",
        "/infra/flood-protection-profiles",
    ),
    kind("getPolicyEdgeCluster", "{point}/edge-clusters"),
    // The following kinds are not in the small load.
    MeasuredKind {
        fields: |number| json!({"ip_addresses": [address(number)]}),
        selectors: LoadSelectors::Address,
        ..kind("getDiscoveredNode", "/api/v1/fabric/discovered-nodes")
    },
    MeasuredKind {
        fields: |_| json!({"type": "EDGE"}),
        inputs: |_| json!({"upgradePrepareId": "prepared"}),
        selectors: LoadSelectors::Exact,
        ..kind("getEdgeUpgradeGroup", "/api/v1/upgrade/upgrade-unit-groups")
    },
    MeasuredKind {
        fields: |_| json!({"type": "HOST"}),
        inputs: |_| json!({"upgradePrepareId": "prepared"}),
        selectors: LoadSelectors::Exact,
        ..kind("getHostUpgradeGroup", "/api/v1/upgrade/upgrade-unit-groups")
    },
    kind("getFailureDomain", "/api/v1/failure-domains"),
    exact("getManagerClusterNode", "/api/v1/cluster/nodes"),
    MeasuredKind {
        selectors: LoadSelectors::Cluster,
        ..kind(
            "getPolicyClusterSecurityConfig",
            "/infra/settings/security/cluster-configs",
        )
    },
    kind("getPolicyContainerCluster", "{point}/cluster-control-planes"),
    kind(
        "getPolicyDistributedVlanConnection",
        "/infra/distributed-vlan-connections",
    ),
    kind(
        "getPolicyEdgeHighAvailabilityProfile",
        "{point}/edge-cluster-high-availability-profiles",
    ),
    kind("getPolicyEdgeTransportNode", "{point}/edge-transport-nodes"),
    MeasuredKind {
        inputs: |number| json!({"edgeClusterPath": cluster_of(number)}),
        selectors: LoadSelectors::Node,
        ..kind("getPolicyEdgeNode", "")
    },
    // The following kinds are only in the wide load.
    kind("getPolicyGroup", "/infra/domains/default/groups"),
    kind("getPolicyService", "/infra/services"),
    kind("getPolicySegment", "/infra/segments"),
    kind("getPolicyTier0Gateway", "/infra/tier-0s"),
    kind("getPolicyTier1Gateway", "/infra/tier-1s"),
    kind("getPolicyTransportZone", "{point}/transport-zones"),
    kind(
        "getPolicySecurityPolicy",
        "/infra/domains/default/security-policies",
    ),
    kind(
        "getPolicyGatewayPolicy",
        "/infra/domains/default/gateway-policies",
    ),
    kind("getPolicyIpPool", "/infra/ip-pools"),
    kind("getPolicyIpBlock", "/infra/ip-blocks"),
    kind("getPolicyQosProfile", "/infra/qos-profiles"),
    kind("getPolicyIpDiscoveryProfile", "/infra/ip-discovery-profiles"),
    kind("getPolicyMacDiscoveryProfile", "/infra/mac-discovery-profiles"),
    kind(
        "getPolicySegmentSecurityProfile",
        "/infra/segment-security-profiles",
    ),
    kind("getPolicySpoofguardProfile", "/infra/spoofguard-profiles"),
    kind("getPolicyGatewayQosProfile", "/infra/gateway-qos-profiles"),
    kind("getPolicyIpv6DadProfile", "/infra/ipv6-dad-profiles"),
    kind("getPolicyIpv6NdraProfile", "/infra/ipv6-ndra-profiles"),
    kind("getPolicyIpsecVpnDpdProfile", "/infra/ipsec-vpn-dpd-profiles"),
    kind("getPolicyIpsecVpnIkeProfile", "/infra/ipsec-vpn-ike-profiles"),
    kind(
        "getPolicyIpsecVpnTunnelProfile",
        "/infra/ipsec-vpn-tunnel-profiles",
    ),
    kind("getPolicyLbService", "/infra/lb-services"),
    kind("getPolicyLbAppProfile", "/infra/lb-app-profiles"),
    kind("getPolicyLbMonitor", "/infra/lb-monitor-profiles"),
    kind("getPolicyLbPersistenceProfile", "/infra/lb-persistence-profiles"),
    kind("getPolicyLbClientSslProfile", "/infra/lb-client-ssl-profiles"),
    kind("getPolicyLbServerSslProfile", "/infra/lb-server-ssl-profiles"),
    kind("getPolicyHostTransportNode", "{point}/host-transport-nodes"),
    kind(
        "getPolicyHostTransportNodeProfile",
        "/infra/host-transport-node-profiles",
    ),
    kind("getPolicyShare", "/infra/shares"),
    kind("getTransportZone", "/api/v1/transport-zones"),
];
const SMALL: usize = 18;
const LARGE: usize = 29;

/// Kinds of the large load that also exist in projects, as positions in [`KINDS`].
const IN_PROJECTS: [usize; 4] = [13, 14, 15, 16];

/// Number of objects on a manager.
#[derive(Clone, Copy)]
pub(crate) struct MeasuredLoad {
    pub(crate) name: &'static str,
    kinds: usize,
    /// Objects of each kind outside of projects.
    each: usize,
    projects: usize,
    /// Objects of each kind in each project.
    in_project: usize,
}

/// 18 kinds of 200 objects: 3,600.
pub(crate) const SMALL_LOAD: MeasuredLoad = MeasuredLoad {
    name: "small",
    kinds: SMALL,
    each: 200,
    projects: 0,
    in_project: 0,
};

/// 29 kinds of 1,380 objects and 100 projects with 25 objects of 4 of the kinds: 50,020.
pub(crate) const LARGE_LOAD: MeasuredLoad = MeasuredLoad {
    name: "large",
    kinds: LARGE,
    each: 1380,
    projects: 100,
    in_project: 25,
};

/// 60 kinds of 200 objects: 12,000.
pub(crate) const WIDE_LOAD: MeasuredLoad = MeasuredLoad {
    name: "wide",
    kinds: KINDS.len(),
    each: 200,
    projects: 0,
    in_project: 0,
};

/// Installations of about 1,000 to 1,000,000 objects: 29 kinds, and 4 of them in up to 1,000 projects.
pub(crate) const INSTALLATIONS: [MeasuredLoad; 4] = [
    installation("10^3", 20, 5, 20),
    installation("10^4", 201, 52, 20),
    installation("10^5", 2_001, 101, 104),
    installation("10^6", 20_138, 1_000, 104),
];

const fn installation(name: &'static str, each: usize, projects: usize, in_project: usize) -> MeasuredLoad {
    MeasuredLoad {
        name,
        kinds: LARGE,
        each,
        projects,
        in_project,
    }
}

/// One lookup and the id that its answer must have.
#[derive(Clone)]
pub(crate) struct MeasuredLookup {
    pub(crate) function: &'static str,
    pub(crate) input: Value,
    pub(crate) id: String,
}

impl MeasuredLoad {
    pub(crate) fn named(name: &str) -> Self {
        [SMALL_LOAD, LARGE_LOAD]
            .into_iter()
            .find(|load| load.name == name)
            .unwrap()
    }

    /// The inventory documents of `netmgr simulate`, one for each kind and for each group of projects, because there
    /// can be a million objects.
    pub(crate) fn inventory(&self) -> InventoryDocuments {
        let mut inventory = InventoryDocuments::default();
        for (at, kind) in KINDS[..self.kinds].iter().enumerate() {
            let mut collections: BTreeMap<String, Vec<Value>> = BTreeMap::new();
            for number in 0..self.each {
                let objects = collections.entry(kind.collection(number)).or_default();
                objects.push(kind.object(at, number));
            }
            inventory.add(&json!(collections));
        }
        let projects: Vec<usize> = (0..self.projects).collect();
        for projects in projects.chunks(100) {
            let mut collections: BTreeMap<String, Vec<Value>> = BTreeMap::new();
            for (project, at) in projects
                .iter()
                .flat_map(|project| IN_PROJECTS.map(|at| (project, at)))
            {
                let collection = format!(
                    "/orgs/default/projects/{}{}",
                    project_id(*project),
                    KINDS[at].collection
                );
                let objects = (0..self.in_project).map(|number| KINDS[at].object(at, number));
                collections.insert(collection, objects.collect());
            }
            inventory.add(&json!(collections));
        }
        inventory
    }

    /// Number of objects.
    pub(crate) fn objects(&self) -> usize {
        self.kinds * self.each + self.projects * IN_PROJECTS.len() * self.in_project
    }

    /// A lookup by name of the object in the middle of a kind.
    pub(crate) fn one(&self, function: &str) -> MeasuredLookup {
        let at = KINDS.iter().position(|kind| kind.function == function).unwrap();
        MeasuredLookup {
            function: KINDS[at].function,
            input: json!({"displayName": name(at, self.each / 2)}),
            id: KINDS[at].id(at, self.each / 2),
        }
    }

    /// `count` lookups, spread over the kinds. Of ten lookups of a kind, eight have a name, one a prefix of a name and
    /// one an id, if the function accepts them. With projects, every fifth lookup of a kind that exists in projects is
    /// made in one.
    pub(crate) fn lookups(&self, count: usize) -> Vec<MeasuredLookup> {
        (0..count)
            .map(|at| self.lookup(at % self.kinds, at / self.kinds))
            .collect()
    }

    /// `count` lookups by distinct ids, spread over the projects and their kinds.
    pub(crate) fn by_id(&self, count: usize) -> Vec<MeasuredLookup> {
        let collections = (0..self.projects).flat_map(|project| IN_PROJECTS.map(|at| (project, at)));
        let objects = (0..self.in_project).flat_map(|number| collections.clone().map(move |of| (number, of)));
        let lookup = |(number, (project, at)): (usize, (usize, usize))| {
            let id = KINDS[at].id(at, number);
            MeasuredLookup {
                function: KINDS[at].function,
                input: json!({"id": id, "context": {"projectId": project_id(project)}}),
                id,
            }
        };
        objects.map(lookup).take(count).collect()
    }

    fn lookup(&self, at: usize, turn: usize) -> MeasuredLookup {
        let kind = &KINDS[at];
        let in_project = self.projects > 0 && turn.is_multiple_of(5) && IN_PROJECTS.contains(&at);
        // Steps without a common factor with the numbers of objects, so that every object is looked up.
        let number = match in_project {
            true => turn * 7 % self.in_project,
            false => turn * 37 % self.each,
        };
        let id = kind.id(at, number);
        let name = name(at, number);
        let mut input = (kind.inputs)(number);
        let (selector, value) = match (kind.selectors, turn % 10) {
            (LoadSelectors::Cluster, _) => ("clusterId", id.clone()),
            (LoadSelectors::Address, 0..9) => ("ipAddress", address(number)),
            (LoadSelectors::All | LoadSelectors::Node, 8) => {
                ("displayName", name[..name.len() - NAME_TAIL].to_owned())
            }
            (LoadSelectors::All | LoadSelectors::Exact | LoadSelectors::Address, 9) => ("id", id.clone()),
            _ => ("displayName", name),
        };
        input[selector] = json!(value);
        // The only function by id that also requires a name.
        if kind.function == "getComputeCollection" {
            input["displayName"] = json!(self::name(at, number));
        }
        if in_project {
            input["context"] = json!({"projectId": project_id(turn % self.projects)});
        }
        MeasuredLookup {
            function: kind.function,
            input,
            id,
        }
    }
}

impl MeasuredKind {
    fn collection(&self, number: usize) -> String {
        match self.selectors {
            LoadSelectors::Node => format!("{}/edge-nodes", cluster_of(number)),
            _ => self.collection.replace("{point}", POINT),
        }
    }

    fn id(&self, at: usize, number: usize) -> String {
        match self.selectors {
            LoadSelectors::Node => (number % NODES).to_string(),
            _ => format!("id-{at:02}-{number:05}"),
        }
    }

    fn object(&self, at: usize, number: usize) -> Value {
        let mut object = (self.fields)(number);
        let field =
            match self.collection.starts_with("/api/v1/fabric/") && self.function != "getComputeManager" {
                true => "external_id",
                false => "id",
            };
        object[field] = json!(self.id(at, number));
        object["display_name"] = json!(name(at, number));
        object["description"] = json!(format!("Object {number} of kind {at}"));
        object["tags"] = json!([{"scope": "rack", "tag": (number % 16).to_string()}]);
        if self.selectors == LoadSelectors::Node {
            object["member_index"] = json!(number % NODES);
        }
        object
    }
}

/// Bytes that can be removed from the end of a name while it still identifies one object.
const NAME_TAIL: usize = 6;

fn name(at: usize, number: usize) -> String {
    format!("kind {at:02} object {number:05} amber")
}

fn address(number: usize) -> String {
    format!("198.19.{}.{}", number / 250, number % 250 + 1)
}

fn cluster_of(number: usize) -> String {
    format!("{POINT}/edge-clusters/id-17-{:05}", number / NODES)
}

fn project_id(number: usize) -> String {
    format!("project-{number:03}")
}

/// The inventory document for maps: `count` groups.
pub(crate) fn groups(count: usize) -> InventoryDocuments {
    let group = |number| {
        let (id, name) = group(number);
        json!({"id": id, "display_name": name})
    };
    let mut inventory = InventoryDocuments::default();
    inventory.add(&json!({"/api/v1/ns-groups": (0..count).map(group).collect::<Vec<_>>()}));
    inventory
}

/// The map of all groups.
pub(crate) fn map() -> MeasuredLookup {
    MeasuredLookup {
        function: "getNsGroups",
        input: json!({}),
        id: "getNsGroups".to_owned(),
    }
}

/// Id and name of a group.
pub(crate) fn group(number: usize) -> (String, String) {
    (format!("group-{number:06}"), format!("group {number:06}"))
}
