//! The own requests of lookups whose wide request failed.
//!
//! Either only the wide request failed, or the manager is down. Two own requests find out. The number in flight doubles
//! with each chunk, which begins when the one before has ended, or after three seconds. An outage is therefore not
//! multiplied by the number of lookups, and the failure of a wide request alone costs little. When an outage is over, the
//! lookups that are left share again; when it does not end, they fail as their wide request did.

use std::collections::HashSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use super::{Batch, Report};
use crate::fetch::choose::own;
use crate::fetch::waiting::{Task, Waiting};
use crate::lock::lock;

/// Own requests in flight with the first chunk.
const FIRST: usize = 2;

/// Maximum time between chunks, for own requests that take long.
const PACE: Duration = Duration::from_secs(3);

/// A failure of less than this is no outage.
const OUTAGE: Duration = Duration::from_secs(1);

/// Own requests that fail in a row before the manager counts as down: the requests of three chunks.
const DOWN: usize = 14;

/// Failures as which a throttled request counts. The manager throttles accounts, not paths, so fewer show it.
const THROTTLED: usize = 3;

/// The lookups whose wide request failed, of all groups.
#[derive(Default)]
pub(super) struct Failed {
    waiting: Vec<(Waiting, RequestError)>,
    /// Sends their own requests.
    task: Weak<Task>,
}

impl Batch {
    /// Adds lookups whose wide request failed with `error`.
    pub(super) fn recover(self: &Arc<Self>, lookups: Vec<Waiting>, error: &RequestError) {
        let failed = &mut lock(&self.state).failed;
        for waiting in lookups.into_iter().filter(Waiting::is_waiting) {
            let task = failed.task.upgrade().filter(|task| !task.is_finished());
            let task = task.unwrap_or_else(|| {
                let batch = Arc::clone(self);
                let work = async move { batch.send_in_chunks().await };
                Arc::new(Task::new(tokio::spawn(work)))
            });
            failed.task = Arc::downgrade(&task);
            waiting.held_by(&task);
            failed.waiting.push((waiting.again(true), error.clone()));
        }
    }

    async fn send_in_chunks(self: &Arc<Self>) {
        let began = Instant::now();
        let mut size = FIRST;
        let mut failures = 0;
        let (report, mut reports) = mpsc::unbounded_channel();
        loop {
            let chunk = lock(&self.state)
                .failed
                .chunk(size.saturating_sub(in_flight(&report)));
            let Some(chunk) = chunk else { return };
            for request in own(chunk) {
                self.send(request, None, Some(&report));
            }
            let end = Instant::now() + PACE;
            while in_flight(&report) > 0
                && let Ok(Some(failure)) = timeout_at(end, reports.recv()).await
            {
                match failure {
                    None if began.elapsed() > OUTAGE => {
                        let left = std::mem::take(&mut lock(&self.state).failed).waiting;
                        return self.join(left.into_iter().map(|(waiting, _)| waiting));
                    }
                    // It failed with another request, which counts.
                    Some(error) if is_unsent(&error) => {}
                    Some(error) if error.kind() == RequestErrorKind::Throttled => failures += THROTTLED,
                    Some(error) if is_outage(&error) => failures += 1,
                    _ => failures = 0,
                }
                if failures >= DOWN {
                    lock(&self.state).failed.give_up();
                }
            }
            size *= 2;
        }
    }
}

impl Failed {
    /// The lookups of the next own requests, at most `most`. `None` if no lookup is left, which ends the task.
    fn chunk(&mut self, most: usize) -> Option<Vec<Waiting>> {
        self.waiting.retain(|(waiting, _)| waiting.is_waiting());
        if self.waiting.is_empty() {
            self.task = Weak::new();
            return None;
        }
        let mut paths = HashSet::new();
        let chunk = self.waiting.extract_if(.., |(waiting, _)| {
            paths.contains(&waiting.own_path) || paths.len() < most && paths.insert(waiting.own_path.clone())
        });
        Some(chunk.map(|(waiting, _)| waiting).collect())
    }

    /// Fails the lookups whose wide request met the outage.
    fn give_up(&mut self) {
        for (mut waiting, error) in self.waiting.extract_if(.., |(_, error)| is_outage(error)) {
            waiting.answer(Err(error));
        }
    }
}

/// The own requests that are in flight: each has a sender.
fn in_flight(report: &Report) -> usize {
    report.strong_count() - 1
}

/// Whether a request was not sent although a connection was possible.
fn is_unsent(error: &RequestError) -> bool {
    error.kind() != RequestErrorKind::Connect && error.failure().unsent
}

/// Whether the manager, or what is in front of it, is unavailable.
fn is_outage(error: &RequestError) -> bool {
    matches!(
        error.kind(),
        RequestErrorKind::Throttled | RequestErrorKind::Unavailable | RequestErrorKind::Connect
    )
}
