//! Connections of engines, which report their end to the sessions.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{Stream, stream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tonic::transport::server::Connected;

use crate::rpc::session::EngineSessions;

/// Time from an error to the next attempt to accept, so that a process without free descriptors does not use up a
/// processor.
const ACCEPT_DELAY: Duration = Duration::from_millis(100);

/// The connections to `listener`. Errors are skipped: a connection may have ended before it was accepted, or the process
/// may have no free descriptor.
pub(crate) fn accepted(
    listener: TcpListener,
    sessions: Arc<EngineSessions>,
) -> impl Stream<Item = io::Result<EngineConnection>> {
    stream::unfold((listener, sessions), async |(listener, sessions)| {
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    // Otherwise, small responses are delayed. It fails if the connection has ended.
                    let _ = stream.set_nodelay(true);
                    let connection = EngineConnection {
                        stream,
                        peer,
                        sessions: Arc::clone(&sessions),
                    };
                    return Some((Ok(connection), (listener, sessions)));
                }
                Err(error) => {
                    tracing::debug!(%error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_DELAY).await;
                }
            }
        }
    })
}

/// A connection that reports its end to the sessions.
pub(crate) struct EngineConnection {
    stream: TcpStream,
    peer: SocketAddr,
    sessions: Arc<EngineSessions>,
}

impl Drop for EngineConnection {
    fn drop(&mut self) {
        self.sessions.closed(self.peer);
    }
}

impl Connected for EngineConnection {
    /// The address of the engine, which identifies the connection.
    type ConnectInfo = SocketAddr;

    fn connect_info(&self) -> SocketAddr {
        self.peer
    }
}

impl AsyncRead for EngineConnection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(task, buffer)
    }
}

impl AsyncWrite for EngineConnection {
    fn poll_write(mut self: Pin<&mut Self>, task: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(task, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(task, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(task)
    }
}
