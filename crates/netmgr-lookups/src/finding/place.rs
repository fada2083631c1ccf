//! The place in which objects of any type are searched: a context, or a parent.

use netmgr_types::InvalidProperty;
use netmgr_types::shapes::{GlobalContext, given};

use crate::declared::InputContext as _;
use crate::finding::object_kind::{CollectionPlace, ObjectKind};
use crate::finding::object_types::ObjectType;
use crate::finding::plan::any_path;
use crate::finding::read::{By, Read, Scope};
use crate::finding::tree::Tree;
use crate::wording::nouns::plural;

/// A place that inputs name.
#[derive(Debug, Clone)]
pub(crate) struct ObjectPlace<'a> {
    pub(crate) tree: Tree,
    parent: Option<&'a str>,
}

impl<'a> ObjectPlace<'a> {
    /// The place of these inputs. The default is everything outside projects.
    pub(crate) fn of(
        context: &Option<GlobalContext>,
        parent_path: &'a Option<String>,
        scope: &Scope,
    ) -> Result<Self, Vec<InvalidProperty>> {
        let within = context.tree(scope.deployment).map_err(|problem| vec![problem])?;
        let Some(path) = given(parent_path) else {
            let tree = within.unwrap_or_else(|| Tree::of(scope.deployment));
            return Ok(Self { tree, parent: None });
        };
        let (path, tree) = any_path("parentPath", path, scope).map_err(|problem| vec![problem])?;
        let is_within = within.is_none_or(|within| match within.project_path() {
            Some(project) => tree.project_path() == Some(project),
            None => tree == within,
        });
        match is_within {
            true => Ok(Self {
                tree,
                parent: Some(path),
            }),
            false => Err(vec![InvalidProperty::new(
                "parentPath",
                "is not in the `context`; change one of them",
            )]),
        }
    }

    /// The kind of the objects of type `name`, which is the value of `property`.
    pub(crate) fn kind(&self, property: &str, name: &str) -> Result<&'static ObjectKind, InvalidProperty> {
        let object_type = ObjectType::named(name).map_err(|reason| InvalidProperty::new(property, reason))?;
        let mut has_parent = self.parent.is_some();
        // Objects of the inventory have no path, so that they are only in a whole tree.
        if has_parent && object_type.is_inventory() {
            if !self.is_whole() {
                let reason = "is in the inventory, whose objects are below no parent; remove the type, or search a project";
                return Err(InvalidProperty::new(property, reason));
            }
            has_parent = false;
        }
        let refused = |reason| InvalidProperty::new("context", reason);
        let kind = object_type.kind(&self.tree, has_parent).map_err(refused)?;
        // Only a list shows the project of such an object.
        let is_listed = !matches!(kind.place, CollectionPlace::Anywhere | CollectionPlace::Nested(_));
        match kind.is_inventory && !is_listed && self.tree.project_path().is_some() {
            true => Err(refused(format!(
                "cannot select {}, because the manager does not return their projects",
                plural(kind.noun)
            ))),
            false => Ok(kind),
        }
    }

    /// Whether the parent is the root of its tree, or its project.
    fn is_whole(&self) -> bool {
        let parent = self.parent.unwrap_or_default();
        [self.tree.base(), self.tree.top()]
            .iter()
            .any(|root| root == parent)
    }

    /// The read of objects in this place.
    pub(crate) fn read(&self, kind: &'static ObjectKind, scope: &Scope, by: By) -> Read {
        let read = Read::new(kind, scope, by).within(self.tree.clone());
        match self.parent {
            Some(parent) if !kind.is_inventory => read.below("parent", parent),
            _ => read,
        }
    }
}
