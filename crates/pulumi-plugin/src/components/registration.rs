//! Registrations of resources with their options, in plain types.

use std::collections::{BTreeMap, BTreeSet};

use crate::values::{Object, ProviderReference, Urn, Value};

/// A resource to register, with resolved dependencies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Registration {
    /// Type token: `aws:iam/role:Role`.
    pub token: String,
    /// Logical name.
    pub name: String,
    /// Whether it is managed by a provider; false for components.
    pub custom: bool,
    /// Whether it is a component of another package, whose plugin constructs it.
    pub remote: bool,
    /// The parent; `None` only for a component that the program registers at the top.
    pub parent: Option<Urn>,
    /// Input properties with marks of secret and unknown values.
    pub inputs: Object,
    /// For each property, the resources that it depends on. Contains every property, because the engine
    /// assumes that each property depends on everything if the map is empty.
    pub property_dependencies: BTreeMap<String, BTreeSet<Urn>>,
    /// All dependencies: the explicit dependencies and the dependencies of its properties.
    pub dependencies: BTreeSet<Urn>,
    /// The provider that manages it; by default, the engine selects one.
    pub provider: Option<ProviderReference>,
    /// Providers for the children of a component, by package name.
    pub providers: BTreeMap<String, ProviderReference>,
    /// The resource whose deletion also deletes this one.
    pub deleted_with: Option<Urn>,
    /// The other options.
    pub options: ResourceOptions,
}

/// A package of children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChildPackage {
    /// Its name, the first part of its tokens.
    pub name: &'static str,
    /// The version that children are registered with, without `v`.
    pub version: &'static str,
    /// Download URL of its plugin, if it is not the default.
    pub download_url: Option<&'static str>,
}

/// Registration options other than parents, providers and dependencies. The engine provides the defaults.
///
/// A component has the options that the program sets. Its children inherit protection and retention.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResourceOptions {
    /// Version of the package, without `v`.
    pub version: Option<String>,
    /// Download URL of the plugin of the package.
    pub plugin_download_url: Option<String>,
    /// Whether its deletion is rejected. Default: the setting of its parent.
    pub protect: Option<bool>,
    /// Whether the resource is kept when it is removed from the state. Default: the setting of its parent.
    pub retain_on_delete: Option<bool>,
    /// Whether it is deleted before its replacement is created. By default, the provider decides.
    pub delete_before_replace: Option<bool>,
    /// Paths of properties whose changes are ignored.
    pub ignore_changes: Vec<String>,
    /// Paths of properties whose changes replace it.
    pub replace_on_changes: Vec<String>,
    /// Outputs that are secret in addition to those that the provider marks.
    pub additional_secret_outputs: Vec<String>,
    /// Former identities.
    pub aliases: Vec<Alias>,
    /// Identifier of an existing resource to adopt instead of creating one.
    pub import_id: Option<String>,
    /// Timeouts of the provider.
    pub timeouts: CustomTimeouts,
    /// Resources whose replacement also replaces this one.
    pub replace_with: Vec<Urn>,
    /// A value whose change replaces the resource.
    pub replacement_trigger: Option<Value>,
    /// Hooks of the program around operations.
    pub hooks: ResourceHooks,
}

/// A former identity of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Alias {
    /// The former URN.
    Urn(Urn),
    /// The parts that differed. Parts that are `None` are unchanged.
    Spec {
        /// Former logical name.
        name: Option<String>,
        /// Former type token.
        resource_type: Option<String>,
        /// Former stack.
        stack: Option<String>,
        /// Former project.
        project: Option<String>,
        /// Former parent.
        parent: Option<AliasParent>,
    },
}

impl Alias {
    /// A former name.
    pub fn named(name: impl Into<String>) -> Self {
        Self::Spec {
            name: Some(name.into()),
            resource_type: None,
            stack: None,
            project: None,
            parent: None,
        }
    }

    /// The former name, if it differed.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Urn(urn) => urn.parts().ok().map(|parts| parts.name),
            Self::Spec { name, .. } => name.as_deref(),
        }
    }
}

/// The former parent of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AliasParent {
    /// There was no parent.
    None,
    /// This resource.
    Urn(Urn),
}

/// Timeouts of operations, as durations in Go's syntax (`30m`, `1h30m`). The provider has defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CustomTimeouts {
    /// Timeout of the creation.
    pub create: Option<String>,
    /// Timeout of the update.
    pub update: Option<String>,
    /// Timeout of the deletion.
    pub delete: Option<String>,
    /// Timeout of reading.
    pub read: Option<String>,
}

/// Names of hooks that the engine runs around operations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResourceHooks {
    /// Before creating.
    pub before_create: Vec<String>,
    /// After creating.
    pub after_create: Vec<String>,
    /// Before updating.
    pub before_update: Vec<String>,
    /// After updating.
    pub after_update: Vec<String>,
    /// Before deleting.
    pub before_delete: Vec<String>,
    /// After deleting.
    pub after_delete: Vec<String>,
    /// After a failure.
    pub on_error: Vec<String>,
}

/// The engine's answer to a registration.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Registered {
    /// The resource's URN.
    pub urn: Urn,
    /// Its id; `None` for components, and in a preview before it exists.
    pub id: Option<String>,
    /// Its outputs. In a preview, some may be missing.
    pub outputs: Object,
    /// Whether the engine skipped the resource, so that missing outputs are unknown even outside of a
    /// preview.
    pub unknown: bool,
    /// For each output of a remote component or a method, the resources that it depends on.
    pub dependencies: BTreeMap<String, BTreeSet<Urn>>,
    /// Whether the operation failed or was skipped and the deployment continues. Nothing can then depend on the outputs.
    /// A registration with unknown inputs is no alternative, because outside of a preview the engine treats them as
    /// missing.
    pub failed: bool,
}
