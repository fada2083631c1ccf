//! The arithmetic of the governor: who may go when. Pure, with the time given.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// What the manager allows a client, less a margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Requests in any one second.
    pub(crate) per_second: u32,
    /// Requests in flight.
    pub(crate) in_flight: u32,
}

const SECOND: Duration = Duration::from_secs(1);
/// The rate never falls below one request per second.
const FLOOR: f64 = 1.0;
/// A rate that was lowered is back from nothing after this many seconds.
const RECOVERY: f64 = 20.0;
/// Longest pause of all calls that one reply can cause. Beyond, its own call alone waits.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// The requests of the last second.
///
/// A request holds its place from the moment it may go until one second after its answer. Whenever
/// within that time the manager counted it, no second of the manager's clock sees more requests
/// than there are places: neither bursts nor slow connections can exceed the limit.
#[derive(Debug)]
pub(super) struct Window {
    limits: Limits,
    in_flight: u32,
    /// When the requests of the last second ended, in order.
    ended: VecDeque<Instant>,
    /// The rate after the last reply that throttled, and when that was. It grows from there.
    lowered: Option<(f64, Instant)>,
    paused_until: Instant,
}

impl Window {
    pub(super) fn new(limits: Limits, now: Instant) -> Self {
        Self {
            limits,
            in_flight: 0,
            ended: VecDeque::new(),
            lowered: None,
            paused_until: now,
        }
    }

    /// Takes a place, or tells when to ask again: at that time or, if earlier or `None`, when a
    /// request has ended.
    pub(super) fn admit(&mut self, now: Instant) -> Result<(), Option<Instant>> {
        while self.ended.front().is_some_and(|end| *end + SECOND <= now) {
            self.ended.pop_front();
        }
        if now < self.paused_until {
            return Err(Some(self.paused_until));
        }
        if self.in_flight >= self.limits.in_flight {
            return Err(None);
        }
        let places = self.rate(now) as usize;
        let taken = self.in_flight as usize + self.ended.len();
        if taken < places {
            self.in_flight += 1;
            return Ok(());
        }
        let next_free = self.ended.get(taken - places);
        Err(next_free.map(|end| *end + SECOND))
    }

    /// Gives a place back.
    pub(super) fn ended(&mut self, now: Instant) {
        self.in_flight -= 1;
        self.ended.push_back(now);
    }

    /// The manager throttled a request admitted at `since`: halves the rate, and holds all requests
    /// back as long as it asks.
    pub(super) fn throttled(&mut self, since: Instant, now: Instant, pause: Option<Duration>) {
        if let Some(pause) = pause {
            self.paused_until = self.paused_until.max(now + pause.min(LONGEST_PAUSE));
        }
        // Requests that were under way when the rate was lowered tell nothing about the new rate.
        if self.lowered.is_none_or(|(_, at)| since >= at) {
            self.lowered = Some(((self.rate(now) / 2.0).max(FLOOR), now));
        }
    }

    /// Requests per second at the moment.
    fn rate(&self, now: Instant) -> f64 {
        let full = f64::from(self.limits.per_second).max(FLOOR);
        match self.lowered {
            None => full,
            Some((rate, at)) => (rate + full / RECOVERY * (now - at).as_secs_f64()).min(full),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIMITS: Limits = Limits {
        per_second: 90,
        in_flight: 32,
    };

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn throttling_halves_the_rate_down_to_one() {
        let start = Instant::now();
        let mut window = Window::new(LIMITS, start);
        for expected in [45.0, 22.5, 11.25, 5.625, 2.8125, 1.40625, 1.0, 1.0] {
            window.throttled(start, start, None);
            assert_eq!(window.rate(start), expected);
        }
    }

    #[test]
    fn the_rate_recovers_steadily_and_not_beyond_the_limit() {
        let start = Instant::now();
        let mut window = Window::new(LIMITS, start);
        window.throttled(start, start, None);
        assert_eq!(window.rate(start + seconds(2.0)), 45.0 + 9.0);
        assert_eq!(window.rate(start + seconds(60.0)), 90.0);
    }

    #[test]
    fn one_burst_of_throttled_replies_lowers_the_rate_once() {
        let start = Instant::now();
        let mut window = Window::new(LIMITS, start);
        for millis in 10..20 {
            window.throttled(start, start + Duration::from_millis(millis), None);
        }
        assert!(window.rate(start + Duration::from_millis(20)) > 44.0);
    }

    #[test]
    fn a_long_pause_binds_the_other_calls_for_a_minute_only() {
        let start = Instant::now();
        let mut window = Window::new(LIMITS, start);
        window.throttled(start, start, Some(seconds(3600.0)));
        assert_eq!(window.admit(start), Err(Some(start + LONGEST_PAUSE)));
    }

    proptest! {
        /// The manager counts each request at some moment between its start and its end.
        #[test]
        fn prop_no_second_of_the_managers_clock_sees_more_than_the_limit(
            latencies in prop::collection::vec((0u64..1500, 0.0f64..1.0), 1..400),
            per_second in 1u32..40,
            in_flight in 1u32..20,
        ) {
            let start = Instant::now();
            let mut window = Window::new(Limits { per_second, in_flight }, start);
            let mut now = start;
            let mut running: Vec<Instant> = Vec::new();
            let mut counted: Vec<Instant> = Vec::new();
            for (latency, part) in latencies {
                loop {
                    running.sort();
                    while running.first().is_some_and(|end| *end <= now) {
                        window.ended(running.remove(0));
                    }
                    match window.admit(now) {
                        Ok(()) => break,
                        Err(later) => {
                            now = later.into_iter().chain(running.first().copied()).min().expect("someone frees a place");
                        }
                    }
                }
                let latency = Duration::from_millis(latency);
                prop_assert!(running.len() < in_flight as usize);
                running.push(now + latency);
                counted.push(now + latency.mul_f64(part));
            }
            counted.sort();
            for (first, begin) in counted.iter().enumerate() {
                let seen = counted[first..].iter().take_while(|at| **at < *begin + SECOND).count();
                prop_assert!(seen <= per_second as usize, "{seen} in one second");
            }
        }
    }
}
