//! The engine as `components` sees it: registrations and calls become messages to the engine's
//! resource monitor ("engine-plugin" 4), and its answers plain ones. Not here: when they are sent, which is
//! up to `components`.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::components::{self as sdk, Pending, Registrar, RegistrarError};
use crate::values::{Object, Unknown, Urn};
use futures_util::FutureExt as _;
use tonic::transport::Channel;
use tonic::{Code, Status};
use tracing::Instrument as _;

use crate::rpc::bags;
use crate::rpc::channel::{self, InvalidAddress, MAX_MESSAGE};
use crate::rpc::convert::{
    Malformed, in_bag, some_text, texts, write_alias, write_dependencies, write_providers,
};
use crate::rpc::generated::pulumirpc as rpc;
use crate::rpc::generated::pulumirpc::construct_request::CustomTimeouts as RpcTimeouts;
use crate::rpc::generated::pulumirpc::resource_monitor_client::ResourceMonitorClient;
use crate::rpc::log::{EngineLog, LogMessage, Severity};
use crate::rpc::messages::ConstructRequest;
use crate::rpc::resource::{Alias, AliasParent, CustomTimeouts, ResourceHooks, ResourceOptions};
use crate::rpc::traced;

/// The registrar of a component and its children.
///
/// Calls have no deadline: a registration lasts as long as the resource takes to be created.
pub(crate) struct MonitorRegistrar {
    monitor: ResourceMonitorClient<Channel>,
    log: EngineLog,
    component: Component,
    stack_trace_handle: String,
}

/// The component that is constructed.
struct Component {
    token: String,
    name: String,
    parent: Option<Urn>,
    /// Options of the program, including those that do not apply to children.
    options: ResourceOptions,
}

impl MonitorRegistrar {
    /// A registrar for the component of `request`; connects at the first call.
    pub(crate) fn new(log: EngineLog, request: &ConstructRequest) -> Result<Self, InvalidAddress> {
        let channel = channel::lazy(&request.monitor_endpoint)?;
        Ok(Self {
            monitor: ResourceMonitorClient::new(channel).max_decoding_message_size(MAX_MESSAGE),
            log,
            component: Component {
                token: request.resource_type.clone(),
                name: request.name.clone(),
                parent: request.parent.clone(),
                options: request.options.clone(),
            },
            stack_trace_handle: request.stack_trace_handle.clone(),
        })
    }

    fn message(&self, registration: sdk::Registration) -> rpc::RegisterResourceRequest {
        let own = self.component.is(&registration);
        let former = self.component.former_names(&registration.name);
        let message = rpc::RegisterResourceRequest {
            r#type: registration.token,
            name: registration.name,
            parent: registration.parent.map(String::from).unwrap_or_default(),
            custom: registration.custom,
            object: bags::write(registration.inputs),
            property_dependencies: dependencies(registration.property_dependencies),
            dependencies: registration.dependencies.into_iter().map(String::from).collect(),
            provider: registration
                .provider
                .map(|provider| provider.to_string())
                .unwrap_or_default(),
            providers: write_providers(registration.providers),
            deleted_with: registration.deleted_with.map(String::from).unwrap_or_default(),
            accept_secrets: true,
            accept_resources: true,
            supports_partial_values: true,
            alias_specs: true,
            supports_result_reporting: true,
            parent_stack_trace_handle: self.stack_trace_handle.clone(),
            ..rpc::RegisterResourceRequest::default()
        };
        if own {
            with_options(message, self.component.options.clone())
        } else {
            with_settings(message, registration.settings, former)
        }
    }
}

impl Component {
    /// Whether a registration is that of the component itself. No child has the component's parent.
    fn is(&self, registration: &sdk::Registration) -> bool {
        !registration.custom
            && registration.token == self.token
            && registration.name == self.name
            && registration.parent == self.parent
    }

    /// Former names of a child if the component was renamed, because names of children start with that of the
    /// component. The engine only infers them from the name of the parent, which does not work for a child
    /// whose parent is another child.
    fn former_names(&self, child: &str) -> Vec<Alias> {
        let Some(rest) = child.strip_prefix(self.name.as_str()) else {
            return Vec::new();
        };
        let names = self.options.aliases.iter().filter_map(|alias| match alias {
            Alias::Urn(urn) => urn.parts().ok().map(|parts| parts.name.to_owned()),
            Alias::Spec { name, .. } => name.clone(),
        });
        names
            .filter(|name| *name != self.name)
            .map(|name| Alias::Spec {
                name: Some(name + rest),
                resource_type: None,
                stack: None,
                project: None,
                parent: None,
            })
            .collect()
    }
}

impl Registrar for MonitorRegistrar {
    fn register(&self, registration: sdk::Registration) -> Pending<sdk::Registered> {
        let span = traced::registration(&registration.token, &registration.name);
        let (mut monitor, message) = (self.monitor.clone(), self.message(registration));
        async move {
            let message = traced::below_current(message);
            let answer = monitor.register_resource(message).await.map_err(refused)?;
            registered(answer.into_inner()).map_err(malformed)
        }
        .instrument(span)
        .boxed()
    }

    fn register_outputs(&self, urn: Urn, outputs: Object) -> Pending<()> {
        let mut monitor = self.monitor.clone();
        let message = rpc::RegisterResourceOutputsRequest {
            urn: urn.into(),
            outputs: bags::write(outputs),
        };
        async move {
            monitor
                .register_resource_outputs(message)
                .await
                .map_err(refused)?;
            Ok(())
        }
        .boxed()
    }

    fn call(&self, call: sdk::Call) -> Pending<sdk::Called> {
        let mut monitor = self.monitor.clone();
        let token = call.token.clone();
        let message = rpc::ResourceInvokeRequest {
            tok: call.token,
            args: bags::write(call.arguments),
            provider: call
                .provider
                .map(|provider| provider.to_string())
                .unwrap_or_default(),
            version: call.version.unwrap_or_default(),
            accept_resources: true,
            plugin_download_url: call.plugin_download_url.unwrap_or_default(),
            parent_stack_trace_handle: self.stack_trace_handle.clone(),
            parent: call.parent.map(String::from).unwrap_or_default(),
        };
        async move {
            let answer = monitor.invoke(message).await.map_err(refused)?.into_inner();
            if answer.failures.is_empty() {
                called(answer).map_err(malformed)
            } else {
                Err(wrong_arguments(&token, &answer.failures))
            }
        }
        .boxed()
    }

    fn log(&self, message: sdk::Message) -> Pending<()> {
        let log = self.log.clone();
        let severity = match message.severity {
            sdk::Severity::Info => Severity::Info,
            sdk::Severity::Warning => Severity::Warning,
        };
        let message = LogMessage {
            urn: message.urn,
            ..LogMessage::new(severity, message.text)
        };
        async move {
            log.send(message).await;
            Ok(())
        }
        .boxed()
    }
}

/// Completes the registration of the component by what the program gave it.
fn with_options(
    message: rpc::RegisterResourceRequest,
    options: ResourceOptions,
) -> rpc::RegisterResourceRequest {
    rpc::RegisterResourceRequest {
        aliases: options.aliases.into_iter().map(write_alias).collect(),
        dependencies: texts(options.dependencies),
        protect: options.protect,
        retain_on_delete: options.retain_on_delete,
        delete_before_replace: options.delete_before_replace.unwrap_or_default(),
        delete_before_replace_defined: options.delete_before_replace.is_some(),
        providers: write_providers(options.providers),
        additional_secret_outputs: options.additional_secret_outputs,
        ignore_changes: options.ignore_changes,
        replace_on_changes: options.replace_on_changes,
        custom_timeouts: (options.custom_timeouts != CustomTimeouts::default())
            .then(|| options.custom_timeouts.into()),
        deleted_with: options.deleted_with.map(String::from).unwrap_or_default(),
        replace_with: texts(options.replace_with),
        replacement_trigger: options.replacement_trigger.map(bags::write_value),
        hooks: (options.hooks != ResourceHooks::default()).then(|| options.hooks.into()),
        ..message
    }
}

/// Completes the registration of a child.
fn with_settings(
    message: rpc::RegisterResourceRequest,
    settings: sdk::Settings,
    former: Vec<Alias>,
) -> rpc::RegisterResourceRequest {
    let aliases = settings.aliases.into_iter().map(alias).chain(former);
    rpc::RegisterResourceRequest {
        aliases: aliases.map(write_alias).collect(),
        version: settings.version.unwrap_or_default(),
        plugin_download_url: settings.plugin_download_url.unwrap_or_default(),
        protect: settings.protect,
        retain_on_delete: settings.retain_on_delete,
        delete_before_replace: settings.delete_before_replace.unwrap_or_default(),
        delete_before_replace_defined: settings.delete_before_replace.is_some(),
        additional_secret_outputs: settings.additional_secret_outputs,
        ignore_changes: settings.ignore_changes,
        replace_on_changes: settings.replace_on_changes,
        custom_timeouts: (settings.timeouts != sdk::Timeouts::default()).then(|| timeouts(settings.timeouts)),
        ..message
    }
}

fn alias(alias: sdk::Alias) -> Alias {
    match alias {
        sdk::Alias::Urn(urn) => Alias::Urn(urn),
        sdk::Alias::Spec { name, token, parent } => Alias::Spec {
            name,
            resource_type: token,
            stack: None,
            project: None,
            parent: parent.map(AliasParent::Urn),
        },
    }
}

fn dependencies(
    by_property: BTreeMap<String, BTreeSet<Urn>>,
) -> BTreeMap<String, rpc::construct_request::PropertyDependencies> {
    let lists = by_property.into_iter();
    write_dependencies(
        lists
            .map(|(property, urns)| (property, urns.into_iter().collect()))
            .collect(),
    )
}

fn timeouts(timeouts: sdk::Timeouts) -> RpcTimeouts {
    let text = |timeout: Option<Duration>| timeout.map(go_duration).unwrap_or_default();
    RpcTimeouts {
        create: text(timeouts.create),
        update: text(timeouts.update),
        delete: text(timeouts.delete),
        read: String::new(),
    }
}

/// A duration in Go's syntax; it takes fractions and any number of seconds.
fn go_duration(duration: Duration) -> String {
    format!("{}s", duration.as_secs_f64())
}

fn registered(answer: rpc::RegisterResourceResponse) -> Result<sdk::Registered, Malformed> {
    Ok(sdk::Registered {
        failed: answer.result() != rpc::Result::Success,
        urn: answer.urn.into(),
        id: some_text(answer.id).filter(|id| Unknown::from_sentinel(id).is_none()),
        outputs: bags::read(answer.object).map_err(in_bag("outputs"))?,
        unknown: answer.unknown,
    })
}

fn called(answer: rpc::ResourceInvokeResponse) -> Result<sdk::Called, Malformed> {
    Ok(sdk::Called {
        result: bags::read(answer.r#return).map_err(in_bag("result"))?,
        unknown: answer.unknown,
    })
}

fn wrong_arguments(token: &str, failures: &[rpc::CheckFailure]) -> RegistrarError {
    let sentences = failures.iter().map(|failure| match failure.property.as_str() {
        "" => failure.reason.clone(),
        property => format!("{property}: {}", failure.reason),
    });
    let sentences = sentences.collect::<Vec<_>>().join("; ");
    RegistrarError::Refused {
        reason: format!("invalid arguments for {token}: {sentences}"),
    }
}

/// Without a connection the deployment was cancelled or has failed.
fn refused(status: Status) -> RegistrarError {
    match status.code() {
        Code::Unavailable | Code::Cancelled => RegistrarError::ShutDown,
        _ => RegistrarError::Refused {
            reason: status.message().to_owned(),
        },
    }
}

fn malformed(malformed: Malformed) -> RegistrarError {
    RegistrarError::Refused {
        reason: format!("the engine's answer is malformed: {malformed}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_the_engine_did_not_make_is_unknown() {
        let answer = |unknown| rpc::ResourceInvokeResponse {
            unknown,
            ..Default::default()
        };
        assert!(called(answer(true)).unwrap().unknown);
        assert!(!called(answer(false)).unwrap().unknown);
    }

    #[test]
    fn durations_are_written_as_go_reads_them() {
        let cases = [
            (Duration::from_secs(1800), "1800s"),
            (Duration::from_millis(1500), "1.5s"),
            (Duration::from_nanos(1), "0.000000001s"),
        ];
        for (duration, expected) in cases {
            assert_eq!(go_duration(duration), expected);
        }
    }
}
