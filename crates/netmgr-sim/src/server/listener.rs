//! Sockets: accepts connections, performs TLS handshakes and passes requests to the server.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tokio_util::sync::CancellationToken;

use super::HttpServer;
use super::connection::{Peer, Reset, Socket};

/// Maximum time for requests in flight to finish when the server stops.
const GRACE: Duration = Duration::from_secs(5);
/// Pause after a failed accept, which is mostly a lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves connections until `stop` is cancelled, then lets those that are busy finish. Dropping it ends them all.
pub(crate) async fn run(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    server: Arc<HttpServer>,
    stop: CancellationToken,
) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, address)) => {
                    server.recorder.count(|counters| counters.connections += 1);
                    connections.spawn(connect(stream, address, tls.clone(), Arc::clone(&server), stop.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
    drop(listener);
    let all_done = async { while connections.join_next().await.is_some() {} };
    if timeout(GRACE, all_done).await.is_err() {
        tracing::warn!("closing connections that are still busy");
    }
}

async fn connect(
    stream: TcpStream,
    address: SocketAddr,
    tls: Option<TlsAcceptor>,
    server: Arc<HttpServer>,
    stop: CancellationToken,
) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "small writes may be delayed");
    }
    let reset = Reset::default();
    let socket = Socket::new(stream, reset.clone());
    let peer = Peer {
        address: address.ip(),
        certificate: None,
        reset,
    };
    let Some(acceptor) = tls else {
        return serve(Either::Right(socket), peer, server, stop).await;
    };
    let handshake = tokio::select! {
        () = stop.cancelled() => return,
        handshake = acceptor.accept(socket) => handshake,
    };
    match handshake {
        Ok(stream) => {
            server.recorder.count(|counters| counters.tls_handshakes += 1);
            let chain = stream.get_ref().1.peer_certificates();
            let certificate = chain
                .and_then(|chain| chain.first())
                .map(|own| own.clone().into_owned());
            serve(Either::Left(stream), Peer { certificate, ..peer }, server, stop).await;
        }
        Err(error) => {
            tracing::debug!(%error, %address, "handshake failed");
            server
                .recorder
                .count(|counters| counters.failed_tls_handshakes += 1);
        }
    }
}

async fn serve(
    stream: Either<TlsStream<Socket>, Socket>,
    peer: Peer,
    server: Arc<HttpServer>,
    stop: CancellationToken,
) {
    let reset = peer.reset.clone();
    let peer = Arc::new(peer);
    let service = service_fn(move |request| {
        let (server, peer) = (Arc::clone(&server), Arc::clone(&peer));
        async move { Ok::<_, Infallible>(server.serve(request, &peer).await) }
    });
    let builder = Builder::new(TokioExecutor::new());
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = reset.requested() => return,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "connection ended early");
    }
}
