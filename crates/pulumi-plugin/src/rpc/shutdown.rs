//! Shutdown of a plugin: signals, and the end of the engine, which is the parent process and keeps stdin open.

use std::io::{self, Read as _};

use tokio::sync::oneshot;

/// Returns a future that completes when the process has to stop. Signals are handled from when this function
/// returns. `by_engine` is whether an engine started the process and not a person, whose shell may end earlier.
pub(crate) fn requested(by_engine: bool) -> io::Result<impl Future<Output = ()> + Send> {
    let signal = signal()?;
    let orphaned = orphaned();
    Ok(async move {
        tokio::select! {
            () = signal => {}
            () = orphaned, if by_engine => {}
            () = stdin_closed(), if by_engine && stdin_is_held() => {}
        }
    })
}

/// Completes soon after the parent process has ended, because another process then adopts this one. Never completes if
/// the parent is the first process, which adopts others.
#[cfg(unix)]
fn orphaned() -> impl Future<Output = ()> + Send {
    use std::os::unix::process::parent_id;

    let parent = parent_id();
    async move {
        while parent == 1 || parent_id() == parent {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
    }
}

/// Never completes: this platform reports no parent, and the end of stdin shows the end of the engine.
#[cfg(windows)]
fn orphaned() -> impl Future<Output = ()> + Send {
    std::future::pending()
}

#[cfg(unix)]
fn signal() -> io::Result<impl Future<Output = ()> + Send> {
    use tokio::signal::unix::{SignalKind, signal};

    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    // A handler would end a process that was started with hangups ignored, as below `nohup`.
    let mut hangup = match hangups_are_ignored() {
        Some(false) => Some(signal(SignalKind::hangup())?),
        Some(true) | None => None,
    };
    let hangup = async move {
        match &mut hangup {
            Some(signal) => signal.recv().await,
            None => std::future::pending().await,
        }
    };
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup => {}
        }
    })
}

/// Whether the process was started with hangups ignored. `None` where only unsafe code can determine it: there, a
/// hangup keeps its usual effect.
#[cfg(unix)]
fn hangups_are_ignored() -> Option<bool> {
    const HANGUP: u64 = 1;

    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    Some(mask & HANGUP != 0)
}

/// The engine starts plugins in their own process group, which does not receive Ctrl-C, and stops them with
/// Ctrl-Break, which terminates the process by default.
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
