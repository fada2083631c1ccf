//! Reads: descriptions of the objects that a lookup requests.
//!
//! A read consists of a kind of object, a place and a criterion. The executor turns it into requests with
//! queries, paging and retries.

use netmgr_types::{Deployment, Host, PolicyPath};

use crate::finding::rows::OfferedRow;

/// Facts about the manager for planning reads.
#[derive(Debug, Clone)]
pub struct Scope {
    /// The kind of manager.
    pub deployment: Deployment,
    /// The enforcement point of policy paths.
    pub enforcement_point: String,
    /// Address of the manager.
    pub host: Host,
    /// Whether a partial success counts as success.
    pub tolerate_partial_success: bool,
}

/// A kind of object on the manager.
#[derive(Debug)]
pub struct ObjectKind {
    /// Name of an object in messages: `IP pool`.
    pub noun: &'static str,
    /// Its `resource_type` on the wire; empty if the collection identifies the kind.
    pub resource_type: &'static str,
    /// Location of the objects.
    pub place: CollectionPlace,
    /// Query parameters of every read by id.
    pub object_query: Query,
    /// Query parameters of every list.
    pub list: Query,
    /// Whether the list accepts paging parameters.
    pub paged: bool,
    /// Whether names are found by a search instead of in the list.
    pub searched: bool,
    /// Whether the objects are part of the inventory that the manager discovers. They have no policy path.
    pub is_inventory: bool,
    /// Whether some objects of this kind are outside the collection, where only the search finds them.
    pub also_outside_collection: bool,
    /// Whether the list needs the enforcement point unless it is the manager's own.
    pub list_needs_enforcement_point: bool,
    /// Whether the objects have ids.
    pub has_ids: bool,
}

/// Fixed query parameters.
pub(crate) type Query = &'static [(&'static str, &'static str)];

/// Location of the objects of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollectionPlace {
    /// The collection at this path below the host: `/api/v1/pools/ip-pools`.
    Fixed(&'static str),
    /// This collection directly below the root of a policy tree: `certificates`.
    Infra(&'static str),
    /// This collection directly below a project, next to its policy tree: `vpcs`.
    Project(&'static str),
    /// This collection below an enforcement point of a site, or below the parent of the read:
    /// `edge-clusters`.
    Below(&'static str),
    /// This collection below the parent of the read: `prefix-lists`. Without a parent, only the search finds the
    /// objects.
    Nested(&'static str),
    /// Anywhere below the parent of the read or, without one, in its policy tree. Only the search finds the objects.
    Anywhere,
}

impl CollectionPlace {
    /// The collection; empty if only the search finds the objects.
    #[must_use]
    pub const fn collection(self) -> &'static str {
        match self {
            Self::Fixed(collection)
            | Self::Infra(collection)
            | Self::Project(collection)
            | Self::Below(collection)
            | Self::Nested(collection) => collection,
            Self::Anywhere => "",
        }
    }
}

impl ObjectKind {
    const fn new(
        noun: &'static str,
        resource_type: &'static str,
        place: CollectionPlace,
        searched: bool,
    ) -> Self {
        Self {
            noun,
            resource_type,
            place,
            object_query: &[],
            list: &[],
            paged: true,
            searched,
            is_inventory: false,
            also_outside_collection: false,
            list_needs_enforcement_point: false,
            has_ids: true,
        }
    }

    /// The type of the objects, or the name of their collection if it has objects of several types.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        if !self.resource_type.is_empty() {
            return self.resource_type;
        }
        self.place.collection().rsplit('/').next().unwrap_or_default()
    }

    /// A kind in the collection at a fixed path.
    #[must_use]
    pub const fn fixed(noun: &'static str, resource_type: &'static str, collection: &'static str) -> Self {
        Self::new(noun, resource_type, CollectionPlace::Fixed(collection), false)
    }

    /// A kind directly below the root of a policy tree, found by search.
    #[must_use]
    pub const fn infra(noun: &'static str, resource_type: &'static str, collection: &'static str) -> Self {
        Self::new(noun, resource_type, CollectionPlace::Infra(collection), true)
    }

    /// A kind below an enforcement point or another parent, found by search.
    #[must_use]
    pub const fn below(noun: &'static str, resource_type: &'static str, collection: &'static str) -> Self {
        Self::new(noun, resource_type, CollectionPlace::Below(collection), true)
    }

    /// A kind directly below projects, found by search.
    #[must_use]
    pub const fn project(noun: &'static str, resource_type: &'static str, collection: &'static str) -> Self {
        Self::new(noun, resource_type, CollectionPlace::Project(collection), true)
    }

    /// A kind below parents that inputs name, found by search.
    #[must_use]
    pub const fn nested(noun: &'static str, resource_type: &'static str, collection: &'static str) -> Self {
        Self::new(noun, resource_type, CollectionPlace::Nested(collection), true)
    }

    /// A kind that only the search finds.
    #[must_use]
    pub const fn anywhere(noun: &'static str, resource_type: &'static str) -> Self {
        Self::new(noun, resource_type, CollectionPlace::Anywhere, true)
    }

    /// The objects are part of the inventory that the manager discovers: the search finds them, and they have no policy
    /// path.
    #[must_use]
    pub const fn inventory(mut self) -> Self {
        self.is_inventory = true;
        self
    }

    /// Some objects of the kind are outside the collection, where only the search finds them.
    #[must_use]
    pub const fn also_elsewhere(mut self) -> Self {
        self.also_outside_collection = true;
        self
    }

    /// The list needs the enforcement point unless it is the manager's own, as on the hosted cloud.
    #[must_use]
    pub const fn of_enforcement_point(mut self) -> Self {
        self.list_needs_enforcement_point = true;
        self
    }

    /// Whether its objects have a policy path.
    #[must_use]
    pub const fn is_policy(&self) -> bool {
        !self.is_inventory && !matches!(self.place, CollectionPlace::Fixed(_))
    }

    /// Whether the search finds its objects. Without a type, it finds only those that are anywhere.
    #[must_use]
    pub const fn is_indexed(&self) -> bool {
        let has_type = !self.resource_type.is_empty() || matches!(self.place, CollectionPlace::Anywhere);
        (self.is_policy() || self.is_inventory) && has_type
    }

    /// Adds query parameters to every read by id.
    #[must_use]
    pub const fn by_id_with(mut self, query: Query) -> Self {
        self.object_query = query;
        self
    }

    /// Finds names in the list, and adds query parameters to every list.
    #[must_use]
    pub const fn listed_with(mut self, query: Query) -> Self {
        self.list = query;
        self.searched = false;
        self
    }

    /// Adds query parameters to every list. Names are still searched, if there is a search.
    #[must_use]
    pub const fn with_list(mut self, query: Query) -> Self {
        self.list = query;
        self
    }

    /// The objects may have no ids.
    #[must_use]
    pub const fn without_ids(mut self) -> Self {
        self.has_ids = false;
        self
    }

    /// Sends no paging parameters with the list.
    #[must_use]
    pub const fn unpaged(mut self) -> Self {
        self.paged = false;
        self
    }
}

/// A policy tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// `/infra` of a local manager or the hosted cloud.
    Local,
    /// `/global-infra` of a global manager.
    Global,
    /// `/global-infra` of a local manager: objects that a global manager has sent to it.
    GlobalOnLocal,
    /// The tree of one project.
    Project(String),
    /// The objects of a VPC.
    Vpc {
        /// Id of its project.
        project: String,
        /// Its id.
        vpc: String,
    },
}

impl Tree {
    /// The tree of the objects outside all projects.
    #[must_use]
    pub fn of(deployment: Deployment) -> Self {
        match deployment {
            Deployment::GlobalManager => Self::Global,
            Deployment::PolicyManager | Deployment::HostedCloud => Self::Local,
        }
    }

    /// Policy path of the root: `/infra`.
    #[must_use]
    pub fn base(&self) -> String {
        match self {
            Self::Local => "/infra".to_owned(),
            Self::Global | Self::GlobalOnLocal => "/global-infra".to_owned(),
            Self::Project(id) => format!("{PROJECTS}{id}/infra"),
            Self::Vpc { project, vpc } => format!("{PROJECTS}{project}/vpcs/{vpc}"),
        }
    }

    /// The tree that the object with the policy path `path` is in. `None` if the path is not one of this kind of
    /// manager.
    #[must_use]
    pub fn around(path: &str, deployment: Deployment) -> Option<Self> {
        let is_global = deployment == Deployment::GlobalManager;
        if let Some(inside) = path.strip_prefix(PROJECTS) {
            let mut segments = inside.split('/');
            let project = segments.next().filter(|id| !id.is_empty())?.to_owned();
            return Some(match (segments.next(), segments.next()) {
                (Some("vpcs"), Some(vpc)) if segments.next().is_some() => Self::Vpc {
                    project,
                    vpc: vpc.to_owned(),
                },
                _ => Self::Project(project),
            });
        }
        match path.split('/').nth(1)? {
            "infra" if !is_global => Some(Self::Local),
            "global-infra" if is_global => Some(Self::Global),
            "global-infra" => Some(Self::GlobalOnLocal),
            _ => None,
        }
    }

    /// Policy path of the project, if the tree belongs to a project or to one of its VPCs.
    #[must_use]
    pub fn project_path(&self) -> Option<String> {
        match self {
            Self::Project(project) | Self::Vpc { project, .. } => Some(format!("{PROJECTS}{project}")),
            Self::Local | Self::Global | Self::GlobalOnLocal => None,
        }
    }

    /// URL path in front of policy paths.
    #[must_use]
    pub fn root(&self) -> &'static str {
        match self {
            Self::Global => "/global-manager/api/v1",
            Self::Local | Self::GlobalOnLocal | Self::Project(_) | Self::Vpc { .. } => "/policy/api/v1",
        }
    }
}

/// Prefix of the policy paths of projects. The organization is always `default`.
const PROJECTS: &str = "/orgs/default/projects/";

/// The objects that a lookup requests: a kind, a place and a criterion.
#[derive(Debug, Clone)]
pub struct Read {
    /// The kind.
    pub kind: &'static ObjectKind,
    /// The policy tree. Not used for kinds below `/api/v1`.
    pub tree: Tree,
    /// The parent of the objects, if it is restricted.
    pub parent: Option<Parent>,
    /// Other objects that the wanted ones refer to.
    pub mentions: Vec<Parent>,
    /// Default parent of kinds below an enforcement point; empty for others.
    pub default_parent: String,
    /// Policy path of the enforcement point whose objects the list contains; empty if it is the manager's own.
    pub point: String,
    /// The criterion.
    pub by: By,
    /// Filters of the manager's list. The lookup still checks the results.
    pub list_filters: Vec<(&'static str, String)>,
    /// Set if only the manager knows all objects that its filters select, because an object may lack the compared
    /// members.
    pub filter_check: Option<FilterCheck>,
}

/// How to recognize, in a row of the unfiltered list, an object that the manager's filter would select. Not every such
/// object shows it.
#[derive(Debug, Clone)]
pub struct FilterCheck {
    /// The value that the object must have.
    pub value: String,
    /// Whether the row has it. `None` if rows show nothing: then only the response to the filters answers the read.
    pub by: Option<fn(row: &OfferedRow<'_>, value: &str) -> bool>,
}

impl FilterCheck {
    /// Rows do not show whether the filters select their objects.
    pub(crate) const NONE: Self = Self {
        value: String::new(),
        by: None,
    };
}

/// The parent of the objects of a read. If only the search finds them, they may be at any depth below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    /// Name in messages: `edge cluster`.
    pub noun: &'static str,
    /// Its policy path.
    pub path: String,
    /// Policy path of the parent itself, if it is another one than that in the paths of its children.
    pub object: Option<String>,
}

impl Parent {
    pub(crate) fn new(noun: &'static str, path: String) -> Self {
        Self {
            noun,
            path,
            object: None,
        }
    }
}

/// Path of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CollectionPath {
    /// A fixed string that is valid in a URL.
    Fixed(&'static str),
    /// A policy path below the root of its API.
    Policy {
        /// `/policy/api/v1`
        root: &'static str,
        /// `/infra/certificates`
        path: String,
    },
}

/// Criterion that selects objects of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum By {
    /// The object with this id.
    Id(String),
    /// The object that a field other than the id identifies.
    Key {
        /// Fields, any of which can have the value.
        fields: &'static [KeyField],
        /// The value.
        value: String,
    },
    /// Objects with this name, or with this prefix of their name.
    Name(String),
    /// All objects.
    All,
}

/// A wire field that identifies an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyField {
    /// The whole value is the key: `nsx_id`.
    Whole(&'static str),
    /// The value is a path whose last segment is the key: `edge_transport_node_path`.
    LastSegment(&'static str),
    /// The value contains the key: `display_name`.
    Within(&'static str),
    /// The key is a word of any field.
    Any,
    /// The key is the value of any field.
    Phrase,
    /// The key is a policy path, and the value of any field is a path below it.
    Below,
}

impl Read {
    /// Creates a read of objects of `kind` outside all projects.
    #[must_use]
    pub fn new(kind: &'static ObjectKind, scope: &Scope, by: By) -> Self {
        let tree = Tree::of(scope.deployment);
        let point = || {
            let point = &scope.enforcement_point;
            format!("{}/sites/default/enforcement-points/{point}", tree.base())
        };
        let default_parent = match kind.place {
            CollectionPlace::Below(_) => point(),
            _ => String::new(),
        };
        let is_named = kind.list_needs_enforcement_point && scope.enforcement_point != "default";
        let point = if is_named { point() } else { String::new() };
        Self {
            kind,
            tree,
            parent: None,
            mentions: Vec::new(),
            default_parent,
            point,
            by,
            list_filters: Vec::new(),
            filter_check: None,
        }
    }

    /// Restricts the read to a project, if there is one.
    #[must_use]
    pub fn in_project(self, project: Option<&str>) -> Self {
        match project {
            Some(id) => self.within(Tree::Project(id.to_owned())),
            None => self,
        }
    }

    /// Restricts the read to a policy tree.
    #[must_use]
    pub fn within(mut self, tree: Tree) -> Self {
        self.tree = tree;
        self
    }

    /// Restricts the read to a parent.
    #[must_use]
    pub fn below(mut self, noun: &'static str, path: impl Into<String>) -> Self {
        let path = path.into();
        self.parent = Some(Parent::new(noun, path));
        self
    }

    /// Whether one list contains every object that this read can find. Objects below enforcement points are
    /// in one list for each enforcement point.
    #[must_use]
    pub fn has_one_list(&self) -> bool {
        match self.kind.place {
            _ if self.kind.also_outside_collection => false,
            CollectionPlace::Below(_) | CollectionPlace::Nested(_) => self.parent.is_some(),
            CollectionPlace::Anywhere => false,
            CollectionPlace::Fixed(_) | CollectionPlace::Infra(_) | CollectionPlace::Project(_) => true,
        }
    }

    /// Whether the objects are in a collection whose path is known. Others are only found by the search.
    #[must_use]
    pub fn has_collection(&self) -> bool {
        match self.kind.place {
            CollectionPlace::Nested(_) => self.parent.is_some(),
            CollectionPlace::Anywhere => false,
            _ => true,
        }
    }

    /// Whether the search finds the objects. It does not distinguish the projects of inventory objects.
    #[must_use]
    pub fn is_indexed(&self) -> bool {
        self.kind.is_indexed() && !(self.kind.is_inventory && self.tree.project_path().is_some())
    }

    /// Policy path that all objects of this read are below.
    fn base(&self) -> String {
        match (&self.parent, self.kind.place) {
            (Some(parent), _) => parent.path.clone(),
            (None, CollectionPlace::Project(_)) => self.tree.project_path().unwrap_or_default(),
            (None, _) => self.tree.base(),
        }
    }

    /// Path of the collection below the host.
    #[must_use]
    pub fn collection(&self) -> CollectionPath {
        match self.kind.place {
            CollectionPlace::Fixed(path) => CollectionPath::Fixed(path),
            CollectionPlace::Infra(collection)
            | CollectionPlace::Project(collection)
            | CollectionPlace::Nested(collection) => self.policy(&self.base(), collection),
            CollectionPlace::Below(collection) => {
                let parent = self.parent.as_ref();
                self.policy(
                    parent.map_or(&self.default_parent, |parent| &parent.path),
                    collection,
                )
            }
            CollectionPlace::Anywhere => self.policy(&self.base(), ""),
        }
    }

    fn policy(&self, parent: &str, collection: &str) -> CollectionPath {
        CollectionPath::Policy {
            root: self.tree.root(),
            path: format!("{parent}/{collection}"),
        }
    }

    /// Whether an object with the policy path `path` is in the location of this read.
    ///
    /// Paths match by whole segments, so that a read in the project `dev` excludes objects of `dev2`, of its
    /// VPCs, and outside all projects.
    #[must_use]
    pub fn covers(&self, path: &str) -> bool {
        PolicyPath::trusted(path).is_below(&self.base())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CERTIFICATE: ObjectKind = ObjectKind::infra("certificate", "TlsCertificate", "certificates");

    fn scope() -> Scope {
        Scope {
            deployment: Deployment::PolicyManager,
            enforcement_point: "default".to_owned(),
            host: Host::parse("mgr").unwrap(),
            tolerate_partial_success: false,
        }
    }

    #[test]
    fn project_dev_sees_neither_dev2_nor_its_vpcs_nor_the_default_space() {
        let find = Read::new(&CERTIFICATE, &scope(), By::All).in_project(Some("dev"));
        assert!(find.covers("/orgs/default/projects/dev/infra/certificates/c1"));
        assert!(!find.covers("/orgs/default/projects/dev2/infra/certificates/c1"));
        assert!(!find.covers("/orgs/default/projects/dev/vpcs/v1/certificates/c1"));
        assert!(!find.covers("/infra/certificates/c1"));
    }

    #[test]
    fn the_default_space_sees_no_project() {
        let find = Read::new(&CERTIFICATE, &scope(), By::All);
        assert!(find.covers("/infra/certificates/c1"));
        assert!(!find.covers("/infrastructure/certificates/c1"));
        assert!(!find.covers("/orgs/default/projects/dev/infra/certificates/c1"));
        let path = "/infra/certificates".to_owned();
        assert_eq!(
            find.collection(),
            CollectionPath::Policy {
                root: "/policy/api/v1",
                path
            }
        );
    }
}
