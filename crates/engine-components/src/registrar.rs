//! What a component asks of the engine, in plain types. Who asks over the network lives elsewhere; who plays
//! the engine in tests is in `recording`.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use engine_values::{Object, ProviderReference, Urn};
use futures_util::future::BoxFuture;

/// The engine as a component sees it: where resources are registered and functions are called.
///
/// Every call is made at most once and may take as long as the resource takes to create. A future that is
/// dropped gives up waiting.
pub trait Registrar: Send + Sync {
    /// Registers a resource and waits until the engine has created, updated or previewed it.
    fn register(&self, registration: Registration) -> Asked<Registered>;

    /// Stores the outputs of a component.
    fn register_outputs(&self, urn: Urn, outputs: Object) -> Asked<()>;

    /// Calls a function of a package.
    fn call(&self, call: Call) -> Asked<Called>;

    /// Shows a message to the user.
    fn log(&self, message: Message) -> Asked<()>;
}

/// Something asked of the engine.
pub type Asked<T> = BoxFuture<'static, Result<T, RegistrarError>>;

/// A resource to be registered, with everything that it depends on already answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Registration {
    /// Type token: `aws:iam/role:Role`.
    pub token: String,
    /// Logical name.
    pub name: String,
    /// Whether a provider manages it; false for components.
    pub custom: bool,
    /// The parent; `None` only for a component that the program registers at the top.
    pub parent: Option<Urn>,
    /// Input properties; secrets and unknowns are marked where they are.
    pub inputs: Object,
    /// Property by property, the resources that it was made from. Every property is there, with none if it was
    /// made from none: the engine takes silence about all of them for "each depends on everything".
    pub property_dependencies: BTreeMap<String, BTreeSet<Urn>>,
    /// Everything it depends on: what was asked for, and what its properties were made from.
    pub dependencies: BTreeSet<Urn>,
    /// The provider that manages it; `None` leaves the choice to the engine.
    pub provider: Option<ProviderReference>,
    /// Providers for the children of a component, by package name.
    pub providers: BTreeMap<String, ProviderReference>,
    /// The resource whose deletion deletes this one too.
    pub deleted_with: Option<Urn>,
    /// The other options.
    pub settings: Settings,
}

/// Registration options that wait for nothing. Each is left to the engine when it is not given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// Version of the package, without `v`.
    pub version: Option<String>,
    /// Where to download the package's plugin.
    pub plugin_download_url: Option<String>,
    /// Refuse to delete it.
    pub protect: Option<bool>,
    /// Leave it in place when it is deleted.
    pub retain_on_delete: Option<bool>,
    /// Delete it before its replacement is created.
    pub delete_before_replace: Option<bool>,
    /// Property paths whose changes are ignored.
    pub ignore_changes: Vec<String>,
    /// Property paths whose changes replace it.
    pub replace_on_changes: Vec<String>,
    /// Outputs that are secret although the provider does not say so.
    pub additional_secret_outputs: Vec<String>,
    /// What it was called before.
    pub aliases: Vec<Alias>,
    /// How long the provider may take.
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

/// How long a provider may take, by operation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timeouts {
    /// For creating.
    pub create: Option<Duration>,
    /// For updating.
    pub update: Option<Duration>,
    /// For deleting.
    pub delete: Option<Duration>,
}

/// A former identity of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Alias {
    /// Its whole former URN.
    Urn(Urn),
    /// The parts of its identity that were different.
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
    /// Its identifier; `None` in a preview before it exists, and for components.
    pub id: Option<String>,
    /// Its outputs; in a preview some may be missing.
    pub outputs: Object,
    /// Whether the engine did nothing, so that missing outputs are unknown also outside a preview.
    pub unknown: bool,
    /// Whether the operation failed or was skipped although the deployment goes on. Nothing can be made from
    /// the outputs then, not even a registration with unknown inputs: outside a preview the engine takes those
    /// for missing.
    pub failed: bool,
}

/// A call of a function, with known arguments.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Call {
    /// Token of the function.
    pub token: String,
    /// Arguments, without secrets, unknowns or outputs around them.
    pub arguments: Object,
    /// The component that calls.
    pub parent: Option<Urn>,
    /// The provider that answers; `None` leaves the choice to the engine.
    pub provider: Option<ProviderReference>,
    /// Version of the package, without `v`.
    pub version: Option<String>,
    /// Where to download the package's plugin.
    pub plugin_download_url: Option<String>,
}

/// The answer to a call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Called {
    /// What the function returned.
    pub result: Object,
    /// Whether the engine did not make the call, so that nothing is known.
    pub unknown: bool,
}

/// A message to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// How much it matters.
    pub severity: Severity,
    /// The text.
    pub text: String,
    /// The resource it is about.
    pub urn: Option<Urn>,
}

/// How much a message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Good to know.
    Info,
    /// Should be looked at.
    Warning,
}

/// Why the engine did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistrarError {
    /// It was tried and failed, or was not allowed.
    #[error("{reason}")]
    Refused {
        /// The engine's words.
        reason: String,
    },
    /// The deployment is over, because it was cancelled or because something else failed.
    #[error("the engine has shut down the deployment")]
    ShutDown,
}
