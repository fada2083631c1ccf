//! Types of policy objects by their names on the wire, for the functions about any object.
//!
//! A type is read in the same way as by its own functions, so that they share requests. Other types are only found by
//! the search.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use netmgr_types::{PolicyPath, similar};

use crate::contract::registry::FunctionEntry;
use crate::finding::object_kind::{CollectionPlace, ObjectKind};
use crate::finding::tree::Tree;
use crate::functions::subjects::OF_SUBJECTS;
use crate::wording::type_names::type_named;

/// Types without their own functions. Source: the types that VMware NSX's policy API creates and updates, as in
/// `vmware/vsphere-automation-sdk-go`, `services/nsxt`.
const FURTHER: &str = "\
    ALGTypeServiceEntry BgpNeighborConfig BgpRoutingConfig CaBundle CommunityList \
    ComputeClusterIdfwConfiguration ConstraintGlobalConfig DfwFirewallConfiguration DhcpRelayConfig \
    DhcpV4StaticBindingConfig DhcpV6StaticBindingConfig DirectoryDomain DnsSecurityProfile \
    DnsSecurityProfileBindingMap Domain DomainDeploymentMap EndpointPolicy EndpointRule EnforcementPoint \
    EtherTypeServiceEntry EvpnConfig EvpnTenantConfig EvpnTunnelEndpointConfig FloodProtectionProfileBindingMap \
    ForwardingPolicy ForwardingRule FqdnAnalysisConfig GlobalConfig GlobalIdsSignature \
    GroupDiscoveryProfileBindingMap GroupMonitoringProfileBindingMap ICMPTypeServiceEntry IGMPTypeServiceEntry \
    IPFIXDFWCollectorProfile IPFIXDFWProfile IPFIXL2CollectorProfile IPFIXL2Profile IPProtocolServiceEntry \
    IdentityFirewallStore IdsClusterConfig IdsCustomSignature IdsCustomSignatureVersion IdsGatewayPolicy IdsRule \
    IdsSecurityPolicy IdsSettings IdsSignature IdsSignatureVersion IdsStandaloneHostConfig InfraSecurityConfig \
    IpAddressAllocation IpAddressPoolBlockSubnet IpAddressPoolStaticSubnet L2VPNSession L2Vpn L3Vpn \
    L4PortSetServiceEntry L7AccessEntry L7AccessProfile LBCookiePersistenceProfile LBFastTcpProfile \
    LBFastUdpProfile LBGenericPersistenceProfile LBHttpMonitorProfile LBHttpProfile LBHttpsMonitorProfile \
    LBIcmpMonitorProfile LBPassiveMonitorProfile LBPool LBSourceIpPersistenceProfile LBTcpMonitorProfile \
    LBUdpMonitorProfile LBVirtualServer MalwarePreventionProfile MetadataProxyConfig NestedServiceServiceEntry \
    OspfAreaConfig OspfRoutingConfig PolicyBasedIPSecVpnSession PolicyDnsForwarderZone PolicyDraft \
    PolicyExcludeList PolicyFirewallCPUMemThresholdsProfileBindingMap PolicyFirewallCpuMemThresholdsProfile \
    PolicyFirewallFloodProtectionProfileBindingMap PolicyFirewallScheduler PolicyFirewallSessionTimerProfile \
    PolicyFirewallSessionTimerProfileBindingMap PolicyIgmpProfile PolicyInterVrfRoutingConfig PolicyLabel \
    PolicyLatencyStatProfile PolicyMulticastConfig PolicyNatRule PolicyPimProfile PolicySIExcludeList \
    PolicyServiceChain PolicyServiceInstance PolicyServiceProfile PolicyTier1MulticastConfig \
    PolicyTransportZoneProfile PolicyUrlCategorizationConfig PolicyVpcNatRule PortDiscoveryProfileBindingMap \
    PortMirroringInstance PortMirroringProfile PortMonitoringProfileBindingMap PortQosProfileBindingMap \
    PortSecurityProfileBindingMap ProjectRouteFilter RedirectionPolicy RedirectionRule RouteBasedIPSecVpnSession \
    Rule SecurityFeatures SegmentDiscoveryProfileBindingMap SegmentMonitoringProfileBindingMap \
    SegmentQosProfileBindingMap SegmentSecurityProfileBindingMap ServiceInstanceEndpoint ServiceInterface \
    ServiceReference ServiceSegment SessionTimerProfileBindingMap SharedResource StandaloneHostIdfwConfiguration \
    StaticARPConfig StaticRouteBfdPeer StaticRoutes Tier0DeploymentMap Tier0InterfaceGroup Tier0SecurityFeatures \
    Tier1InterfaceGroup TlsCrl TlsPolicy TlsRule Tunnel";

static FURTHER_KINDS: LazyLock<Vec<ObjectKind>> = LazyLock::new(|| {
    let kinds = FURTHER.split(' ').map(|name| ObjectKind::anywhere(name, name));
    kinds.collect()
});

/// A type of policy objects.
#[derive(Debug)]
pub(crate) struct ObjectType {
    /// Location from the functions for this type, if they agree.
    own: Option<&'static ObjectKind>,
    /// The objects below any parent.
    below: ObjectKind,
    /// The objects in any tree.
    everywhere: ObjectKind,
}

static TYPES: LazyLock<BTreeMap<&'static str, ObjectType>> = LazyLock::new(|| {
    let mut kinds: BTreeMap<&str, Vec<&'static ObjectKind>> = BTreeMap::new();
    for kind in kinds_of_functions().filter(|kind| !kind.resource_type.is_empty()) {
        kinds.entry(kind.resource_type).or_default().push(kind);
    }
    let types = kinds.into_iter().map(|(name, kinds)| {
        let first = kinds[0];
        let is_one = kinds.iter().all(|kind| kind.place == first.place);
        let below = ObjectKind::anywhere(first.noun, name);
        let object_type = ObjectType {
            own: is_one.then_some(first),
            below: if first.is_inventory {
                below.inventory()
            } else {
                below
            },
            everywhere: ObjectKind::anywhere(first.noun, name).inventory().without_ids(),
        };
        (name, object_type)
    });
    types.collect()
});

/// The collections that functions read, by name, with objects of any type.
static COLLECTIONS: LazyLock<BTreeMap<&'static str, ObjectKind>> = LazyLock::new(|| {
    let mut collections = BTreeMap::new();
    for kind in kinds_of_functions() {
        let (CollectionPlace::Infra(collection)
        | CollectionPlace::Project(collection)
        | CollectionPlace::Below(collection)
        | CollectionPlace::Nested(collection)) = kind.place
        else {
            continue;
        };
        let of_any_type = ObjectKind::nested("object", "", collection).listed_with(kind.list);
        let of_any_type = if kind.paged {
            of_any_type
        } else {
            of_any_type.unpaged()
        };
        if !kind.is_inventory && !collection.contains('/') && !has_parts(collection) {
            collections.entry(collection).or_insert(of_any_type);
        }
    }
    collections
});

/// The kinds of policy objects that functions read, and further kinds.
fn kinds_of_functions() -> impl Iterator<Item = &'static ObjectKind> {
    let kinds = OF_SUBJECTS
        .iter()
        .flat_map(FunctionEntry::kinds)
        .chain(&*FURTHER_KINDS);
    kinds.filter(|kind| match kind.place {
        CollectionPlace::Fixed(path) => path.starts_with("/policy/api/"),
        _ => true,
    })
}

/// Whether objects of the collection have more members when they are read by their paths: policies with their rules.
pub(crate) fn has_parts(collection: &str) -> bool {
    collection.ends_with("-policies")
}

/// The kind of the object at `path` if its collection can be listed instead.
pub(crate) fn kind_at(path: &str) -> Option<&'static ObjectKind> {
    COLLECTIONS.get(PolicyPath::trusted(path).collection_name())
}

/// Other collections that functions read and whose names are similar to `name`.
pub(crate) fn similar_collections(name: &str) -> Vec<String> {
    let names = kinds_of_functions().filter_map(|kind| kind.place.collection().rsplit('/').next());
    let others: BTreeSet<&str> = names.filter(|other| *other != name).collect();
    let others: Vec<&str> = others.into_iter().collect();
    similar(name, &others).into_iter().map(str::to_owned).collect()
}

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TYPES.keys().copied()
}

impl ObjectType {
    /// The type that a word means.
    ///
    /// # Errors
    ///
    /// A reason with similar names.
    pub(crate) fn named(word: &str) -> Result<&'static Self, String> {
        let name = type_named(word, &names().map(str::to_owned).collect::<Vec<_>>()).map_err(|similar| {
            let hint = match similar.as_slice() {
                [] => ", such as `Group` or `Segment`".to_owned(),
                names => format!("; similar types are `{}`", names.join("`, `")),
            };
            format!("must be a type of policy object{hint}")
        })?;
        Ok(&TYPES[&*name])
    }

    /// The objects of this type in `tree`, or below a parent at any depth.
    ///
    /// # Errors
    ///
    /// A reason if the place has no objects of this type.
    pub(crate) fn kind(&'static self, tree: &Tree, has_parent: bool) -> Result<&'static ObjectKind, String> {
        // No site of a global manager is the default.
        let is_below = |kind: &ObjectKind, tree: &Tree| match kind.place {
            CollectionPlace::Nested(_) => true,
            CollectionPlace::Below(_) => *tree == Tree::Global,
            _ => false,
        };
        let is_of_projects = |kind: &ObjectKind| matches!(kind.place, CollectionPlace::Project(_));
        match self.own {
            _ if self.below.is_of_vpcs() || self.own.is_some_and(is_of_projects) => {
                match tree.project_path().is_some() || has_parent {
                    true => Ok(&self.below),
                    false => Err(format!(
                        "is required, because each {} is in a project; for the project default, set \
                         `parentPath` to /orgs/default/projects/default",
                        self.below.noun
                    )),
                }
            }
            Some(kind) if !has_parent && !is_below(kind, tree) => Ok(kind),
            _ => Ok(&self.below),
        }
    }

    /// A kind that finds all objects of `kind`. Only the search finds those outside its collection.
    pub(crate) fn wherever(kind: &'static ObjectKind) -> &'static ObjectKind {
        let is_spread = kind.also_outside_collection || matches!(kind.place, CollectionPlace::Below(_));
        let is_searched = is_spread && kind.is_indexed() && !kind.is_inventory;
        let object_type = TYPES.get(kind.resource_type).filter(|_| is_searched);
        object_type.map_or(kind, |object_type| &object_type.below)
    }

    /// Whether its objects are in the inventory, and not in a policy tree.
    pub(crate) fn is_inventory(&self) -> bool {
        self.below.is_inventory
    }

    /// Its name on the wire.
    pub(crate) fn name(&self) -> &'static str {
        self.everywhere.resource_type
    }

    /// The objects of this type in any tree.
    pub(crate) fn everywhere(&'static self) -> &'static ObjectKind {
        &self.everywhere
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_type_lists_similar_ones() {
        for word in [
            "Group",
            "group",
            "policy-groups",
            "getPolicyGroup",
            "ids-settings",
        ] {
            assert!(ObjectType::named(word).is_ok(), "{word}");
        }
        let reason = |name| ObjectType::named(name).unwrap_err();
        assert!(reason("Segmnt").contains("`Segment`"), "{}", reason("Segmnt"));
        assert!(reason("zzz").ends_with("such as `Group` or `Segment`"));
    }

    #[test]
    fn further_types_have_no_functions() {
        let names: Vec<&str> = FURTHER.split(' ').collect();
        assert!(names.is_sorted());
        for name in names {
            let reads = kinds_of_functions().filter(|kind| kind.resource_type == name);
            assert_eq!(reads.count(), 1, "{name} has a function; remove it from FURTHER");
        }
    }

    #[test]
    fn policies_are_only_read_by_their_paths() {
        assert!(kind_at("/infra/domains/default/groups/web").is_some());
        assert!(kind_at("/infra/domains/default/security-policies/web").is_none());
        assert!(kind_at("/infra/things/web").is_none());
    }
}
