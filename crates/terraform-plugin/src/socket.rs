//! The socket on which hosts call: a Unix socket that only the current user can open, or a loopback port on Windows.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[cfg(unix)]
use std::{fs::Permissions, os::unix::fs::PermissionsExt as _};

#[cfg(unix)]
use tempfile::TempDir;
#[cfg(unix)]
use tokio::net::{UnixListener as Listener, UnixStream as Stream};

#[cfg(not(unix))]
use tokio::net::{TcpListener as Listener, TcpStream as Stream};

/// Maximum length of the path of a socket in bytes: the limit of macOS without the final zero. Linux allows 107.
#[cfg(unix)]
const LONGEST: usize = 103;

/// Time from an error to the next attempt to accept, so that a process without free descriptors does not keep a CPU
/// busy.
const ACCEPT_DELAY: Duration = Duration::from_millis(100);

/// The stream of a connection.
pub(crate) type SocketStream = Stream;

/// A socket. Its file is deleted with it.
pub(crate) struct HostSocket {
    listener: Listener,
    address: PathBuf,
    #[cfg(unix)]
    _folder: TempDir,
}

#[cfg(unix)]
impl HostSocket {
    /// The name of the network in the handshake.
    pub(crate) const NETWORK: &str = "unix";

    /// Listens in a new folder below `parent`, or below the folder for temporary files.
    pub(crate) async fn bind(parent: Option<&Path>) -> io::Result<Self> {
        let temporary = std::env::temp_dir();
        let mut folder = new_folder(parent.unwrap_or(&temporary))?;
        let is_usable = |address: PathBuf| address.to_str().is_some_and(|path| path.len() <= LONGEST);
        if !is_usable(folder.path().join("plugin")) {
            folder = new_folder(Path::new("/tmp"))?;
        }
        let address = folder.path().join("plugin");
        Ok(Self {
            listener: Listener::bind(&address)?,
            address,
            _folder: folder,
        })
    }

    async fn try_accept(&self) -> io::Result<SocketStream> {
        self.listener.accept().await.map(|(stream, _)| stream)
    }
}

/// A folder that only the current user can open.
#[cfg(unix)]
fn new_folder(parent: &Path) -> io::Result<TempDir> {
    tempfile::Builder::new()
        .prefix("tf")
        .permissions(Permissions::from_mode(0o700))
        .tempdir_in(parent)
}

#[cfg(not(unix))]
impl HostSocket {
    /// The name of the network in the handshake.
    pub(crate) const NETWORK: &str = "tcp";

    /// Listens on a free loopback port.
    pub(crate) async fn bind(_: Option<&Path>) -> io::Result<Self> {
        let listener = Listener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?.to_string().into();
        Ok(Self { listener, address })
    }

    async fn try_accept(&self) -> io::Result<SocketStream> {
        let (stream, _) = self.listener.accept().await?;
        // It fails if the connection has ended.
        let _ = stream.set_nodelay(true);
        Ok(stream)
    }
}

impl HostSocket {
    /// The address in the handshake.
    pub(crate) fn address(&self) -> &Path {
        &self.address
    }

    /// The next connection. Errors are not final: a connection may have ended before it was accepted, or the process
    /// may have no free descriptor.
    pub(crate) async fn accept(&self) -> SocketStream {
        loop {
            match self.try_accept().await {
                Ok(stream) => return stream,
                Err(error) => {
                    tracing::debug!(%error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_DELAY).await;
                }
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_own_user_can_open_the_folder_which_vanishes_with_the_socket() {
        let parent = tempfile::tempdir().unwrap();
        let socket = HostSocket::bind(Some(parent.path())).await.unwrap();
        let folder = socket.address().parent().unwrap().to_owned();
        assert_eq!(folder.parent(), Some(parent.path()));
        let mode = std::fs::metadata(&folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        drop(socket);
        assert!(!folder.exists());
    }

    #[tokio::test]
    async fn a_folder_whose_path_is_long_or_not_utf8_is_passed_over() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        let parent = tempfile::tempdir().unwrap();
        for name in [OsStr::new(&"x".repeat(90)), OsStr::from_bytes(b"\xff")] {
            let folder = parent.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            let socket = HostSocket::bind(Some(&folder)).await.unwrap();
            assert!(socket.address().starts_with("/tmp"));
            assert!(!socket.address().starts_with(&folder));
        }
    }
}
