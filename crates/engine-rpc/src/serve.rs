//! A plugin's life: from the port line on stdout to the last answer ("engine-plugin" 1.2, 1.3, 1.8).

use std::io::{self, Write as _};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use tokio::net::TcpListener;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

use crate::channel::MAX_MESSAGE;
use crate::connection::Connection;
use crate::generated::pulumirpc::resource_provider_server::ResourceProviderServer;
use crate::provider::Provider;
use crate::service::Service;
use crate::session::Sessions;
use crate::shutdown;
use crate::traced;
use crate::turns::Turns;

/// How long answers may take to leave after the plugin was told to end. The engine waits 5 s.
const FAREWELL: Duration = Duration::from_secs(2);

/// How many bytes of all calls together may wait to be read: as many as the protocol knows. With fewer,
/// calls that wait for their turn could keep Cancel from arriving.
const UNREAD: u32 = i32::MAX.unsigned_abs();

/// Stack of the thread that serves. Values nested as deep as allowed take some of it for each level; the main
/// thread has 1 MiB on some platforms. What is not used takes no memory.
const STACK: usize = 16 << 20;

/// A plugin that could not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// No port on the loopback interface.
    #[error("no port on 127.0.0.1")]
    Bind(#[source] io::Error),
    /// The port could not be told to the engine.
    #[error("the port cannot be written to stdout")]
    PortLine(#[source] io::Error),
    /// Signals cannot be caught.
    #[error("signals cannot be caught")]
    Signals(#[source] io::Error),
    /// The runtime could not be started.
    #[error("no asynchronous runtime")]
    Runtime(#[source] io::Error),
    /// Serving failed.
    #[error("serving failed")]
    Server(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Runs a plugin on a runtime of its own until the engine is done with it. What `main` of a plugin
/// calls:
///
/// ```no_run
/// # struct Greeter;
/// # impl engine_rpc::Provider for Greeter { fn version(&self) -> &str { "1.0.0" } }
/// fn main() -> std::process::ExitCode {
///     match engine_rpc::run(Greeter, engine_rpc::engine_address(std::env::args().skip(1))) {
///         Ok(()) => std::process::ExitCode::SUCCESS,
///         Err(error) => {
///             eprintln!("{error}");
///             std::process::ExitCode::FAILURE
///         }
///     }
/// }
/// ```
///
/// The runtime has one thread, which starts fastest and stays smallest; see [`run_until`] for something to do
/// at the end, and [`serve`] for a runtime of one's own.
///
/// # Errors
/// [`ServeError`] when the plugin could not start, or serving failed.
pub fn run(provider: impl Provider, engine_address: Option<String>) -> Result<(), ServeError> {
    run_until(provider, engine_address, async {})
}

/// The same, with something to do after the last answer.
///
/// # Errors
/// As [`run`].
pub fn run_until(
    provider: impl Provider,
    engine_address: Option<String>,
    farewell: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("serve".to_owned())
            .stack_size(STACK);
        let serving = thread.spawn_scoped(scope, || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(ServeError::Runtime)?;
            let result = runtime.block_on(async {
                let result = serve(provider, engine_address).await;
                farewell.await;
                result
            });
            // What still runs in the background, such as a name lookup, is not waited for.
            runtime.shutdown_background();
            result
        });
        let result = serving.map_err(ServeError::Runtime)?.join();
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Serves a plugin: listens on a loopback port, writes the port as the first line of stdout, and
/// answers until SIGINT, SIGTERM or, when an engine address was given, the end of stdin. Then
/// everything outstanding is cancelled, and the answers are given 2 s to leave.
///
/// Without an address the plugin waits for engines to attach themselves, and serves one command after
/// the other. All providers of a program share it then; [`Context::caller`](crate::Context::caller)
/// tells them apart.
///
/// # Errors
/// [`ServeError`] when the plugin could not start, or serving failed.
pub async fn serve(provider: impl Provider, engine_address: Option<String>) -> Result<(), ServeError> {
    // Before the port is known, so that no signal comes too early.
    let shutdown = shutdown::requested(engine_address.is_some()).map_err(ServeError::Signals)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .await
        .map_err(ServeError::Bind)?;
    let port = listener.local_addr().map_err(ServeError::Bind)?.port();
    write_port(port).map_err(ServeError::PortLine)?;
    let traces = traced::start();
    let served = serve_on(listener, provider, engine_address, shutdown).await;
    traces.end().await;
    served
}

/// Serves a plugin on a listener, without signals, streams and port line: for tests that play the
/// engine in the same process. Ends when `shutdown` does.
///
/// # Errors
/// [`ServeError::Server`] when serving failed.
pub async fn serve_on(
    listener: TcpListener,
    provider: impl Provider,
    engine_address: Option<String>,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    let sessions = Arc::new(Sessions::new(engine_address.as_deref()));
    let at_once = provider.functions_at_once();
    let service = Service {
        provider,
        sessions: Arc::clone(&sessions),
    };
    let service = ResourceProviderServer::new(service).max_decoding_message_size(MAX_MESSAGE);
    let service = Turns::new(service, Arc::clone(&sessions), at_once);
    let (ending, told_to_end) = tokio::sync::oneshot::channel();
    let incoming = TcpIncoming::from(listener)
        .with_nodelay(Some(true))
        .map_ok(|stream| Connection::new(stream, &sessions));
    // The only service there is: no router, which would cost a kilobyte a call.
    let serving = Server::builder()
        .initial_connection_window_size(UNREAD)
        .serve_with_incoming_shutdown(service, incoming, async {
            shutdown.await;
            sessions.cancel_all();
            // The other end is gone only when serving has ended already.
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
        result = serving => result.map_err(|error| ServeError::Server(error.into())),
        () = farewell => Ok(()),
    }
}

/// The first line of stdout. Nothing else of this process ever goes there.
fn write_port(port: u16) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{port}")?;
    stdout.flush()
}
