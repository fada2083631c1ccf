//! The interface of the engine for components, in plain types. `recording` implements it for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::values::{Object, ProviderReference, Urn};
use futures_util::future::BoxFuture;

/// The engine: registers resources and calls functions.
///
/// Every call is sent at most once and takes as long as the creation of the resource. Dropping a future stops
/// waiting.
pub trait Registrar: Send + Sync {
    /// Registers a resource and waits until the engine has created, updated or previewed it.
    fn register(&self, registration: Registration) -> Pending<Registered>;

    /// Stores the outputs of a component.
    fn register_outputs(&self, urn: Urn, outputs: Object) -> Pending<()>;

    /// Calls a function of a package.
    fn call(&self, call: Call) -> Pending<Called>;

    /// Shows a message to the user.
    fn log(&self, message: Message) -> Pending<()>;
}

/// A call of the engine that is under way.
pub type Pending<T> = BoxFuture<'static, Result<T, RegistrarError>>;

/// A resource to register, with resolved dependencies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Registration {
    /// Type token: `aws:iam/role:Role`.
    pub token: String,
    /// Logical name.
    pub name: String,
    /// Whether it is managed by a provider; false for components.
    pub custom: bool,
    /// The parent; `None` only for a component that the program registers at the top.
    pub parent: Option<Urn>,
    /// Input properties with marks of secret and unknown values.
    pub inputs: Object,
    /// For each property, the resources that it depends on. Contains every property, because the engine
    /// assumes that each property depends on everything if the map is empty.
    pub property_dependencies: BTreeMap<String, BTreeSet<Urn>>,
    /// All dependencies: the explicit ones and those of its properties.
    pub dependencies: BTreeSet<Urn>,
    /// The provider that manages it; by default, the engine selects one.
    pub provider: Option<ProviderReference>,
    /// Providers for the children of a component, by package name.
    pub providers: BTreeMap<String, ProviderReference>,
    /// The resource whose deletion also deletes this one.
    pub deleted_with: Option<Urn>,
    /// The other options.
    pub settings: Settings,
}

/// Registration options without dependencies. The engine provides the defaults.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// Version of the package, without `v`.
    pub version: Option<String>,
    /// Download URL of the plugin of the package.
    pub plugin_download_url: Option<String>,
    /// Whether its deletion is rejected.
    pub protect: Option<bool>,
    /// Whether the resource is kept when it is removed from the state.
    pub retain_on_delete: Option<bool>,
    /// Whether it is deleted before its replacement is created.
    pub delete_before_replace: Option<bool>,
    /// Paths of properties whose changes are ignored.
    pub ignore_changes: Vec<String>,
    /// Paths of properties whose changes replace it.
    pub replace_on_changes: Vec<String>,
    /// Outputs that are secret in addition to those that the provider marks.
    pub additional_secret_outputs: Vec<String>,
    /// Former identities.
    pub aliases: Vec<Alias>,
    /// Timeouts of the provider.
    pub timeouts: Timeouts,
}

impl Settings {
    /// Fills what was not given from the parent. Engines since 3.157 and 3.158 do the same.
    pub(crate) fn inherit(&mut self, parent: Inherited) {
        self.protect = self.protect.or(parent.protect);
        self.retain_on_delete = self.retain_on_delete.or(parent.retain_on_delete);
    }

    /// What children get from a resource with these settings.
    pub(crate) fn inherited(&self) -> Inherited {
        Inherited {
            protect: self.protect,
            retain_on_delete: self.retain_on_delete,
        }
    }
}

/// Settings that a child has from its parent unless it has its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Inherited {
    protect: Option<bool>,
    retain_on_delete: Option<bool>,
}

/// Timeouts of a provider for each operation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timeouts {
    /// Timeout of the creation.
    pub create: Option<Duration>,
    /// Timeout of the update.
    pub update: Option<Duration>,
    /// Timeout of the deletion.
    pub delete: Option<Duration>,
}

/// A former identity of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Alias {
    /// The former URN.
    Urn(Urn),
    /// The parts of the identity that differed.
    Spec {
        /// Former logical name.
        name: Option<String>,
        /// Former type token.
        token: Option<String>,
        /// Former parent.
        parent: Option<Urn>,
    },
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
    /// Whether the operation failed or was skipped although the deployment continues. Nothing can be made from
    /// the outputs then, not even a registration with unknown inputs: outside a preview the engine takes those
    /// for missing.
    pub failed: bool,
}

/// A call of a function, with known arguments.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Call {
    /// Token of the function.
    pub token: String,
    /// Plain arguments without marks.
    pub arguments: Object,
    /// The calling component.
    pub parent: Option<Urn>,
    /// The provider of the function; by default, the engine selects one.
    pub provider: Option<ProviderReference>,
    /// Version of the package, without `v`.
    pub version: Option<String>,
    /// Download URL of the plugin of the package.
    pub plugin_download_url: Option<String>,
}

/// The answer to a call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Called {
    /// What the function returned.
    pub result: Object,
    /// Whether the engine skipped the call, so that the result is unknown.
    pub unknown: bool,
}

/// A message to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Severity.
    pub severity: Severity,
    /// The text.
    pub text: String,
    /// The affected resource.
    pub urn: Option<Urn>,
}

/// Severity of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Information.
    Info,
    /// A warning.
    Warning,
}

/// Errors of the engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistrarError {
    /// The operation failed or was rejected.
    #[error("{reason}")]
    Refused {
        /// Message of the engine.
        reason: String,
    },
    /// The deployment ended because it was cancelled or another operation failed.
    #[error("the engine has shut down the deployment")]
    ShutDown,
}
