//! Connections of hosts. Each has its own provider, because an attached process serves several configurations at the
//! same time, which only differ in their connections.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::{Stream, StreamExt as _, stream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tokio_util::sync::DropGuard;
use tonic::transport::server::Connected;

use crate::socket::{HostSocket, SocketStream};

/// The bytes of a connection, in plain text or through TLS.
type Channel = Either<SocketStream, TlsStream<SocketStream>>;

/// The connections to `socket`. TLS handshakes run concurrently, and those that fail are logged.
pub(crate) fn accepted(socket: HostSocket, tls: Option<TlsAcceptor>) -> impl Stream<Item = Channel> {
    let streams = stream::unfold(socket, async |socket| Some((socket.accept().await, socket)));
    let handshakes = streams.map(move |stream| {
        let tls = tls.clone();
        async move {
            match tls {
                None => Ok(Either::Left(stream)),
                Some(tls) => tls.accept(stream).await.map(Either::Right),
            }
        }
    });
    // Without a limit, so that connections that send nothing delay no other.
    handshakes
        .buffer_unordered(usize::MAX)
        .filter_map(async |accepted| {
            accepted
                .inspect_err(|error| tracing::warn!(%error, "rejected a connection"))
                .ok()
        })
}

/// A connection with the provider that its host configures.
pub(crate) struct HostConnection<P> {
    channel: Channel,
    provider: Arc<P>,
    /// Cancels a token when the connection ends.
    _end: DropGuard,
}

impl<P> HostConnection<P> {
    pub(crate) fn new(channel: Channel, provider: Arc<P>, end: DropGuard) -> Self {
        Self {
            channel,
            provider,
            _end: end,
        }
    }
}

impl<P: Send + Sync + 'static> Connected for HostConnection<P> {
    type ConnectInfo = Arc<P>;

    fn connect_info(&self) -> Arc<P> {
        Arc::clone(&self.provider)
    }
}

impl<P> AsyncRead for HostConnection<P> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.channel).poll_read(task, buffer)
    }
}

impl<P> AsyncWrite for HostConnection<P> {
    fn poll_write(mut self: Pin<&mut Self>, task: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.channel).poll_write(task, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.channel).poll_write_vectored(task, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.channel.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.channel).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.channel).poll_shutdown(task)
    }
}
