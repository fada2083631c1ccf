//! What a lookup asks for, as data.
//!
//! A lookup names a kind of object, where it lives and which of them it wants; the executor turns
//! that into requests. Not here: URLs with queries, paging, retries.

use netmgr_types::{Deployment, Host};

/// The circumstances a lookup plans in.
#[derive(Debug, Clone)]
pub struct Scope {
    /// The kind of manager.
    pub deployment: Deployment,
    /// The enforcement point of policy paths.
    pub enforcement_point: String,
    /// Where the manager is.
    pub host: Host,
    /// Whether a partial success counts as success.
    pub tolerate_partial_success: bool,
}

/// A kind of object on the manager. Source: manager-api A.1.
#[derive(Debug)]
pub struct ObjectKind {
    /// What one object is called: `IP pool`.
    pub noun: &'static str,
    /// Its `resource_type` on the wire; empty when the collection alone decides.
    pub resource_type: &'static str,
    /// Where objects of the kind are.
    pub place: Place,
    /// Query that always goes with a read by id.
    pub by_id: Query,
    /// Query that always goes with the list.
    pub list: Query,
    /// Whether the list takes paging parameters.
    pub paged: bool,
    /// Whether names are looked for by a search, or in the list.
    pub searched: bool,
}

/// Fixed query parameters.
pub(crate) type Query = &'static [(&'static str, &'static str)];

/// Where the objects of a kind are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the collection at this path below the host: `/api/v1/pools/ip-pools`.
    Fixed(&'static str),
    /// In this collection directly below the root of a policy tree: `certificates`.
    Infra(&'static str),
    /// In this collection below an enforcement point of a site, or below another parent given with
    /// the read: `edge-clusters`.
    Below(&'static str),
}

impl ObjectKind {
    const fn new(noun: &'static str, resource_type: &'static str, place: Place, searched: bool) -> Self {
        Self {
            noun,
            resource_type,
            place,
            by_id: &[],
            list: &[],
            paged: true,
            searched,
        }
    }

    /// A kind in the collection at a fixed path.
    #[must_use]
    pub const fn fixed(noun: &'static str, resource_type: &'static str, collection: &'static str) -> Self {
        Self::new(noun, resource_type, Place::Fixed(collection), false)
    }

    /// A kind directly below the root of a policy tree, found by search.
    #[must_use]
    pub const fn infra(noun: &'static str, resource_type: &'static str, collection: &'static str) -> Self {
        Self::new(noun, resource_type, Place::Infra(collection), true)
    }

    /// A kind below an enforcement point or another parent, found by search.
    #[must_use]
    pub const fn below(noun: &'static str, resource_type: &'static str, collection: &'static str) -> Self {
        Self::new(noun, resource_type, Place::Below(collection), true)
    }

    /// Whether its objects have a policy path.
    #[must_use]
    pub const fn is_policy(&self) -> bool {
        !matches!(self.place, Place::Fixed(_))
    }

    /// The same, with a query that always goes with a read by id.
    #[must_use]
    pub const fn by_id_with(mut self, query: Query) -> Self {
        self.by_id = query;
        self
    }

    /// The same, looked for in the list, with a query that always goes with it.
    #[must_use]
    pub const fn listed_with(mut self, query: Query) -> Self {
        self.list = query;
        self.searched = false;
        self
    }

    /// The same, its list without paging parameters.
    #[must_use]
    pub const fn unpaged(mut self) -> Self {
        self.paged = false;
        self
    }
}

/// A policy tree. Source: manager-transport 8.2 and 8.3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// `/infra` of a local manager or the hosted cloud.
    Local,
    /// `/global-infra` of a global manager.
    Global,
    /// The tree of one project.
    Project(String),
}

impl Tree {
    /// The tree that holds the objects of no project.
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
            Self::Global => "/global-infra".to_owned(),
            Self::Project(id) => format!("/orgs/default/projects/{id}/infra"),
        }
    }

    /// URL path in front of policy paths.
    #[must_use]
    pub fn root(&self) -> &'static str {
        match self {
            Self::Global => "/global-manager/api/v1",
            Self::Local | Self::Project(_) => "/policy/api/v1",
        }
    }
}

/// What a lookup asks for: objects of a kind, in one place, by one criterion.
#[derive(Debug, Clone)]
pub struct Read {
    /// The kind.
    pub kind: &'static ObjectKind,
    /// The policy tree; of no meaning for kinds below `/api/v1`.
    pub tree: Tree,
    /// The parent, when the objects must be below that one.
    pub parent: Option<Parent>,
    /// Parent of kinds below an enforcement point when none is demanded.
    pub default_parent: String,
    /// Which objects.
    pub by: By,
    /// Filters that the manager's list itself understands (manager-api D.2). They narrow; the
    /// lookup still checks.
    pub list_filters: Vec<(&'static str, String)>,
    /// Set where only the manager knows all objects that its filters select, because an object may
    /// lack what they compare.
    pub shown: Option<Shown>,
}

/// What in a row shows that the filters of a read select its object. Another row may belong to the
/// read as well when the manager sends it as the answer to the filters.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The value that the object must have.
    pub value: String,
    /// Whether the row, which is JSON text, has it.
    pub by: fn(row: &[u8], value: &str) -> bool,
}

/// The object that the objects of a read must be below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    /// What it is called: `edge cluster`.
    pub noun: &'static str,
    /// Its policy path.
    pub path: String,
}

/// Path of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CollectionPath {
    /// Fixed text, fit for a URL.
    Fixed(&'static str),
    /// A policy path below the root of its API.
    Policy {
        /// `/policy/api/v1`
        root: &'static str,
        /// `/infra/certificates`
        path: String,
    },
}

/// Which objects of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum By {
    /// The one with this id.
    Id(String),
    /// The one that a field of the wire beside its id identifies by this value.
    Key {
        /// The fields; any of them may have the value.
        fields: &'static [KeyField],
        /// The value.
        value: String,
    },
    /// Those whose name is, or begins with, this text.
    Name(String),
    /// All.
    All,
}

/// A field of the wire that identifies an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyField {
    /// The whole value is the key: `nsx_id`.
    Whole(&'static str),
    /// The value is a path whose last segment is the key: `edge_transport_node_path`.
    LastSegment(&'static str),
}

impl Read {
    /// Objects of `kind` in the tree that holds the objects of no project.
    #[must_use]
    pub fn new(kind: &'static ObjectKind, scope: &Scope, by: By) -> Self {
        let tree = Tree::of(scope.deployment);
        let default_parent = format!(
            "{}/sites/default/enforcement-points/{}",
            tree.base(),
            scope.enforcement_point
        );
        Self {
            kind,
            tree,
            parent: None,
            default_parent,
            by,
            list_filters: Vec::new(),
            shown: None,
        }
    }

    /// The same, in the tree of a project when one is given.
    #[must_use]
    pub fn in_project(mut self, project: Option<&str>) -> Self {
        if let Some(id) = project {
            self.tree = Tree::Project(id.to_owned());
        }
        self
    }

    /// The same, below one parent only.
    #[must_use]
    pub fn below(mut self, noun: &'static str, path: impl Into<String>) -> Self {
        let path = path.into();
        self.parent = Some(Parent { noun, path });
        self
    }

    /// Whether one list holds every object that this read could find. The objects of a kind below
    /// an enforcement point lie in as many lists as there are enforcement points.
    #[must_use]
    pub fn has_one_list(&self) -> bool {
        self.parent.is_some() || !matches!(self.kind.place, Place::Below(_))
    }

    /// Path of the collection below the host.
    #[must_use]
    pub fn collection(&self) -> CollectionPath {
        match self.kind.place {
            Place::Fixed(path) => CollectionPath::Fixed(path),
            Place::Infra(collection) => self.policy(&self.tree.base(), collection),
            Place::Below(collection) => {
                let parent = self.parent.as_ref();
                self.policy(
                    parent.map_or(&self.default_parent, |parent| &parent.path),
                    collection,
                )
            }
        }
    }

    fn policy(&self, parent: &str, collection: &str) -> CollectionPath {
        CollectionPath::Policy {
            root: self.tree.root(),
            path: format!("{parent}/{collection}"),
        }
    }

    /// Whether an object at the policy path `path` is where this read looks.
    ///
    /// Paths match by whole segments: project `dev` never sees `dev2`, its VPC objects, or the
    /// objects of no project.
    #[must_use]
    pub fn covers(&self, path: &str) -> bool {
        let parent = self.parent.as_ref().map(|parent| parent.path.clone());
        let base = parent.unwrap_or_else(|| self.tree.base());
        path.strip_prefix(base.as_str())
            .is_some_and(|rest| rest.starts_with('/'))
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
            host: Host {
                scheme: "https",
                name: "mgr".to_owned(),
                port: None,
                prefix: String::new(),
            },
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
