//! Signals that end the process.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;

/// Whether the interruption was reported.
static REPORTED: AtomicBool = AtomicBool::new(false);

/// Whether the caller is the first that reports the interruption, so that it is reported once.
pub(crate) fn is_first_report() -> bool {
    !REPORTED.swap(true, Ordering::Relaxed)
}

/// Completes with the exit code when Ctrl-C is pressed, the terminal is closed, or the process receives a termination
/// signal.
pub(crate) async fn interrupt() -> Exit {
    tokio::select! {
        Ok(()) = tokio::signal::ctrl_c() => Exit::Interrupted,
        Some(()) = terminate() => Exit::Interrupted,
        Some(()) = hang_up() => Exit::HungUp,
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

/// Completes when the terminal is closed. `None` if hangups are ignored, as below `nohup`, which a handler would change.
async fn hang_up() -> Option<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if hangups_are_ignored() != Some(false) {
            return None;
        }
        signal(SignalKind::hangup()).ok()?.recv().await
    }
    #[cfg(not(unix))]
    None
}

/// Whether the process was started with hangups ignored. `None` where only unsafe code can determine it: there, a
/// hangup keeps its usual effect.
#[cfg(unix)]
fn hangups_are_ignored() -> Option<bool> {
    const HANGUP: u64 = 1;

    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    Some(mask & HANGUP != 0)
}
