//! Inputs and outputs that several lookups share: shapes A, P and C and the name maps.
//!
//! Field comments are also schema descriptions and command-line help, written for the person who
//! types the value. Inputs and outputs of a single lookup live beside that lookup. Source:
//! lookup-provider 4.1.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{ManagedObject, ManagerObject, PolicyObject};
use crate::{InvalidProperty, object};

/// The text when it was given; an empty text counts as not given (manager-api B.1).
#[must_use]
pub fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.is_empty())
}

/// Selects an object by id or by its whole display name: shape A.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NamedInput {
    /// Description that the object must have, beside its display name.
    pub description: Option<String>,
    /// Display name of the object, exactly as on the manager.
    pub display_name: Option<String>,
    /// Id of the object. Decides alone when given.
    pub id: Option<String>,
}

/// Selects an object by id, display name or the beginning of its display name: shape A.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PolicyInput {
    /// Description that the object must have, beside its display name.
    pub description: Option<String>,
    /// Display name of the object, or the beginning of it when only one object's name begins so.
    pub display_name: Option<String>,
    /// Id of the object. Decides alone when given.
    pub id: Option<String>,
}

/// Selects an object by id alone, or by display name or the beginning of it: shape A with the rule 3
/// of lookup-provider section 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExclusiveInput {
    /// Description that the object must have, beside its display name. Not together with `id`.
    pub description: Option<String>,
    /// Display name of the object, or the beginning of it when only one object's name begins so.
    /// Not together with `id`.
    pub display_name: Option<String>,
    /// Id of the object. No other input may be given beside it.
    pub id: Option<String>,
}

/// Selects an object of a tenant context by id, display name or the beginning of its display name:
/// shape C.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContextInput {
    /// Tenant context the object belongs to. Default: none, the object is outside all projects.
    #[serde(default, deserialize_with = "object::optional")]
    pub context: Option<TenantContext>,
    /// Description that the object must have, beside its display name.
    pub description: Option<String>,
    /// Display name of the object, or the beginning of it when only one object's name begins so.
    pub display_name: Option<String>,
    /// Id of the object. Decides alone when given.
    pub id: Option<String>,
}

/// The tenant context an object belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "TenantContext")]
pub struct TenantContext {
    /// Id of the project; not `default`.
    #[schemars(regex(pattern = "^[^/&]+$"), extend("not" = { "const": "default" }))]
    pub project_id: String,
}

impl TenantContext {
    /// The context of the project with this id.
    pub fn project(id: impl Into<String>) -> Self {
        Self {
            project_id: id.into(),
        }
    }

    /// Checks the project id. Source: manager-transport 8.3.
    ///
    /// # Errors
    ///
    /// The id is empty, is `default`, or has a character that would change the path it becomes a
    /// part of.
    pub fn validate(&self) -> Result<(), InvalidProperty> {
        let reason = match self.project_id.as_str() {
            "" => "must not be empty; leave the context out for objects outside all projects",
            "default" => "must not be \"default\"; leave the context out for objects outside all projects",
            id if id.contains(['/', '&']) => "must not contain \"/\" or \"&\"",
            _ => return Ok(()),
        };
        Err(InvalidProperty::new("context.projectId", reason))
    }
}

/// An object: shape A.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedOutput {
    /// Description of the object; empty when it has none.
    pub description: String,
    /// Display name of the object.
    pub display_name: String,
    /// Id of the object.
    pub id: String,
}

/// A policy object: shape P.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyOutput {
    /// Description of the object; empty when it has none.
    pub description: String,
    /// Display name of the object.
    pub display_name: String,
    /// Id of the object.
    pub id: String,
    /// Policy path of the object.
    pub path: String,
}

/// A policy object of a tenant context: shape C.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextOutput {
    /// The tenant context that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<TenantContext>,
    /// Description of the object; empty when it has none.
    pub description: String,
    /// Display name of the object.
    pub display_name: String,
    /// Id of the object.
    pub id: String,
    /// Policy path of the object.
    pub path: String,
}

/// Asks for a whole table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MapInput {
    /// Returned as it is; has no effect on the lookup.
    pub id: Option<String>,
}

/// A whole table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NameMap {
    /// The id that was given, else one made up by the provider.
    pub id: String,
    /// Ids or policy paths by display name.
    pub items: BTreeMap<String, String>,
}

impl From<ManagerObject> for NamedOutput {
    fn from(object: ManagerObject) -> Self {
        Self {
            display_name: object.name().to_owned(),
            description: object.description.unwrap_or_default(),
            id: object.id,
        }
    }
}

impl From<PolicyObject> for PolicyOutput {
    fn from(object: PolicyObject) -> Self {
        Self {
            display_name: object.name().to_owned(),
            description: object.description.unwrap_or_default(),
            id: object.id,
            path: object.path.unwrap_or_default(),
        }
    }
}

impl ContextOutput {
    /// The output for `object`, with the context that was given.
    #[must_use]
    pub fn new(object: PolicyObject, context: Option<TenantContext>) -> Self {
        let PolicyOutput {
            description,
            display_name,
            id,
            path,
        } = object.into();
        Self {
            context,
            description,
            display_name,
            id,
            path,
        }
    }
}

#[cfg(test)]
mod tests;
