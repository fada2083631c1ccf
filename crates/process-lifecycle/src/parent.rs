//! The end of the parent process.

/// Completes within about a second after the parent process has ended, when another process adopts this one. Never
/// completes if the parent is the first process, which adopts others, or on Windows, which reports no parent.
///
/// The parent is the one at the time of the call, not of the first poll.
#[cfg(unix)]
pub fn parent_ended() -> impl Future<Output = ()> + Send {
    use std::os::unix::process::parent_id;

    let parent = parent_id();
    async move {
        while parent == 1 || parent_id() == parent {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
    }
}

/// Never completes: this platform reports no parent.
#[cfg(not(unix))]
pub fn parent_ended() -> impl Future<Output = ()> + Send {
    std::future::pending()
}
