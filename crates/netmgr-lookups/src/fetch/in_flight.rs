//! Requests that are in flight. Later lookups that could have shared them wait for their turn.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::time::Instant;

use super::need::Group;
use super::waiting::Waiting;

/// Wait of lookups for the answers of those before them, with which they cannot share: a slow response does not delay
/// later lookups for long.
const TURN: Duration = Duration::from_secs(1);

/// The requests in flight of a batch.
#[derive(Default)]
pub(super) struct InFlight {
    /// By path and query.
    requests: HashMap<String, Turns>,
    groups: HashMap<Group, Turns>,
}

/// Equal requests, or the requests of a group.
struct Turns {
    in_flight: u32,
    /// When the last one began.
    latest: Instant,
}

impl InFlight {
    /// Whether the request with this path and query is in flight.
    pub(super) fn has(&self, request: &str) -> bool {
        self.requests.contains_key(request)
    }

    /// When the request of a lookup may be chosen at the latest; `None` if nothing that it could have shared is in
    /// flight. While equal requests are in flight, the next one begins after 1, 2, 4, and then every 8 s, so that a
    /// hanging request does not block other lookups and is not repeated for each of them.
    pub(super) fn turn(&self, waiting: &Waiting) -> Option<Instant> {
        let request = self
            .requests
            .get(&waiting.own_path)
            .map(|turns| turns.latest + TURN * (1 << (turns.in_flight - 1).min(3)));
        let group = waiting.group().and_then(|group| self.groups.get(&group));
        request.max(group.map(|turns| turns.latest + TURN))
    }

    /// Counts a request for lookups of `groups`.
    pub(super) fn begin(&mut self, request: &str, groups: &HashSet<Group>) {
        let latest = Instant::now();
        let none = || Turns { in_flight: 0, latest };
        let begin = |turns: &mut Turns| {
            turns.in_flight += 1;
            turns.latest = latest;
        };
        begin(self.requests.entry(request.to_owned()).or_insert_with(none));
        for group in groups {
            begin(self.groups.entry(group.clone()).or_insert_with(none));
        }
    }

    /// Ends a request that was [counted](Self::begin).
    pub(super) fn end(&mut self, request: &str, groups: &HashSet<Group>) {
        let end = |turns: &mut Turns| {
            turns.in_flight -= 1;
            turns.in_flight == 0
        };
        if self.requests.get_mut(request).is_some_and(end) {
            self.requests.remove(request);
        }
        for group in groups {
            if self.groups.get_mut(group).is_some_and(end) {
                self.groups.remove(group);
            }
        }
    }
}
