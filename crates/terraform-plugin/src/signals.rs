//! Signals that end the process, and the end of the host, which is the parent process.

use std::io;

use tokio_util::sync::CancellationToken;

/// Cancels `end` at the first signal that ends the process, or soon after the host has ended. Handles signals from when
/// this function returns.
///
/// Interrupts are ignored, because terminals send them to hosts and providers alike, and a host ends the process when
/// its reads have ended. A process that was started manually ends itself, and may outlive the shell that started it.
#[cfg(unix)]
pub(crate) fn watch(end: &CancellationToken, is_attached: bool) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    // A handler would end a process that was started with hangups ignored, as below `nohup`.
    let mut hangup = match hangups_are_ignored() {
        Some(false) => Some(signal(SignalKind::hangup())?),
        Some(true) | None => None,
    };
    let orphaned = orphaned();
    let end = end.clone();
    tokio::spawn(async move {
        let hangup = async {
            match &mut hangup {
                Some(signal) => signal.recv().await,
                None => std::future::pending().await,
            }
        };
        let interrupt = async { while interrupt.recv().await.is_some() && !is_attached {} };
        tokio::select! {
            () = interrupt => {}
            _ = terminate.recv() => {}
            _ = hangup => {}
            () = orphaned, if !is_attached => {}
        }
        end.cancel();
    });
    Ok(())
}

/// Completes soon after the parent process has ended, because another process then adopts this one. Never completes if
/// the parent is the first process, which adopts others.
#[cfg(unix)]
fn orphaned() -> impl Future<Output = ()> + Send {
    use std::os::unix::process::parent_id;

    let parent = parent_id();
    async move {
        while parent == 1 || parent_id() == parent {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
    }
}

#[cfg(not(unix))]
pub(crate) fn watch(end: &CancellationToken, is_attached: bool) -> io::Result<()> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    let end = end.clone();
    tokio::spawn(async move {
        while interrupt.recv().await.is_some() && !is_attached {}
        end.cancel();
    });
    Ok(())
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
