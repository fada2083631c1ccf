//! Requests to providers and their results, independent of the protocol. Values are decoded, and unused
//! fields are omitted.

use std::fmt;

use crate::values::{Object, Urn};

/// Kinds of values that a provider accepts. The engine sends others in a simpler form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Secrets. A provider that accepts them must mark the values that it derives from them.
    pub secrets: bool,
    /// Resource references.
    pub resources: bool,
    /// Outputs, which are values with marks of secrets and dependencies.
    pub outputs: bool,
}

/// Everything.
impl Default for Capabilities {
    fn default() -> Self {
        Self {
            secrets: true,
            resources: true,
            outputs: true,
        }
    }
}

/// The handshake of the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandshakeRequest {
    /// Address of the engine, `host:port`.
    pub engine_address: String,
    /// Folder of the plugin's executable; `None` when the engine attached to a running plugin.
    pub root_directory: Option<String>,
    /// Folder the plugin runs in; `None` when the engine attached to a running plugin.
    pub program_directory: Option<String>,
    /// Whether the engine sets [`InvokeRequest::preview`].
    pub invoke_with_preview: bool,
}

/// A request to check inputs: a provider's configuration or a resource's properties.
///
/// Secrets in a configuration are not marked, so `Debug` prints only the names of the inputs.
#[derive(Clone, Default, PartialEq)]
pub struct CheckRequest {
    /// The resource; the provider resource itself for a configuration.
    pub urn: Urn,
    /// Its name.
    pub name: String,
    /// Its type token.
    pub resource_type: String,
    /// The previous inputs; `None` the first time.
    pub olds: Option<Object>,
    /// The new inputs.
    pub news: Object,
}

impl fmt::Debug for CheckRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckRequest")
            .field("urn", &self.urn)
            .field("olds", &self.olds.as_ref().map(PropertyNames))
            .field("news", &PropertyNames(&self.news))
            .finish_non_exhaustive()
    }
}

/// The names of properties, without their values.
struct PropertyNames<'a>(&'a Object);

impl fmt::Debug for PropertyNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// A request to compare inputs.
///
/// Secrets in a configuration are not marked, so `Debug` prints only the names of the inputs.
#[derive(Clone, Default, PartialEq)]
pub struct DiffRequest {
    /// The resource; the provider resource itself for a configuration.
    pub urn: Urn,
    /// Its identifier; empty for a configuration.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its type token.
    pub resource_type: String,
    /// The current state: outputs of the last operation.
    pub olds: Object,
    /// The previous inputs.
    pub old_inputs: Object,
    /// The new inputs.
    pub news: Object,
    /// Paths of properties whose changes are ignored.
    pub ignore_changes: Vec<String>,
}

impl fmt::Debug for DiffRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiffRequest")
            .field("urn", &self.urn)
            .field("olds", &PropertyNames(&self.olds))
            .field("old_inputs", &PropertyNames(&self.old_inputs))
            .field("news", &PropertyNames(&self.news))
            .finish_non_exhaustive()
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// Whether the inputs differ.
    pub changes: Changes,
    /// Properties that differ.
    pub diffs: Vec<String>,
    /// Properties whose changes require a replacement. For a configuration, this replaces every resource of
    /// the provider.
    pub replaces: Vec<String>,
    /// Properties that certainly do not change.
    pub stables: Vec<String>,
    /// Whether the old resource must be deleted before the new one is created.
    pub delete_before_replace: bool,
}

/// Whether inputs differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Changes {
    /// Unknown. The engine compares the inputs.
    #[default]
    Unknown,
    /// The inputs are equal.
    None,
    /// The inputs differ.
    Some,
}

/// A request with the checked configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigureRequest {
    /// The configuration. Secrets are marked, nothing is unknown; `version` may be among the keys.
    pub args: Object,
    /// The provider resource; `None` from engines that do not send it.
    pub urn: Option<Urn>,
    /// Its identifier; `None` from engines that do not send it.
    pub id: Option<String>,
}

/// A request to run a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InvokeRequest {
    /// The function's token, as in the schema.
    pub token: String,
    /// Its arguments. Unknown arguments are not sent.
    pub arguments: Object,
    /// Whether this is a preview. Always false with engines before 3.206.
    pub preview: bool,
}

/// A request to create a resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CreateRequest {
    /// The resource.
    pub urn: Urn,
    /// Its name.
    pub name: String,
    /// Its type token.
    pub resource_type: String,
    /// Its checked inputs.
    pub properties: Object,
    /// Whether this is a preview, in which nothing is created.
    pub preview: bool,
}

/// A created resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Created {
    /// Its identifier.
    pub id: String,
    /// Its outputs.
    pub properties: Object,
}

/// A request to read a resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadRequest {
    /// Its identifier.
    pub id: String,
    /// The resource.
    pub urn: Urn,
    /// Its type token.
    pub resource_type: String,
    /// Its last known outputs.
    pub properties: Object,
    /// Its last known inputs.
    pub inputs: Object,
}

/// The current state of a resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadState {
    /// Its id; empty if it no longer exists.
    pub id: String,
    /// Its outputs.
    pub properties: Object,
    /// The corresponding inputs.
    pub inputs: Object,
}

/// A request to update a resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateRequest {
    /// Its identifier.
    pub id: String,
    /// The resource.
    pub urn: Urn,
    /// Its type token.
    pub resource_type: String,
    /// Its last known outputs.
    pub olds: Object,
    /// Its new checked inputs.
    pub news: Object,
    /// Whether this is a preview, in which nothing is changed.
    pub preview: bool,
}

/// A request to delete a resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteRequest {
    /// Its identifier.
    pub id: String,
    /// The resource.
    pub urn: Urn,
    /// Its type token.
    pub resource_type: String,
    /// Its last known outputs.
    pub properties: Object,
}

/// A mapping from a provider of another tool to this package, with which the engine converts programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The tool, as converters call it: `terraform`.
    pub tool: &'static str,
    /// The tool's provider whose resources and data sources are mapped.
    pub provider: &'static str,
    /// The mapping in the form that converters for the tool read.
    pub data: &'static [u8],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_no_configuration_that_may_be_secret() {
        let bag = Object::from([("password".to_owned(), "hunter2".into())]);
        let check = CheckRequest {
            olds: Some(bag.clone()),
            news: bag.clone(),
            ..CheckRequest::default()
        };
        let diff = DiffRequest {
            olds: bag.clone(),
            old_inputs: bag.clone(),
            news: bag,
            ..Default::default()
        };
        let shown = format!("{check:?} {diff:?}");
        assert!(!shown.contains("hunter2"), "{shown}");
        assert!(shown.contains(r#"news: {"password"}"#), "{shown}");
    }
}
