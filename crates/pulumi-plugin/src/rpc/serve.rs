//! The life cycle of a plugin, from the port line on stdout to the last response.

use std::io::{self, Write as _};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tonic::transport::Server;

use crate::rpc::arguments::engine_address;
use crate::rpc::channel::MAX_MESSAGE;
use crate::rpc::connection::accepted;
use crate::rpc::erased::ErasedProvider;
use crate::rpc::generated::pulumirpc::resource_provider_server::ResourceProviderServer;
use crate::rpc::provider::Provider;
use crate::rpc::service::ProviderService;
use crate::rpc::session::EngineSessions;
use crate::rpc::shutdown;
use crate::rpc::stderr::{LogLayer, StderrLog};
use crate::rpc::traced;

/// Maximum time to send responses during shutdown. The engine waits 5 s.
const FAREWELL: Duration = Duration::from_secs(2);

/// Window of a connection in bytes. The library closes a connection with many small messages that are not read yet, in
/// proportion to its window, but an engine sends thousands of calls at once.
const CONNECTION_WINDOW: u32 = 64 << 20;

/// Maximum number of calls that are cancelled before they begin. The library closes the connection after twenty, which
/// it treats as an attack, but an engine that is interrupted cancels all of its calls.
const CANCELLED_EARLY: usize = 1 << 20;

/// Errors of running a plugin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Listening on the loopback interface failed.
    #[error("cannot listen on 127.0.0.1")]
    Bind(#[source] io::Error),
    /// Writing the port failed.
    #[error("cannot write the port to stdout")]
    PortLine(#[source] io::Error),
    /// Installing signal handlers failed.
    #[error("cannot install signal handlers")]
    Signals(#[source] io::Error),
    /// Starting the runtime failed.
    #[error("cannot start the asynchronous runtime")]
    Runtime(#[source] io::Error),
}

/// Runs a plugin on its own runtime until the engine stops it.
///
/// Listens on a loopback port, writes the port as the first line of stdout, and serves calls until SIGINT, SIGTERM,
/// SIGHUP or, if the arguments name an engine, the end of stdin or of the parent process. Then all calls are cancelled, and their responses are
/// sent within 2 s. Without an engine, the plugin waits for engines to attach, and serves one command after the other.
/// All providers of a program share it; [`Context::caller`](crate::rpc::Context::caller) distinguishes them.
///
/// With `--logtostderr`, the log is written to stderr, with the level of `-v`. Core dumps are turned off on Unix, because
/// they would contain secrets, unless the variable `PLUGIN_CORE_DUMPS` is set. The runtime has one thread, which starts
/// fastest and stays smallest.
///
/// # Errors
/// [`ServeError`] if the plugin cannot start.
pub fn run(provider: impl Provider, arguments: &[String]) -> Result<(), ServeError> {
    run_erased(Arc::new(provider), arguments)
}

pub(crate) fn run_erased(provider: Arc<dyn ErasedProvider>, arguments: &[String]) -> Result<(), ServeError> {
    process_lifecycle::turn_off_core_dumps();
    let log = StderrLog::start(arguments);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(ServeError::Runtime)?;
    let result = runtime.block_on(serve(provider, arguments, log.layer()));
    // Do not wait for background tasks, such as name lookups.
    runtime.shutdown_background();
    result
}

async fn serve(
    provider: Arc<dyn ErasedProvider>,
    arguments: &[String],
    log: Option<LogLayer>,
) -> Result<(), ServeError> {
    let engine_address = engine_address(arguments);
    // Install handlers before the port is known, so that no signal is lost.
    let shutdown = shutdown::requested(engine_address.is_some()).map_err(ServeError::Signals)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .await
        .map_err(ServeError::Bind)?;
    let port = listener.local_addr().map_err(ServeError::Bind)?.port();
    write_port(port).map_err(ServeError::PortLine)?;
    let traces = traced::start(arguments, log);
    serve_erased(listener, provider, engine_address, shutdown).await;
    traces.end().await;
    Ok(())
}

/// Serves a plugin on a listener until `shutdown` completes, without signals, stdin and port line.
pub async fn serve_on(
    listener: TcpListener,
    provider: impl Provider,
    engine_address: Option<String>,
    shutdown: impl Future<Output = ()> + Send,
) {
    serve_erased(listener, Arc::new(provider), engine_address, shutdown).await;
}

async fn serve_erased(
    listener: TcpListener,
    provider: Arc<dyn ErasedProvider>,
    engine_address: Option<String>,
    shutdown: impl Future<Output = ()> + Send,
) {
    let sessions = Arc::new(EngineSessions::new(engine_address.as_deref()));
    let connections = accepted(listener, Arc::clone(&sessions));
    let service =
        ResourceProviderServer::new(ProviderService::new(Arc::clone(&provider), Arc::clone(&sessions)))
            .max_decoding_message_size(MAX_MESSAGE);
    let (ending, told_to_end) = tokio::sync::oneshot::channel();
    let serving = Server::builder()
        .initial_connection_window_size(CONNECTION_WINDOW)
        .http2_max_pending_accept_reset_streams(Some(CANCELLED_EARLY))
        .serve_with_incoming_shutdown(service, connections, async {
            shutdown.await;
            sessions.cancel_all();
            // The receiver is only dropped when serving has already ended.
            let _ = ending.send(());
        });
    let farewell = async {
        if told_to_end.await.is_ok() {
            tokio::time::sleep(FAREWELL).await;
        } else {
            std::future::pending().await
        }
    };
    tokio::select! {
        // It can only fail if a service is not ready, and that of a provider always is.
        _ = serving => {}
        () = farewell => {}
    }
    provider.farewell().await;
}

/// Writes the first line of stdout, which is the only output of the process there.
fn write_port(port: u16) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{port}")?;
    stdout.flush()
}
