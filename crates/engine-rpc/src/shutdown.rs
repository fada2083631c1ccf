//! When a plugin has to end: signals, and the end of stdin, which the engine keeps open for as long
//! as it lives ("engine-plugin" 1.2).

use std::io::{self, Read as _};

use tokio::sync::oneshot;

/// Completes when the process is told to end. Signals count from when this returns.
pub(crate) fn requested(watch_stdin: bool) -> io::Result<impl Future<Output = ()> + Send> {
    let signal = signal()?;
    Ok(async move {
        tokio::select! {
            () = signal => {}
            () = stdin_closed(), if watch_stdin && stdin_is_held() => {}
        }
    })
}

#[cfg(unix)]
fn signal() -> io::Result<impl Future<Output = ()> + Send> {
    use tokio::signal::unix::{SignalKind, signal};

    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// The engine starts plugins in a process group of their own, which Ctrl-C does not reach, and ends them
/// with Ctrl-Break, which would end the process on the spot.
#[cfg(windows)]
fn signal() -> io::Result<impl Future<Output = ()> + Send> {
    use tokio::signal::windows::{ctrl_break, ctrl_c};

    let (mut interrupt, mut ending) = (ctrl_c()?, ctrl_break()?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = ending.recv() => {}
        }
    })
}

/// Whether stdin is a pipe or a socket, so that somebody holds its other end. The null device, which
/// is at its end from the start, says nothing about the engine.
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

/// Reads stdin to its end, on a thread that nobody waits for: a read of stdin cannot be taken back.
async fn stdin_closed() {
    let (closed, told) = oneshot::channel();
    let started = std::thread::Builder::new()
        .name("stdin".to_owned())
        .stack_size(64 * 1024)
        .spawn(move || {
            let mut stdin = io::stdin().lock();
            let mut ignored = [0; 64];
            while !matches!(stdin.read(&mut ignored), Ok(0) | Err(_)) {}
            let _ = closed.send(());
        });
    if started.is_err() || told.await.is_err() {
        std::future::pending().await
    }
}
