//! Files of certificates, which are renewed while programs run. They are read again when they change.
//!
//! They are read in threads of their own, because a file system can hang: a thread that serves would hang with it. Our
//! choice (decision trust).

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, SystemTime};

use futures_util::future::{BoxFuture, FutureExt as _, Shared};
use netmgr_types::{Pem, PemSource};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};
use tower::Service;

use super::pem;
use crate::Error;

/// Maximum time to read a file when a client is created.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum time of a new connection to wait for renewed files. Then it uses what was read last.
pub(super) const CHECK_PATIENCE: Duration = Duration::from_secs(2);

/// Runs `work` in a thread that the end of the process does not wait for. `None` if it takes longer than [`PATIENCE`].
pub(super) fn bounded<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    bounded_by(PATIENCE, work)
}

/// The same with another limit.
pub(super) fn bounded_by<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    detached(move || {
        let _ = sender.send(work());
    });
    receiver.recv_timeout(limit).ok()
}

fn detached(work: impl FnOnce() + Send + 'static) {
    // Without a thread, `work` is dropped with its sender.
    let _ = thread::Builder::new().name("certificates".to_owned()).spawn(work);
}

/// Time of the last change and length of a file.
type Stamp = Option<(SystemTime, u64)>;

fn stamps(files: &[PathBuf]) -> Vec<Stamp> {
    let stamp = |file: &PathBuf| {
        let metadata = std::fs::metadata(file).ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    };
    files.iter().map(stamp).collect()
}

/// What was read from files, and is read again when they change.
pub(super) struct Renewed<T> {
    /// The properties of the files, for messages.
    properties: String,
    files: Vec<PathBuf>,
    read: Box<dyn Fn() -> Result<T, Error> + Send + Sync>,
    current: Mutex<Current<T>>,
    check: Mutex<Option<Check>>,
    /// Whether the check under way takes too long, and a warning was logged.
    is_stuck: AtomicBool,
}

struct Current<T> {
    value: Arc<T>,
    stamps: Vec<Stamp>,
}

/// A check under way.
#[derive(Clone)]
struct Check {
    start: Instant,
    /// Ready when its sender is dropped.
    done: Shared<oneshot::Receiver<()>>,
}

impl<T: Send + Sync + 'static> Renewed<T> {
    /// Reads with `read` what `sources` contain.
    ///
    /// # Errors
    ///
    /// Those of `read`, and [`ErrorKind::Config`](crate::ErrorKind::Config) if the file system does not respond.
    pub(super) fn read(
        sources: &[&Pem],
        read: impl Fn() -> Result<T, Error> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let mut files = Vec::new();
        let mut properties = Vec::new();
        for source in sources {
            if let PemSource::File(path) = &source.source {
                files.push(path.clone());
                properties.push(source.property);
            }
        }
        let stamps = match (files.is_empty(), sources.first()) {
            (false, Some(source)) => {
                let files = files.clone();
                // Before the contents, so that a change in between is noticed.
                let stamps = bounded(move || stamps(&files));
                stamps.ok_or_else(|| pem::no_response(source))?
            }
            _ => Vec::new(),
        };
        Ok(Self {
            properties: properties.join(", "),
            files,
            current: Mutex::new(Current {
                value: Arc::new(read()?),
                stamps,
            }),
            read: Box::new(read),
            check: Mutex::default(),
            is_stuck: AtomicBool::default(),
        })
    }

    /// What was read last.
    pub(super) fn current(&self) -> Arc<T> {
        Arc::clone(&self.state().value)
    }

    /// Reads the files again if one has changed. While they are invalid, for example because only one of two has been
    /// replaced yet, what was read before is used.
    fn renew(&self) {
        let stamps = stamps(&self.files);
        if self.state().stamps == stamps {
            return;
        }
        match (self.read)() {
            Ok(value) => {
                tracing::debug!(properties = self.properties, "certificates were renewed");
                *self.state() = Current {
                    value: Arc::new(value),
                    stamps,
                };
            }
            Err(error) => {
                tracing::warn!(%error, "the renewed certificates are invalid; using the previous ones");
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, Current<T>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins the check under way, or starts one.
    fn check(self: &Arc<Self>) -> Check {
        let mut check = self.check.lock().unwrap_or_else(PoisonError::into_inner);
        // One whose thread did not start, or panicked, is replaced.
        if let Some(check) = &*check
            && check.done.clone().now_or_never().is_none()
        {
            return check.clone();
        }
        let (sender, receiver) = oneshot::channel();
        let renewed = Arc::clone(self);
        detached(move || {
            renewed.renew();
            *renewed.check.lock().unwrap_or_else(PoisonError::into_inner) = None;
            renewed.is_stuck.store(false, Relaxed);
            let _ = sender.send(());
        });
        let start = Instant::now();
        let done = receiver.shared();
        check.insert(Check { start, done }).clone()
    }
}

impl<T> fmt::Debug for Renewed<T> {
    /// Prints no key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renewed")
            .field("properties", &self.properties)
            .finish_non_exhaustive()
    }
}

/// Files that can be checked.
trait Renewable: Send + Sync {
    /// Reads the files again if they have changed. Waits until [`CHECK_PATIENCE`] after the start of the check.
    fn checked(self: Arc<Self>) -> BoxFuture<'static, ()>;
}

impl<T: Send + Sync + 'static> Renewable for Renewed<T> {
    fn checked(self: Arc<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let check = self.check();
            // From its start, because a connection may give up before.
            let patience = CHECK_PATIENCE.saturating_sub(check.start.elapsed());
            let takes_too_long = patience.is_zero() || timeout(patience, check.done).await.is_err();
            if takes_too_long && !self.is_stuck.swap(true, Relaxed) {
                tracing::warn!(
                    properties = self.properties,
                    "the file system does not respond; using the previous certificates"
                );
            }
        })
    }
}

/// All files of a client.
#[derive(Clone, Default)]
pub(super) struct Files(Vec<Arc<dyn Renewable>>);

impl Files {
    /// Adds what was read, unless that was from no file.
    pub(super) fn add<T: Send + Sync + 'static>(&mut self, renewed: &Arc<Renewed<T>>) {
        if !renewed.files.is_empty() {
            self.0.push(Arc::clone(renewed) as Arc<dyn Renewable>);
        }
    }

    /// Checks them all.
    pub(super) async fn checked(&self) {
        for files in &self.0 {
            Arc::clone(files).checked().await;
        }
    }
}

/// Checks files before each connection.
#[derive(Clone)]
pub(super) struct CheckFirst<S> {
    pub(super) files: Files,
    pub(super) connector: S,
}

impl<S, R> Service<R> for CheckFirst<S>
where
    S: Service<R, Future: Send> + Clone + Send + 'static,
    R: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<S::Response, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.connector.poll_ready(context)
    }

    fn call(&mut self, target: R) -> Self::Future {
        let files = self.files.clone();
        let next = self.connector.clone();
        let mut connector = std::mem::replace(&mut self.connector, next);
        Box::pin(async move {
            files.checked().await;
            connector.call(target).await
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    fn file() -> (tempfile::TempDir, Pem) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.pem");
        std::fs::write(&path, "old").unwrap();
        (folder, Pem::file("caFile", path))
    }

    fn path(pem: &Pem) -> &std::path::Path {
        match &pem.source {
            PemSource::File(path) => path,
            PemSource::Text(_) => unreachable!("it is a file"),
        }
    }

    #[test]
    fn work_that_never_ends_is_given_up() {
        assert_eq!(bounded_by(Duration::from_secs(60), || 1), Some(1));
        let (sender, receiver) = mpsc::channel::<()>();
        assert_eq!(bounded_by(Duration::ZERO, move || receiver.recv().is_ok()), None);
        drop(sender);
    }

    /// The clock is paused: it moves on when everything waits, which the thread that reads does not prevent.
    #[tokio::test(start_paused = true)]
    async fn a_file_system_that_hangs_delays_one_connection_and_is_followed_later() {
        let (_folder, pem) = file();
        let (hanging, hangs) = mpsc::channel::<()>();
        let hangs = Mutex::new(hangs);
        let count = AtomicUsize::new(0);
        let read = move || {
            let number = count.fetch_add(1, Relaxed);
            if number > 0 {
                // Until the sender is dropped.
                let _ = hangs.lock().unwrap().recv();
            }
            Ok(number)
        };
        let renewed = Arc::new(Renewed::read(&[&pem], read).unwrap());
        std::fs::write(path(&pem), "new and longer").unwrap();
        let start = tokio::time::Instant::now();
        Arc::clone(&renewed).checked().await;
        assert_eq!(start.elapsed(), CHECK_PATIENCE);
        assert_eq!(*renewed.current(), 0);
        // Later connections do not wait for it.
        Arc::clone(&renewed).checked().await;
        assert_eq!(start.elapsed(), CHECK_PATIENCE);
        let check = renewed.check();
        drop(hanging);
        check.done.await.unwrap();
        assert_eq!(*renewed.current(), 1);
        assert!(!renewed.is_stuck.load(Relaxed));
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_gives_up_first_does_not_delay_all_later_ones() {
        let (_folder, pem) = file();
        let (hanging, hangs) = mpsc::channel::<()>();
        let hangs = Mutex::new(hangs);
        let count = AtomicUsize::new(0);
        let read = move || {
            if count.fetch_add(1, Relaxed) > 0 {
                let _ = hangs.lock().unwrap().recv();
            }
            Ok(())
        };
        let renewed = Arc::new(Renewed::read(&[&pem], read).unwrap());
        std::fs::write(path(&pem), "new and longer").unwrap();
        let checked = timeout(CHECK_PATIENCE / 2, Arc::clone(&renewed).checked());
        assert!(checked.await.is_err());
        tokio::time::advance(CHECK_PATIENCE / 2).await;
        let start = tokio::time::Instant::now();
        Arc::clone(&renewed).checked().await;
        assert_eq!(start.elapsed(), Duration::ZERO);
        drop(hanging);
    }

    #[tokio::test]
    async fn a_check_that_fails_is_followed_by_another() {
        let (_folder, pem) = file();
        let count = AtomicUsize::new(0);
        let read = move || {
            let number = count.fetch_add(1, Relaxed);
            assert_ne!(number, 1, "fails");
            Ok(number)
        };
        let renewed = Arc::new(Renewed::read(&[&pem], read).unwrap());
        std::fs::write(path(&pem), "new and longer").unwrap();
        assert!(renewed.check().done.await.is_err());
        renewed.check().done.await.unwrap();
        assert_eq!(*renewed.current(), 2);
    }

    #[test]
    fn what_is_no_file_is_not_checked() {
        let renewed = Renewed::read(&[&Pem::text("ca", "text")], || Ok(())).unwrap();
        let mut files = Files::default();
        files.add(&Arc::new(renewed));
        assert!(files.0.is_empty());
    }
}
