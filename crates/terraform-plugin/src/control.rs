//! The services of go-plugin that hosts use in addition to the provider's own: the end of the process, and its output.

use futures_util::stream::{self, BoxStream, StreamExt as _};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use crate::generated::plugin::grpc_controller_server::GrpcController;
use crate::generated::plugin::grpc_stdio_server::GrpcStdio;
use crate::generated::plugin::{Empty, StdioData};

/// Ends the process when a host requests it.
pub(crate) struct Control {
    /// Cancelled to end the process.
    pub(crate) end: CancellationToken,
}

#[tonic::async_trait]
impl GrpcController for Control {
    async fn shutdown(&self, _: Request<Empty>) -> Result<Response<Empty>, Status> {
        tracing::debug!("shutdown");
        self.end.cancel();
        Ok(Response::new(Empty {}))
    }
}

#[tonic::async_trait]
impl GrpcStdio for Control {
    type StreamStdioStream = BoxStream<'static, Result<StdioData, Status>>;

    /// Output of the process, which is empty. The stream stays open until the process ends, because hosts take its end
    /// as the end of the process.
    async fn stream_stdio(&self, _: Request<()>) -> Result<Response<Self::StreamStdioStream>, Status> {
        let end = stream::once(self.end.clone().cancelled_owned());
        Ok(Response::new(end.filter_map(async |()| None).boxed()))
    }
}
