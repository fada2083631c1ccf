//! Work that one task does for all callers that wait for it: a login, or the request for the version.
//!
//! The task ends with its [`SharedTask`], which its work must not own, and with its runtime; the next caller then starts
//! another one. Callers in other runtimes wait for a limited
//! time, because a runtime that is not driven does not end its tasks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{Shared, WeakShared};
use tokio::runtime::{self, Handle};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use tracing::Instrument as _;

use crate::lock::lock;

/// Maximum time to wait for the task of another runtime.
const OTHER_RUNTIME: Duration = Duration::from_secs(10);
/// The time until which callers in the same runtime wait, if it is not limited.
const ENDLESS: Duration = Duration::from_secs(24 * 60 * 60);

/// One task at a time.
pub(crate) struct SharedTask<T> {
    tasks: Arc<Mutex<StartedTasks<T>>>,
    /// Whether the task continues if no caller waits for it.
    outlives_callers: bool,
    /// Time after which a caller starts another task beside a slow one.
    patience: Duration,
}

/// The tasks that have not ended, by their number.
type StartedTasks<T> = BTreeMap<u64, StartedTask<T>>;

struct StartedTask<T> {
    runtime: runtime::Id,
    since: Instant,
    result: WeakShared<oneshot::Receiver<T>>,
    /// Keeps a task that outlives its callers.
    _kept: Option<Shared<oneshot::Receiver<T>>>,
}

impl<T: Clone> StartedTask<T> {
    /// The result, unless the task has ended, or ends because no caller waits for it. A sender that is gone sent nothing: a
    /// task is removed before it sends.
    fn result(&self) -> Option<Shared<oneshot::Receiver<T>>> {
        let result = self.result.upgrade()?;
        result.clone().now_or_never().is_none().then_some(result)
    }
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
            tasks: Arc::default(),
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

    /// The result that is `known`, the result of the task under way, or the result of `work` in a new task.
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
        let mut tasks = lock(&self.tasks);
        if let Some(task) = self.under_way(&tasks) {
            return JoinedTask::Running(task);
        }
        if let Some(known) = known() {
            return JoinedTask::Known(known);
        }
        let (sender, receiver) = oneshot::channel();
        let result = receiver.shared();
        tasks.retain(|_, task| task.result().is_some());
        let number = tasks.last_key_value().map_or(0, |(last, _)| last + 1);
        let task = StartedTask {
            runtime: Handle::current().id(),
            since: Instant::now(),
            result: result.downgrade().expect("it was not polled"),
            _kept: self.outlives_callers.then(|| result.clone()),
        };
        tasks.insert(number, task);
        tokio::spawn(run_task(Arc::downgrade(&self.tasks), number, work(), sender).in_current_span());
        JoinedTask::Started(TaskResult {
            result,
            until: Instant::now() + ENDLESS,
        })
    }

    /// Waits for the end of the task under way, if there is one.
    pub(crate) async fn settled(&self) {
        let task = self.under_way(&lock(&self.tasks));
        if let Some(task) = task {
            task.get().await;
        }
    }

    /// Whether callers may wait for a task.
    pub(crate) fn is_under_way(&self) -> bool {
        self.under_way(&lock(&self.tasks)).is_some()
    }

    /// The task that callers of this runtime may still wait for.
    fn under_way(&self, tasks: &StartedTasks<T>) -> Option<TaskResult<T>> {
        let (_, latest) = tasks.last_key_value()?;
        let result = latest.result()?;
        let patience = match latest.runtime == Handle::current().id() {
            true => self.patience,
            false => self.patience.min(OTHER_RUNTIME),
        };
        let until = latest.since + patience;
        (Instant::now() < until).then_some(TaskResult { result, until })
    }
}

async fn run_task<T>(
    tasks: Weak<Mutex<StartedTasks<T>>>,
    number: u64,
    work: impl Future<Output = T>,
    mut sender: oneshot::Sender<T>,
) {
    let result = tokio::select! {
        biased;
        result = work => Some(result),
        () = sender.closed() => None,
    };
    let started = tasks.upgrade().and_then(|tasks| lock(&tasks).remove(&number));
    if let Some(result) = result {
        // All callers may have left.
        let _ = sender.send(result);
    }
    drop(started);
}

#[cfg(test)]
mod tests;
