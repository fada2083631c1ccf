//! The interface of the engine for components, in plain types. `recording` implements it for tests.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::BoxFuture;

use crate::components::registration::{Registered, Registration};
use crate::values::{Object, ProviderReference, Urn};

/// The engine: registers resources and calls functions.
///
/// Every call is sent at most once and takes as long as the creation of the resource. Dropping a future stops
/// waiting.
pub trait Registrar: Send + Sync {
    /// Registers a resource and waits until the engine has created, updated or previewed it.
    fn register(&self, registration: Registration) -> Pending<Registered>;

    /// Reads an existing resource, and waits for its state. In a preview, `id` is `None` if it is unknown.
    fn read(&self, registration: Registration, id: Option<String>) -> Pending<Registered>;

    /// Stores the outputs of a component.
    fn register_outputs(&self, urn: Urn, outputs: Object) -> Pending<()>;

    /// Calls a function of a package.
    fn call(&self, call: FunctionCall) -> Pending<FunctionResult>;

    /// Calls a method of a component.
    fn call_method(&self, call: MethodCall) -> Pending<MethodResult>;

    /// Shows a message to the user.
    fn log(&self, message: LogMessage) -> Pending<()>;
}

/// A pending call of the engine.
pub type Pending<T> = BoxFuture<'static, Result<T, RegistrarError>>;

/// A call of a function, with known arguments.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FunctionCall {
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
pub struct FunctionResult {
    /// The properties that the function returned.
    pub result: Object,
    /// Whether the engine skipped the call, so that the result is unknown.
    pub unknown: bool,
}

/// Name of the argument of a method that contains the component.
pub(crate) const SELF: &str = "__self__";

/// A call of a method of a component.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MethodCall {
    /// Token of the method: `shop:index:Store/open`.
    pub token: String,
    /// Arguments with marks of secret and unknown values, and the component as `__self__`.
    pub arguments: Object,
    /// For each argument, the resources that it depends on.
    pub argument_dependencies: BTreeMap<String, BTreeSet<Urn>>,
    /// The provider of the component; by default, the engine selects one.
    pub provider: Option<ProviderReference>,
    /// Version of the package, without `v`.
    pub version: Option<String>,
    /// Download URL of the plugin of the package.
    pub plugin_download_url: Option<String>,
}

/// The result of a method.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MethodResult {
    /// The properties that the method returned, with marks of secret and unknown values.
    pub values: Object,
    /// For each value, the resources that it depends on.
    pub dependencies: BTreeMap<String, BTreeSet<Urn>>,
}

/// A message to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogMessage {
    /// Severity.
    pub severity: Severity,
    /// The text.
    pub text: String,
    /// The resource that it refers to.
    pub urn: Option<Urn>,
    /// Whether it is only shown while the operation runs, for progress.
    pub ephemeral: bool,
}

impl LogMessage {
    /// Creates a permanent message without a resource.
    #[must_use]
    pub fn new(severity: Severity, text: impl Into<String>) -> Self {
        Self {
            severity,
            text: text.into(),
            urn: None,
            ephemeral: false,
        }
    }
}

/// Severity of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Only shown with the engine's flag `--debug`.
    Debug,
    /// Information.
    Info,
    /// A warning.
    Warning,
    /// An error. Return an error as well, because the engine may ignore the message.
    Error,
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
