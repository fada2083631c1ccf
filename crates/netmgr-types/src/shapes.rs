//! Inputs and outputs that several lookups share: shapes A, P and C, and name maps.
//!
//! Field comments are also schema descriptions and command-line help, written for the person who types the value.
//! Inputs and outputs of a single lookup are in the file of that lookup.

use std::collections::BTreeMap;

use derive_setters::Setters;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::ManagedObject;
use crate::{InvalidProperty, PolicyPath};

/// Pattern of an id that is a [segment] of a path, for schemas.
pub const ID_SEGMENT: &str = r"^(?!\.{1,2}$|\s|.*\s$)[^/&?#\x00-\x1f\x7f-\x9f]+$";
/// Pattern of a [`ID_SEGMENT`] or an empty string, which is treated as unset.
pub const OPTIONAL_ID_SEGMENT: &str = r"^(?!\.{1,2}$|\s|.*\s$)[^/&?#\x00-\x1f\x7f-\x9f]*$";

/// Checks an id that becomes a segment of a path.
///
/// # Errors
///
/// The id is empty or contains a character that is not permitted in a path segment.
pub fn segment(property: &str, id: &str) -> Result<(), InvalidProperty> {
    let reason = match id {
        "" => "must not be empty",
        id if id.contains(['/', '&']) => "must not contain \"/\" or \"&\"",
        id if PolicyPath::check_segment(id).is_err() => {
            "must not be \".\" or \"..\", begin or end with a blank, or contain \"?\", \"#\" or a control character"
        }
        _ => return Ok(()),
    };
    Err(InvalidProperty::new(property, reason))
}

/// The string, if it is set. Empty strings are treated as unset.
#[must_use]
pub fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.is_empty())
}

/// The tenant context an object belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "TenantContext")]
pub struct TenantContext {
    /// Id of the project. Must not be `default`.
    #[schemars(regex(pattern = ID_SEGMENT), extend("not" = { "const": "default" }))]
    pub project_id: String,
}

impl TenantContext {
    /// The context of the project with this id.
    pub fn project(id: impl Into<String>) -> Self {
        Self {
            project_id: id.into(),
        }
    }

    /// Checks the project id.
    ///
    /// # Errors
    ///
    /// The id is empty, is `default`, or contains a character that is not permitted in a path segment.
    pub fn validate(&self) -> Result<(), InvalidProperty> {
        let reason = match self.project_id.as_str() {
            "" => "must not be empty; omit `context` for objects outside all projects",
            "default" => "must not be \"default\"; omit `context` for objects outside all projects",
            id => return segment("context.projectId", id),
        };
        Err(InvalidProperty::new("context.projectId", reason))
    }
}

/// The project that an object belongs to, which may be the default one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ProjectContext")]
pub struct ProjectContext {
    /// Id of the project. `default` is the default project.
    #[schemars(regex(pattern = ID_SEGMENT))]
    pub project_id: String,
}

impl ProjectContext {
    /// The context of the project with this id.
    pub fn project(id: impl Into<String>) -> Self {
        Self {
            project_id: id.into(),
        }
    }
}

/// The VPC that an object belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "VpcContext")]
pub struct VpcContext {
    /// Id of the project. `default` is the default project.
    #[schemars(regex(pattern = ID_SEGMENT))]
    pub project_id: String,
    /// Id of the VPC.
    #[schemars(regex(pattern = ID_SEGMENT))]
    pub vpc_id: String,
}

impl VpcContext {
    /// The context of a VPC of a project.
    pub fn vpc(project_id: impl Into<String>, vpc_id: impl Into<String>) -> Self {
        Self {
            project_id: project_id.into(),
            vpc_id: vpc_id.into(),
        }
    }
}

/// The project that an object belongs to, or the global manager.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "GlobalContext")]
pub struct GlobalContext {
    /// Whether to search the objects that a global manager has sent to this local manager. Cannot be combined with `projectId`.
    pub from_global: Option<bool>,
    /// Id of the project. Must not be `default`.
    #[schemars(regex(pattern = OPTIONAL_ID_SEGMENT), extend("not" = { "const": "default" }))]
    pub project_id: Option<String>,
}

impl GlobalContext {
    /// The context of the project with this id.
    pub fn project(id: impl Into<String>) -> Self {
        Self {
            project_id: Some(id.into()),
            ..Self::default()
        }
    }

    /// The objects that a global manager has sent to a local manager.
    #[must_use]
    pub fn global() -> Self {
        Self {
            from_global: Some(true),
            ..Self::default()
        }
    }
}

/// A tag of an object.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Tag {
    /// Scope of the tag; empty if it has none.
    pub scope: String,
    /// Value of the tag; empty if it has none.
    pub tag: String,
}

/// An object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase")]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct NamedOutput {
    /// Description of the object; empty if it has none.
    pub description: String,
    /// Display name of the object.
    pub display_name: String,
    /// Id of the object.
    pub id: String,
}

/// A policy object with its tags and parent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase")]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct ObjectOutput {
    /// Description; empty if there is none.
    pub description: String,
    /// Display name.
    pub display_name: String,
    /// Id.
    pub id: String,
    /// Policy path of the parent.
    pub parent_path: String,
    /// Policy path.
    pub path: String,
    /// Tags.
    pub tags: Vec<Tag>,
}

/// A policy object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase")]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct PolicyOutput {
    /// Description of the object; empty if it has none.
    pub description: String,
    /// Display name of the object.
    pub display_name: String,
    /// Id of the object.
    pub id: String,
    /// Policy path of the object.
    pub path: String,
}

/// A policy object of a tenant context.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase")]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct ContextOutput {
    /// Tenant context from the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<TenantContext>,
    /// Description of the object; empty if it has none.
    pub description: String,
    /// Display name of the object.
    pub display_name: String,
    /// Id of the object.
    pub id: String,
    /// Policy path of the object.
    pub path: String,
}

/// A map of all objects of a kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase")]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct NameMap {
    /// Id from the input, or an id that the provider generates.
    pub id: String,
    /// Ids or policy paths, keyed by display name.
    pub items: BTreeMap<String, String>,
}

/// All objects of a kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectMap {
    /// A constant.
    pub id: String,
    /// Policy paths keyed by display name; for gateways, display names keyed by id.
    pub items: BTreeMap<String, String>,
    /// The objects, sorted by path.
    pub objects: Vec<ObjectOutput>,
}

impl NameMap {
    /// A map with this id.
    pub fn new(id: impl Into<String>, items: BTreeMap<String, String>) -> Self {
        Self { id: id.into(), items }
    }
}

impl From<&ManagedObject> for NamedOutput {
    fn from(object: &ManagedObject) -> Self {
        Self {
            description: object.description().to_owned(),
            display_name: object.name().to_owned(),
            id: object.id().to_owned(),
        }
    }
}

impl From<&ManagedObject> for ObjectOutput {
    fn from(object: &ManagedObject) -> Self {
        Self {
            description: object.description().to_owned(),
            display_name: object.name().to_owned(),
            id: object.id().to_owned(),
            parent_path: object.parent_path().to_owned(),
            path: object.path().unwrap_or_default().to_owned(),
            tags: object.tags(),
        }
    }
}

impl From<&ManagedObject> for PolicyOutput {
    fn from(object: &ManagedObject) -> Self {
        Self {
            description: object.description().to_owned(),
            display_name: object.name().to_owned(),
            id: object.id().to_owned(),
            path: object.path().unwrap_or_default().to_owned(),
        }
    }
}

impl From<&ManagedObject> for ContextOutput {
    /// The output without a context.
    fn from(object: &ManagedObject) -> Self {
        let PolicyOutput {
            description,
            display_name,
            id,
            path,
        } = object.into();
        Self {
            context: None,
            description,
            display_name,
            id,
            path,
        }
    }
}

#[cfg(test)]
mod tests;
