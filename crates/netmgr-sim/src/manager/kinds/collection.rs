//! The facts about an object kind and its collection. `data/templates.json` has the default fields of its
//! objects, shaped like the sample bodies of the VMware NSX REST API.

use std::fmt;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::manager::settings::{ManagerKind, ManagerMode, ManagerSettings};
use crate::manager::views::View;

/// One kind of object and its collection.
pub(crate) struct CollectionKind {
    /// Collection below its root; `*` stands for one id, and `a|b` for either name.
    pub(crate) collection: &'static str,
    /// Default `resource_type` of its objects.
    pub(crate) resource_type: &'static str,
    /// Roots under which the collection exists.
    pub(crate) roots: &'static [Root],
    /// Field that carries the id: `external_id` for inventory of compute managers.
    pub(crate) id_field: &'static str,
    /// First version with this API.
    pub(crate) since: [u64; 3],
    /// Whether the kind belongs to manager mode.
    pub(crate) manager_mode: bool,
    /// Filters of the list.
    pub(crate) filters: &'static [(&'static str, ListFilter)],
    /// Parameters of the read by id.
    pub(crate) read_parameters: &'static [&'static str],
    /// Paging of the list.
    pub(crate) paging: Paging,
    /// The meaning of the path.
    pub(crate) place: Place,
    /// Parts of an object that are read by their own path below it: `state`, `status`.
    pub(crate) parts: &'static [&'static str],
    /// Query parameters of these parts.
    pub(crate) part_parameters: &'static [&'static str],
    /// Child collections that an object shows when it is read by its path, but not in lists.
    pub(crate) embeds: &'static [&'static str],
}

/// The meaning of the path of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A collection, below which each object has its path.
    Collection,
    /// A collection whose objects cannot be read one by one.
    ListOnly,
    /// The only object of its kind below its parent. Its id is the end of the path.
    Single,
    /// A list that the manager derives from other objects.
    Derived(View),
}

/// Paging of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paging {
    /// With an opaque cursor.
    Cursor,
    /// With an offset as cursor, which the response does not report, and without a number of rows.
    Offset,
    /// Not at all. Such a list has no parameters of pages.
    None,
}

/// The tree of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Root {
    /// `/api/v1`
    Api,
    /// `/infra`
    Infra,
    /// `/global-infra`
    GlobalInfra,
    /// `/orgs/{org}`
    Org,
    /// `/orgs/{org}/projects/{project}/infra`
    Project,
    /// `/orgs/{org}/projects/{project}/vpcs/{vpc}`
    Vpc,
    /// `/aaa`, which is below the root of the policy API but has no policy objects
    Access,
    /// Inventory without a documented list; only the search finds it.
    Inventory,
}

/// Effect of a filter parameter of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListFilter {
    /// A value of this (dotted) field equals the parameter.
    Equals(&'static str),
    /// Matches this field according to the setting for name filters.
    Name(&'static str),
    /// As `Equals`, and the parameter is required.
    Required(&'static str),
    /// The object at the path in this field has this type.
    TypeOfTarget(&'static str),
    /// Whether the field is present must equal the parameter.
    Presence(&'static str),
    /// `true` removes this field from the rows.
    Without(&'static str),
    /// `true` shows entries that are system owned.
    SystemOwned,
    /// Accepted without an effect on the fields that lookups read.
    Accepted,
}

impl CollectionKind {
    /// Default fields of an object, including `resource_type`.
    pub(crate) fn template(&self) -> Map<String, Value> {
        static TEMPLATES: LazyLock<Map<String, Value>> = LazyLock::new(|| {
            serde_json::from_str(include_str!("../data/templates.json"))
                .expect("the tests read embedded data")
        });
        let template = TEMPLATES.get(self.collection).and_then(Value::as_object);
        let mut fields = template.cloned().unwrap_or_default();
        fields.insert("resource_type".to_owned(), self.resource_type.into());
        fields
    }

    /// Whether objects of the kind are policy objects, which have a path.
    pub(crate) fn is_policy(&self) -> bool {
        let is_policy = |root: &Root| !matches!(root, Root::Api | Root::Access | Root::Inventory);
        self.roots.iter().any(is_policy)
    }

    /// Whether objects come from the inventory of compute managers.
    pub(crate) fn is_inventory(&self) -> bool {
        self.id_field == "external_id"
    }

    /// Whether this manager has the API.
    pub(crate) fn exists_on(&self, settings: &ManagerSettings) -> bool {
        let mode_served = !self.manager_mode || settings.manager_mode == ManagerMode::Served;
        let kind_served = match settings.kind {
            ManagerKind::Local => true,
            ManagerKind::Global => {
                self.roots.contains(&Root::GlobalInfra) || self.collection == "cluster/nodes"
            }
            ManagerKind::HostedCloud => !self.roots.contains(&Root::Api),
        };
        mode_served && kind_served && settings.is_at_least(self.since)
    }
}

impl fmt::Debug for CollectionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.collection)
    }
}
