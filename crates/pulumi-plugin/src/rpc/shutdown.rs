//! Shutdown of a plugin: signals, and the end of the engine, which is the parent process and keeps stdin open.

use std::io::{self, Read as _};

use process_lifecycle::{EndSignals, parent_ended};
use tokio::sync::oneshot;

/// Returns a future that completes when the process has to stop. Signals are handled from when this function
/// returns. `by_engine` is whether an engine started the process and not a person, whose shell may end earlier.
pub(crate) fn requested(by_engine: bool) -> io::Result<impl Future<Output = ()> + Send> {
    let mut signals = EndSignals::listen()?;
    let parent_ended = parent_ended();
    Ok(async move {
        tokio::select! {
            _ = signals.recv() => {}
            () = parent_ended, if by_engine => {}
            () = stdin_closed(), if by_engine && stdin_is_held() => {}
        }
    })
}

/// Whether stdin is a pipe or a socket, whose other end another process holds. The null device does not
/// indicate whether the engine runs.
#[cfg(unix)]
fn stdin_is_held() -> bool {
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::FileTypeExt as _;

    let kind = io::stdin()
        .as_fd()
        .try_clone_to_owned()
        .and_then(|stdin| std::fs::File::from(stdin).metadata())
        .map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket())
}

#[cfg(windows)]
fn stdin_is_held() -> bool {
    true
}

/// Reads stdin to its end, on a detached thread because a read of stdin cannot be cancelled.
async fn stdin_closed() {
    let (closed, ended) = oneshot::channel();
    let started = std::thread::Builder::new()
        .name("stdin".to_owned())
        .stack_size(64 * 1024)
        .spawn(move || {
            let mut stdin = io::stdin().lock();
            let mut ignored = [0; 64];
            while !matches!(stdin.read(&mut ignored), Ok(0) | Err(_)) {}
            let _ = closed.send(());
        });
    if started.is_err() || ended.await.is_err() {
        std::future::pending().await
    }
}
