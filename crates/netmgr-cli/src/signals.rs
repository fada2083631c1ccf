//! Signals that end the program.

/// Ends when Ctrl-C is pressed or the process is asked to terminate.
pub(crate) async fn interrupt() {
    tokio::select! {
        Ok(()) = tokio::signal::ctrl_c() => {}
        Some(()) = terminate() => {}
        // Neither can be listened for.
        else => std::future::pending().await,
    }
}

/// Ends when the process is asked to terminate; with `None` when that cannot be listened for.
async fn terminate() -> Option<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate()).ok()?.recv().await
    }
    #[cfg(not(unix))]
    None
}
