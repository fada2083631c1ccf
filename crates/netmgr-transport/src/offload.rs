//! Work on large bodies, off the thread that serves every other call.
//!
//! A plugin runs on one thread (0065): decoding 50 MiB there would hold up all lookups, their
//! timeouts and a cancellation.

use std::future::pending;

/// Work on more bytes than this goes to a thread of its own. Less takes about a millisecond.
const LARGE: usize = 256 << 10;

/// The result of `work`, which reads so many bytes.
pub(crate) async fn offload<R: Send + 'static>(bytes: usize, work: impl FnOnce() -> R + Send + 'static) -> R {
    if bytes <= LARGE {
        return work();
    }
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(failed) => match failed.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down.
            Err(_) => pending().await,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[tokio::test]
    async fn only_work_on_large_bodies_leaves_the_thread() {
        let here = thread::current().id();
        assert_eq!(offload(LARGE, || thread::current().id()).await, here);
        assert_ne!(offload(LARGE + 1, || thread::current().id()).await, here);
    }
}
