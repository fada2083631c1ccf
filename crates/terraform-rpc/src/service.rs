//! The calls of hosts for a [`Provider`].
//!
//! A failure is a diagnostic, never a status of gRPC, which hosts show without a source line. A panic fails its call
//! alone.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use tonic::{Request, Response, Status};

use crate::codec;
use crate::convert;
use crate::diagnostic::Diagnostic;
use crate::generated::tfplugin6 as wire;
use crate::generated::tfplugin6::provider_server::Provider as Calls;
use crate::panics;
use crate::provider::{Answer, Provider};
use crate::schema::Block;
use crate::value::Object;

/// A provider as hosts call it.
pub(crate) struct Service<P> {
    pub(crate) provider: Arc<P>,
}

/// Reports a bug to the user.
fn bug(detail: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(
        "Internal error of the provider",
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

impl<P: Provider> Service<P> {
    /// The schema of a data source.
    fn data_source(&self, name: &str) -> Result<&Block, Vec<Diagnostic>> {
        let block = self.provider.schema().data_sources.get(name);
        block.ok_or_else(|| vec![bug(format_args!("there is no data source {name}"))])
    }

    async fn answer(&self, request: wire::read_data_source::Request) -> Result<Answer, Vec<Diagnostic>> {
        let block = self.data_source(&request.type_name)?;
        let config = object(request.config, block)?;
        Ok(self.provider.read(&request.type_name, config).await)
    }

    async fn read(&self, request: wire::read_data_source::Request) -> wire::read_data_source::Response {
        let name = request.type_name.clone();
        let answer = AssertUnwindSafe(self.answer(request)).catch_unwind().await;
        let Answer {
            state,
            mut diagnostics,
        } = match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(diagnostics)) => Answer {
                state: None,
                diagnostics,
            },
            Err(payload) => Answer {
                state: None,
                diagnostics: panicked(payload),
            },
        };
        let state = state.and_then(|state| {
            let block = self.data_source(&name).ok()?;
            match codec::encode(state, block) {
                Ok(bytes) => Some(wire::DynamicValue {
                    msgpack: bytes.into(),
                    ..wire::DynamicValue::default()
                }),
                Err(error) => {
                    diagnostics.push(bug(error));
                    None
                }
            }
        });
        wire::read_data_source::Response {
            state,
            diagnostics: convert::diagnostics(diagnostics),
        }
    }
}

#[tonic::async_trait]
impl<P: Provider> Calls for Service<P> {
    async fn get_provider_schema(
        &self,
        _: Request<wire::get_provider_schema::Request>,
    ) -> Result<Response<wire::get_provider_schema::Response>, Status> {
        Ok(Response::new(convert::schema(self.provider.schema())))
    }

    async fn validate_provider_config(
        &self,
        request: Request<wire::validate_provider_config::Request>,
    ) -> Result<Response<wire::validate_provider_config::Response>, Status> {
        let diagnostics = caught(|| {
            let config = object(request.into_inner().config, &self.provider.schema().provider)?;
            Ok(self.provider.validate_config(config))
        });
        Ok(Response::new(wire::validate_provider_config::Response {
            diagnostics,
        }))
    }

    async fn configure_provider(
        &self,
        request: Request<wire::configure_provider::Request>,
    ) -> Result<Response<wire::configure_provider::Response>, Status> {
        let request = request.into_inner();
        tracing::debug!(host_version = request.terraform_version, "configure");
        let configured = async {
            match object(request.config, &self.provider.schema().provider) {
                Ok(config) => self.provider.configure(config).await,
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
        let request = request.into_inner();
        let diagnostics = caught(|| {
            let config = object(request.config, self.data_source(&request.type_name)?)?;
            Ok(self.provider.validate_data(&request.type_name, config))
        });
        Ok(Response::new(wire::validate_data_resource_config::Response {
            diagnostics,
        }))
    }

    async fn read_data_source(
        &self,
        request: Request<wire::read_data_source::Request>,
    ) -> Result<Response<wire::read_data_source::Response>, Status> {
        Ok(Response::new(self.read(request.into_inner()).await))
    }

    async fn stop_provider(
        &self,
        _: Request<wire::stop_provider::Request>,
    ) -> Result<Response<wire::stop_provider::Response>, Status> {
        tracing::debug!("stop");
        self.provider.stop();
        Ok(Response::new(wire::stop_provider::Response::default()))
    }
}
