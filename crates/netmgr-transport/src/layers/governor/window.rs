//! The arithmetic of the governor. Pure functions of the time.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// Limits of the manager, less a margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Maximum number of requests per second.
    pub(crate) per_second: u32,
    /// Maximum number of requests in flight.
    pub(crate) in_flight: u32,
    /// Time after which a slot that is not released counts as lost, because its runtime ended or is idle. Longer than
    /// an attempt.
    pub(crate) longest_hold: Duration,
}

const SECOND: Duration = Duration::from_secs(1);
/// The rate never falls below one request per second.
const FLOOR: f64 = 1.0;
/// Minimum fraction of the limit to which an overloaded manager reduces the rate, because only some of its
/// paths may be affected.
const OVERLOADED: f64 = 0.25;
/// Seconds after which a reduced rate has recovered completely.
const RECOVERY: f64 = 20.0;
/// Initial number of requests in flight, and therefore of connections. A few are sufficient if replies are
/// fast.
const NARROW: u32 = 6;
/// Time for which requests are held back for a login that waits for a slot. It gets one sooner, unless its runtime is
/// idle.
const LOGINS_FIRST: Duration = Duration::from_secs(5);
/// Fraction of the requests of a second that may be sent without spacing.
const BURST: f64 = 1.0 / 3.0;
/// Number of consecutive requests without a response of the manager that indicate an outage, and not the state of one
/// path.
const OUTAGE: u32 = 8;

/// The load that a reply reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ManagerLoad {
    /// The client sends too many requests (429).
    TooManyRequests,
    /// The manager is overloaded (503).
    Overloaded,
}

/// The requests of the last second.
///
/// A request holds its slot from the moment it may be sent until one second after its reply. The manager
/// counts it at some moment in this interval, so no second of the manager's clock has more requests than
/// slots. Neither bursts nor slow connections can exceed the limit.
///
/// A burst of [`BURST`] of the slots is sent at once. Further requests are spaced evenly instead of using up the
/// slots early in each second: the lookups that arrive in between then share requests (decision sharing).
#[derive(Debug, Clone)]
pub(super) struct Window {
    limits: Limits,
    /// Current maximum number of requests in flight.
    width: u32,
    /// The slots in use, in the order in which they were taken: number and time.
    in_flight: VecDeque<(u64, Instant)>,
    /// Number of slots that were taken so far.
    taken: u64,
    /// Times at which the requests of the last second ended, in order.
    ended: VecDeque<Instant>,
    /// The rate after the last throttling reply, and the time of that reply. The rate grows from there.
    lowered: Option<(f64, Instant)>,
    /// Number of consecutive requests without a response of the manager.
    unanswered: u32,
    /// Time from which the next request may be sent if a burst has been sent already.
    spaced_until: Instant,
    /// Number of logins that wait for a slot, and the time at which the last one came. Requests are not admitted for a
    /// while.
    logins_waiting: u32,
    last_login: Instant,
}

impl Window {
    pub(super) fn new(limits: Limits, now: Instant) -> Self {
        Self {
            width: NARROW.min(limits.in_flight),
            limits,
            in_flight: VecDeque::new(),
            taken: 0,
            ended: VecDeque::new(),
            lowered: None,
            unanswered: 0,
            spaced_until: now,
            logins_waiting: 0,
            last_login: now,
        }
    }

    /// Records that a login waits for a slot.
    pub(super) fn login_waits(&mut self, now: Instant) {
        self.logins_waiting += 1;
        self.last_login = now;
    }

    /// Records that a login no longer waits for a slot.
    pub(super) fn login_left(&mut self) {
        self.logins_waiting -= 1;
    }

    /// Takes a slot for a request, or for a login if `login` is true.
    ///
    /// # Errors
    ///
    /// The time to try again, or earlier when a slot is released.
    pub(super) fn admit(&mut self, now: Instant, login: bool) -> Result<u64, Option<Instant>> {
        let logins_first = self.last_login + LOGINS_FIRST;
        if self.logins_waiting > 0 && !login && now < logins_first {
            return Err(Some(logins_first));
        }
        while let Some(lost) = self.first_lost().filter(|lost| *lost <= now) {
            tracing::debug!(since = ?now - lost, "a slot was not released");
            self.in_flight.pop_front();
        }
        while self.ended.front().is_some_and(|end| *end + SECOND <= now) {
            self.ended.pop_front();
        }
        if self.in_flight.len() >= self.width as usize {
            return Err(self.first_lost());
        }
        let rate = self.rate(now);
        let places = rate as usize;
        let taken = self.in_flight.len() + self.ended.len();
        if taken < places {
            let burst = (rate * BURST) as usize;
            if taken >= burst.max(1) && !login && now < self.spaced_until {
                return Err(Some(self.spaced_until));
            }
            self.spaced_until = now + SECOND.div_f64(rate);
            return Ok(self.admit_at_once(now));
        }
        let next_free = self.ended.get(taken - places).map(|end| *end + SECOND);
        Err(next_free.or_else(|| self.first_lost()))
    }

    /// Takes a slot regardless of the limits. Returns its number.
    pub(super) fn admit_at_once(&mut self, now: Instant) -> u64 {
        self.taken += 1;
        self.in_flight.push_back((self.taken, now));
        self.taken
    }

    /// Records that the request of a slot is sent.
    pub(super) fn sent(&mut self, number: u64, now: Instant) {
        self.in_flight.retain(|(known, _)| *known != number);
        self.in_flight.push_back((number, now));
    }

    /// When the first of the slots in use counts as lost.
    fn first_lost(&self) -> Option<Instant> {
        let (_, since) = self.in_flight.front()?;
        Some(*since + self.limits.longest_hold)
    }

    /// Whether all slots are in use and there may be more.
    pub(super) fn can_widen(&self) -> bool {
        self.in_flight.len() >= self.width as usize && self.width < self.limits.in_flight
    }

    /// Increases the number of requests in flight.
    pub(super) fn widen(&mut self) {
        self.width = (self.width + 1).min(self.limits.in_flight);
    }

    /// Records the end of a request that was admitted at `since`. In an outage, the rate is that of an overloaded manager.
    pub(super) fn ended(&mut self, since: Instant, now: Instant, is_away: bool) {
        self.unanswered = if is_away { self.unanswered + 1 } else { 0 };
        if self.unanswered >= OUTAGE {
            self.throttled(since, now, ManagerLoad::Overloaded);
        }
    }

    /// Releases a slot. `ended` is the time at which its request ended, if it was sent.
    pub(super) fn give_back(&mut self, number: u64, ended: Option<Instant>) {
        self.in_flight.retain(|(known, _)| *known != number);
        self.ended.extend(ended);
    }

    /// Halves the rate, because the reply to a request admitted at `since` reports `load`. A delay that the reply requests
    /// applies only to its own call.
    pub(super) fn throttled(&mut self, since: Instant, now: Instant, load: ManagerLoad) {
        let quarter = FLOOR.max(f64::from(self.limits.per_second) * OVERLOADED);
        let floor = match load {
            ManagerLoad::TooManyRequests => FLOOR,
            ManagerLoad::Overloaded => quarter,
        };
        let rate = self.rate(now);
        // The manager counts the requests of a second, so a low rate takes effect after one. Otherwise, few replies would
        // stop all lookups.
        let takes_effect = if rate > quarter { Duration::ZERO } else { SECOND };
        // A request that was sent before a reduced rate takes effect does not indicate anything about it.
        if self.lowered.is_none_or(|(_, at)| since >= at + takes_effect) && rate > floor {
            self.lowered = Some(((rate / 2.0).max(floor), now));
            self.width = (self.width / 2).max(NARROW.min(self.limits.in_flight));
        }
    }

    /// Current rate in requests per second.
    fn rate(&self, now: Instant) -> f64 {
        let full = f64::from(self.limits.per_second).max(FLOOR);
        match self.lowered {
            None => full,
            Some((rate, at)) => (rate + full / RECOVERY * (now - at).as_secs_f64()).min(full),
        }
    }
}

#[cfg(test)]
mod tests;
