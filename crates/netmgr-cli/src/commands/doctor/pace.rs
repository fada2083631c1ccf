//! How fast `doctor` sends its requests.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Interval, MissedTickBehavior, interval};

/// The pace of the requests of the checks: at most half of what the manager permits, because a rejected request would
/// look like a problem of the manager.
pub(super) struct RequestPace(Mutex<Interval>);

impl RequestPace {
    /// The pace for a limit of requests per second.
    pub(super) fn within(rate: Option<u64>) -> Self {
        const MOST: u32 = 30;
        let rate = rate
            .filter(|rate| *rate > 0)
            .and_then(|rate| u32::try_from(rate).ok());
        let per_second = rate.map_or(MOST, |rate| (rate / 2).clamp(1, MOST));
        let mut pace = interval(Duration::from_secs(1) / per_second);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self(Mutex::new(pace))
    }

    /// Waits until the next request may be sent.
    pub(super) async fn wait(&self) {
        self.0.lock().await.tick().await;
    }
}
