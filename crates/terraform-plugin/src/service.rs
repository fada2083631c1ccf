//! The calls of hosts for the [`DataSourceProvider`] of their connection.
//!
//! A failure is a diagnostic, never a gRPC status, which hosts show without a source line. A panic only fails its own
//! call.

use std::any::Any;
use std::marker::PhantomData;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use tonic::{Request, Response, Status};

use crate::codec;
use crate::convert;
use crate::diagnostic::Diagnostic;
use crate::generated::tfplugin6 as wire;
use crate::generated::tfplugin6::provider_server::Provider as ProviderServer;
use crate::panics;
use crate::provider::{DataSourceProvider, ReadOutcome};
use crate::schema::Block;
use crate::value::Object;

/// The calls of hosts. Each request has the provider of its connection.
pub(crate) struct ProviderCalls<P>(PhantomData<fn() -> P>);

impl<P> ProviderCalls<P> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

/// The provider of the connection of a request, and its message.
fn parts<P: DataSourceProvider, M>(request: Request<M>) -> (Arc<P>, M) {
    let provider = request.extensions().get::<Arc<P>>().cloned();
    (
        provider.expect("every connection has a provider"),
        request.into_inner(),
    )
}

/// Reports a bug to the user.
fn bug(detail: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(
        "Internal provider error",
        format!("This is a bug; please report it: {detail}."),
    )
}

/// Reports a panic to the user.
///
/// The panic hook has written it to stderr, which hosts show to the user too, unless they end before they read it.
fn panicked(payload: Box<dyn Any + Send>) -> Vec<Diagnostic> {
    vec![bug(format_args!("it panicked: {}", panics::message(&*payload)))]
}

/// The object in a message.
fn object(value: Option<wire::DynamicValue>, block: &Block) -> Result<Object, Vec<Diagnostic>> {
    let value = value.unwrap_or_default();
    if !value.json.is_empty() {
        return Err(vec![bug("the host sent a value in JSON")]);
    }
    codec::decode(&value.msgpack, block).map_err(|error| vec![bug(error)])
}

/// Runs `work`. A panic becomes a diagnostic.
fn caught(work: impl FnOnce() -> Result<Vec<Diagnostic>, Vec<Diagnostic>>) -> Vec<wire::Diagnostic> {
    let diagnostics = std::panic::catch_unwind(AssertUnwindSafe(work));
    let diagnostics = diagnostics.unwrap_or_else(|payload| Err(panicked(payload)));
    convert::diagnostics(diagnostics.unwrap_or_else(|errors| errors))
}

/// The schema of a data source.
fn data_source<'a>(provider: &'a impl DataSourceProvider, name: &str) -> Result<&'a Block, Vec<Diagnostic>> {
    let block = provider.schema().data_sources.get(name);
    block.ok_or_else(|| vec![bug(format_args!("there is no data source {name}"))])
}

/// Reads a data source, and encodes the result.
async fn read(
    provider: &impl DataSourceProvider,
    request: wire::read_data_source::Request,
) -> Result<wire::read_data_source::Response, Vec<Diagnostic>> {
    let block = data_source(provider, &request.type_name)?;
    let config = object(request.config, block)?;
    let ReadOutcome {
        state,
        mut diagnostics,
    } = provider.read(&request.type_name, config).await;
    let state = match state.map(|state| codec::encode(state, block)).transpose() {
        Ok(bytes) => bytes.map(|bytes| wire::DynamicValue {
            msgpack: bytes.into(),
            ..wire::DynamicValue::default()
        }),
        Err(error) => {
            diagnostics.push(bug(error));
            None
        }
    };
    Ok(wire::read_data_source::Response {
        state,
        diagnostics: convert::diagnostics(diagnostics),
    })
}

#[tonic::async_trait]
impl<P: DataSourceProvider> ProviderServer for ProviderCalls<P> {
    async fn get_provider_schema(
        &self,
        request: Request<wire::get_provider_schema::Request>,
    ) -> Result<Response<wire::get_provider_schema::Response>, Status> {
        let (provider, _) = parts::<P, _>(request);
        Ok(Response::new(convert::schema(provider.schema())))
    }

    async fn validate_provider_config(
        &self,
        request: Request<wire::validate_provider_config::Request>,
    ) -> Result<Response<wire::validate_provider_config::Response>, Status> {
        let (provider, request) = parts::<P, _>(request);
        let diagnostics = caught(|| {
            let config = object(request.config, &provider.schema().provider)?;
            Ok(provider.validate_config(config))
        });
        Ok(Response::new(wire::validate_provider_config::Response {
            diagnostics,
        }))
    }

    async fn configure_provider(
        &self,
        request: Request<wire::configure_provider::Request>,
    ) -> Result<Response<wire::configure_provider::Response>, Status> {
        let (provider, request) = parts::<P, _>(request);
        tracing::debug!(host_version = request.terraform_version, "configure");
        let configured = async {
            match object(request.config, &provider.schema().provider) {
                Ok(config) => provider.configure(config).await,
                Err(diagnostics) => diagnostics,
            }
        };
        let diagnostics = AssertUnwindSafe(configured).catch_unwind().await;
        let diagnostics = diagnostics.unwrap_or_else(panicked);
        Ok(Response::new(wire::configure_provider::Response {
            diagnostics: convert::diagnostics(diagnostics),
        }))
    }

    async fn validate_data_resource_config(
        &self,
        request: Request<wire::validate_data_resource_config::Request>,
    ) -> Result<Response<wire::validate_data_resource_config::Response>, Status> {
        let (provider, request) = parts::<P, _>(request);
        let diagnostics = caught(|| {
            let config = object(request.config, data_source(&*provider, &request.type_name)?)?;
            Ok(provider.validate_data(&request.type_name, config))
        });
        Ok(Response::new(wire::validate_data_resource_config::Response {
            diagnostics,
        }))
    }

    async fn read_data_source(
        &self,
        request: Request<wire::read_data_source::Request>,
    ) -> Result<Response<wire::read_data_source::Response>, Status> {
        let (provider, request) = parts::<P, _>(request);
        let response = AssertUnwindSafe(read(&*provider, request)).catch_unwind().await;
        let response = response.unwrap_or_else(|payload| Err(panicked(payload)));
        Ok(Response::new(response.unwrap_or_else(|errors| {
            wire::read_data_source::Response {
                state: None,
                diagnostics: convert::diagnostics(errors),
            }
        })))
    }

    async fn stop_provider(
        &self,
        request: Request<wire::stop_provider::Request>,
    ) -> Result<Response<wire::stop_provider::Response>, Status> {
        tracing::debug!("stop");
        let (provider, _) = parts::<P, _>(request);
        provider.stop();
        Ok(Response::new(wire::stop_provider::Response::default()))
    }
}
