//! The services of a connection. The router of the library would be a web framework.

use std::convert::Infallible;
use std::task::{Context, Poll};

use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tonic::codegen::{BoxFuture, Service};

use crate::control::Control;
use crate::generated::plugin::grpc_controller_server::{self, GrpcControllerServer};
use crate::generated::plugin::grpc_stdio_server::{self, GrpcStdioServer};
use crate::generated::tfplugin6::provider_server::ProviderServer;
use crate::provider::DataSourceProvider;
use crate::service::ProviderCalls;

/// All services.
pub(crate) struct Services<P> {
    pub(crate) provider: ProviderServer<ProviderCalls<P>>,
    pub(crate) controller: GrpcControllerServer<Control>,
    pub(crate) stdio: GrpcStdioServer<Control>,
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

impl<P: DataSourceProvider> Service<Request<Body>> for Services<P> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Infallible>;

    /// All services are always ready.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        match request.uri().path().split('/').nth(1) {
            Some(grpc_controller_server::SERVICE_NAME) => self.controller.call(request),
            Some(grpc_stdio_server::SERVICE_NAME) => self.stdio.call(request),
            // It answers that it does not have the methods of other services.
            _ => self.provider.call(request),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio_util::sync::CancellationToken;
    use tonic::{Code, Status};

    use super::*;
    use crate::{Diagnostic, Object, ReadOutcome, Schema};

    struct Empty(Schema);

    impl DataSourceProvider for Empty {
        fn schema(&self) -> &Schema {
            &self.0
        }

        fn validate_config(&self, _: Object) -> Vec<Diagnostic> {
            Vec::new()
        }

        async fn configure(&self, _: Object) -> Vec<Diagnostic> {
            Vec::new()
        }

        fn validate_data(&self, _: &str, _: Object) -> Vec<Diagnostic> {
            Vec::new()
        }

        async fn read(&self, _: &str, _: Object) -> ReadOutcome {
            ReadOutcome::default()
        }

        fn stop(&self) {}
    }

    #[tokio::test]
    async fn each_service_gets_its_calls_and_the_provider_refuses_others() {
        let end = CancellationToken::new();
        let control = Arc::new(Control { end: end.clone() });
        let mut services = Services {
            provider: ProviderServer::new(ProviderCalls::<Empty>::new()),
            controller: GrpcControllerServer::from_arc(Arc::clone(&control)),
            stdio: GrpcStdioServer::from_arc(control),
        };
        for (method, expected) in [
            ("tfplugin6.Provider/GetProviderSchema", Code::Ok),
            ("tfplugin6.Provider/Sing", Code::Unimplemented),
            ("plugin.GRPCStdio/StreamStdio", Code::Ok),
            ("plugin.GRPCBroker/StartStream", Code::Unimplemented),
            ("plugin.GRPCController/Shutdown", Code::Ok),
        ] {
            assert!(!end.is_cancelled(), "before {method}");
            // An empty message in its frame.
            let request = Request::builder().uri(format!("/{method}"));
            let request = request.extension(Arc::new(Empty(Schema::default())));
            let request = request.body(Body::new("\0\0\0\0\0".to_owned())).unwrap();
            let response = services.call(request).await.unwrap();
            // Successful calls end with their status, after the messages.
            let status = Status::from_header_map(response.headers());
            assert_eq!(
                status.map_or(Code::Ok, |status| status.code()),
                expected,
                "{method}"
            );
        }
        assert!(end.is_cancelled());
    }
}
