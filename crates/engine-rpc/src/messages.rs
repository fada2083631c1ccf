//! What the engine asks of a provider and what it is answered, without the protocol around it.
//! Values are decoded; fields that no provider needs are left out.

use std::collections::BTreeMap;
use std::fmt;

use engine_values::{Object, ProviderReference, Urn};

use crate::resource::ResourceOptions;

/// What a provider can read. The engine sends everything else in a simpler form
/// ("engine-plugin" 3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Secrets. A provider that takes them is responsible for marking what it makes from them.
    pub secrets: bool,
    /// Resource references.
    pub resources: bool,
    /// Outputs: values with secretness and dependencies in one.
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

/// The engine introduces itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handshake {
    /// Address of the engine, `host:port`.
    pub engine_address: String,
    /// Folder of the plugin's executable; `None` when the engine attached to a running plugin.
    pub root_directory: Option<String>,
    /// Folder the plugin runs in; `None` when the engine attached to a running plugin.
    pub program_directory: Option<String>,
    /// Whether the engine tells previews from updates in [`InvokeRequest::preview`].
    pub invoke_with_preview: bool,
}

/// Inputs to be checked: a provider's configuration or a resource's properties.
///
/// Secrets in a configuration arrive unmarked, so `Debug` names the inputs and shows none.
#[derive(Clone, Default, PartialEq)]
pub struct CheckRequest {
    /// The resource; the provider resource itself for a configuration.
    pub urn: Urn,
    /// Its name.
    pub name: String,
    /// Its type token.
    pub resource_type: String,
    /// What was checked last time; `None` the first time.
    pub olds: Option<Object>,
    /// What the program says now.
    pub news: Object,
}

impl fmt::Debug for CheckRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckRequest")
            .field("urn", &self.urn)
            .field("olds", &self.olds.as_ref().map(Names))
            .field("news", &Names(&self.news))
            .finish_non_exhaustive()
    }
}

/// The names of properties, without their values.
struct Names<'a>(&'a Object);

impl fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// Inputs to be compared.
///
/// Secrets in a configuration arrive unmarked, so `Debug` names the inputs and shows none.
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
    /// What it is now: outputs of the last operation.
    pub olds: Object,
    /// What was checked last time.
    pub old_inputs: Object,
    /// What was checked this time.
    pub news: Object,
    /// Paths to properties whose changes are ignored.
    pub ignore_changes: Vec<String>,
}

impl fmt::Debug for DiffRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiffRequest")
            .field("urn", &self.urn)
            .field("olds", &Names(&self.olds))
            .field("old_inputs", &Names(&self.old_inputs))
            .field("news", &Names(&self.news))
            .finish_non_exhaustive()
    }
}

/// How inputs differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// Whether they do.
    pub changes: Changes,
    /// Properties that differ.
    pub diffs: Vec<String>,
    /// Properties that cannot change without a replacement. For a configuration this replaces every
    /// resource of the provider.
    pub replaces: Vec<String>,
    /// Properties that are sure to stay.
    pub stables: Vec<String>,
    /// Whether the old one must go before the new one comes.
    pub delete_before_replace: bool,
}

/// Whether inputs differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Changes {
    /// The engine finds out by itself.
    #[default]
    Unknown,
    /// They do not.
    None,
    /// They do.
    Some,
}

/// Configuration, checked before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigureRequest {
    /// The configuration. Secrets are marked, nothing is unknown; `version` may be among the keys.
    pub args: Object,
    /// The provider resource; `None` from engines that do not tell.
    pub urn: Option<Urn>,
    /// Its identifier; `None` from engines that do not tell.
    pub id: Option<String>,
}

/// A function to be run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InvokeRequest {
    /// The function's token, as in the schema.
    pub token: String,
    /// Its arguments. Unknown ones do not arrive at all.
    pub arguments: Object,
    /// Whether this is a preview. Engines before 3.206 do not tell, and it is false.
    pub preview: bool,
}

/// A component to be built.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConstructRequest {
    /// The project.
    pub project: String,
    /// The stack.
    pub stack: String,
    /// The organization.
    pub organization: String,
    /// Configuration of the whole stack, `namespace:key` to text. Secrets are in clear.
    pub config: Config,
    /// Whether this is a preview.
    pub preview: bool,
    /// How many operations may run at once; 1 or less means one after the other.
    pub parallel: i32,
    /// Address of the monitor with which the component and its children are registered.
    pub monitor_endpoint: String,
    /// The component's type token.
    pub resource_type: String,
    /// The component's name.
    pub name: String,
    /// What it is inside of; `None` at the top.
    pub parent: Option<Urn>,
    /// Its inputs. Nobody has checked them.
    pub inputs: Object,
    /// What each input depends on.
    pub input_dependencies: BTreeMap<String, Vec<Urn>>,
    /// Options to be passed on.
    pub options: ResourceOptions,
    /// To be passed on when registering, so that the engine can join stack traces; may be empty.
    pub stack_trace_handle: String,
}

impl ConstructRequest {
    /// The provider that the program gave for a package.
    #[must_use]
    pub fn provider(&self, package: &str) -> Option<&ProviderReference> {
        self.options.providers.get(package)
    }
}

/// Stack configuration. `Debug` shows the values of keys that are not secret.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// Text by `namespace:key`; secrets are in clear.
    pub values: BTreeMap<String, String>,
    /// Keys whose values are secret.
    pub secret_keys: Vec<String>,
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.values.iter().map(|(key, value)| {
            (
                key,
                if self.secret_keys.contains(key) {
                    "[secret]"
                } else {
                    value.as_str()
                },
            )
        });
        f.debug_map().entries(shown).finish()
    }
}

/// A component that was built.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constructed {
    /// The component.
    pub urn: Urn,
    /// Its outputs, the same that were registered for it. What they depend on is told to the engine
    /// in the form that it asked for.
    pub state: Object,
}

/// A resource to be created.
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
    /// Whether this is a preview: nothing is to be created.
    pub preview: bool,
}

/// A resource that exists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Created {
    /// Its identifier.
    pub id: String,
    /// Its outputs.
    pub properties: Object,
}

/// A resource to be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadRequest {
    /// Its identifier.
    pub id: String,
    /// The resource.
    pub urn: Urn,
    /// Its type token.
    pub resource_type: String,
    /// Its outputs as last known.
    pub properties: Object,
    /// Its inputs as last known.
    pub inputs: Object,
}

/// A resource as it is now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadState {
    /// Its identifier; empty when it does not exist any more.
    pub id: String,
    /// Its outputs.
    pub properties: Object,
    /// Inputs that would lead to them.
    pub inputs: Object,
}

/// A resource to be changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateRequest {
    /// Its identifier.
    pub id: String,
    /// The resource.
    pub urn: Urn,
    /// Its type token.
    pub resource_type: String,
    /// Its outputs as last known.
    pub olds: Object,
    /// Its new checked inputs.
    pub news: Object,
    /// Whether this is a preview: nothing is to be changed.
    pub preview: bool,
}

/// A resource to be deleted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteRequest {
    /// Its identifier.
    pub id: String,
    /// The resource.
    pub urn: Urn,
    /// Its type token.
    pub resource_type: String,
    /// Its outputs as last known.
    pub properties: Object,
}

/// What programs of another tool become when the engine converts them.
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
        let config = Config {
            values: [("a:password", "hunter2"), ("a:host", "h")]
                .map(|(k, v)| (k.into(), v.into()))
                .into(),
            secret_keys: vec!["a:password".into()],
        };
        let shown = format!("{check:?} {diff:?} {config:?}");
        assert!(!shown.contains("hunter2"), "{shown}");
        assert!(shown.contains(r#"news: {"password"}"#), "{shown}");
        assert!(
            shown.contains(r#"{"a:host": "h", "a:password": "[secret]"}"#),
            "{shown}"
        );
    }
}
