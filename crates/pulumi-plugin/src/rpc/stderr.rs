//! The log of a plugin on stderr, for debugging. The engine passes its log flags to the plugin and shows its
//! stderr ("engine-plugin" 1.2, 1.4).
//!
//! Not here: messages to users, which go through the engine ([`crate::rpc::EngineLog`]).

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::{Layer, Registry};

/// Crates whose events are logged. Others would log headers with credentials.
const OURS: [&str; 4] = ["netmgr", "clusterpkg", "pulumi_plugin", "pulumi_resource_"];

/// Maximum number of queued lines. Further lines are dropped, so that a plugin never waits for a reader of
/// its log.
const QUEUE: usize = 1024;

/// Time to write the last lines.
const FAREWELL: Duration = Duration::from_millis(200);

/// The log of a process. Dropping it waits briefly for the last lines.
#[derive(Debug)]
pub struct StderrLog(Option<SyncSender<Message>>);

#[derive(Debug)]
enum Message {
    Line(Vec<u8>),
    /// Dropping the sender signals that all previous lines were written.
    End(#[expect(dead_code, reason = "dropped, never used")] SyncSender<()>),
}

/// Starts the log if the engine's arguments include `--logtostderr`, with the level of `-v`. Only crates of
/// this workspace log, because others would log credentials.
///
/// Call it once, before [`serve`](crate::rpc::serve()), with which the log begins. Without the flag, or when the process has a
/// subscriber for `tracing` already, nothing happens.
#[must_use]
pub fn log_to_stderr(arguments: impl IntoIterator<Item = String>) -> StderrLog {
    let Some(level) = level(arguments) else {
        return StderrLog(None);
    };
    let (lines, messages) = sync_channel(QUEUE);
    let queue = Queue(lines.clone());
    let writer = std::thread::Builder::new().name("log".to_owned());
    let started =
        writer.spawn(|| write(messages)).is_ok() && put(layer(level, move || queue.clone()).boxed());
    StderrLog(started.then_some(lines))
}

/// The log of this process until serving begins, where it becomes a part of the subscriber.
static WAITING: Mutex<Option<Part>> = Mutex::new(None);

/// A part of the subscriber.
pub(crate) type Part = Box<dyn Layer<Registry> + Send + Sync>;

/// Stores the log. Returns false if there is already a subscriber.
fn put(log: Part) -> bool {
    *WAITING.lock().unwrap_or_else(PoisonError::into_inner) = Some(log);
    !tracing::dispatcher::has_been_set()
}

/// Takes the log, for the code that creates the subscriber.
pub(crate) fn take() -> Option<Part> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Writes events of our crates as lines: `DEBUG request{method=GET}: netmgr_transport::layers::trace: answered`.
fn layer<W>(level: LevelFilter, writer: W) -> impl Layer<Registry>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    tracing_subscriber::fmt::layer()
        .without_time()
        .with_ansi(false)
        .with_writer(writer)
        .with_filter(Targets::new().with_targets(OURS.map(|ours| (ours, level))))
}

/// The way of a line to the thread that writes.
#[derive(Clone)]
struct Queue(SyncSender<Message>);

impl Write for Queue {
    /// Called once for each line.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // Dropped if the queue is full.
        let _ = self.0.try_send(Message::Line(line.to_vec()));
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The log level; `None` without `--logtostderr`. The engine's levels go to 11, and its documentation
/// recommends 9.
fn level(arguments: impl IntoIterator<Item = String>) -> Option<LevelFilter> {
    let (mut wanted, mut verbosity) = (false, 0);
    for argument in arguments {
        match argument.trim_start_matches('-').split_once('=') {
            None => wanted |= argument == "--logtostderr",
            Some(("v", number)) => verbosity = number.parse().unwrap_or_default(),
            Some(("logtostderr", value)) => wanted = value == "true",
            Some(_) => {}
        }
    }
    wanted.then_some(match verbosity {
        0 => LevelFilter::WARN,
        1..3 => LevelFilter::INFO,
        3..9 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    })
}

/// Writes lines until all senders are dropped or stderr is closed.
fn write(messages: Receiver<Message>) {
    let mut stderr = io::stderr();
    for message in messages {
        if let Message::Line(line) = message
            && stderr.write_all(&line).is_err()
        {
            return;
        }
    }
}

impl Drop for StderrLog {
    fn drop(&mut self) {
        let Some(lines) = self.0.take() else {
            return;
        };
        let (end, ended) = sync_channel(1);
        if lines.try_send(Message::End(end)).is_ok() {
            // Disconnected when all lines were written.
            let _ = ended.recv_timeout(FAREWELL);
        }
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    /// The lines that `doing` logs at a level.
    fn lines_of(level: LevelFilter, doing: impl FnOnce()) -> Vec<String> {
        let (lines, messages) = sync_channel(QUEUE);
        let queue = Mutex::new(Queue(lines));
        let layer = layer(level, move || queue.lock().unwrap().clone());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), doing);
        let lines = messages.try_iter().map(|message| match message {
            Message::Line(line) => String::from_utf8(line).unwrap(),
            Message::End(_) => panic!("an end"),
        });
        lines.collect()
    }

    #[test]
    fn an_event_is_one_line_with_the_spans_around_it() {
        let lines = lines_of(LevelFilter::DEBUG, || {
            let outer = tracing::debug_span!("outer", path = %"/a", attempts = tracing::field::Empty);
            let entered = outer.enter();
            tracing::debug_span!("inner").in_scope(|| tracing::info!(status = 200, "answered"));
            outer.record("attempts", 2);
            tracing::debug!(quoted = "a\nb", "done");
            drop(entered);
            tracing::warn!("alone");
        });
        assert_eq!(
            lines,
            [
                " INFO outer{path=/a}:inner: pulumi_plugin::rpc::stderr::tests: answered status=200\n",
                "DEBUG outer{path=/a attempts=2}: pulumi_plugin::rpc::stderr::tests: done quoted=\"a\\nb\"\n",
                " WARN pulumi_plugin::rpc::stderr::tests: alone\n",
            ]
        );
    }

    #[test]
    fn other_crates_and_finer_levels_are_not_told() {
        let lines = lines_of(LevelFilter::DEBUG, || {
            tracing::error!(target: "h2::codec", "authorization: Basic");
            tracing::trace!("fine");
        });
        assert_eq!(lines, [""; 0]);
    }

    #[test]
    fn lines_that_nobody_writes_are_lost_and_hold_nothing_up() {
        let lines = lines_of(LevelFilter::WARN, || {
            (0..2 * QUEUE).for_each(|_| tracing::warn!("again"))
        });
        assert_eq!(lines.len(), QUEUE);
    }

    #[test]
    fn only_the_engines_flag_starts_a_log_and_its_number_says_how_much() {
        let cases = [
            ("127.0.0.1:1", None),
            ("-v=9 127.0.0.1:1", None),
            ("--logtostderr=false -v=9 127.0.0.1:1", None),
            ("--logtostderr 127.0.0.1:1", Some(LevelFilter::WARN)),
            ("--logtostderr -v=2 127.0.0.1:1", Some(LevelFilter::INFO)),
            ("--logtostderr -v=3", Some(LevelFilter::DEBUG)),
            (
                "--logtostderr -v=9 --tracing x 127.0.0.1:1",
                Some(LevelFilter::TRACE),
            ),
            ("-v=11 --logtostderr=true", Some(LevelFilter::TRACE)),
            ("--logtostderr -v=much", Some(LevelFilter::WARN)),
        ];
        for (line, expected) in cases {
            let arguments = line.split_whitespace().map(str::to_owned);
            assert_eq!(level(arguments), expected, "{line}");
        }
    }
}
