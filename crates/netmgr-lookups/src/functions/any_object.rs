//! Any policy object: code that the functions for objects of all types share.

use std::sync::Arc;

use netmgr_transport::Get;
use netmgr_types::foreign::REDACTED;
use netmgr_types::shapes::Tag;
use netmgr_types::{PolicyPath, sensitive};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::finding::find::select_object;
use crate::finding::object_kind::ObjectKind;
use crate::finding::object_types::{kind_at, similar_collections};
use crate::finding::plan::Plan;
use crate::finding::read::{By, Read};
use crate::finding::selection::Criteria;
use crate::finding::tree::Tree;

/// Objects of all types in all trees, with the inventory.
pub(crate) const EVERYTHING: ObjectKind = ObjectKind::anywhere("object", "").inventory().without_ids();

/// An object of any type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AnyObject {
    /// Description; empty if there is none.
    pub description: String,
    /// Display name.
    pub display_name: String,
    /// Id.
    pub id: String,
    /// The object as the manager sent it, without secret members.
    pub object: Map<String, Value>,
    /// Policy path of the parent.
    pub parent_path: String,
    /// Policy path; empty if the object is part of the inventory.
    pub path: String,
    /// Type, such as `Group`.
    pub resource_type: String,
    /// Tags.
    pub tags: Vec<Tag>,
}

impl AnyObject {
    fn of(json: Value, path: &str) -> Self {
        let Value::Object(members) = json else {
            return Self::default();
        };
        let text = |name: &str| members.get(name).and_then(Value::as_str).unwrap_or_default();
        let or = |text: &str, other: &str| {
            if text.is_empty() {
                other.to_owned()
            } else {
                text.to_owned()
            }
        };
        let path = or(text("path"), path);
        let at = PolicyPath::trusted(&path);
        let id = or(&or(text("id"), text("external_id")), at.id());
        let tags = members.get("tags").and_then(Value::as_array);
        let tags = tags.into_iter().flatten();
        let mut tags: Vec<Tag> = tags
            .filter_map(|tag| serde_json::from_value(tag.clone()).ok())
            .collect();
        tags.sort();
        Self {
            description: text("description").to_owned(),
            display_name: or(text("display_name"), &id),
            parent_path: or(text("parent_path"), at.parent()),
            resource_type: text("resource_type").to_owned(),
            id,
            path,
            tags,
            object: members,
        }
    }

    /// The policy paths in members, each after its location, such as `source_groups[0]`.
    #[must_use]
    pub fn mentions(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for (name, value) in &self.object {
            visit_texts(value, name, &mut |at, text| {
                if PolicyPath::is_begun_by(text) {
                    found.push((at.to_owned(), text.to_owned()));
                }
            });
        }
        found
    }

    /// The object with this JSON, without secrets. `path` is its path if the JSON contains none.
    pub(crate) fn without_secrets(mut json: Value, path: &str) -> Self {
        let name = json["display_name"].as_str().map(str::to_owned);
        sensitive::remove(&mut json);
        let mut object = Self::of(json, path);
        if !object.object.contains_key("display_name") && name.is_some_and(|name| !name.is_empty()) {
            object.display_name = REDACTED.to_owned();
        }
        object
    }
}

/// Calls `visit` with each text in `value`, which is at `at`, and its location.
pub(crate) fn visit_texts<'v>(value: &'v Value, at: &str, visit: &mut impl FnMut(&str, &'v str)) {
    match value {
        Value::String(text) => visit(at, text),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                visit_texts(item, &format!("{at}[{index}]"), visit);
            }
        }
        Value::Object(inner) => {
            for (name, value) in inner {
                visit_texts(value, &format!("{at}.{name}"), visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The JSON of the object at `path` in `tree`. Lookups in one collection share its list if that takes fewer requests.
pub(crate) async fn at_path(cx: &LookupContext<'_>, path: &str, tree: &Tree) -> Result<Value, Error> {
    let at = PolicyPath::trusted(path);
    match read_at(cx, at, tree).await {
        Err(Error::Unsupported { source, .. }) => {
            let similar = similar_collections(at.collection_name());
            Err(cx.no_api_at(path, tree, source, similar))
        }
        read => read,
    }
}

async fn read_at(cx: &LookupContext<'_>, at: PolicyPath<'_>, tree: &Tree) -> Result<Value, Error> {
    let path = at.as_str();
    let what = format!("object at {}", cx.sanitized(path));
    let Some(kind) = kind_at(path).filter(|_| !at.parent().is_empty()) else {
        let json: Value = cx
            .get(what.clone(), Get::new(tree.root()).policy_path(path))
            .await?;
        // A path without the id of an object is that of a list.
        return match json.get("results").is_some_and(Value::is_array) && json.get("id").is_none() {
            true => Err(cx.not_found(format!("there is no {what}"), None, None)),
            false => Ok(json),
        };
    };
    let read = Read::new(kind, cx.scope, By::Id(at.id().to_owned()))
        .within(tree.clone())
        .below("parent", at.parent());
    let plan = Plan::new(read, Criteria::default());
    match select_object(cx, plan).await {
        Err(Error::NotFound {
            incomplete, source, ..
        }) => Err(cx.not_found(format!("there is no {what}"), incomplete, source)),
        found => found.map(|object| Arc::unwrap_or_clone(object).into_json()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_hidden_name_is_not_replaced_by_the_id() {
        let name = |object: Value| AnyObject::without_secrets(object, "/infra/segments/a").display_name;
        assert_eq!(name(json!({ "id": "a", "display_name": "password=x" })), REDACTED);
        assert_eq!(name(json!({ "id": "a", "display_name": "web" })), "web");
        assert_eq!(name(json!({ "id": "a" })), "a");
    }
}
