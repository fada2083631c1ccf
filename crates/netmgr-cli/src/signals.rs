//! Signals that end the process.

use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::sync::Once;
use std::sync::mpsc::channel;
use std::task::Poll;
use std::thread;
use std::time::Duration;

use crate::exit::Exit;
use crate::failure::{CliError, is_first_report};
use crate::output::{standard_error, terminal};

/// When the process ends after Ctrl-C, even if it is busy with a filter or waits for a pipe or a reader of its output.
const LAST: Duration = Duration::from_millis(150);

/// Ends the process soon after a signal, whatever it is busy with.
pub(crate) fn end_at_last() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let watch = move || {
            // Without a runtime, signals keep their usual effect.
            let Ok(runtime) = runtime else { return };
            let exit = runtime.block_on(async {
                let exit = interrupt().await;
                tokio::time::sleep(LAST).await;
                exit
            });
            terminal::status("");
            if is_first_report() {
                standard_error(&CliError::Interrupted(exit).report());
            }
            std::process::exit(exit as i32);
        };
        drop(thread::Builder::new().spawn(watch));
    });
}

/// From now on, signals do not end the process. Returns a check for one that was received.
pub(crate) fn deferred() -> impl Fn() -> Option<Exit> {
    let (ready, is_ready) = channel::<()>();
    let (sender, received) = channel();
    let watch = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        // Without a runtime, signals keep their usual effect.
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            let mut signal = pin!(interrupt());
            // The first poll installs the handlers.
            let first = poll_fn(|context| Poll::Ready(signal.as_mut().poll(context))).await;
            drop(ready);
            let exit = match first {
                Poll::Ready(exit) => exit,
                Poll::Pending => signal.await,
            };
            let _ = sender.send(exit);
        });
    };
    drop(thread::Builder::new().spawn(watch));
    let _ = is_ready.recv();
    move || received.try_recv().ok()
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
