//! The life of the process, from the handshake to its end.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::transport::Server;

use crate::connection::{HostConnection, accepted};
use crate::control::Control;
use crate::generated::plugin::grpc_controller_server::GrpcControllerServer;
use crate::generated::plugin::grpc_stdio_server::GrpcStdioServer;
use crate::generated::tfplugin6::provider_server::ProviderServer;
use crate::handshake::{HostEnvironment, PROTOCOL};
use crate::provider::DataSourceProvider;
use crate::service::ProviderCalls;
use crate::services::Services;
use crate::signals;
use crate::socket::HostSocket;
use crate::tls::{Tls, TlsError};

/// Time for answers, and then for ending sessions. Hosts kill a process two seconds after its last answer.
const FAREWELL: Duration = Duration::from_secs(1);

/// Maximum size of a request in bytes. Hosts send up to 2 GiB, other libraries for providers accept 256 MiB.
const MAX_REQUEST: usize = 256 << 20;

/// Window of a connection in bytes. The library closes a connection with many small messages that are not read yet, in
/// proportion to its window, but a host sends thousands of calls at once.
const CONNECTION_WINDOW: u32 = 64 << 20;

/// Maximum number of calls that are cancelled before they begin. The library closes the connection after twenty, which
/// it takes for an attack, but a host that is interrupted cancels all of its calls.
const CANCELLED_EARLY: usize = 1 << 20;

/// Hosts, which have different names for one provider.
const REGISTRIES: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// Errors of starting a provider.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartupError {
    /// Listening failed.
    #[error("cannot listen on a socket")]
    Bind(#[source] io::Error),
    /// Mutual TLS cannot be prepared.
    #[error("cannot prepare the connection")]
    Tls(#[source] TlsError),
    /// Writing the handshake failed.
    #[error("cannot write the handshake to stdout")]
    Handshake(#[source] io::Error),
    /// Installing signal handlers failed.
    #[error("cannot install signal handlers")]
    Signals(#[source] io::Error),
    /// Starting the runtime failed.
    #[error("cannot start the asynchronous runtime")]
    Runtime(#[source] io::Error),
}

/// The hosts that a process serves.
pub(crate) enum ServeMode {
    /// The host that started the process.
    Started(HostEnvironment),
    /// All hosts that attach to a process that was started manually. They find it by the variable that is printed,
    /// which contains the address of the provider (`namespace/name`).
    Attached {
        /// The address of the provider.
        address: &'static str,
    },
}

/// Serves on its own runtime with one thread, which starts fastest and uses the least memory. Each connection has its
/// own provider.
pub(crate) fn run<P: DataSourceProvider>(
    provider: impl Fn() -> P + Send,
    mode: ServeMode,
) -> Result<(), StartupError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(StartupError::Runtime)?;
    let result = runtime.block_on(serve(provider, mode));
    // Do not wait for background tasks, such as name lookups.
    runtime.shutdown_background();
    result
}

async fn serve<P: DataSourceProvider>(
    provider: impl Fn() -> P + Send,
    mode: ServeMode,
) -> Result<(), StartupError> {
    let end = CancellationToken::new();
    // Before a host can call, so that no signal is lost.
    let is_attached = matches!(mode, ServeMode::Attached { .. });
    signals::watch(&end, is_attached).map_err(StartupError::Signals)?;
    let (socket, tls) = match mode {
        ServeMode::Started(host) => {
            let tls = host.certificate.as_deref().map(Tls::new);
            let tls = tls.transpose().map_err(StartupError::Tls)?;
            let socket = HostSocket::bind(host.socket_folder.as_deref()).await;
            let socket = socket.map_err(StartupError::Bind)?;
            let certificate = tls.as_ref().map(|tls| tls.certificate.as_ref());
            write(&host.line(HostSocket::NETWORK, socket.address(), certificate))?;
            (socket, tls.map(|tls| tls.acceptor))
        }
        ServeMode::Attached { address } => {
            let socket = HostSocket::bind(None).await.map_err(StartupError::Bind)?;
            write(&reattach_variable(address, &socket))?;
            (socket, None)
        }
    };

    let providers = TaskTracker::new();
    let connections = accepted(socket, tls).map(|channel| {
        let (provider, connection_end) = (Arc::new(provider()), CancellationToken::new());
        let (connection, process) = (connection_end.clone(), end.clone());
        providers.spawn(end_provider(
            Arc::clone(&provider),
            connection,
            process,
            is_attached,
        ));
        Ok::<_, io::Error>(HostConnection::new(
            channel,
            provider,
            connection_end.drop_guard(),
        ))
    });
    let control = Arc::new(Control { end: end.clone() });
    let services = Services {
        provider: ProviderServer::new(ProviderCalls::<P>::new()).max_decoding_message_size(MAX_REQUEST),
        controller: GrpcControllerServer::from_arc(Arc::clone(&control)),
        stdio: GrpcStdioServer::from_arc(control),
    };
    let serving = Server::builder()
        .initial_connection_window_size(CONNECTION_WINDOW)
        .http2_max_pending_accept_reset_streams(Some(CANCELLED_EARLY))
        .serve_with_incoming_shutdown(services, connections, end.cancelled());
    let farewell = async {
        end.cancelled().await;
        tokio::time::sleep(FAREWELL).await;
    };
    tokio::select! {
        // It never fails, because no connection does.
        _ = serving => {}
        () = farewell => {}
    }
    providers.close();
    // Remaining tasks end with the process.
    let _ = tokio::time::timeout(FAREWELL, providers.wait()).await;
    Ok(())
}

/// Stops and closes a provider when its connection or the process ends.
async fn end_provider(
    provider: Arc<impl DataSourceProvider>,
    connection: CancellationToken,
    process: CancellationToken,
    is_attached: bool,
) {
    tokio::select! {
        () = connection.cancelled() => {
            provider.stop();
            // A host that started the process has one connection, so it is gone.
            if !is_attached {
                process.cancel();
            }
        }
        () = process.cancelled() => {
            provider.stop();
            // The connection ends when all answers have been sent.
            let _ = tokio::time::timeout(FAREWELL, connection.cancelled()).await;
        }
    }
    // A session that has not ended by then expires.
    let _ = tokio::time::timeout(FAREWELL, provider.close()).await;
}

/// The variable with which hosts find a process that was started manually.
fn reattach_variable(address: &str, socket: &HostSocket) -> String {
    let process = json!({
        "Protocol": "grpc",
        "ProtocolVersion": PROTOCOL,
        "Pid": std::process::id(),
        // Otherwise hosts try to stop the process, and fail.
        "Test": true,
        "Addr": { "Network": HostSocket::NETWORK, "String": socket.address() },
    });
    let names = REGISTRIES.map(|registry| (format!("{registry}/{address}"), process.clone()));
    let variable = serde_json::Value::Object(names.into_iter().collect());
    format!("TF_REATTACH_PROVIDERS='{variable}'\n")
}

fn write(line: &str) -> Result<(), StartupError> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(line.as_bytes());
    written
        .and_then(|()| stdout.flush())
        .map_err(StartupError::Handshake)
}
