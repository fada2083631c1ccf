//! Serves calls over HTTP/2.
//!
//! With hyper, because the server of tonic keeps half a kilobyte for each call that waits: a timeout, a span and the
//! request around the future of the service.

use std::convert::Infallible;
use std::pin::pin;

use futures_util::{Stream, StreamExt as _};
use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite};
use tonic::body::Body;
use tonic::codegen::Service;
use tonic::codegen::http::{Request, Response};

/// Maximum number of unread bytes of all calls of a connection, which is the maximum of the protocol. With a lower
/// limit, waiting calls could block the one that cancels them.
const UNREAD: u32 = i32::MAX.unsigned_abs();

/// Maximum number of calls that are given up before they begin. The library closes the connection after twenty, which
/// it takes for an attack, but a host that is interrupted gives up all of its calls.
const GIVEN_UP_EARLY: usize = 1 << 20;

/// Serves the calls of `connections`, each with its own service, until `shutdown` completes or there are no more
/// connections. Then no call begins, and those that have begun are completed.
///
/// A service must always be ready, as those are that tonic generates. The header `grpc-timeout` has no effect: clients
/// give up calls themselves when their time is over, which drops the future of the call.
pub async fn serve<C, S>(connections: impl Stream<Item = (C, S)>, shutdown: impl Future<Output = ()>)
where
    C: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    let mut server = http2::Builder::new(TokioExecutor::new());
    server
        .initial_connection_window_size(UNREAD)
        .max_concurrent_streams(None)
        .max_pending_accept_reset_streams(GIVEN_UP_EARLY);
    let ending = GracefulShutdown::new();
    {
        // Dropped at the end of the block, so that new connections are refused.
        let mut connections = pin!(connections.take_until(shutdown));
        while let Some((stream, service)) = connections.next().await {
            let service = service_fn(move |request: Request<Incoming>| {
                // Ready, as documented.
                service.clone().call(request.map(Body::new))
            });
            let connection = server.serve_connection(TokioIo::new(stream), service);
            let connection = ending.watch(connection);
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::debug!(%error, "a connection failed");
                }
            });
        }
    }
    ending.shutdown().await;
}
