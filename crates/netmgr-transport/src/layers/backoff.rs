//! Delays before retries: full jitter below a limit that doubles.
//!
//! Delays that the manager requests are in `retry_after.rs`.

use std::time::Duration;

use netmgr_types::RetrySettings;

/// The limit before the first retry, so that delays grow even if the minimum is 0.
const FIRST_CAP: Duration = Duration::from_millis(100);

/// Limits of the delays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Backoff {
    min: Duration,
    max: Duration,
}

impl Backoff {
    /// A maximum below the minimum counts as the minimum.
    pub(super) fn new(settings: &RetrySettings) -> Self {
        Self {
            min: settings.min_delay,
            max: settings.max_delay.max(settings.min_delay),
        }
    }

    /// The delay before retry number `retry`, starting at 1: uniform between the minimum and the limit of
    /// that retry.
    pub(super) fn delay(&self, retry: u32) -> Duration {
        let cap = self.cap(retry);
        self.min + (cap - self.min).mul_f64(fastrand::f64())
    }

    fn cap(&self, retry: u32) -> Duration {
        let doublings = retry.saturating_sub(1).min(31);
        FIRST_CAP
            .max(self.min)
            .saturating_mul(1 << doublings)
            .min(self.max)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn backoff(min: u64, max: u64) -> Backoff {
        Backoff::new(
            &RetrySettings::default()
                .min_delay(Duration::from_millis(min))
                .max_delay(Duration::from_millis(max)),
        )
    }

    #[test]
    fn the_cap_doubles_from_100_ms_to_the_maximum() {
        let caps = |min, max| [1, 2, 3, 4, 5].map(|retry| backoff(min, max).cap(retry).as_millis());
        assert_eq!(caps(0, 500), [100, 200, 400, 500, 500]);
        assert_eq!(caps(300, 1000), [300, 600, 1000, 1000, 1000]);
        assert_eq!(caps(0, 50), [50, 50, 50, 50, 50]);
    }

    #[test]
    fn a_maximum_below_the_minimum_is_a_fixed_wait() {
        assert_eq!(backoff(700, 500).delay(3), Duration::from_millis(700));
    }

    proptest! {
        #[test]
        fn prop_every_delay_is_within_its_bounds(min in 0u64..100_000, extra in 0u64..100_000, retry: u32) {
            let delay = backoff(min, min + extra).delay(retry);
            prop_assert!(delay >= Duration::from_millis(min));
            prop_assert!(delay <= Duration::from_millis(min + extra));
        }
    }
}
