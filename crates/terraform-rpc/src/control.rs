//! The services of the plugin library: the end of the process.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::Stream;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::{Request, Response, Status};

use crate::generated::plugin::grpc_controller_server::GrpcController;
use crate::generated::plugin::grpc_stdio_server::GrpcStdio;
use crate::generated::plugin::{Empty, StdioData};

/// Ends the process when the host requests it or is gone.
pub(crate) struct Control {
    /// Cancelled to end the process.
    pub(crate) end: CancellationToken,
    /// Whether the process ends when the host is gone. A process that was started by hand stays for other hosts.
    pub(crate) follows_host: bool,
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
    type StreamStdioStream = Silence;

    async fn stream_stdio(&self, _: Request<()>) -> Result<Response<Silence>, Status> {
        Ok(Response::new(Silence {
            ended: Box::pin(self.end.clone().cancelled_owned()),
            dropped: self.follows_host.then(|| self.end.clone()),
        }))
    }
}

/// A stream without items, which is open until the process ends. Hosts open it once for each connection, and a host
/// that is killed drops it.
pub(crate) struct Silence {
    ended: Pin<Box<WaitForCancellationFutureOwned>>,
    /// Cancelled when the stream is dropped.
    dropped: Option<CancellationToken>,
}

impl Stream for Silence {
    type Item = Result<StdioData, Status>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.ended.as_mut().poll(task).map(|()| None)
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        if let Some(end) = &self.dropped {
            end.cancel();
        }
    }
}
