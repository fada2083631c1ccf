//! How fast `doctor` sends its requests, and the line that shows what it reads.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::output::terminal;

/// The pace of the requests of the checks: at most 70 % of what the manager permits, because a rejected request would
/// look like a problem of the manager.
pub(super) struct RequestPace(Mutex<Interval>);

impl RequestPace {
    /// The pace for a limit of requests per second, which is usually 100.
    pub(super) fn within(rate: Option<u64>) -> Self {
        const USUAL: u64 = 100;
        let rate = rate.filter(|rate| *rate > 0).unwrap_or(USUAL).min(USUAL);
        let mut pace = interval(Duration::from_secs(1) / (rate as u32 * 7 / 10).max(1));
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self(Mutex::new(pace))
    }

    /// Waits until the next request may be sent, and shows `what` it reads on a terminal.
    pub(super) async fn wait(&self, what: &str) {
        self.0.lock().await.tick().await;
        terminal::status(&format!("reading {what}"));
    }
}
