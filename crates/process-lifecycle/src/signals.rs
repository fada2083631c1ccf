//! Signals that request the end of the process.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal as Interrupt, Signal as Terminate};
#[cfg(windows)]
use tokio::signal::windows::{CtrlBreak as Terminate, CtrlC as Interrupt};

/// A signal that requests the end of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndSignal {
    /// Ctrl-C: SIGINT.
    Interrupt,
    /// SIGTERM, or Ctrl-Break on Windows.
    Terminate,
    /// The terminal was closed: SIGHUP. Never received if the process was started with hangups ignored, as below `nohup`.
    Hangup,
}

/// The signals that request the end of the process. They no longer end it by themselves, also after this value is dropped.
#[derive(Debug)]
pub struct EndSignals {
    interrupt: Interrupt,
    terminate: Terminate,
    #[cfg(unix)]
    hangup: Option<tokio::signal::unix::Signal>,
}

impl EndSignals {
    /// Handles the signals from now on. On Windows, engines start plugins in their own process group, which receives no
    /// Ctrl-C, and stop them with Ctrl-Break, which terminates a process by default.
    ///
    /// # Errors
    ///
    /// The system cannot install the handlers.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with I/O enabled.
    pub fn listen() -> io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};

            // A file that reaches a limit of the system is an error of its write, and does not end the process.
            drop(signal(SignalKind::from_raw(
                rustix::process::Signal::XFSZ.as_raw(),
            ))?);
            // A handler would end a process that was started with hangups ignored.
            let hangup = match hangups_are_ignored() {
                Some(false) => Some(signal(SignalKind::hangup())?),
                Some(true) | None => None,
            };
            Ok(Self {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
                hangup,
            })
        }
        #[cfg(windows)]
        {
            use tokio::signal::windows::{ctrl_break, ctrl_c};

            Ok(Self {
                interrupt: ctrl_c()?,
                terminate: ctrl_break()?,
            })
        }
    }

    /// Waits for the next signal. Cancel safe.
    pub async fn recv(&mut self) -> EndSignal {
        let hangup = async {
            #[cfg(unix)]
            if let Some(signal) = &mut self.hangup {
                signal.recv().await;
                return;
            }
            std::future::pending().await
        };
        tokio::select! {
            _ = self.interrupt.recv() => EndSignal::Interrupt,
            _ = self.terminate.recv() => EndSignal::Terminate,
            () = hangup => EndSignal::Hangup,
        }
    }
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
