//! A client connection: the socket, which can be reset, and facts about the peer.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_util::sync::CancellationToken;

/// The other end of a connection.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    /// The client's own certificate, verified during the handshake.
    pub(crate) certificate: Option<CertificateDer<'static>>,
    pub(crate) reset: Reset,
}

/// Ends a connection with a TCP reset instead of a close.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reset {
    wanted: Arc<AtomicBool>,
    ended: CancellationToken,
}

impl Reset {
    pub(crate) fn now(&self) {
        self.wanted.store(true, Ordering::Release);
        self.ended.cancel();
    }

    pub(crate) async fn requested(&self) {
        self.ended.cancelled().await;
    }
}

/// A TCP stream that resets the connection when it is dropped after [`Reset::now`].
#[derive(Debug)]
pub(crate) struct Socket {
    stream: TcpStream,
    reset: Reset,
}

impl Socket {
    pub(crate) fn new(stream: TcpStream, reset: Reset) -> Self {
        Self { stream, reset }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if self.reset.wanted.load(Ordering::Acquire)
            && let Err(error) = self.stream.set_zero_linger()
        {
            tracing::warn!(%error, "connection is closed instead of reset");
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
