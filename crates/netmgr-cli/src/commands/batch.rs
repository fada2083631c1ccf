//! `batch`: many lookups from lines of JSON, with shared requests and in bounded memory.

mod lines;

use std::collections::HashMap;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use futures_util::stream::FuturesUnordered;
use futures_util::{Stream, StreamExt as _};
use heck::ToLowerCamelCase as _;
use netmgr_lookups::{CallInputs, ErrorKind, Lookups, Observer, Progress, Words, counted};
use serde_json::{Value, json};

use crate::app::App;
use crate::catalog;
use crate::exit::Exit;
use crate::failure::CliError;
use crate::output::{json_line, standard_error, standard_output, terminal};
use crate::session::LookupSession;
use crate::subcommand::{SharedOptions, Subcommand};
use lines::BatchLine;

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "batch",
    command,
    shared: SharedOptions::Connection,
    run,
};

/// Maximum number of lines that begin together. Lookups share requests with those that begin at the same time, so the
/// next lines begin only when there is room for as many.
const WINDOW: usize = 4096;
/// Maximum number of lines without a printed answer: some lookups wait for minutes, and must not delay the others.
const MOST_OPEN: usize = 2 * WINDOW;
/// Lines between two updates of the progress.
const STEP: u64 = 50;

/// Options of the command.
#[derive(Debug, Args)]
#[group(skip)]
struct BatchOptions {
    /// File to read lookups from. Default: standard input
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print each result as soon as it is ready, with its input line number in `line`, instead of in input order
    #[arg(long)]
    as_ready: bool,
}

fn command() -> Command {
    BatchOptions::augment_args(Command::new("batch"))
        .about("Run one lookup per line of JSON")
        .long_about(
            "Run one lookup per line of input. Each line is a JSON object with the members `function` and `input`. \
             Each line of output contains these members and either `output`, or `error` with `kind`, `message` and \
             `exitCode`. Lookups share requests where they can. The exit code is 0 if all succeed, and otherwise \
             that of the first failed line.",
        )
        .after_help(
            "Examples:\n  \
             echo '{\"function\": \"getPolicyIpPool\", \"input\": {\"displayName\": \"blue\"}}' | netmgr batch\n  \
             netmgr batch --file lookups.ndjson --as-ready > answers.ndjson",
        )
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let options = BatchOptions::from_arg_matches(matches).expect("these are matches of the command");
    if app.connection.password_stdin && options.file.is_none() {
        return Err(CliError::usage(
            "--password-stdin and the lines of the batch both read standard input",
            "set the input file with --file",
        ));
    }
    LookupSession::run(app, async |session| {
        let mut batch = BatchRun {
            session,
            as_ready: options.as_ready,
            waiting: HashMap::new(),
            done: 0,
            failed: 0,
            first: None,
        };
        let lines = lines::read(options.file.as_deref()).await?;
        batch.run(lines).await?;
        terminal::status("");
        match batch.first {
            None => Ok(()),
            Some((line, exit)) => {
                standard_error(&format!(
                    "error: {} of {} failed, the first one in line {line}\n  hint: the `error` members of the output contain the reasons",
                    batch.failed,
                    counted(batch.done, "lookup")
                ));
                Err(CliError::Reported(exit))
            }
        }
    })
}

/// A batch in progress.
struct BatchRun<'a> {
    session: &'a LookupSession,
    as_ready: bool,
    /// Results that wait for the results of earlier lines.
    waiting: HashMap<u64, LineResult>,
    done: u64,
    failed: u64,
    /// The first line that failed, and its exit code.
    first: Option<(u64, Exit)>,
}

/// The result of a line.
struct LineResult {
    line: u64,
    ordinal: u64,
    text: String,
    exit: Option<Exit>,
}

impl BatchRun<'_> {
    async fn run(&mut self, lines: impl Stream<Item = Result<BatchLine, CliError>>) -> Result<(), CliError> {
        let mut windows = pin!(lines.ready_chunks(WINDOW).fuse());
        let mut running = FuturesUnordered::new();
        let mut unreadable = None;
        loop {
            let open = running.len() + self.waiting.len();
            tokio::select! {
                biased;
                Some(result) = running.next() => self.take(result)?,
                Some(window) = windows.next(), if unreadable.is_none() && open + WINDOW <= MOST_OPEN => {
                    for line in window {
                        match line {
                            Ok(line) => running.push(result(self.session, line, self.as_ready)),
                            Err(error) => unreadable = Some(error),
                        }
                    }
                }
                else => return unreadable.map_or(Ok(()), Err),
            }
        }
    }

    /// Prints a result when it is its turn.
    fn take(&mut self, result: LineResult) -> Result<(), CliError> {
        if self.as_ready {
            return self.print(&result);
        }
        self.waiting.insert(result.ordinal, result);
        while let Some(next) = self.waiting.remove(&(self.done + 1)) {
            self.print(&next)?;
        }
        Ok(())
    }

    fn print(&mut self, result: &LineResult) -> Result<(), CliError> {
        self.done += 1;
        if let Some(exit) = result.exit {
            self.failed += 1;
            if self.first.is_none_or(|(line, _)| result.line < line) {
                self.first = Some((result.line, exit));
            }
        }
        if self.done.is_multiple_of(STEP) && terminal::width().is_none() {
            terminal::status(&format!("{} lookups done, {} failed", self.done, self.failed));
        }
        standard_output(&result.text)
    }
}

/// Runs the lookup of a line.
async fn result(session: &LookupSession, line: BatchLine, as_ready: bool) -> LineResult {
    let outcome = match line.problem {
        Some(problem) => Err(("invalidInput".to_owned(), problem, Exit::Usage)),
        None => lookup(session, &line).await.map_err(|error| {
            let kind = match &error {
                CliError::Lookup(error) => error.kind(),
                CliError::Deadline(_) => ErrorKind::DeadlineExceeded,
                _ => ErrorKind::Other,
            };
            let kind = format!("{kind:?}").to_lower_camel_case();
            let inputs = line.function.as_str().and_then(catalog::find);
            let inputs = inputs.map(|function| CallInputs::of(function.entry, &line.input));
            let message = error.in_one_line(&inputs.unwrap_or_default(), &Words::default());
            (kind, message, error.exit())
        }),
    };
    let mut members = json!({ "function": line.function, "input": line.input });
    if as_ready {
        members["line"] = json!(line.number);
    }
    let exit = match outcome {
        Ok(output) => {
            members["output"] = output;
            None
        }
        Err((kind, message, exit)) => {
            members["error"] = json!({ "kind": kind, "message": message, "exitCode": exit as u8 });
            Some(exit)
        }
    };
    LineResult {
        line: line.number,
        ordinal: line.ordinal,
        text: json_line(&members),
        exit,
    }
}

async fn lookup(session: &LookupSession, line: &BatchLine) -> Result<Value, CliError> {
    let name = line.function.as_str().unwrap_or_default();
    let entry = match catalog::find(name) {
        Some(function) => function.entry,
        None => Lookups::entry(name)?,
    };
    let warnings = Arc::new(LineWarnings(line.number));
    Ok(session.call(entry, line.input.clone(), warnings).await?.output)
}

/// Prints warnings with the line that they concern. Waits of a batch show no progress, because many may run.
struct LineWarnings(u64);

impl Observer for LineWarnings {
    fn warning(&self, message: &str) {
        standard_error(&format!("warning: line {}: {message}", self.0));
    }

    fn progress(&self, _: &Progress) {}
}
