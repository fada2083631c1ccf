//! The engine's resource monitor, with which a component registers itself and its children
//! ("engine-plugin" 4).

use std::collections::BTreeMap;

use engine_values::{Object, ProviderReference, Unknown, Urn};
use tonic::transport::Channel;
use tonic::{Code, Status};

use crate::channel::{self, InvalidAddress, MAX_MESSAGE};
use crate::convert::{Malformed, in_bag, some_text, texts, write_alias, write_dependencies, write_providers};
use crate::error::InputFailure;
use crate::generated::pulumirpc as rpc;
use crate::generated::pulumirpc::resource_monitor_client::ResourceMonitorClient;
use crate::resource::{CustomTimeouts, ResourceHooks, ResourceOptions};
use crate::structs;

/// The engine's resource monitor. Cheap to clone; connects at the first call.
///
/// Calls have no deadline: a registration lasts as long as the resource takes to be created. Any
/// number can be under way at once, and those that do not depend on each other should be.
#[derive(Clone, Debug)]
pub struct Monitor {
    client: ResourceMonitorClient<Channel>,
}

/// Who is behind a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResourceKind {
    /// A provider creates it. Also providers themselves.
    #[default]
    Custom,
    /// The plugin that registers it builds it; the component's own registration.
    Component,
    /// The plugin of another package builds it.
    Remote,
}

/// A resource to be registered ("engine-plugin" 4.2).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Registration {
    /// Its type token.
    pub resource_type: String,
    /// Its name.
    pub name: String,
    /// Who is behind it.
    pub kind: ResourceKind,
    /// What it is inside of; must be registered before. `None` at the top.
    pub parent: Option<Urn>,
    /// Its inputs. Values received may be passed on as they are, secret, unknown or neither.
    pub inputs: Object,
    /// What each input depends on, beyond what the values themselves say. When nothing is said of any
    /// property, all of them count as depending on [`ResourceOptions::dependencies`].
    pub property_dependencies: BTreeMap<String, Vec<Urn>>,
    /// Options it shares with components.
    pub options: ResourceOptions,
    /// The provider; `None` leaves it to the parent and the defaults.
    pub provider: Option<ProviderReference>,
    /// Version of the package it belongs to, without `v`; `None` takes what the program or the machine
    /// happens to have.
    pub version: Option<String>,
    /// Where the package's plugin is downloaded from; `None` for the usual place.
    pub plugin_download_url: Option<String>,
    /// Paths to properties whose differences are not shown.
    pub hide_diffs: Vec<String>,
    /// What the request to build the component said; may be empty.
    pub parent_stack_trace_handle: String,
}

/// What became of a registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done.
    Succeeded,
    /// The operation failed, and the program may go on.
    Failed,
    /// Something it depends on failed, or it was not a target.
    Skipped,
}

/// A registered resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Registered {
    /// Its name for the engine.
    pub urn: Urn,
    /// Its identifier; `None` while unknown, and for components.
    pub id: Option<String>,
    /// Its outputs, with the provider's defaults. In a preview what is absent or null is unknown; in
    /// an update it is the input of the same name ("engine-plugin" 4.3).
    pub outputs: Object,
    /// What became of the registration.
    pub outcome: Outcome,
    /// Whether all outputs count as unknown although it succeeded.
    pub unknown: bool,
}

/// A function to be called through the engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Invocation {
    /// The function's token.
    pub token: String,
    /// Its arguments. The engine drops what is unknown, so do not call with unknowns.
    pub arguments: Object,
    /// The provider; `None` for the default one.
    pub provider: Option<ProviderReference>,
    /// Version of the package it belongs to; `None` takes what the program or the machine has.
    pub version: Option<String>,
    /// Where the package's plugin is downloaded from; `None` for the usual place.
    pub plugin_download_url: Option<String>,
    /// Resources that must exist before; understood by engines since 3.256.
    pub depends_on: Vec<Urn>,
    /// The resource on whose behalf it is called; understood by engines since 3.255.
    pub parent: Option<Urn>,
    /// What the request to build the component said; may be empty.
    pub parent_stack_trace_handle: String,
}

/// The result of a function.
#[derive(Clone, Debug, PartialEq)]
pub enum Invoked {
    /// This.
    Known(Object),
    /// It cannot be told before something exists.
    Unknown,
}

/// Why a call to the monitor failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MonitorError {
    /// There is no connection: the deployment was cancelled or has failed. Stop at once.
    #[error("the engine's resource monitor is gone: {0}")]
    Gone(String),
    /// The engine does not have this call.
    #[error("the engine does not support this: {0}")]
    Unsupported(String),
    /// The arguments of a function are wrong.
    #[error("{token} was given wrong arguments: {}", .failures.iter().map(InputFailure::sentence).collect::<Vec<_>>().join("; "))]
    InvalidArguments {
        /// The function's token.
        token: String,
        /// What is wrong.
        failures: Vec<InputFailure>,
    },
    /// The engine refused, for the reason given.
    #[error("{0}")]
    Refused(String),
    /// The engine's answer is not what the protocol says.
    #[error("the engine's answer is malformed: {0}")]
    Malformed(String),
}

impl Monitor {
    /// The monitor at `endpoint`, written `host:port`.
    ///
    /// # Errors
    /// [`InvalidAddress`] when it is not.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn at(endpoint: &str) -> Result<Self, InvalidAddress> {
        let client =
            ResourceMonitorClient::new(channel::lazy(endpoint)?).max_decoding_message_size(MAX_MESSAGE);
        Ok(Self { client })
    }

    /// Whether the engine has a feature, such as `outputValues` ("engine-plugin" 4.1).
    ///
    /// # Errors
    /// [`MonitorError`].
    pub async fn supports_feature(&self, id: &str) -> Result<bool, MonitorError> {
        let request = rpc::SupportsFeatureRequest { id: id.to_owned() };
        Ok(self
            .client
            .clone()
            .supports_feature(request)
            .await
            .map_err(refused)?
            .into_inner()
            .has_support)
    }

    /// Registers a resource and waits until the engine is done with it.
    ///
    /// # Errors
    /// [`MonitorError`]. An operation that failed while the program may go on is no error but an
    /// [`Outcome`].
    pub async fn register(&self, registration: Registration) -> Result<Registered, MonitorError> {
        let answer = self
            .client
            .clone()
            .register_resource(write_registration(registration))
            .await
            .map_err(refused)?
            .into_inner();
        let outcome = match answer.result() {
            rpc::Result::Success => Outcome::Succeeded,
            rpc::Result::Fail => Outcome::Failed,
            rpc::Result::Skip => Outcome::Skipped,
        };
        Ok(Registered {
            urn: answer.urn.into(),
            id: some_text(answer.id).filter(|id| Unknown::from_sentinel(id).is_none()),
            outputs: structs::read(answer.object).map_err(in_bag("outputs"))?,
            outcome,
            unknown: answer.unknown,
        })
    }

    /// Registers the outputs of a component, which is always the last thing done for it.
    ///
    /// # Errors
    /// [`MonitorError`].
    pub async fn register_outputs(&self, urn: &Urn, outputs: Object) -> Result<(), MonitorError> {
        let request = rpc::RegisterResourceOutputsRequest {
            urn: urn.to_string(),
            outputs: structs::write(outputs),
        };
        self.client
            .clone()
            .register_resource_outputs(request)
            .await
            .map_err(refused)?;
        Ok(())
    }

    /// Calls a function through the engine.
    ///
    /// # Errors
    /// [`MonitorError`].
    pub async fn invoke(&self, invocation: Invocation) -> Result<Invoked, MonitorError> {
        let token = invocation.token.clone();
        let request = rpc::ResourceInvokeRequest {
            tok: invocation.token,
            args: structs::write(invocation.arguments),
            provider: invocation
                .provider
                .map(|provider| provider.to_string())
                .unwrap_or_default(),
            version: invocation.version.unwrap_or_default(),
            accept_resources: true,
            plugin_download_url: invocation.plugin_download_url.unwrap_or_default(),
            parent_stack_trace_handle: invocation.parent_stack_trace_handle,
            depends_on: texts(invocation.depends_on),
            parent: invocation.parent.map(String::from).unwrap_or_default(),
        };
        let answer = self
            .client
            .clone()
            .invoke(request)
            .await
            .map_err(refused)?
            .into_inner();
        if !answer.failures.is_empty() {
            let failures = answer.failures.into_iter().map(read_failure).collect();
            return Err(MonitorError::InvalidArguments { token, failures });
        }
        if answer.unknown {
            return Ok(Invoked::Unknown);
        }
        Ok(Invoked::Known(
            structs::read(answer.r#return).map_err(in_bag("result"))?,
        ))
    }
}

/// A property that cannot be read as a path is named in the reason.
fn read_failure(failure: rpc::CheckFailure) -> InputFailure {
    match failure.property.parse::<engine_values::PropertyPath>() {
        Ok(property) => InputFailure::new(property, failure.reason),
        Err(_) => InputFailure::new(
            engine_values::PropertyPath::default(),
            format!("{}: {}", failure.property, failure.reason),
        ),
    }
}

fn write_registration(registration: Registration) -> rpc::RegisterResourceRequest {
    let options = registration.options;
    rpc::RegisterResourceRequest {
        r#type: registration.resource_type,
        name: registration.name,
        parent: registration.parent.map(String::from).unwrap_or_default(),
        custom: registration.kind == ResourceKind::Custom,
        object: structs::write(registration.inputs),
        protect: options.protect,
        dependencies: texts(options.dependencies),
        provider: registration
            .provider
            .map(|provider| provider.to_string())
            .unwrap_or_default(),
        property_dependencies: write_dependencies(registration.property_dependencies),
        delete_before_replace: options.delete_before_replace.unwrap_or_default(),
        version: registration.version.unwrap_or_default(),
        ignore_changes: options.ignore_changes,
        accept_secrets: true,
        additional_secret_outputs: options.additional_secret_outputs,
        custom_timeouts: (options.custom_timeouts != CustomTimeouts::default())
            .then(|| options.custom_timeouts.into()),
        delete_before_replace_defined: options.delete_before_replace.is_some(),
        supports_partial_values: true,
        remote: registration.kind == ResourceKind::Remote,
        accept_resources: true,
        providers: write_providers(options.providers),
        replace_on_changes: options.replace_on_changes,
        plugin_download_url: registration.plugin_download_url.unwrap_or_default(),
        retain_on_delete: options.retain_on_delete,
        aliases: options.aliases.into_iter().map(write_alias).collect(),
        deleted_with: options.deleted_with.map(String::from).unwrap_or_default(),
        alias_specs: true,
        supports_result_reporting: true,
        hooks: (options.hooks != ResourceHooks::default()).then(|| options.hooks.into()),
        parent_stack_trace_handle: registration.parent_stack_trace_handle,
        hide_diffs: registration.hide_diffs,
        replace_with: texts(options.replace_with),
        replacement_trigger: options.replacement_trigger.map(structs::write_value),
    }
}

fn refused(status: Status) -> MonitorError {
    let message = status.message().to_owned();
    match status.code() {
        Code::Unavailable | Code::Cancelled => MonitorError::Gone(message),
        Code::Unimplemented => MonitorError::Unsupported(message),
        _ => MonitorError::Refused(message),
    }
}

impl From<Malformed> for MonitorError {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed.to_string())
    }
}
