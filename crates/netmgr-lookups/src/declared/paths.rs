//! Paths of inputs: the objects that they may lead to, and what they and parts of paths mean for a plan.

use netmgr_types::shapes::segment;
use netmgr_types::{Deployment, InvalidProperty, PolicyPath};

use super::plan::PlanBuilder;
use crate::finding::object_kind::ObjectKind;
use crate::finding::plan::OTHER_MANAGER;
use crate::finding::read::{By, Parent, Scope};
use crate::finding::tree::Tree;

/// The kinds of object that the path of an input may lead to.
#[derive(Clone, Copy)]
pub(crate) struct PathKind {
    /// Name of such an object: `gateway`.
    noun: &'static str,
    /// Suffixes of the paths. `*` matches an id.
    pub(super) ends: &'static [&'static str],
    example: &'static str,
}

/// Kinds of interfaces below an object.
pub(crate) struct InterfaceKinds {
    pub(crate) tier0: ObjectKind,
    pub(crate) tier1: ObjectKind,
    /// The input before this one, if one of the two is required.
    pub(crate) instead_of: Option<&'static str>,
}

const fn kind(noun: &'static str, ends: &'static [&'static str], example: &'static str) -> PathKind {
    PathKind { noun, ends, example }
}

pub(crate) const TIER0: PathKind = kind("tier-0 gateway", &["tier-0s/*"], "/infra/tier-0s/t0");
pub(crate) const TIER1: PathKind = kind("tier-1 gateway", &["tier-1s/*"], "/infra/tier-1s/t1");
pub(crate) const GATEWAY: PathKind = kind("gateway", &["tier-0s/*", "tier-1s/*"], "/infra/tier-1s/t1");
pub(crate) const VPN_GATEWAY: PathKind = kind(
    "gateway or transit gateway",
    &["tier-0s/*", "tier-1s/*", "transit-gateways/*"],
    "/infra/tier-1s/t1",
);
pub(crate) const EDGE_CLUSTER: PathKind = kind(
    "edge cluster",
    &["edge-clusters/*"],
    "/infra/sites/default/enforcement-points/default/edge-clusters/edge",
);
pub(crate) const EDGE: PathKind = kind(
    "edge node or cluster",
    &["edge-clusters/*", "edge-clusters/*/edge-nodes/*"],
    "/infra/sites/default/enforcement-points/default/edge-clusters/edge/edge-nodes/0",
);
pub(crate) const ENFORCEMENT_POINT: PathKind = kind(
    "enforcement point",
    &["enforcement-points/*"],
    "/infra/sites/default/enforcement-points/default",
);
pub(crate) const SITE: PathKind = kind("site", &["sites/*"], "/infra/sites/default");
pub(crate) const EDGE_TRANSPORT_NODE: PathKind = kind(
    "edge transport node",
    &["sites/*/enforcement-points/*/edge-transport-nodes/*"],
    "/infra/sites/default/enforcement-points/default/edge-transport-nodes/node-1",
);
pub(crate) const IDS_POLICY: PathKind = kind(
    "intrusion service policy",
    &["intrusion-service-policies/*"],
    "/infra/domains/default/intrusion-service-policies/ids",
);
pub(crate) const IDS_GATEWAY_POLICY: PathKind = kind(
    "intrusion service gateway policy",
    &["intrusion-service-gateway-policies/*"],
    "/infra/domains/default/intrusion-service-gateway-policies/ids",
);
pub(crate) const VPN_SERVICE: PathKind = kind(
    "IPsec VPN service",
    &["ipsec-vpn-services/*"],
    "/infra/tier-1s/t1/ipsec-vpn-services/vpn",
);
pub(crate) const LOCALE_SERVICE: PathKind = kind(
    "locale service",
    &["locale-services/*"],
    "/infra/tier-0s/t0/locale-services/default",
);
pub(crate) const ROUTE_CONTROLLER: PathKind = kind(
    "route controller",
    &["route-controllers/*"],
    "/infra/route-controllers/rc",
);
pub(crate) const ROUTE_CONTROLLER_BGP: PathKind = kind(
    "route controller or its BGP configuration",
    &["route-controllers/*", "route-controllers/*/bgp"],
    "/infra/route-controllers/rc/bgp",
);
pub(crate) const OBJECT: PathKind = kind("policy object", &["*/*"], "/infra/segments/web");
pub(crate) const INTERFACE: PathKind = kind(
    "gateway interface",
    &["interfaces/*"],
    "/infra/tier-0s/t0/locale-services/default/interfaces/uplink",
);
pub(crate) const HOST_COLLECTION: PathKind = kind(
    "host transport node collection",
    &["transport-node-collections/*"],
    "/infra/sites/default/enforcement-points/default/transport-node-collections/tnc",
);
pub(crate) const HOST_PROFILE: PathKind = kind(
    "host transport node profile",
    &["host-transport-node-profiles/*"],
    "/infra/host-transport-node-profiles/tnp",
);
pub(crate) const VNA: PathKind = kind(
    "virtual network appliance",
    &["virtual-network-appliance-clusters/*/virtual-network-appliances/*"],
    "/infra/sites/default/enforcement-points/default/virtual-network-appliance-clusters/vna/virtual-network-appliances/vna-1",
);
pub(crate) const SUBNET: PathKind = kind(
    "subnet",
    &["subnets/*"],
    "/orgs/default/projects/dev/vpcs/web/subnets/frontend",
);
pub(crate) const SEGMENT: PathKind = kind("segment", &["segments/*"], "/infra/segments/web");
pub(crate) const GROUP: PathKind = kind("group", &["groups/*"], "/infra/domains/default/groups/web");
pub(crate) const TRANSIT_GATEWAY: PathKind = kind(
    "transit gateway",
    &["transit-gateways/*"],
    "/orgs/default/projects/dev/transit-gateways/default",
);
pub(crate) const VNA_CLUSTER: PathKind = kind(
    "cluster of virtual network appliances",
    &["virtual-network-appliance-clusters/*"],
    "/infra/sites/default/enforcement-points/default/virtual-network-appliance-clusters/vna",
);

impl PathKind {
    /// `text` without trailing slashes, if it is the policy path of such an object.
    pub(crate) fn read<'a>(&self, text: &'a str) -> Result<&'a str, String> {
        let path = match PolicyPath::parse(text) {
            Ok(path) => path,
            Err(reason) => return Err(format!("{}: {reason}", self.refusal())),
        };
        let segments: Vec<&str> = path.segments().collect();
        let inside = match segments.as_slice() {
            ["orgs", "default", "projects", _] => &segments[2..],
            ["infra" | "global-infra", inside @ ..] | ["orgs", "default", "projects", _, inside @ ..] => {
                inside
            }
            _ => &[],
        };
        let is_wanted = |end: &&str| {
            let wanted = end.rsplit('/');
            let mut segments = inside.iter().rev();
            wanted.clone().all(|wanted| {
                segments
                    .next()
                    .is_some_and(|segment| wanted == "*" || wanted == *segment)
            })
        };
        match self.ends.iter().any(is_wanted) {
            true => Ok(path.as_str()),
            false => Err(self.refusal()),
        }
    }

    /// The reason for rejecting any other string.
    fn refusal(&self) -> String {
        let Self { noun, example, .. } = self;
        let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u', 'I']) {
            "an"
        } else {
            "a"
        };
        format!("must be the policy path of {article} {noun}, such as `{example}`")
    }

    /// Pattern of the paths, for schemas.
    pub(crate) fn pattern(&self) -> String {
        PolicyPath::pattern(self.ends)
    }
}

/// Pattern of the strings that [`site_path`] accepts, for schemas.
pub(crate) fn site_pattern() -> String {
    optional(&PolicyPath::pattern(&["sites/*"]))
}

/// The pattern of an input that may also be empty.
pub(crate) fn optional(pattern: &str) -> String {
    format!("^$|{pattern}")
}

/// Checks a site path for this kind of manager and removes trailing slashes. `None` if it is absent.
pub(crate) fn site_path<'a>(
    input: Option<&'a str>,
    scope: &Scope,
) -> Result<Option<&'a str>, Vec<InvalidProperty>> {
    let Some(path) = input else { return Ok(None) };
    let refused = |reason: String| Err(vec![InvalidProperty::new("sitePath", reason)]);
    let path = match SITE.read(path) {
        Ok(path) => path,
        Err(reason) => return refused(reason),
    };
    let global = PolicyPath::trusted(path).is_within(&Tree::Global.base());
    match scope.deployment {
        Deployment::GlobalManager if !global => refused(
            "must be a site of the global manager, such as `/global-infra/sites/paris`; for another kind of manager, \
             remove `globalManager` from the provider's configuration"
                .to_owned(),
        ),
        Deployment::PolicyManager | Deployment::HostedCloud if global => refused(
            "is a site of a global manager; use a site of this manager, such as `/infra/sites/default`, or set \
             `globalManager` in the provider's configuration"
                .to_owned(),
        ),
        _ => Ok(Some(path)),
    }
}

impl PlanBuilder<'_> {
    /// Notes that an input names the object at `path`.
    pub(super) fn mention(&mut self, kind: PathKind, path: &str) {
        self.read.mentions.push(Parent::new(kind.noun, path.to_owned()));
    }

    /// Checks the path of an object that further requests are about.
    pub(super) fn any_path(&mut self, property: &str, kind: PathKind, path: &str) {
        self.tree_around(property, path);
        self.mention(kind, path);
    }

    /// Selects the object at `path`.
    pub(super) fn own_path(&mut self, property: &str, kind: PathKind, path: &str) {
        let object = PolicyPath::trusted(path);
        self.itself = Some(property.to_owned());
        self.read.by = By::Id(object.id().to_owned());
        if let Some(tree) = self.tree_around(property, path) {
            // The collection is directly below the root of the tree.
            if object.parent() != tree.base() {
                self.refuse(property, kind.refusal());
            }
            self.move_to(tree);
        }
    }

    /// Restricts the read to objects below `path`.
    pub(super) fn below(&mut self, property: &str, kind: PathKind, path: &str) {
        if let Some(tree) = self.tree_around(property, path) {
            self.read.parent = Some(Parent::new(kind.noun, path.to_owned()));
            self.read.tree = tree;
        }
    }

    /// Restricts the read to interfaces below `path`, whose kind depends on the tier.
    pub(super) fn interface(
        &mut self,
        property: &str,
        kind: PathKind,
        kinds: &'static InterfaceKinds,
        path: &str,
    ) {
        let is_tier0 = path.contains("/tier-0s/");
        self.read.kind = if is_tier0 { &kinds.tier0 } else { &kinds.tier1 };
        self.below(property, kind, path);
    }

    /// Restricts the read to endpoints of a VPN service. They are not below the locale service that the path of the
    /// service may contain.
    pub(super) fn vpn_endpoint(&mut self, property: &str, path: &str) {
        let mut segments: Vec<&str> = path.split('/').collect();
        if let Some(at) = segments.iter().position(|segment| *segment == "locale-services") {
            segments.drain(at..at + 2);
        }
        self.below(property, VPN_SERVICE, &segments.join("/"));
        if let Some(parent) = &mut self.read.parent {
            parent.object = Some(path.to_owned());
        }
    }

    pub(super) fn in_domain(&mut self, property: &str, domain: &str) {
        match segment(property, domain) {
            Ok(()) => {
                let path = format!("{}/domains/{domain}", self.read.tree.base());
                self.read.parent = Some(Parent::new("domain", path));
            }
            Err(problem) => self.problems.push(problem),
        }
    }

    pub(super) fn in_site(&mut self, path: Option<&str>) {
        match site_path(path, self.scope) {
            Ok(Some(site)) => {
                let noun = "site or its enforcement point";
                let path = format!("{site}/enforcement-points/{}", self.scope.enforcement_point);
                self.read.parent = Some(Parent::new(noun, path));
            }
            Ok(None) if self.scope.deployment == Deployment::GlobalManager => {
                self.refuse("sitePath", "is required on a global manager");
            }
            Ok(None) => {}
            Err(problems) => self.problems.extend(problems),
        }
    }

    /// Restricts the read to members of a group of the domain.
    pub(super) fn members_of(&mut self, property: &str, group: &str) {
        if let Err(problem) = segment(property, group) {
            self.problems.push(problem);
        } else if let Some(domain) = &mut self.read.parent {
            domain.noun = "group";
            domain.path.push_str(&format!("/groups/{group}"));
        }
    }

    /// Restricts the read to objects below an enforcement point of the site.
    pub(super) fn at_point(&mut self, property: &str, point: &str) {
        if let Err(problem) = segment(property, point) {
            self.problems.push(problem);
            return;
        }
        let site = match &self.read.parent {
            Some(parent) => PolicyPath::trusted(&parent.path).collection().to_owned(),
            None => format!("{}/sites/default/enforcement-points", self.read.tree.base()),
        };
        let path = format!("{site}/{point}");
        self.read.parent = Some(Parent::new("enforcement point", path));
    }

    /// The tree of `path`, which must be in the context if there is one.
    fn tree_around(&mut self, property: &str, path: &str) -> Option<Tree> {
        let tree = Tree::around(path, self.scope.deployment);
        match (&self.context, &tree) {
            (_, None) => self.refuse(property, OTHER_MANAGER),
            (Some(context), Some(tree)) if context != tree => {
                self.refuse(property, "is not in the `context`; change one of them");
                return None;
            }
            _ => {}
        }
        tree
    }
}
