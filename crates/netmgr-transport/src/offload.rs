//! Processing of large bodies on a separate thread.
//!
//! A plugin runs on one thread. Decoding 50 MiB there would delay all lookups, their timeouts and
//! cancellation.

use std::future::pending;

/// Minimum number of bytes that are processed on a separate thread. Less takes about a millisecond.
const LARGE: usize = 256 << 10;

/// Runs `work`, which processes `bytes` bytes.
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
