//! The outages of a client as pure state, without waiting and without a clock.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use tokio::time::Instant;

use super::Backoff;
use crate::Error;

/// Time after the last due probe at which an outage is discarded, if no call probes it.
const FORGOTTEN: Duration = Duration::from_secs(5);

/// Scope of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The manager: no request reaches it, or no login succeeds.
    Manager,
    /// The requested path. If a second path fails without a reply in between, the scope is the manager.
    Path,
    /// Only the request.
    Request,
}

/// Next step of a call.
pub(super) enum Turn {
    /// Send the request, as the probe with this number, if any.
    Send(Option<u64>),
    /// Count a failed attempt.
    Failed(Error),
    /// Wait until that time, or until something changes.
    Sleep {
        until: Instant,
        last: Error,
        requested: Option<Duration>,
    },
    /// Wait until something changes.
    Wait,
}

pub(super) struct State {
    backoff: Backoff,
    manager: Option<Outage>,
    paths: HashMap<String, Outage>,
    /// The path that failed since the last reply.
    suspect: Option<String>,
    /// The waiting calls, in order.
    waiting: BTreeMap<u64, Waiter>,
    /// The last number of a waiting call or a probe.
    last_number: u64,
}

/// An outage.
struct Outage {
    /// Number of consecutive failures, including the first.
    failures: u32,
    /// Time of the next probe.
    next: Instant,
    /// The probe in flight.
    probe: Option<u64>,
    last: Error,
    /// The delay that the manager requested, if it determines `next`.
    requested: Option<Duration>,
}

struct Waiter {
    path: String,
    /// Failed probes that the call has not counted yet.
    uncounted: u32,
    last: Option<Error>,
}

impl State {
    pub(super) fn new(backoff: Backoff) -> Self {
        Self {
            backoff,
            manager: None,
            paths: HashMap::new(),
            suspect: None,
            waiting: BTreeMap::new(),
            last_number: 0,
        }
    }

    pub(super) fn is_closed(&self, path: &str) -> bool {
        self.manager.is_some() || self.paths.contains_key(path)
    }

    /// Determines the next step of the call at `place`, or of a new call.
    pub(super) fn turn(&mut self, place: &mut Option<u64>, path: &str, now: Instant) -> Turn {
        if let Some(waiter) = place.and_then(|place| self.waiting.get_mut(&place))
            && let Some(failure) = waiter.last.clone().filter(|_| waiter.uncounted > 0)
        {
            waiter.uncounted -= 1;
            return Turn::Failed(failure);
        }
        self.forget(now);
        let outages = [self.manager.as_ref(), self.paths.get(path)];
        let Some(latest) = outages.into_iter().flatten().max_by_key(|outage| outage.next) else {
            if let Some(place) = place.take() {
                self.waiting.remove(&place);
            }
            return Turn::Send(None);
        };
        if latest.next > now {
            let turn = Turn::Sleep {
                until: latest.next,
                last: latest.last.clone(),
                requested: latest.requested,
            };
            self.enter(place, path);
            return turn;
        }
        let is_probed = outages.into_iter().flatten().any(|outage| outage.probe.is_some());
        let place_now = self.enter(place, path);
        if is_probed || self.first(path, now) != Some(place_now) {
            return Turn::Wait;
        }
        self.waiting.remove(&place_now);
        *place = None;
        let probe = self.number();
        for outage in [self.manager.as_mut(), self.paths.get_mut(path)]
            .into_iter()
            .flatten()
        {
            outage.probe = Some(probe);
        }
        Turn::Send(Some(probe))
    }

    /// Removes a call that no longer waits.
    pub(super) fn leave(&mut self, place: u64) {
        self.waiting.remove(&place);
    }

    /// Records that the manager replied to a request of `path`.
    pub(super) fn answered(&mut self, path: &str, probe: Option<u64>) {
        self.manager = None;
        self.suspect = None;
        self.paths.remove(path);
        self.release(probe);
    }

    /// Records that a probe ended without a result.
    pub(super) fn abandoned(&mut self, probe: u64) {
        self.release(Some(probe));
    }

    /// Records that a request of `path` failed.
    pub(super) fn failed(
        &mut self,
        path: &str,
        probe: Option<u64>,
        scope: Scope,
        failure: &Error,
        requested: Option<Duration>,
        now: Instant,
    ) {
        if let Some(probe) = probe {
            let of_all = self
                .manager
                .as_ref()
                .is_some_and(|outage| outage.probe == Some(probe));
            let waited = self.waiting.range_mut(..probe).map(|(_, waiter)| waiter);
            for waiter in waited.filter(|waiter| of_all || waiter.path == path) {
                waiter.uncounted += 1;
                waiter.last = Some(failure.clone());
            }
        }
        let others = self.suspect.as_ref().is_some_and(|suspect| suspect != path);
        if scope == Scope::Path {
            self.suspect.get_or_insert_with(|| path.to_owned());
        }
        let backoff = self.backoff;
        let prolonged = |outage: Option<Outage>, begins: bool, requested: Option<Duration>| {
            let failures = match outage {
                // The request was sent before the outage started.
                Some(outage) if outage.probe.is_none() || outage.probe != probe => return Some(outage),
                Some(outage) => outage.failures + 1,
                None if begins => 1,
                None => return None,
            };
            let delay = backoff.delay(failures);
            Some(Outage {
                failures,
                next: now + delay.max(requested.unwrap_or_default()),
                probe: None,
                last: failure.clone(),
                requested: requested.filter(|requested| *requested > delay),
            })
        };
        let begins = scope == Scope::Manager || scope == Scope::Path && others;
        // A delay that was requested for one path does not affect others.
        self.manager = prolonged(self.manager.take(), begins, None);
        let of_path = prolonged(self.paths.remove(path), scope == Scope::Path, requested);
        self.paths.extend(of_path.map(|outage| (path.to_owned(), outage)));
    }

    fn release(&mut self, probe: Option<u64>) {
        for outage in self.manager.iter_mut().chain(self.paths.values_mut()) {
            if probe.is_some() && outage.probe == probe {
                outage.probe = None;
            }
        }
    }

    /// The next call to probe if `path` has to wait: a call whose path has not failed, or else the first
    /// call.
    fn first(&self, path: &str, now: Instant) -> Option<u64> {
        let is_ready = |waiter: &Waiter| match self.paths.get(&waiter.path) {
            Some(outage) => outage.probe.is_none() && outage.next <= now,
            None => true,
        };
        let of_all = self.manager.is_some();
        let rivals = self.waiting.iter().filter(|(_, waiter)| match of_all {
            true => is_ready(waiter),
            false => waiter.path == path,
        });
        rivals
            .min_by_key(|(place, waiter)| (self.paths.contains_key(&waiter.path), **place))
            .map(|(place, _)| *place)
    }

    fn enter(&mut self, place: &mut Option<u64>, path: &str) -> u64 {
        if let Some(place) = place {
            return *place;
        }
        let number = self.number();
        let waiter = Waiter {
            path: path.to_owned(),
            uncounted: 0,
            last: None,
        };
        self.waiting.insert(number, waiter);
        *place = Some(number);
        number
    }

    fn number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    fn forget(&mut self, now: Instant) {
        let is_remembered = |outage: &Outage| outage.probe.is_some() || now < outage.next + FORGOTTEN;
        self.manager = self.manager.take().filter(is_remembered);
        self.paths.retain(|_, outage| is_remembered(outage));
    }
}
