//! Signals that end the program.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the interruption was reported.
static REPORTED: AtomicBool = AtomicBool::new(false);

/// Whether the caller is the first that reports the interruption, so that it is reported once.
pub(crate) fn is_first_report() -> bool {
    !REPORTED.swap(true, Ordering::Relaxed)
}

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
