//! Work that one task does for all callers that wait for it: a login, or the request for the version.
//!
//! The task ends with its runtime; the next caller then starts another one. Callers in other runtimes wait for a limited
//! time, because a runtime that is not driven does not end its tasks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{Shared, WeakShared};
use tokio::runtime::{self, Handle};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use tracing::Instrument as _;

/// Maximum time to wait for the task of another runtime.
const OTHER_RUNTIME: Duration = Duration::from_secs(10);
/// The time until which callers in the same runtime wait, if it is not limited.
const ENDLESS: Duration = Duration::from_secs(24 * 60 * 60);

/// One task at a time.
pub(crate) struct SharedTask<T> {
    slot: Arc<Mutex<TaskSlot<T>>>,
    /// Whether the task continues if no caller waits for it.
    outlives_callers: bool,
    /// Time after which a caller starts another task beside a slow one.
    patience: Duration,
}

struct TaskSlot<T> {
    /// Number of tasks so far.
    started: u64,
    /// The last one, until it ends.
    latest: Option<Latest<T>>,
}

struct Latest<T> {
    runtime: runtime::Id,
    since: Instant,
    result: WeakShared<oneshot::Receiver<T>>,
}

/// The task that a caller waits for.
pub(crate) enum JoinedTask<T> {
    /// The result was known.
    Known(T),
    /// This caller started it.
    Started(TaskResult<T>),
    /// Another caller started it.
    Running(TaskResult<T>),
}

/// The future result of a task.
pub(crate) struct TaskResult<T> {
    result: Shared<oneshot::Receiver<T>>,
    until: Instant,
}

impl<T: Clone> TaskResult<T> {
    /// The result. `None` if the runtime of the task ended, or the task of another caller takes too long.
    pub(crate) async fn get(self) -> Option<T> {
        timeout_at(self.until, self.result).await.ok()?.ok()
    }
}

impl<T: Clone + Send + Sync + 'static> SharedTask<T> {
    /// A task that is aborted if no caller waits for it.
    pub(crate) fn new() -> Self {
        Self {
            slot: Arc::new(Mutex::new(TaskSlot {
                started: 0,
                latest: None,
            })),
            outlives_callers: false,
            patience: ENDLESS,
        }
    }

    /// A task that continues to its end. After `patience`, a caller starts another one beside it.
    pub(crate) fn outliving_callers(patience: Option<Duration>) -> Self {
        Self {
            outlives_callers: true,
            patience: patience.unwrap_or(ENDLESS),
            ..Self::new()
        }
    }

    /// The result that is `known`, that of the task under way, or that of `work` in a new task.
    pub(crate) async fn run<F: Future<Output = T> + Send + 'static>(
        &self,
        known: impl Fn() -> Option<T>,
        work: impl Fn() -> F,
    ) -> T {
        loop {
            match self.join(&known, &work) {
                JoinedTask::Known(result) => return result,
                JoinedTask::Started(task) | JoinedTask::Running(task) => {
                    if let Some(result) = task.get().await {
                        return result;
                    }
                }
            }
        }
    }

    /// Joins the task under way, or starts one unless the result is `known`.
    pub(crate) fn join<F: Future<Output = T> + Send + 'static>(
        &self,
        known: impl FnOnce() -> Option<T>,
        work: impl FnOnce() -> F,
    ) -> JoinedTask<T> {
        let mut slot = lock(&self.slot);
        if let Some(task) = self.under_way(&slot) {
            return JoinedTask::Running(task);
        }
        if let Some(known) = known() {
            return JoinedTask::Known(known);
        }
        let (sender, receiver) = oneshot::channel();
        let result = receiver.shared();
        slot.started += 1;
        slot.latest = result.downgrade().map(|weak| Latest {
            runtime: Handle::current().id(),
            since: Instant::now(),
            result: weak,
        });
        let kept = self.outlives_callers.then(|| result.clone());
        tokio::spawn(run_task(Arc::clone(&self.slot), slot.started, work(), sender, kept).in_current_span());
        JoinedTask::Started(TaskResult {
            result,
            until: Instant::now() + ENDLESS,
        })
    }

    /// Waits for the end of the task under way, if there is one.
    pub(crate) async fn settled(&self) {
        let task = self.under_way(&lock(&self.slot));
        if let Some(task) = task {
            task.get().await;
        }
    }

    /// Whether callers may wait for a task.
    pub(crate) fn is_under_way(&self) -> bool {
        self.under_way(&lock(&self.slot)).is_some()
    }

    /// The task that callers of this runtime may still wait for.
    fn under_way(&self, slot: &TaskSlot<T>) -> Option<TaskResult<T>> {
        let latest = slot.latest.as_ref()?;
        let result = latest.result.upgrade()?;
        let patience = match latest.runtime == Handle::current().id() {
            true => self.patience,
            false => self.patience.min(OTHER_RUNTIME),
        };
        let until = latest.since + patience;
        // A sender that is gone sent nothing: a task leaves the slot before it sends.
        let is_over = result.clone().now_or_never().is_some() || Instant::now() >= until;
        (!is_over).then_some(TaskResult { result, until })
    }
}

async fn run_task<T: Clone>(
    slot: Arc<Mutex<TaskSlot<T>>>,
    number: u64,
    work: impl Future<Output = T>,
    mut sender: oneshot::Sender<T>,
    kept: Option<Shared<oneshot::Receiver<T>>>,
) {
    let result = tokio::select! {
        biased;
        result = work => result,
        () = sender.closed() => return,
    };
    {
        let mut slot = lock(&slot);
        if slot.started == number {
            slot.latest = None;
        }
    }
    // All callers may have left.
    let _ = sender.send(result);
    drop(kept);
}

fn lock<T>(slot: &Mutex<TaskSlot<T>>) -> MutexGuard<'_, TaskSlot<T>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
