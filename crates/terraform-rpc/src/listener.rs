//! The socket on which hosts call: a Unix socket that only the own user can open, or a loopback port on Windows.

use std::convert::Infallible;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;

#[cfg(unix)]
use tokio::net::UnixListener as Inner;

#[cfg(not(unix))]
use tokio::net::TcpListener as Inner;

/// Longest path of a socket, which is that of macOS without the final zero. Linux allows 107.
#[cfg(unix)]
const LONGEST: usize = 103;

/// Names of folders that are tried until one is free.
#[cfg(unix)]
const TRIES: usize = 16;

/// A socket. Its file vanishes with it.
pub(crate) struct Listener {
    inner: Inner,
    address: PathBuf,
    #[cfg(unix)]
    _folder: Folder,
}

#[cfg(unix)]
impl Listener {
    /// The name of the network in the handshake.
    pub(crate) const NETWORK: &str = "unix";

    /// Listens in a new folder below `parent`, or below the folder for temporary files.
    pub(crate) async fn bind(parent: Option<&Path>) -> io::Result<Self> {
        let folder = Folder::create(parent)?;
        let address = folder.0.join("plugin");
        Ok(Self {
            inner: Inner::bind(&address)?,
            address,
            _folder: folder,
        })
    }

    async fn accept(&self) -> io::Result<impl AsyncRead + AsyncWrite + Send + Unpin + use<>> {
        self.inner.accept().await.map(|(stream, _)| stream)
    }
}

#[cfg(not(unix))]
impl Listener {
    /// The name of the network in the handshake.
    pub(crate) const NETWORK: &str = "tcp";

    /// Listens on a free loopback port.
    pub(crate) async fn bind(_: Option<&Path>) -> io::Result<Self> {
        let inner = Inner::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
        let address = inner.local_addr()?.to_string().into();
        Ok(Self { inner, address })
    }

    async fn accept(&self) -> io::Result<impl AsyncRead + AsyncWrite + Send + Unpin + use<>> {
        let (stream, _) = self.inner.accept().await?;
        // It fails if the connection has ended.
        let _ = stream.set_nodelay(true);
        Ok(stream)
    }
}

/// A folder that only the own user can open, with what is in it.
#[cfg(unix)]
struct Folder(PathBuf);

#[cfg(unix)]
impl Folder {
    fn create(parent: Option<&Path>) -> io::Result<Self> {
        use std::os::unix::ffi::OsStrExt as _;
        use std::os::unix::fs::DirBuilderExt as _;

        let temporary = std::env::temp_dir();
        let parent = parent.unwrap_or(&temporary);
        let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
        for _ in 0..TRIES {
            let name = format!("tf{:08x}", fastrand::u32(..));
            let mut folder = parent.join(&name);
            if folder.join("plugin").as_os_str().as_bytes().len() > LONGEST {
                folder = Path::new("/tmp").join(&name);
            }
            match std::fs::DirBuilder::new().mode(0o700).create(&folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
                created => return created.map(|()| Self(folder)),
            }
        }
        Err(taken)
    }
}

#[cfg(unix)]
impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Listener {
    /// The address in the handshake.
    pub(crate) fn address(&self) -> &Path {
        &self.address
    }

    /// Accepts connections until the receiver is dropped, and never completes. TLS handshakes run concurrently, and
    /// those that fail are logged.
    pub(crate) async fn accept_all(
        &self,
        tls: Option<Arc<TlsAcceptor>>,
        connections: mpsc::Sender<Connection>,
    ) -> Infallible {
        loop {
            let stream = grpc_plugin::accepted(|| self.accept()).await;
            let (tls, connections) = (tls.clone(), connections.clone());
            if connections.is_closed() {
                return std::future::pending().await;
            }
            tokio::spawn(async move {
                let connection = match tls {
                    None => Connection(Box::new(stream)),
                    Some(tls) => match tls.accept(stream).await {
                        Ok(stream) => Connection(Box::new(stream)),
                        Err(error) => {
                            tracing::warn!(%error, "refused a connection");
                            return;
                        }
                    },
                };
                // Fails if serving has ended.
                let _ = connections.send(connection).await;
            });
        }
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// A connection of a host.
pub(crate) struct Connection(Box<dyn Stream>);

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(task, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, task: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(task, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(task, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(task)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[tokio::test]
    async fn only_the_own_user_can_open_the_folder_which_vanishes_with_the_socket() {
        let parent = tempfile::tempdir().unwrap();
        let listener = Listener::bind(Some(parent.path())).await.unwrap();
        let folder = listener.address().parent().unwrap().to_owned();
        assert_eq!(folder.parent(), Some(parent.path()));
        let mode = std::fs::metadata(&folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        drop(listener);
        assert!(!folder.exists());
    }

    #[tokio::test]
    async fn a_folder_with_a_long_path_is_passed_over() {
        let parent = tempfile::tempdir().unwrap();
        let long = parent.path().join("x".repeat(90));
        std::fs::create_dir(&long).unwrap();
        let listener = Listener::bind(Some(&long)).await.unwrap();
        assert!(listener.address().starts_with("/tmp"));
    }
}
