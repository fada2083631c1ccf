//! Tasks that must finish before a component is constructed.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task_local;

use crate::components::error::ConstructError;
use crate::components::output::{Deferrable, Output};

/// A task that must finish before the component is constructed.
pub(crate) type Task = BoxFuture<'static, Result<(), ConstructError>>;

task_local! {
    /// The queue of the current construction or call of a method.
    pub(crate) static QUEUE: UnboundedSender<Task>;
}

/// Reports the error of an output even if nothing uses the output. Has no effect outside of a construction.
pub(crate) fn watch<T: Deferrable>(output: &Output<T>) {
    let output = output.clone();
    let task = async move {
        match output.resolve().await {
            // The engine has reported the failure of the resource.
            Err(ConstructError::Incomplete(_)) => Ok(()),
            ended => ended.map(drop),
        }
    };
    let _ = QUEUE.try_with(|queue| queue.send(task.boxed()));
}
