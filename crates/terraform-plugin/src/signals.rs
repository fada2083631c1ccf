//! The end of the process by a signal, or by the end of the host, which is the parent process.

use std::io;

use process_lifecycle::{EndSignal, EndSignals, parent_ended};
use tokio_util::sync::CancellationToken;

/// Cancels `end` at the first signal that ends the process, or soon after the host has ended. Handles signals from when
/// this function returns.
///
/// Interrupts are ignored, because terminals send them to hosts and providers alike, and a host ends the process when
/// its reads have ended. A process that was started manually ends itself, and may outlive the shell that started it.
pub(crate) fn watch(end: &CancellationToken, is_attached: bool) -> io::Result<()> {
    let mut signals = EndSignals::listen()?;
    let parent_ended = parent_ended();
    let end = end.clone();
    tokio::spawn(async move {
        let signal = async { while signals.recv().await == EndSignal::Interrupt && !is_attached {} };
        tokio::select! {
            () = signal => {}
            () = parent_ended, if !is_attached => {}
        }
        end.cancel();
    });
    Ok(())
}
