//! The input that runs, in a file below `target`, because an input that overflows the stack or never returns ends the
//! process before it can be written to the corpus.

use std::fs::{self, File};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum time of one input by the clock, on a machine that does much else.
const LONGEST: Duration = Duration::from_secs(60);
/// Time between two looks.
const PAUSE: Duration = Duration::from_secs(1);
/// No input runs.
const IDLE: u64 = u64::MAX;

/// A run whose inputs are written before they run.
pub(crate) struct Watch {
    path: PathBuf,
    file: File,
    clock: Arc<Clock>,
}

/// When the input that runs began.
struct Clock {
    start: Instant,
    /// Milliseconds since `start`, or [`IDLE`].
    began: AtomicU64,
}

impl Watch {
    /// Watches a run of the target `name`. `stuck` receives an input that takes too long, and then the process ends.
    /// Returns the input that ended the process of the last run, if one did.
    pub(crate) fn start(name: &str, stuck: impl Fn(&[u8]) + Send + 'static) -> (Self, Option<Vec<u8>>) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz-inputs");
        fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let path = folder.join(name);
        let left = fs::read(&path).ok();
        (Self::in_file(path, LONGEST, PAUSE, stuck), left)
    }

    fn in_file(
        path: PathBuf,
        limit: Duration,
        pause: Duration,
        stuck: impl Fn(&[u8]) + Send + 'static,
    ) -> Self {
        let file = File::create(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let clock = Arc::new(Clock {
            #[allow(clippy::disallowed_methods, reason = "real work, so no paused clock")]
            start: Instant::now(),
            began: AtomicU64::new(IDLE),
        });
        let watched = Arc::downgrade(&clock);
        let input = path.clone();
        thread::spawn(move || {
            while !is_over(&watched, limit) {
                #[allow(clippy::disallowed_methods, reason = "a thread of its own, without a runtime")]
                thread::sleep(pause);
                if watched.strong_count() == 0 {
                    return;
                }
            }
            let input = fs::read(input).unwrap_or_default();
            stuck(&input);
            process::exit(101);
        });
        Self { path, file, clock }
    }

    /// Writes `input`, which runs now.
    pub(crate) fn begin(&mut self, input: &[u8]) {
        let mut write = || -> io::Result<()> {
            self.file.rewind()?;
            self.file.write_all(input)?;
            self.file.set_len(input.len() as u64)
        };
        write().unwrap_or_else(|error| panic!("{}: {error}", self.path.display()));
        let now = self.clock.start.elapsed().as_millis();
        self.clock
            .began
            .store(u64::try_from(now).unwrap_or(IDLE), Relaxed);
    }

    /// The input has ended.
    pub(crate) fn end(&self) {
        self.clock.began.store(IDLE, Relaxed);
    }

    /// The file of the input.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// The input of a run that has ended by itself is of no interest.
impl Drop for Watch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether the input that runs takes longer than `limit`.
fn is_over(clock: &Weak<Clock>, limit: Duration) -> bool {
    let Some(clock) = clock.upgrade() else {
        return false;
    };
    let began = clock.began.load(Relaxed);
    began != IDLE && clock.start.elapsed() > Duration::from_millis(began) + limit
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Variable with the file and the end of a process of this test.
    const END: &str = "FUZZ_TEST_END";

    /// Runs in a process of its own, in which an input overflows the stack or never returns.
    #[test]
    fn an_input_that_ends_its_process() {
        let Ok(end) = std::env::var(END) else { return };
        let (how, path) = end.split_once(' ').unwrap();
        let kept = PathBuf::from(format!("{path}.kept"));
        let stuck = move |input: &[u8]| fs::write(&kept, input).unwrap();
        let limit = if how == "never" { Duration::ZERO } else { LONGEST };
        let mut watch = Watch::in_file(path.into(), limit, Duration::from_millis(1), stuck);
        if how == "abort" {
            watch.begin(b"before, and longer");
            watch.end();
            watch.begin(b"abort");
            process::abort();
        }
        watch.begin(b"never");
        loop {
            thread::park();
        }
    }

    #[test]
    fn an_input_that_ends_its_process_or_never_returns_is_kept() {
        let folder = std::env::temp_dir().join(format!("fuzz-testing-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (how, kept) in [("abort", "abort"), ("never", "never.kept")] {
            let path = folder.join(how);
            let ended = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "watch::tests::an_input_that_ends_its_process"])
                .env(END, format!("{how} {}", path.display()))
                .output()
                .unwrap();
            assert!(!ended.status.success(), "{how}: {ended:?}");
            assert_eq!(fs::read_to_string(folder.join(kept)).unwrap(), how);
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
