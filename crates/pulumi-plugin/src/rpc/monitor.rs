//! The engine's resource monitor, which registers resources and calls functions. [`crate::components`] determines when it
//! does.

use futures_util::FutureExt as _;
use tonic::transport::Channel;
use tonic::{Code, Status};
use tracing::Instrument as _;

use crate::components::{
    CustomTimeouts, FunctionCall, FunctionResult, LogMessage, MethodCall, MethodResult, Pending, Registered,
    Registrar, RegistrarError, Registration, ResourceHooks,
};
use crate::rpc::bags;
use crate::rpc::channel::{self, MAX_MESSAGE};
use crate::rpc::convert::{
    Malformed, convert_values, in_bag, read_dependencies, some_text, texts, urns, write_alias,
    write_dependencies, write_provider, write_providers,
};
use crate::rpc::error::Error;
use crate::rpc::generated::pulumirpc as rpc;
use crate::rpc::generated::pulumirpc::resource_monitor_client::ResourceMonitorClient;
use crate::rpc::log::{EngineLog, head_start};
use crate::rpc::traced;
use crate::values::{Object, Unknown, Urn};

/// The engine's resource monitor, with which a component registers itself and its children.
///
/// Calls have no deadline: a registration lasts as long as the resource takes to be created.
#[derive(Clone)]
pub struct Monitor {
    client: ResourceMonitorClient<Channel>,
    log: EngineLog,
    stack_trace_handle: String,
}

impl Monitor {
    /// The monitor at `address` (`host:port`); connects at the first call. The engine joins stack traces of
    /// registrations by `stack_trace_handle`, which may be empty.
    ///
    /// # Errors
    /// [`Error::Failed`] if the address is invalid.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn at(address: &str, stack_trace_handle: &str, log: EngineLog) -> Result<Self, Error> {
        let channel = channel::lazy(address).map_err(|error| Error::failed(&error))?;
        Ok(Self {
            client: ResourceMonitorClient::new(channel).max_decoding_message_size(MAX_MESSAGE),
            log,
            stack_trace_handle: stack_trace_handle.to_owned(),
        })
    }

    fn message(&self, registration: Registration) -> rpc::RegisterResourceRequest {
        let options = registration.options;
        rpc::RegisterResourceRequest {
            r#type: registration.token,
            name: registration.name,
            parent: registration.parent.map(String::from).unwrap_or_default(),
            custom: registration.custom,
            remote: registration.remote,
            object: bags::write(registration.inputs),
            property_dependencies: write_dependencies(registration.property_dependencies),
            dependencies: texts(registration.dependencies),
            provider: write_provider(registration.provider),
            providers: write_providers(registration.providers),
            deleted_with: registration.deleted_with.map(String::from).unwrap_or_default(),
            version: options.version.unwrap_or_default(),
            plugin_download_url: options.plugin_download_url.unwrap_or_default(),
            protect: options.protect,
            retain_on_delete: options.retain_on_delete,
            delete_before_replace: options.delete_before_replace.unwrap_or_default(),
            delete_before_replace_defined: options.delete_before_replace.is_some(),
            ignore_changes: options.ignore_changes,
            replace_on_changes: options.replace_on_changes,
            additional_secret_outputs: options.additional_secret_outputs,
            aliases: options.aliases.into_iter().map(write_alias).collect(),
            import_id: options.import_id.unwrap_or_default(),
            custom_timeouts: (options.timeouts != CustomTimeouts::default()).then(|| options.timeouts.into()),
            replace_with: texts(options.replace_with),
            replacement_trigger: options.replacement_trigger.map(bags::write_value),
            hooks: (options.hooks != ResourceHooks::default()).then(|| options.hooks.into()),
            accept_secrets: true,
            accept_resources: true,
            supports_partial_values: true,
            alias_specs: true,
            supports_result_reporting: true,
            parent_stack_trace_handle: self.stack_trace_handle.clone(),
        }
    }
}

impl Registrar for Monitor {
    fn register(&self, registration: Registration) -> Pending<Registered> {
        let span = traced::registration(&registration.token, &registration.name);
        let (mut monitor, message) = (self.client.clone(), self.message(registration));
        async move {
            let message = traced::below_current(message);
            let answer = monitor.register_resource(message).await.map_err(refused)?;
            registered(answer.into_inner()).map_err(malformed)
        }
        .instrument(span)
        .boxed()
    }

    fn read(&self, registration: Registration, id: Option<String>) -> Pending<Registered> {
        let span = traced::read(&registration.token, &registration.name);
        let mut monitor = self.client.clone();
        let options = registration.options;
        let message = rpc::ReadResourceRequest {
            id: id
                .clone()
                .unwrap_or_else(|| Unknown::String.sentinel().to_owned()),
            r#type: registration.token,
            name: registration.name,
            parent: registration.parent.map(String::from).unwrap_or_default(),
            properties: bags::write(registration.inputs),
            dependencies: texts(registration.dependencies),
            provider: write_provider(registration.provider),
            version: options.version.unwrap_or_default(),
            accept_secrets: true,
            additional_secret_outputs: options.additional_secret_outputs,
            accept_resources: true,
            plugin_download_url: options.plugin_download_url.unwrap_or_default(),
            parent_stack_trace_handle: self.stack_trace_handle.clone(),
        };
        async move {
            let message = traced::below_current(message);
            let answer = monitor
                .read_resource(message)
                .await
                .map_err(refused)?
                .into_inner();
            let outputs = bags::read(answer.properties).map_err(in_bag("outputs"));
            Ok(Registered {
                urn: answer.urn.into(),
                id,
                outputs: outputs.map_err(malformed)?,
                ..Registered::default()
            })
        }
        .instrument(span)
        .boxed()
    }

    fn register_outputs(&self, urn: Urn, outputs: Object) -> Pending<()> {
        let mut monitor = self.client.clone();
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

    fn call(&self, call: FunctionCall) -> Pending<FunctionResult> {
        let mut monitor = self.client.clone();
        let token = call.token.clone();
        let message = rpc::ResourceInvokeRequest {
            tok: call.token,
            args: bags::write(call.arguments),
            provider: write_provider(call.provider),
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

    fn call_method(&self, call: MethodCall) -> Pending<MethodResult> {
        let mut monitor = self.client.clone();
        let token = call.token.clone();
        let dependencies = convert_values(call.argument_dependencies, |urns| {
            let urns = texts(urns);
            rpc::call_request::ArgumentDependencies { urns }
        });
        let message = rpc::ResourceCallRequest {
            tok: call.token,
            args: bags::write(call.arguments),
            arg_dependencies: dependencies,
            provider: write_provider(call.provider),
            version: call.version.unwrap_or_default(),
            plugin_download_url: call.plugin_download_url.unwrap_or_default(),
            parent_stack_trace_handle: self.stack_trace_handle.clone(),
        };
        async move {
            let answer = monitor.call(message).await.map_err(refused)?.into_inner();
            if !answer.failures.is_empty() {
                return Err(wrong_arguments(&token, &answer.failures));
            }
            Ok(MethodResult {
                values: bags::read(answer.r#return)
                    .map_err(in_bag("result"))
                    .map_err(malformed)?,
                dependencies: convert_values(answer.return_dependencies, |of| urns(of.urns)),
            })
        }
        .boxed()
    }

    fn log(&self, message: LogMessage) -> Pending<()> {
        let log = self.log.clone();
        async move {
            head_start(tokio::spawn(async move { log.send(message).await })).await;
            Ok(())
        }
        .boxed()
    }
}

fn registered(answer: rpc::RegisterResourceResponse) -> Result<Registered, Malformed> {
    Ok(Registered {
        failed: answer.result() != rpc::Result::Success,
        urn: answer.urn.into(),
        id: some_text(answer.id).filter(|id| Unknown::from_sentinel(id).is_none()),
        outputs: bags::read(answer.object).map_err(in_bag("outputs"))?,
        unknown: answer.unknown,
        dependencies: read_dependencies(answer.property_dependencies),
    })
}

fn called(answer: rpc::ResourceInvokeResponse) -> Result<FunctionResult, Malformed> {
    Ok(FunctionResult {
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

/// If the connection is closed, the deployment was cancelled or has failed.
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
}
