//! `batch`: many lookups from lines of JSON, with shared requests and in bounded memory.

mod admission;
mod lines;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use heck::ToLowerCamelCase as _;
use netmgr_lookups::{Call, ErrorKind, Observer, Progress};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

use super::{Shared, Subcommand};
use crate::app::App;
use crate::exit::Exit;
use crate::failure::CliError;
use crate::output::{json_line, standard_error, standard_output, terminal};
use crate::session::Session;
use admission::Admission;
use lines::{Line, Lines};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "batch",
    command,
    shared: Shared {
        output: false,
        connection: true,
    },
    run,
};

/// Lines between two changes of the progress.
const STEP: u64 = 50;

/// Options of the command.
#[derive(Debug, Args)]
#[group(skip)]
struct Options {
    /// File with the lines; standard input by default
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print each answer when it is ready, with the number of its `line`, and not in the order of the input
    #[arg(long)]
    as_ready: bool,
}

fn command() -> Command {
    Options::augment_args(Command::new("batch"))
        .about("Runs many lookups from lines of JSON")
        .long_about(
            "Runs many lookups. Each line of the input is a JSON object with the members `function` and `input`. \
             Each line of the output has the same two members and `output`, or `error` with `kind`, `message` and \
             `exitCode`. Lookups share requests where they can. The exit code is 0 if all succeed, and otherwise \
             that of the first line that failed.",
        )
        .after_help(
            "Examples:\n  \
             echo '{\"function\": \"getIpPool\", \"input\": {\"displayName\": \"blue\"}}' | netmgr batch\n  \
             netmgr batch --file lookups.ndjson --as-ready > answers.ndjson",
        )
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let options = Options::from_arg_matches(matches).expect("these are matches of the command");
    if app.connection.password_stdin && options.file.is_none() {
        return Err(CliError::usage(
            "--password-stdin and the lines of the batch both read standard input",
            "give the lines with --file",
        ));
    }
    Session::run(app, async |session| {
        let mut lines = Lines::open(options.file.as_deref()).await?;
        let mut batch = Batch {
            session,
            as_ready: options.as_ready,
            done: 0,
            failed: 0,
            first: None,
        };
        batch.run(&mut lines).await?;
        terminal::status("");
        match batch.first {
            None => Ok(()),
            Some((line, exit)) => {
                standard_error(&format!(
                    "error: {} of {} lookups failed, the first one in line {line}\n  hint: the members `error` of the output have the reasons",
                    batch.failed, batch.done
                ));
                Err(CliError::Reported(exit))
            }
        }
    })
}

/// The state of a batch.
struct Batch<'a> {
    session: &'a Session,
    as_ready: bool,
    done: u64,
    failed: u64,
    /// The first line that failed, and its exit code.
    first: Option<(u64, Exit)>,
}

/// The answer to a line.
struct Answer {
    line: u64,
    ordinal: u64,
    text: String,
    exit: Option<Exit>,
}

type Lookup<'a> = Pin<Box<dyn Future<Output = Answer> + 'a>>;

impl<'a> Batch<'a> {
    async fn run(&mut self, lines: &mut Lines) -> Result<(), CliError> {
        let mut running: FuturesUnordered<Lookup<'a>> = FuturesUnordered::new();
        // Answers that wait for those of earlier lines.
        let mut waiting: VecDeque<Option<Answer>> = VecDeque::new();
        let mut admission = Admission::new(Instant::now());
        loop {
            let mut open = if self.as_ready {
                running.len()
            } else {
                waiting.len()
            };
            let now = Instant::now();
            for line in admission.begin(open, now) {
                running.push(Box::pin(answer(self.session, line, self.as_ready)));
                waiting.push_back(None);
                open += 1;
            }
            let change = admission.next_change(open);
            tokio::select! {
                biased;
                line = lines.next(), if admission.reads(open, now) => admission.add(line?, Instant::now()),
                Some(answer) = running.next(), if !running.is_empty() => {
                    if self.as_ready {
                        waiting.pop_back();
                        self.print(answer)?;
                    } else {
                        let first = self.done + 1;
                        if let Some(place) = waiting.get_mut((answer.ordinal - first) as usize) {
                            *place = Some(answer);
                        }
                        while let Some(Some(_)) = waiting.front() {
                            if let Some(answer) = waiting.pop_front().flatten() {
                                self.print(answer)?;
                            }
                        }
                    }
                }
                () = sleep_until(change.unwrap_or(now)), if change.is_some() => {}
                else => return Ok(()),
            }
        }
    }

    fn print(&mut self, answer: Answer) -> Result<(), CliError> {
        self.done += 1;
        if let Some(exit) = answer.exit {
            self.failed += 1;
            if self.first.is_none_or(|(line, _)| answer.line < line) {
                self.first = Some((answer.line, exit));
            }
        }
        if self.done.is_multiple_of(STEP) && terminal::width().is_none() {
            terminal::status(&format!("{} lookups done, {} failed", self.done, self.failed));
        }
        standard_output(&answer.text)
    }
}

/// Runs the lookup of a line.
async fn answer(session: &Session, line: Line, as_ready: bool) -> Answer {
    let Line {
        number,
        ordinal,
        function,
        input,
        problem,
    } = line;
    let outcome = match problem {
        Some(problem) => Err(Failed {
            kind: "invalidInput".to_owned(),
            message: problem,
            exit: Exit::Usage,
        }),
        None => {
            let call = session.observed(Arc::new(Warnings(number)));
            lookup(session, &function, input.clone(), &call).await
        }
    };
    let mut members = json!({ "function": function, "input": input });
    if as_ready {
        members["line"] = json!(number);
    }
    let exit = match outcome {
        Ok(output) => {
            members["output"] = output;
            None
        }
        Err(Failed { kind, message, exit }) => {
            members["error"] = json!({ "kind": kind, "message": message, "exitCode": exit as u8 });
            Some(exit)
        }
    };
    Answer {
        line: number,
        ordinal,
        text: json_line(&members),
        exit,
    }
}

/// Why a line failed.
struct Failed {
    kind: String,
    message: String,
    exit: Exit,
}

async fn lookup(session: &Session, function: &Value, input: Value, call: &Call) -> Result<Value, Failed> {
    let name = function.as_str().unwrap_or_default();
    // Each of the names on the command line is accepted.
    let function = crate::flags::function_named(name).map_or(name, |entry| entry.spec.name);
    let lookup = async { Ok(session.lookups.invoke(function, input, call).await?) };
    session.within_deadline(lookup).await.map_err(|error| {
        let kind = match &error {
            CliError::Lookup(error) => error.kind(),
            CliError::Deadline(_) => ErrorKind::DeadlineExceeded,
            _ => ErrorKind::Other,
        };
        Failed {
            kind: format!("{kind:?}").to_lower_camel_case(),
            exit: error.exit(),
            message: message(&error),
        }
    })
}

/// The error with its causes on one line.
fn message(error: &CliError) -> String {
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        message.push_str(&format!(": {error}"));
        cause = error.source();
    }
    message
}

/// Prints warnings with the line that they concern. Waits of a batch show no progress, because many may run.
struct Warnings(u64);

impl Observer for Warnings {
    fn warning(&self, message: &str) {
        standard_error(&format!("warning: line {}: {message}", self.0));
    }

    fn progress(&self, _: &Progress) {}
}
