//! Options of components and their children ("engine-plugin" 2.7 and 4.2).

use std::collections::BTreeMap;

use crate::values::{ProviderReference, Urn, Value};

/// Options that a component receives and passes on when it registers itself. Children take what they
/// need from them: protection, retention and providers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceOptions {
    /// Former identities of the resource.
    pub aliases: Vec<Alias>,
    /// Resources that it depends on as a whole.
    pub dependencies: Vec<Urn>,
    /// Whether its deletion is rejected; inherited from the parent by default.
    pub protect: Option<bool>,
    /// Whether it is kept when it is removed from the program; inherited from the parent by default.
    pub retain_on_delete: Option<bool>,
    /// Whether it is deleted before its replacement is created; the provider decides by default.
    pub delete_before_replace: Option<bool>,
    /// Providers for the resources inside, by package.
    pub providers: BTreeMap<String, ProviderReference>,
    /// Outputs to be kept secret.
    pub additional_secret_outputs: Vec<String>,
    /// Paths of properties whose changes are ignored.
    pub ignore_changes: Vec<String>,
    /// Paths of properties whose changes replace the resource.
    pub replace_on_changes: Vec<String>,
    /// Timeouts of operations.
    pub custom_timeouts: CustomTimeouts,
    /// A resource whose deletion also deletes this one.
    pub deleted_with: Option<Urn>,
    /// Resources whose replacement also replaces this one.
    pub replace_with: Vec<Urn>,
    /// A value whose change replaces the resource.
    pub replacement_trigger: Option<Value>,
    /// Hooks of the program around operations.
    pub hooks: ResourceHooks,
}

/// A former identity of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alias {
    /// The former URN.
    Urn(Urn),
    /// The parts that differed. Parts that are `None` are unchanged.
    Spec {
        /// Former name.
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

/// The former parent of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AliasParent {
    /// There was no parent.
    None,
    /// Exactly one object matches.
    Urn(Urn),
}

/// Timeouts of operations, as durations in Go's syntax (`30m`, `1h30m`). The provider has defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomTimeouts {
    /// Creating.
    pub create: Option<String>,
    /// Updating.
    pub update: Option<String>,
    /// Deleting.
    pub delete: Option<String>,
    /// Reading.
    pub read: Option<String>,
}

/// Names of hooks that the engine runs around operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
