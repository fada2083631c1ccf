//! Tasks that must finish before a component is constructed.

use futures_util::future::{BoxFuture, Shared};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::task_local;

use crate::components::error::{ConstructError, FailedResources};

/// A task that must finish before the component is constructed.
pub(crate) type Task = BoxFuture<'static, Result<(), ConstructError>>;

/// A future that completes when a deferred value is settled. It does not contain the value, so that futures are compiled once and not for each type.
pub(crate) type Settled = Shared<BoxFuture<'static, Result<(), ConstructError>>>;

task_local! {
    /// The queue of the current construction or call of a method.
    pub(crate) static QUEUE: UnboundedSender<Task>;
}

/// Reports the error of an output even if nothing uses the output. Has no effect outside of a construction.
pub(crate) fn watch(output: Settled) {
    let task = async move {
        match output.await {
            // The engine has reported the failure of the resource.
            Err(ConstructError::Incomplete(_)) => Ok(()),
            ended => ended,
        }
    };
    let _ = QUEUE.try_with(|queue| queue.send(task.boxed()));
}

/// Runs tasks, and those that they add, until all have completed. The failure of a task that depends on a failed child
/// does not affect the others; any other failure cancels them.
pub(crate) async fn run(mut queue: UnboundedReceiver<Task>) -> Result<(), ConstructError> {
    let mut running = FuturesUnordered::new();
    let mut failed = FailedResources::default();
    loop {
        while let Ok(task) = queue.try_recv() {
            running.push(task);
        }
        tokio::select! {
            done = running.next() => match done {
                Some(Err(ConstructError::Incomplete(children))) => failed.extend(children),
                Some(done) => done?,
                None if failed.is_empty() => return Ok(()),
                None => return Err(ConstructError::Incomplete(failed)),
            },
            Some(task) = queue.recv() => running.push(task),
        }
    }
}
