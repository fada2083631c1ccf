//! The place in which objects of any type are searched: a context, or a parent.

use netmgr_types::InvalidProperty;
use netmgr_types::shapes::{GlobalContext, given};

use crate::declared::InputContext as _;
use crate::finding::object_kind::ObjectKind;
use crate::finding::object_types::ObjectType;
use crate::finding::plan::any_path;
use crate::finding::read::{By, Read, Scope};
use crate::finding::tree::Tree;

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
        object_type
            .kind(&self.tree, self.parent.is_some())
            .map_err(|reason| InvalidProperty::new("context", reason))
    }

    /// The read of objects in this place.
    pub(crate) fn read(&self, kind: &'static ObjectKind, scope: &Scope, by: By) -> Read {
        let read = Read::new(kind, scope, by).within(self.tree.clone());
        match self.parent {
            Some(parent) => read.below("parent", parent),
            None => read,
        }
    }
}
