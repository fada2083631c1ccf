//! Connections of engines: calls that arrive together begin in small groups, and the end of a connection is reported to
//! the sessions.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::coop;

use crate::rpc::session::Sessions;

/// Bytes read for each unit of a task's budget, of which there are 128: the calls in 16 KiB begin before more is read.
///
/// The HTTP/2 library keeps the unread parts of all calls in one list, which never shrinks, and would read a thousand
/// calls before the first of them begins: the list alone took 1 MiB (0291).
const READ_PER_UNIT: usize = 128;

/// Accepts a connection.
pub(crate) async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    let (stream, peer) = grpc_plugin::accepted(|| listener.accept()).await;
    // Without it, small responses are late. It fails if the connection has ended.
    let _ = stream.set_nodelay(true);
    (stream, peer)
}

/// A connection that reports its end to the sessions.
pub(crate) struct Connection {
    stream: TcpStream,
    peer: SocketAddr,
    sessions: Arc<Sessions>,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream, peer: SocketAddr, sessions: &Arc<Sessions>) -> Self {
        Self {
            peer,
            stream,
            sessions: Arc::clone(sessions),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.sessions.closed(Some(self.peer));
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(task, buffer);
        let read = buffer.filled().len() - before;
        for _ in 0..read.div_ceil(READ_PER_UNIT) {
            match coop::poll_proceed(task) {
                Poll::Ready(unit) => unit.made_progress(),
                // The task is woken when others have run, and reads nothing before.
                Poll::Pending => break,
            }
        }
        polled
    }
}

impl AsyncWrite for Connection {
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

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::net::Ipv4Addr;

    use tokio::io::AsyncWriteExt as _;
    use tokio::net::TcpListener;

    use super::*;

    /// Bytes that one turn of a task reads.
    fn read(connection: &mut Connection, task: &mut Context<'_>) -> usize {
        let mut bytes = 0;
        loop {
            let mut buffer = [0; 1024];
            let mut buffer = ReadBuf::new(&mut buffer);
            match Pin::new(&mut *connection).poll_read(task, &mut buffer) {
                Poll::Ready(result) => result.unwrap(),
                Poll::Pending => return bytes,
            }
            bytes += buffer.filled().len();
        }
    }

    #[tokio::test]
    async fn other_tasks_run_before_everything_is_read() {
        const MOST: usize = 128 * READ_PER_UNIT;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, peer) = accept(&listener).await;
        let mut connection = Connection::new(stream, peer, &Arc::new(Sessions::new(None)));
        let sent = 4 * MOST;
        // In a task of its own, because the buffers of the system may be smaller.
        let _client = tokio::spawn(async move {
            client.write_all(&vec![b'x'; sent]).await.unwrap();
            client
        });
        let mut turns = Vec::new();
        poll_fn(|task| {
            turns.push(read(&mut connection, task));
            match turns.iter().sum::<usize>() == sent {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
        assert!(
            turns.len() >= 4 && turns.iter().all(|turn| *turn <= MOST),
            "{turns:?}"
        );
    }
}
