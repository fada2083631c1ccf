//! The log of a plugin on stderr, for debugging. The engine passes its log flags to the plugin and shows its
//! stderr.
//!
//! Not here: messages to users, which go through the engine ([`crate::rpc::EngineLog`]).

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
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
pub(crate) struct StderrLog(Option<Lines>);

#[derive(Debug)]
struct Lines {
    level: LevelFilter,
    queue: LineQueue,
}

#[derive(Debug)]
enum LogLine {
    Text(Vec<u8>),
    /// Dropping the sender signals that all previous lines were written.
    End(#[expect(dead_code, reason = "dropped, never used")] SyncSender<()>),
}

/// The log as a part of the subscriber.
pub(crate) type LogLayer = Box<dyn Layer<Registry> + Send + Sync>;

impl StderrLog {
    /// Starts the log if the arguments include `--logtostderr`, with the level of `-v`.
    pub(crate) fn start(arguments: &[String]) -> Self {
        Self(level(arguments).and_then(|level| {
            let (queue, lines) = sync_channel(QUEUE);
            let writer = std::thread::Builder::new().name("log".to_owned());
            writer.spawn(|| write(lines)).ok()?;
            let queue = LineQueue(queue);
            Some(Lines { level, queue })
        }))
    }

    /// Only crates of this workspace log, because others would log credentials.
    pub(crate) fn layer(&self) -> Option<LogLayer> {
        let Lines { level, queue } = self.0.as_ref()?;
        let queue = queue.clone();
        Some(layer(*level, move || queue.clone()).boxed())
    }
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

/// Queues lines for the thread that writes.
#[derive(Clone, Debug)]
struct LineQueue(SyncSender<LogLine>);

impl Write for LineQueue {
    /// Called once for each line.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // Dropped if the queue is full.
        let _ = self.0.try_send(LogLine::Text(line.to_vec()));
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The log level; `None` without `--logtostderr`. The engine's levels go to 11, and its documentation
/// recommends 9.
fn level(arguments: &[String]) -> Option<LevelFilter> {
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
fn write(lines: Receiver<LogLine>) {
    let mut stderr = io::stderr();
    for line in lines {
        if let LogLine::Text(line) = line
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
        if lines.queue.0.try_send(LogLine::End(end)).is_ok() {
            // Disconnected when all lines were written.
            let _ = ended.recv_timeout(FAREWELL);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    /// The lines that `doing` logs at a level.
    fn lines_of(level: LevelFilter, doing: impl FnOnce()) -> Vec<String> {
        let (lines, messages) = sync_channel(QUEUE);
        let queue = Mutex::new(LineQueue(lines));
        let layer = layer(level, move || queue.lock().unwrap().clone());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), doing);
        let lines = messages.try_iter().map(|message| match message {
            LogLine::Text(line) => String::from_utf8(line).unwrap(),
            LogLine::End(_) => panic!("an end"),
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
    fn other_crates_and_finer_levels_are_not_reported() {
        let lines = lines_of(LevelFilter::DEBUG, || {
            tracing::error!(target: "h2::codec", "authorization: Basic");
            tracing::trace!("fine");
        });
        assert_eq!(lines, [""; 0]);
    }

    #[test]
    fn lines_without_a_writer_are_lost_and_hold_nothing_up() {
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
            let arguments: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(level(&arguments), expected, "{line}");
        }
    }
}
