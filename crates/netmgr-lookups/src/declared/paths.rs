//! Inputs that are paths or parts of paths: parents, domains, sites and the object itself.

use netmgr_types::shapes::{ID_SEGMENT, OPTIONAL_ID_SEGMENT, given, segment};
use netmgr_types::{Deployment, PolicyPath};
use schemars::Schema;

use super::plan::PlanBuilder;
use super::rules::{Rule, camel_case};
use crate::plan::{OTHER_MANAGER, optional, site_path, site_pattern};
use crate::read::{ObjectKind, Parent, Tree};
use crate::reads::InputReads;

/// The kinds of object that the path of an input may lead to.
pub(crate) struct PathKind {
    /// Name of such an object: `gateway`.
    noun: &'static str,
    /// Suffixes of the paths. `*` matches an id.
    ends: &'static [&'static str],
    example: &'static str,
}

macro_rules! path_kinds {
    ($($(#[$doc:meta])* $name:ident: $noun:literal, [$($end:literal),+], $example:literal;)*) => {
        $($(#[$doc])* pub(crate) const $name: PathKind = PathKind {
            noun: $noun,
            ends: &[$($end),+],
            example: $example,
        };)*
    };
}

path_kinds! {
    /// A tier-0 gateway.
    TIER0: "tier-0 gateway", ["tier-0s/*"], "/infra/tier-0s/t0";
    /// A tier-1 gateway.
    TIER1: "tier-1 gateway", ["tier-1s/*"], "/infra/tier-1s/t1";
    /// A tier-0 or tier-1 gateway.
    GATEWAY: "gateway", ["tier-0s/*", "tier-1s/*"], "/infra/tier-1s/t1";
    /// An edge cluster.
    EDGE_CLUSTER: "edge cluster", ["edge-clusters/*"],
        "/infra/sites/default/enforcement-points/default/edge-clusters/edge";
    /// A node of an edge cluster, or the edge cluster.
    EDGE: "edge node or cluster", ["edge-clusters/*", "edge-clusters/*/edge-nodes/*"],
        "/infra/sites/default/enforcement-points/default/edge-clusters/edge/edge-nodes/0";
    /// An enforcement point.
    ENFORCEMENT_POINT: "enforcement point", ["enforcement-points/*"], "/infra/sites/default/enforcement-points/default";
    /// A site.
    SITE: "site", ["sites/*"], "/infra/sites/default";
    /// An edge transport node.
    EDGE_TRANSPORT_NODE: "edge transport node", ["sites/*/enforcement-points/*/edge-transport-nodes/*"],
        "/infra/sites/default/enforcement-points/default/edge-transport-nodes/node-1";
    /// A policy of the intrusion service.
    IDS_POLICY: "intrusion service policy", ["intrusion-service-policies/*"],
        "/infra/domains/default/intrusion-service-policies/ids";
    /// A gateway policy of the intrusion service.
    IDS_GATEWAY_POLICY: "intrusion service gateway policy", ["intrusion-service-gateway-policies/*"],
        "/infra/domains/default/intrusion-service-gateway-policies/ids";
    /// A VPN service.
    VPN_SERVICE: "IPsec VPN service", ["ipsec-vpn-services/*"], "/infra/tier-1s/t1/ipsec-vpn-services/vpn";
    /// A locale service of a gateway.
    LOCALE_SERVICE: "locale service", ["locale-services/*"], "/infra/tier-0s/t0/locale-services/default";
    /// A route controller.
    ROUTE_CONTROLLER: "route controller", ["route-controllers/*"], "/infra/route-controllers/rc";
    /// A route controller or its BGP configuration.
    ROUTE_CONTROLLER_BGP: "route controller or its BGP configuration",
        ["route-controllers/*", "route-controllers/*/bgp"], "/infra/route-controllers/rc/bgp";
    /// Any policy object.
    OBJECT: "policy object", ["*/*"], "/infra/segments/web";
    /// An interface of a gateway.
    INTERFACE: "gateway interface", ["interfaces/*"], "/infra/tier-0s/t0/locale-services/default/interfaces/uplink";
    /// A collection of host transport nodes.
    HOST_COLLECTION: "host transport node collection", ["transport-node-collections/*"],
        "/infra/sites/default/enforcement-points/default/transport-node-collections/tnc";
    /// A profile of host transport nodes.
    HOST_PROFILE: "host transport node profile", ["host-transport-node-profiles/*"],
        "/infra/host-transport-node-profiles/tnp";
    /// A virtual network appliance.
    VNA: "virtual network appliance", ["virtual-network-appliance-clusters/*/virtual-network-appliances/*"],
        "/infra/sites/default/enforcement-points/default/virtual-network-appliance-clusters/vna/virtual-network-appliances/vna-1";
    /// A subnet of a VPC.
    SUBNET: "subnet", ["subnets/*"], "/orgs/default/projects/dev/vpcs/web/subnets/frontend";
    /// A segment.
    SEGMENT: "segment", ["segments/*"], "/infra/segments/web";
    /// A transit gateway.
    TRANSIT_GATEWAY: "transit gateway", ["transit-gateways/*"],
        "/orgs/default/projects/dev/transit-gateways/default";
    /// A cluster of virtual network appliances.
    VNA_CLUSTER: "cluster of virtual network appliances", ["virtual-network-appliance-clusters/*"],
        "/infra/sites/default/enforcement-points/default/virtual-network-appliance-clusters/vna";
}

impl PathKind {
    /// `text` without trailing slashes, if it is the policy path of such an object.
    pub(crate) fn read<'a>(&self, text: &'a str) -> Result<&'a str, String> {
        let path = match PolicyPath::parse(text) {
            Ok(path) => path,
            Err(reason) => return Err(format!("{}: {reason}", self.refusal())),
        };
        let segments: Vec<&str> = path.segments().collect();
        let inside = match segments.as_slice() {
            ["infra" | "global-infra", inside @ ..] | ["orgs", "default", "projects", _, inside @ ..] => {
                inside
            }
            _ => &[],
        };
        let is_meant = |end: &&str| {
            let wanted = end.rsplit('/');
            let mut segments = inside.iter().rev();
            wanted.clone().all(|wanted| {
                segments
                    .next()
                    .is_some_and(|segment| wanted == "*" || wanted == *segment)
            })
        };
        match self.ends.iter().any(is_meant) {
            true => Ok(path.as_str()),
            false => Err(self.refusal()),
        }
    }

    /// The reason for rejecting any other string.
    fn refusal(&self) -> String {
        let article = if self.noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
            "an"
        } else {
            "a"
        };
        let Self { noun, example, .. } = self;
        format!("must be the policy path of {article} {noun}, such as `{example}`")
    }

    /// Pattern of the paths, for schemas.
    pub(crate) fn pattern(&self) -> String {
        PolicyPath::pattern(self.ends)
    }

    /// Adds the pattern to the schema of an input that may be empty.
    fn describe(&self, schema: &mut Schema) {
        schema.insert("pattern".to_owned(), optional(&self.pattern()).into());
    }
}

/// The object must be below another one.
pub(crate) struct ParentAt(PathKind);

/// The object must be below the object at this policy path.
pub(crate) const fn parent(kind: PathKind) -> ParentAt {
    ParentAt(kind)
}

impl Rule<Option<String>> for ParentAt {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        if let Some(text) = given(value) {
            match self.0.read(text) {
                Ok(path) => plan.below(field, self.0.noun, path),
                Err(reason) => plan.refuse(&camel_case(field), reason),
            }
        }
    }

    fn reads(&self, reads: &mut InputReads) {
        reads.parents(self.0.ends);
    }

    fn describe(&self, schema: &mut Schema) {
        self.0.describe(schema);
    }
}

impl Rule<String> for ParentAt {
    fn apply(&self, field: &str, value: &String, plan: &mut PlanBuilder<'_>) {
        match value.as_str() {
            "" => plan.refuse(&camel_case(field), "is required"),
            _ => self.apply(field, &Some(value.clone()), plan),
        }
    }

    fn reads(&self, reads: &mut InputReads) {
        reads.parents(self.0.ends);
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("pattern".to_owned(), self.0.pattern().into());
    }
}

/// Interfaces of a gateway, whose type depends on that of the gateway.
pub(crate) struct Interfaces {
    path: PathKind,
    tier0: &'static ObjectKind,
    tier1: &'static ObjectKind,
    /// The input to which this one is an alternative.
    instead_of: Option<&'static str>,
}

impl Interfaces {
    /// Requires this input unless the one before it, `other`, is set.
    pub(crate) const fn required(mut self, other: &'static str) -> Self {
        self.instead_of = Some(other);
        self
    }
}

/// The object is an interface below this gateway or one of its locale services.
pub(crate) const fn interfaces(
    path: PathKind,
    tier0: &'static ObjectKind,
    tier1: &'static ObjectKind,
) -> Interfaces {
    Interfaces {
        path,
        tier0,
        tier1,
        instead_of: None,
    }
}

impl Rule<Option<String>> for Interfaces {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        let Some(text) = given(value) else {
            if let Some(other) = self.instead_of
                && plan.parent.is_none()
                && plan.problems.is_empty()
            {
                plan.refuse("", format!("`{other}` or `{}` is required", camel_case(field)));
            }
            return;
        };
        match self.path.read(text) {
            Ok(path) => {
                let is_tier0 = path.contains("/tier-0s/");
                plan.kind = if is_tier0 { self.tier0 } else { self.tier1 };
                plan.below(field, self.path.noun, path);
            }
            Err(reason) => plan.refuse(&camel_case(field), reason),
        }
    }

    fn reads(&self, reads: &mut InputReads) {
        reads.kinds(&[self.tier0, self.tier1]);
    }

    fn describe(&self, schema: &mut Schema) {
        self.path.describe(schema);
    }
}

/// The service that a VPN endpoint belongs to. Endpoints are not below the locale service that the path of the service
/// may contain.
pub(crate) struct VpnService;

impl Rule<Option<String>> for VpnService {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        let Some(text) = given(value) else { return };
        match VPN_SERVICE.read(text) {
            Ok(path) => {
                let mut segments: Vec<&str> = path.split('/').collect();
                if let Some(at) = segments.iter().position(|segment| *segment == "locale-services") {
                    segments.drain(at..at + 2);
                }
                plan.below(field, VPN_SERVICE.noun, &segments.join("/"));
                if let Some((parent, _)) = &mut plan.parent {
                    parent.object = Some(path.to_owned());
                }
            }
            Err(reason) => plan.refuse(&camel_case(field), reason),
        }
    }

    fn describe(&self, schema: &mut Schema) {
        VPN_SERVICE.describe(schema);
    }
}

/// The object must refer to another one.
pub(crate) struct PathOf(&'static str, PathKind);

/// The member `wire` of the object must be this policy path.
pub(crate) const fn path_of(wire: &'static str, kind: PathKind) -> PathOf {
    PathOf(wire, kind)
}

impl Rule<Option<String>> for PathOf {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        if let Some(text) = given(value) {
            match self.1.read(text) {
                Ok(path) => {
                    plan.filter_text(field, self.0, path);
                    plan.mentions.push(Parent::new(self.1.noun, path.to_owned()));
                }
                Err(reason) => plan.refuse(&camel_case(field), reason),
            }
        }
    }

    fn describe(&self, schema: &mut Schema) {
        self.1.describe(schema);
    }
}

/// The enforcement point whose objects the manager lists.
pub(crate) struct AtEnforcementPoint;

impl Rule<Option<String>> for AtEnforcementPoint {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        match given(value).map(|text| ENFORCEMENT_POINT.read(text)) {
            Some(Ok(path)) => plan.parameters.push(("enforcement_point_path", path.to_owned())),
            Some(Err(reason)) => plan.refuse(&camel_case(field), reason),
            None => {}
        }
    }

    fn describe(&self, schema: &mut Schema) {
        ENFORCEMENT_POINT.describe(schema);
    }
}

/// The path of the object itself, instead of its id.
pub(crate) struct Itself(pub(crate) PathKind);

impl Rule<Option<String>> for Itself {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        let Some(text) = given(value) else { return };
        match self.0.read(text) {
            Ok(path) => {
                let object = PolicyPath::trusted(path);
                plan.itself = Some((camel_case(field).into_owned(), object.id().to_owned()));
                if let Some(tree) = plan.tree_around(field, path) {
                    // The collection is directly below the root of the tree.
                    if object.parent() != tree.base() {
                        plan.refuse(&camel_case(field), self.0.refusal());
                    }
                    plan.context = Some(tree);
                }
            }
            Err(reason) => plan.refuse(&camel_case(field), reason),
        }
    }

    fn describe(&self, schema: &mut Schema) {
        self.0.describe(schema);
    }
}

/// The path of an object that further requests are about.
pub(crate) struct Later(pub(crate) PathKind);

impl Rule<Option<String>> for Later {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        match given(value).map(|text| self.0.read(text)) {
            Some(Ok(path)) => {
                plan.tree_around(field, path);
                plan.mentions.push(Parent::new(self.0.noun, path.to_owned()));
            }
            Some(Err(reason)) => plan.refuse(&camel_case(field), reason),
            None => {}
        }
    }

    fn describe(&self, schema: &mut Schema) {
        self.0.describe(schema);
    }
}

impl Rule<String> for Later {
    fn apply(&self, field: &str, value: &String, plan: &mut PlanBuilder<'_>) {
        match value.as_str() {
            "" => plan.refuse(&camel_case(field), "is required"),
            _ => self.apply(field, &Some(value.clone()), plan),
        }
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("pattern".to_owned(), self.0.pattern().into());
    }
}

/// The domain that an object is in. Default `default`.
pub(crate) struct Domain;

impl Rule<Option<String>> for Domain {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        let domain = given(value).unwrap_or("default");
        if let Err(problem) = segment(&camel_case(field), domain) {
            plan.problems.push(problem);
            return;
        }
        let path = format!("{}/domains/{domain}", plan.tree().base());
        plan.parent = Some((Parent::new("domain", path), None));
    }

    fn reads(&self, reads: &mut InputReads) {
        reads.parents(&["domains/*"]);
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("pattern".to_owned(), OPTIONAL_ID_SEGMENT.into());
        schema.insert("default".to_owned(), "default".into());
    }
}

/// The site that an object belongs to. Required on a global manager.
pub(crate) struct Site;

impl Rule<Option<String>> for Site {
    fn apply(&self, _: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        match site_path(value, plan.scope) {
            Ok(Some(site)) => {
                let noun = "site or its enforcement point";
                let path = format!("{site}/enforcement-points/{}", plan.scope.enforcement_point);
                plan.parent = Some((Parent::new(noun, path), None));
            }
            Ok(None) if plan.scope.deployment == Deployment::GlobalManager => {
                plan.refuse("sitePath", "is required on a global manager");
            }
            Ok(None) => {}
            Err(problems) => plan.problems.extend(problems),
        }
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("pattern".to_owned(), site_pattern().into());
    }
}

/// The group whose members are listed. Its input follows that of the domain.
pub(crate) struct MembersOf;

impl Rule<String> for MembersOf {
    fn apply(&self, field: &str, value: &String, plan: &mut PlanBuilder<'_>) {
        if let Err(problem) = segment(&camel_case(field), value) {
            plan.problems.push(problem);
        } else if let Some((domain, _)) = &mut plan.parent {
            domain.noun = "group";
            domain.path.push_str(&format!("/groups/{value}"));
        }
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("pattern".to_owned(), ID_SEGMENT.into());
    }
}

/// The enforcement point that an object is below. Its input follows that of the site.
pub(crate) struct EnforcementPoint;

impl Rule<Option<String>> for EnforcementPoint {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        let Some(point) = given(value) else { return };
        if let Err(problem) = segment(&camel_case(field), point) {
            plan.problems.push(problem);
            return;
        }
        let site = match &plan.parent {
            Some((parent, _)) => PolicyPath::trusted(&parent.path).collection().to_owned(),
            None => format!("{}/sites/default/enforcement-points", plan.tree().base()),
        };
        let path = format!("{site}/{point}");
        plan.parent = Some((Parent::new("enforcement point", path), None));
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("pattern".to_owned(), OPTIONAL_ID_SEGMENT.into());
    }
}

impl PlanBuilder<'_> {
    /// Restricts the read to objects below `path`.
    fn below(&mut self, field: &str, noun: &'static str, path: &str) {
        if let Some(tree) = self.tree_around(field, path) {
            let path = path.to_owned();
            self.parent = Some((Parent::new(noun, path), Some(tree)));
        }
    }

    /// The tree of `path`, which must be in the context if there is one.
    fn tree_around(&mut self, field: &str, path: &str) -> Option<Tree> {
        let property = camel_case(field);
        let tree = Tree::around(path, self.scope.deployment);
        match (&self.context, &tree) {
            (_, None) => self.refuse(&property, OTHER_MANAGER),
            (Some(context), Some(tree)) if context != tree => {
                self.refuse(&property, "is not in the `context`; change one of them");
                return None;
            }
            _ => {}
        }
        tree
    }
}
