//! Hangups: the terminal of a process was closed.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The hangups of a process. There are none if it was started with hangups ignored, as below `nohup`, which a handler would
/// change.
#[derive(Debug)]
pub struct Hangups(Option<Signal>);

impl Hangups {
    /// Handles hangups from when this function returns.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub fn watch() -> io::Result<Self> {
        Ok(Self(match are_ignored() {
            Some(false) => Some(signal(SignalKind::hangup())?),
            Some(true) | None => None,
        }))
    }

    /// Completes at the next hangup.
    pub async fn next(&mut self) {
        if let Some(signal) = &mut self.0
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending().await
    }
}

/// Whether the process was started with hangups ignored. `None` where only unsafe code can determine it: there, a
/// hangup keeps its usual effect.
fn are_ignored() -> Option<bool> {
    const HANGUP: u64 = 1;

    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    Some(mask & HANGUP != 0)
}
