//! Signals that end the process.

use std::sync::Once;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use process_lifecycle::{EndSignal, EndSignals};

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
    let (sender, received) = channel();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    // Without a runtime, signals keep their usual effect.
    if let Ok(runtime) = runtime
        && let Ok(mut signals) = runtime.block_on(async { EndSignals::listen() })
    {
        let watch = move || sender.send(exit_after(runtime.block_on(signals.recv())));
        drop(thread::Builder::new().spawn(watch));
    }
    move || received.try_recv().ok()
}

/// Completes with the exit code at a signal that ends the process. Never completes if the system has no signals.
pub(crate) async fn interrupt() -> Exit {
    let Ok(mut signals) = EndSignals::listen() else {
        return std::future::pending().await;
    };
    exit_after(signals.recv().await)
}

fn exit_after(signal: EndSignal) -> Exit {
    match signal {
        EndSignal::Interrupt | EndSignal::Terminate => Exit::Interrupted,
        EndSignal::Hangup => Exit::HungUp,
    }
}
