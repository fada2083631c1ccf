//! Signals that end the program.

/// Completes when Ctrl-C is pressed or the process receives a termination signal.
pub(crate) async fn interrupt() {
    tokio::select! {
        Ok(()) = tokio::signal::ctrl_c() => {}
        Some(()) = terminate() => {}
        // Signals are not supported.
        else => std::future::pending().await,
    }
}

/// Completes when the process receives a termination signal, or with `None` if signals are not supported.
async fn terminate() -> Option<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate()).ok()?.recv().await
    }
    #[cfg(not(unix))]
    None
}
