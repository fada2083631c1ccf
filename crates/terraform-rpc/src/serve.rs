//! The life of the process, from the handshake to its end.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream;
use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::control::Control;
use crate::handshake::{Host, PROTOCOL};
use crate::listener::{Connection, Listener};
use crate::provider::Provider;
use crate::route::Services;
use crate::tls::{Tls, TlsError};

/// Time for answers and for ending sessions. Hosts kill a process two seconds after its last answer.
const FAREWELL: Duration = Duration::from_secs(1);

/// Hosts, which have different names for one provider.
const REGISTRIES: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// Errors of running a provider.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServeError {
    /// Listening failed.
    #[error("cannot listen on a socket")]
    Bind(#[source] io::Error),
    /// Mutual TLS cannot be prepared.
    #[error("cannot prepare the connection")]
    Tls(#[source] TlsError),
    /// Writing the handshake failed.
    #[error("cannot write the handshake to stdout")]
    Line(#[source] io::Error),
    /// Installing signal handlers failed.
    #[error("cannot install signal handlers")]
    Signals(#[source] io::Error),
    /// Starting the runtime failed.
    #[error("cannot start the asynchronous runtime")]
    Runtime(#[source] io::Error),
}

/// Who calls.
pub(crate) enum Caller<'a> {
    /// The host that started the process.
    Host(Host),
    /// Any number of hosts, for a provider with this address (`namespace/name`). They are started with the variable
    /// that is printed.
    Attached { provider: &'a str },
}

/// Serves on a runtime of its own, with one thread, which starts fastest and stays smallest.
pub(crate) fn run(provider: impl Provider, caller: Caller<'_>) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(ServeError::Runtime)?;
    let result = runtime.block_on(serve(Arc::new(provider), caller));
    // Do not wait for background tasks, such as name lookups.
    runtime.shutdown_background();
    result
}

async fn serve(provider: Arc<impl Provider>, caller: Caller<'_>) -> Result<(), ServeError> {
    let end = CancellationToken::new();
    // Before the host can call, so that no signal is lost.
    let is_attached = matches!(caller, Caller::Attached { .. });
    watch_signals(&end, is_attached).map_err(ServeError::Signals)?;
    let (listener, acceptor) = match caller {
        Caller::Host(host) => {
            let tls = host.certificate.as_deref().map(Tls::new);
            let tls = tls.transpose().map_err(ServeError::Tls)?;
            let listener = Listener::bind(host.socket_folder.as_deref()).await;
            let listener = listener.map_err(ServeError::Bind)?;
            let certificate = tls.as_ref().map(|tls| tls.certificate.as_ref());
            write(&host.line(Listener::NETWORK, listener.address(), certificate))?;
            (listener, tls.map(|tls| Arc::new(tls.acceptor)))
        }
        Caller::Attached { provider } => {
            let listener = Listener::bind(None).await.map_err(ServeError::Bind)?;
            write(&reattach(provider, &listener))?;
            (listener, None)
        }
    };

    let control = Control {
        end: end.clone(),
        follows_host: !is_attached,
    };
    let services = Services::new(Arc::clone(&provider), control);
    let (sender, receiver) = mpsc::channel::<Connection>(1);
    let connections = stream::unfold(receiver, async |mut receiver| {
        let connection = receiver.recv().await?;
        Some(((connection, services.clone()), receiver))
    });
    let serving = grpc_plugin::serve(connections, end.cancelled());
    let farewell = async {
        end.cancelled().await;
        provider.stop();
        tokio::time::sleep(FAREWELL).await;
    };
    tokio::select! {
        () = serving => {}
        never = listener.accept_all(acceptor, sender) => match never {},
        () = farewell => {}
    }
    provider.stop();
    // What is not ended in time ends by itself elsewhere.
    let _ = tokio::time::timeout(FAREWELL, provider.close()).await;
    Ok(())
}

/// Ignores interrupts, which terminals send to hosts and providers alike: the host ends the process when its reads
/// have ended. A process that was started by hand ends itself.
#[cfg(unix)]
fn watch_signals(end: &CancellationToken, is_attached: bool) -> io::Result<()> {
    use grpc_plugin::Hangups;
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangups = Hangups::watch()?;
    let end = end.clone();
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => if !is_attached { continue },
                _ = terminate.recv() => {}
                () = hangups.next() => {}
            }
            end.cancel();
            break;
        }
    });
    Ok(())
}

#[cfg(not(unix))]
fn watch_signals(end: &CancellationToken, is_attached: bool) -> io::Result<()> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    let end = end.clone();
    tokio::spawn(async move {
        while interrupt.recv().await.is_some() {
            if is_attached {
                end.cancel();
            }
        }
    });
    Ok(())
}

/// The variable with which hosts find a process that was started by hand.
fn reattach(provider: &str, listener: &Listener) -> String {
    let process = json!({
        "Protocol": "grpc",
        "ProtocolVersion": PROTOCOL,
        "Pid": std::process::id(),
        // Otherwise hosts try to stop the process, and fail.
        "Test": true,
        "Addr": { "Network": Listener::NETWORK, "String": listener.address() },
    });
    let names = REGISTRIES.map(|registry| (format!("{registry}/{provider}"), process.clone()));
    let variable = serde_json::Value::Object(names.into_iter().collect());
    format!("TF_REATTACH_PROVIDERS='{variable}'\n")
}

fn write(line: &str) -> Result<(), ServeError> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(line.as_bytes());
    written.and_then(|()| stdout.flush()).map_err(ServeError::Line)
}
