//! Which service answers a call. There are three, so no router is needed, which would require a kilobyte per call.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http;

use crate::control::Control;
use crate::generated::plugin::grpc_controller_server::GrpcControllerServer;
use crate::generated::plugin::grpc_stdio_server::GrpcStdioServer;
use crate::generated::tfplugin6::provider_server::ProviderServer;
use crate::provider::Provider;
use crate::service::Service;

/// Largest request in bytes. Hosts send up to 2 GiB, other libraries for providers accept 256 MiB.
const MAX_REQUEST: usize = 256 << 20;

/// All services of a provider.
pub(crate) struct Services<P> {
    provider: ProviderServer<Service<P>>,
    controller: GrpcControllerServer<Control>,
    stdio: GrpcStdioServer<Control>,
}

impl<P: Provider> Services<P> {
    pub(crate) fn new(provider: Arc<P>, control: Control) -> Self {
        let control = Arc::new(control);
        Self {
            provider: ProviderServer::new(Service { provider }).max_decoding_message_size(MAX_REQUEST),
            controller: GrpcControllerServer::from_arc(Arc::clone(&control)),
            stdio: GrpcStdioServer::from_arc(control),
        }
    }
}

impl<P> Clone for Services<P> {
    fn clone(&self) -> Self {
        Self {
            provider: self.provider.clone(),
            controller: self.controller.clone(),
            stdio: self.stdio.clone(),
        }
    }
}

type Answer = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

impl<P: Provider> tonic::codegen::Service<http::Request<Body>> for Services<P> {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Answer {
        let service = request.uri().path().split('/').nth(1).unwrap_or_default();
        match service {
            "tfplugin6.Provider" => self.provider.call(request),
            "plugin.GRPCController" => self.controller.call(request),
            "plugin.GRPCStdio" => self.stdio.call(request),
            _ => Box::pin(async { Ok(Status::unimplemented("").into_http()) }),
        }
    }
}
