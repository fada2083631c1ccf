//! Plans: what a function reads, and how it selects among the results. Also contains the plans that several functions
//! share.

use std::sync::Arc;

use netmgr_types::wire::ManagedObject;
use netmgr_types::{InvalidProperty, PolicyPath};

use crate::finding::read::{By, Read, Scope};
use crate::finding::selection::{Criteria, NameRule};
use crate::finding::tree::Tree;

/// A read and the selection among its results.
pub struct Plan {
    pub(crate) read: Arc<Read>,
    pub(crate) criteria: Criteria,
    /// Checks each object, independent of how it was found. The error describes the actual object.
    pub(crate) must_be: Option<ObjectCheck>,
    /// The input that identifies the object instead of its id, and how.
    pub(crate) key: Option<(String, Identifies)>,
}

/// Checks an object. The error describes the actual object.
pub(crate) type ObjectCheck = fn(&ManagedObject) -> Result<(), String>;
pub(crate) type Identifies = fn(object: &ManagedObject, key: &str) -> bool;

impl Plan {
    /// A plan without a check of the object, which is identified by its id.
    pub(crate) fn new(read: Read, criteria: Criteria) -> Self {
        Self {
            read: Arc::new(read),
            criteria,
            must_be: None,
            key: None,
        }
    }

    /// Checks that `object` is of the wanted kind.
    pub(crate) fn check(&self, object: &ManagedObject) -> Result<(), String> {
        self.must_be.map_or(Ok(()), |check| check(object))
    }

    pub(crate) fn identifies(&self, object: &ManagedObject, key: &str) -> bool {
        match self.key {
            Some((_, identifies)) => identifies(object, key),
            None => object.id() == key,
        }
    }

    /// Name and the rule for matching it, if a name selects.
    pub(crate) fn name(&self) -> Option<&(String, NameRule)> {
        self.criteria.name.as_ref()
    }

    /// The input that selects the object, if one does: an id or a key, which take precedence over the name.
    pub(crate) fn selector(&self) -> Option<&str> {
        match &self.read.by {
            By::Id(_) | By::Key { .. } => Some(self.key.as_ref().map_or("id", |(input, _)| input)),
            By::Name(_) => Some("displayName"),
            By::All => None,
        }
    }
}

/// Inputs that select an object in most functions.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct InputSelectors<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) name: Option<&'a str>,
    pub(crate) description: Option<&'a str>,
}

impl<'a> InputSelectors<'a> {
    /// The criterion of the read: the id, or without one the name. One of them is required.
    pub(crate) fn by(&self) -> Result<By, Vec<InvalidProperty>> {
        match (self.id, self.name) {
            (Some(id), _) => Ok(By::Id(id.to_owned())),
            (None, Some(name)) => Ok(By::Name(name.to_owned())),
            (None, None) => Err(vec![InvalidProperty::new(
                "",
                "`id` or `displayName` is required",
            )]),
        }
    }

    /// Rejects other inputs beside the id.
    pub(crate) fn check_exclusive(&self) -> Result<(), Vec<InvalidProperty>> {
        let beside = [("displayName", self.name), ("description", self.description)];
        let set = beside
            .iter()
            .filter(|(_, value)| self.id.is_some() && value.is_some());
        let problems: Vec<InvalidProperty> = set
            .map(|(property, _)| InvalidProperty::new(*property, "cannot be combined with `id`"))
            .collect();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(problems)
        }
    }

    /// The selection by name and, if set, description.
    pub(crate) fn criteria(&self, rule: NameRule) -> Criteria {
        let criteria = Criteria {
            name: self.name.map(|name| (name.to_owned(), rule)),
            filters: Vec::new(),
        };
        criteria.with_text("description", self.description, "description")
    }
}

/// The reason why a policy path of another kind of manager is rejected.
pub(crate) const OTHER_MANAGER: &str = "is not a path of this kind of manager: policy paths begin with `/global-infra/` \
    on a global manager and with `/infra/` on other managers";

/// Checks the policy path of any object and removes trailing slashes. Returns the tree that it is in as well.
pub(crate) fn any_path<'a>(
    property: &str,
    text: &'a str,
    scope: &Scope,
) -> Result<(&'a str, Tree), InvalidProperty> {
    let path = PolicyPath::parse(text).map_err(|reason| {
        let wanted = "must be a policy path, such as `/infra/domains/default/groups/web`";
        InvalidProperty::new(property, format!("{wanted}: {reason}"))
    })?;
    let path = path.as_str();
    // Organizations and lists of their projects are in no tree.
    let around = Tree::around(path, scope.deployment);
    let tree = around.or_else(|| path.starts_with("/orgs/").then(|| Tree::of(scope.deployment)));
    match tree {
        Some(tree) => Ok((path, tree)),
        None => Err(InvalidProperty::new(property, OTHER_MANAGER)),
    }
}

/// Checks a required string. Empty strings are treated as unset.
pub(crate) fn required_text<'a>(property: &str, text: &'a str) -> Result<&'a str, InvalidProperty> {
    if text.is_empty() {
        Err(InvalidProperty::new(property, "is required"))
    } else {
        Ok(text)
    }
}
