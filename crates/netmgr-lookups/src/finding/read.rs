//! Reads: descriptions of the objects that a lookup requests.
//!
//! A read consists of a kind of object, a place and a criterion. The executor turns it into requests with
//! queries, paging and retries.

use netmgr_types::{Deployment, Host, PolicyPath};

use crate::finding::object_kind::{CollectionPlace, ObjectKind};
use crate::finding::rows::OfferedRow;
use crate::finding::tree::Tree;

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

/// The objects that a lookup requests: a kind, a place and a criterion.
#[derive(Debug, Clone)]
pub(crate) struct Read {
    pub(crate) kind: &'static ObjectKind,
    /// The policy tree. Not used for kinds below `/api/v1`.
    pub(crate) tree: Tree,
    /// The parent of the objects, if it is restricted.
    pub(crate) parent: Option<Parent>,
    /// Other objects that the wanted ones refer to.
    pub(crate) mentions: Vec<Parent>,
    /// Default parent of kinds below an enforcement point; empty for others.
    pub(crate) default_parent: String,
    /// Policy path of the enforcement point whose objects the list contains; empty if it is the manager's own.
    pub(crate) point: String,
    pub(crate) by: By,
    /// Filters of the manager's list. The lookup still checks the results.
    pub(crate) list_filters: Vec<(&'static str, String)>,
    /// Set if only the manager knows all objects that its filters select, because an object may lack the compared
    /// members.
    pub(crate) filter_check: Option<FilterCheck>,
}

/// How to recognize, in a row of the unfiltered list, an object that the manager's filter would select. Not every such
/// object shows it.
#[derive(Debug, Clone)]
pub(crate) struct FilterCheck {
    /// The value that the object must have.
    pub(crate) value: String,
    /// Whether the row has it. `None` if rows show nothing: then only the response to the filters answers the read.
    pub(crate) by: Option<fn(row: &OfferedRow<'_>, value: &str) -> bool>,
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
pub(crate) struct Parent {
    /// Name in messages: `edge cluster`.
    pub(crate) noun: &'static str,
    pub(crate) path: String,
    /// Policy path of the parent itself, if it is another one than that in the paths of its children.
    pub(crate) object: Option<String>,
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

/// Criterion that selects objects of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum By {
    Id(String),
    /// The object that a field other than the id identifies.
    Key {
        /// Fields, any of which can have the value.
        fields: &'static [KeyField],
        value: String,
    },
    /// Objects with this name, or with this prefix of their name.
    Name(String),
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
    pub(crate) fn new(kind: &'static ObjectKind, scope: &Scope, by: By) -> Self {
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
    pub(crate) fn in_project(self, project: Option<&str>) -> Self {
        match project {
            Some(id) => self.within(Tree::Project(id.to_owned())),
            None => self,
        }
    }

    /// Restricts the read to a policy tree.
    pub(crate) fn within(mut self, tree: Tree) -> Self {
        self.tree = tree;
        self
    }

    pub(crate) fn below(mut self, noun: &'static str, path: impl Into<String>) -> Self {
        let path = path.into();
        self.parent = Some(Parent::new(noun, path));
        self
    }

    /// Whether one list contains every object that this read can find. Objects below enforcement points are
    /// in one list for each enforcement point.
    pub(crate) fn has_one_list(&self) -> bool {
        match self.kind.place {
            _ if self.kind.also_outside_collection => false,
            CollectionPlace::Below(_) | CollectionPlace::Nested(_) => self.parent.is_some(),
            CollectionPlace::Anywhere => false,
            CollectionPlace::Fixed(_) | CollectionPlace::Infra(_) | CollectionPlace::Project(_) => true,
        }
    }

    /// Whether the objects are in a collection whose path is known. Others are only found by the search.
    pub(crate) fn has_collection(&self) -> bool {
        match self.kind.place {
            CollectionPlace::Nested(_) => self.parent.is_some(),
            CollectionPlace::Anywhere => false,
            _ => true,
        }
    }

    /// Whether the search finds the objects. It does not distinguish the projects of inventory objects.
    pub(crate) fn is_indexed(&self) -> bool {
        self.kind.is_indexed() && !(self.kind.is_inventory && self.tree.project_path().is_some())
    }

    /// Policy path that all objects of this read are below.
    fn base(&self) -> String {
        match (&self.parent, self.kind.place) {
            (Some(parent), _) => parent.path.clone(),
            (None, CollectionPlace::Project(_)) => self.tree.project_path().unwrap_or_default(),
            (None, CollectionPlace::Anywhere) => self.tree.top(),
            (None, _) => self.tree.base(),
        }
    }

    /// Policy path that the collection is directly below.
    pub(crate) fn above_collection(&self) -> String {
        match (&self.parent, self.kind.place) {
            (None, CollectionPlace::Below(_)) => self.default_parent.clone(),
            _ => self.base(),
        }
    }

    /// Whether an object with the policy path `path` is in the location of this read.
    ///
    /// Paths match by whole segments, so that a read in the project `dev` excludes objects of `dev2`, of its
    /// VPCs unless they are only there, and outside all projects.
    pub(crate) fn covers(&self, path: &str) -> bool {
        PolicyPath::trusted(path).is_below(&self.base())
            && (self.parent.is_some() || self.kind.is_of_vpcs() || !self.tree.has_in_vpc(path))
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
    fn any_object_of_a_project_can_be_beside_its_tree() {
        const ANY: ObjectKind = ObjectKind::anywhere("object", "");
        const SUBNET: ObjectKind = ObjectKind::anywhere("subnet", "VpcSubnet");
        let find = |kind| Read::new(kind, &scope(), By::All).in_project(Some("dev"));
        let (any, subnet) = (find(&ANY), find(&SUBNET));
        let covered = |path| (any.covers(path), subnet.covers(path));
        assert_eq!(
            covered("/orgs/default/projects/dev/infra/certificates/c1"),
            (true, true)
        );
        assert_eq!(covered("/orgs/default/projects/dev/vpcs/v1"), (true, true));
        assert_eq!(
            covered("/orgs/default/projects/dev/vpcs/v1/subnets/s1"),
            (false, true)
        );
        assert_eq!(covered("/orgs/default/projects/dev2/vpcs/v1"), (false, false));
    }

    #[test]
    fn the_default_space_sees_no_project() {
        let find = Read::new(&CERTIFICATE, &scope(), By::All);
        assert!(find.covers("/infra/certificates/c1"));
        assert!(!find.covers("/infrastructure/certificates/c1"));
        assert!(!find.covers("/orgs/default/projects/dev/infra/certificates/c1"));
    }
}
