//! `getPolicyReferences`: the objects that refer to a policy object.

use std::sync::Arc;

use derive_setters::Setters;
use futures_util::future::try_join_all;
use netmgr_types::wire::ManagedObject;
use netmgr_types::{InvalidProperty, PolicyPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::function::{Invocation, Lookup};
use crate::contract::spec::{LookupSpec, ResultKind};
use crate::declared::EVERYWHERE;
use crate::finding::object_kind::ObjectKind;
use crate::finding::object_types::{self, ObjectType};
use crate::finding::plan::{any_path, required_text};
use crate::finding::read::{By, KeyField, Read, Scope};
use crate::finding::tree::Tree;
use crate::functions::any_object::{AnyObject, EVERYTHING, at_path, visit_texts};
use netmgr_types::sensitive;

/// Search terms for members that contain the path or a path below it. All managers support searches without `OR`.
const REFERENCES: [&[KeyField]; 2] = [&[KeyField::Phrase], &[KeyField::Below]];
/// Realized entities of an object are not references to it.
const REALIZED: &str = "/realized-state/";
/// The member with the object's own path.
const PATH: &str = "path";

/// Lists the objects that refer to a policy object or to something below it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "PolicyReferencesInput",
    description = "Input of `getPolicyReferences`."
)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetPolicyReferences {
    /// Policy path of the object.
    #[schemars(regex(pattern = PolicyPath::pattern(&[])))]
    pub path: String,
    /// Types of the referring objects, such as `Rule`. Default: all types in the search index.
    pub resource_types: Option<Vec<String>>,
}

/// Output of `getPolicyReferences`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PolicyReferences {
    /// Whether the object exists. References to a deleted object can remain; without any, it is not found.
    pub exists: bool,
    /// A constant.
    pub id: String,
    /// Policy path of the object.
    pub path: String,
    /// Referring objects, sorted by path.
    pub references: Vec<ObjectReference>,
    /// Object types that were searched: the types in the input, or all types in the search index.
    pub types: Vec<String>,
}

/// An object that refers to another object.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ObjectReference {
    /// Policy path; empty if the object is part of the inventory.
    pub path: String,
    /// Id.
    pub id: String,
    /// Display name.
    pub display_name: String,
    /// Members that contain the path, such as `source_groups[0]`. Children of the object contain it in `parent_path`.
    pub members: Vec<String>,
    /// Type, such as `Rule`.
    pub resource_type: String,
}

impl GetPolicyReferences {
    /// Selects the objects that refer to the object at this policy path.
    pub fn of(path: impl Into<String>) -> Self {
        Self::default().path(path)
    }

    /// The path with its tree, and the types of the objects that may refer to it.
    fn checked(
        &self,
        scope: &Scope,
    ) -> Result<(String, Tree, Vec<&'static ObjectType>), Vec<InvalidProperty>> {
        let path = required_text(PATH, &self.path).and_then(|text| any_path(PATH, text, scope));
        let (path, tree) = path.map_err(|problem| vec![problem])?;
        let mut problems = Vec::new();
        let mut types = Vec::new();
        for (index, name) in self.resource_types.iter().flatten().enumerate() {
            match ObjectType::named(name) {
                Ok(object_type) => types.push(object_type),
                Err(reason) => {
                    problems.push(InvalidProperty::new(format!("resourceTypes[{index}]"), reason));
                }
            }
        }
        match problems.is_empty() {
            true => Ok((path.to_owned(), tree, types)),
            false => Err(problems),
        }
    }
}

impl Lookup for GetPolicyReferences {
    type Output = PolicyReferences;
    const SPEC: LookupSpec = LookupSpec {
        availability: EVERYWHERE,
        has_counterpart: false,
        answer: ResultKind::Table,
        example: r#"{"path": "/infra/domains/default/groups/web-servers"}"#,
        ..LookupSpec::new(
            "getPolicyReferences",
            "object",
            "Lists the objects that refer to a policy object or to something below it.",
        )
    };

    const KINDS: &'static [&'static ObjectKind] = &[];

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let (path, tree, types) = self.checked(scope)?;
        Ok(Invocation::own(|cx| Box::pin(references(cx, path, tree, types))))
    }
}

async fn references(
    cx: &LookupContext<'_>,
    path: String,
    tree: Tree,
    types: Vec<&'static ObjectType>,
) -> Result<PolicyReferences, Error> {
    let path = &*path;
    let kinds = match types.as_slice() {
        [] => vec![&EVERYTHING],
        types => types.iter().map(|object_type| object_type.everywhere()).collect(),
    };
    let reads = kinds.into_iter().flat_map(|kind| {
        REFERENCES.map(|fields| {
            let value = path.to_owned();
            Read::new(kind, cx.scope, By::Key { fields, value })
        })
    });
    let candidates = reads.map(|read| async move {
        let path = path.to_owned();
        let keep = move |object: &ManagedObject| match object.path() == Some(&*path) {
            true => Some(Mention::Own),
            false => reference(object, &path).map(Mention::Reference),
        };
        let (found, _) = cx.collect_all(&Arc::new(read), usize::MAX, keep).await?;
        Ok(found)
    });
    let missing = async {
        match at_path(cx, path, &tree).await {
            Ok(_) => Ok(None),
            Err(error @ Error::NotFound { .. }) => Ok(Some(error)),
            Err(error) => Err(error),
        }
    };
    let (found, missing) = tokio::try_join!(try_join_all(candidates), missing)?;
    let exists = missing.is_none();
    let (mut references, mut is_indexed) = (Vec::new(), false);
    for found in found.into_iter().flatten() {
        match found {
            Mention::Own => is_indexed = true,
            Mention::Reference(reference) => references.push(reference),
        }
    }
    references.sort();
    references.dedup();
    // A search of all types finds the object too, unless the index is empty or behind, or has no objects of its type.
    if exists && types.is_empty() && !is_indexed && references.is_empty() {
        cx.warn(&format!(
            "the search index does not contain {path}, so it may lack objects that refer to it as well"
        ));
    }
    if let Some(error) = missing.filter(|_| references.is_empty()) {
        return Err(error);
    }
    let types: Vec<String> = match types.as_slice() {
        [] => object_types::names().map(str::to_owned).collect(),
        types => types
            .iter()
            .map(|object_type| object_type.name().to_owned())
            .collect(),
    };
    Ok(PolicyReferences {
        exists,
        id: cx.spec.name.to_owned(),
        path: path.to_owned(),
        references,
        types,
    })
}

/// What a search for a path found.
enum Mention {
    /// The object at the path.
    Own,
    /// An object that refers to it.
    Reference(ObjectReference),
}

/// The reference of another `object` to `target`, if a member has its path or one below it.
fn reference(object: &ManagedObject, target: &str) -> Option<ObjectReference> {
    if object.path().is_some_and(|own| own.contains(REALIZED)) {
        return None;
    }
    let mut members = Vec::new();
    let is_within = |text: &str| PolicyPath::trusted(text).is_within(target);
    let is_text = |name: &str| [PATH, "description", "display_name"].contains(&name);
    for (name, value) in object.members().iter().filter(|(name, _)| !is_text(name)) {
        visit_texts(value, name, &mut |at, text| {
            if is_within(text) {
                members.push(sensitive::redacted(at).to_owned());
            }
        });
    }
    (!members.is_empty()).then(|| {
        let AnyObject {
            path,
            id,
            display_name,
            resource_type,
            ..
        } = AnyObject::without_secrets(Value::Object(object.members().clone()), "");
        ObjectReference {
            path,
            id,
            display_name,
            members,
            resource_type,
        }
    })
}

#[cfg(test)]
mod tests {
    use netmgr_types::foreign::REDACTED;
    use netmgr_types::wire::MaybeIdentified;
    use serde_json::json;

    use super::*;

    fn members(row: Value, target: &str) -> Vec<String> {
        let MaybeIdentified(row) = serde_json::from_value(row).unwrap();
        let found = reference(&row, target);
        found.map(|found| found.members).unwrap_or_default()
    }

    #[test]
    fn members_with_the_path_or_one_below_it_are_references() {
        let rule = json!({
            "id": "r", "path": "/infra/p/rules/r", "parent_path": "/infra/p",
            "source_groups": ["ANY", "/infra/groups/a"], "scope": ["/infra/groups/ab"],
            "deep": { "list": [{ "to": "/infra/groups/a/b" }] },
        });
        assert_eq!(
            members(rule.clone(), "/infra/groups/a"),
            ["deep.list[0].to", "source_groups[1]"]
        );
        assert_eq!(members(rule.clone(), "/infra/groups/x"), [""; 0]);
        assert_eq!(members(rule, "/infra/p"), ["parent_path"]);
    }

    #[test]
    fn members_that_are_not_shown_are_references() {
        let path = "/orgs/default/projects/webhook/infra/domains/default/groups/production-web-servers";
        let object = json!({ "path": "/infra/a", "secret": path, "m": { "https://u:p@h": path } });
        assert_eq!(members(object, path), [REDACTED, "secret"]);
    }

    #[test]
    fn a_name_or_a_description_is_no_reference() {
        let path = "/infra/groups/a";
        let named = json!({ "path": "/infra/groups/b", "display_name": path, "description": path });
        assert_eq!(members(named, path), [""; 0]);
    }

    #[test]
    fn realized_entities_are_no_references() {
        let entity = json!({ "path": "/infra/realized-state/e", "intent_paths": ["/infra/groups/a"] });
        assert_eq!(members(entity, "/infra/groups/a"), [""; 0]);
    }
}
