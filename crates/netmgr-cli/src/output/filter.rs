//! jq filters. Each runs in a process of its own, because recursion and memory of a filter have no other limit.

mod worker;

use std::fmt;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::standard_error;
use crate::failure::CliError;
use worker::FilterMessage;
pub(crate) use worker::{ARGUMENT, serve};

/// A filter that is ready to run.
pub(super) struct JqFilter(Mutex<FilterProcess>);

impl fmt::Debug for JqFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JqFilter")
    }
}

impl JqFilter {
    /// Compiles a filter, which ends at the deadline of the command.
    pub(super) fn new(code: &str, deadline: Option<Duration>) -> Result<Self, CliError> {
        let started = FilterProcess::start(deadline).and_then(|mut process| {
            process.send(&code.into())?;
            let message = process.receive()?;
            Ok((process, message))
        });
        let why = match started {
            Ok((process, FilterMessage::Ready)) => return Ok(Self(Mutex::new(process))),
            Ok((_, FilterMessage::Failed(why))) => why,
            Ok((_, FilterMessage::Late(deadline))) => return Err(CliError::Deadline(deadline)),
            Ok(_) => LIMITS.to_owned(),
            Err(error) => {
                let hint = "check the process and thread limits";
                return Err(CliError::usage_because(
                    "--query: the filter could not be started",
                    error,
                    hint,
                ));
            }
        };
        Err(CliError::usage_because(
            format!("--query: {:?} cannot be used as a filter", shortened(code)),
            why,
            "examples: '.[].id', '.items | keys', 'map(select(.displayName | test(\"^web\")))'",
        ))
    }

    /// Passes the results for `input` to `take` one by one. There may be none, and they may be endless.
    pub(super) fn run(
        &self,
        input: &Value,
        take: &mut dyn FnMut(Value) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let failed = |why: &str| {
            let hint = match (why, input) {
                (TOO_DEEP, _) => "select a part of it",
                (LIMITS, _) => "collect fewer values, and end each recursion",
                (_, Value::Array(_)) => "the input is a list; '.[].id' selects a member of each object",
                _ => "the input is one object; '.id' selects a member",
            };
            CliError::usage_because("--query: the filter failed", why, hint)
        };
        let mut process = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        process.send(input).map_err(|error| failed(&error.to_string()))?;
        loop {
            match process.receive().map_err(|error| failed(&error.to_string()))? {
                FilterMessage::Result(text) => {
                    let result = serde_json::from_str(text.get());
                    take(result.map_err(|_| failed(TOO_DEEP))?)?;
                }
                FilterMessage::Note(text) => standard_error(text.strip_suffix('\n').unwrap_or(&text)),
                FilterMessage::Failed(why) => return Err(failed(&why)),
                FilterMessage::Halted(0) | FilterMessage::Ready => return Ok(()),
                FilterMessage::Halted(code) => return Err(CliError::Halted(code)),
                FilterMessage::Late(deadline) => return Err(CliError::Deadline(deadline)),
                FilterMessage::Ended => return Err(failed(LIMITS)),
            }
        }
    }
}

/// Why a filter ends without a reply.
const TOO_DEEP: &str = "a result is nested too deeply to be printed";
const LIMITS: &str = "it exceeds the limits on recursion and memory";

/// The process of a filter. It ends with its owner.
struct FilterProcess {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl FilterProcess {
    fn start(deadline: Option<Duration>) -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command
            .arg(ARGUMENT)
            .args(deadline.map(|deadline| deadline.as_secs_f64().to_string()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // Ctrl-C is for this process, whose end it notices.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.expect("both are pipes");
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    /// Sends the filter or an input.
    fn send(&mut self, value: &Value) -> io::Result<()> {
        // A process that has ended says so in its next message.
        match writeln!(self.input, "{value}") {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }

    fn receive(&mut self) -> io::Result<FilterMessage> {
        let mut line = String::new();
        match self.output.read_line(&mut line)? {
            0 => Ok(FilterMessage::Ended),
            _ => Ok(serde_json::from_str(&line).unwrap_or(FilterMessage::Ended)),
        }
    }
}

impl Drop for FilterProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A text without the middle of the value that it quotes.
fn shortened(message: &str) -> String {
    const BEGINNING: usize = 150;
    const END: usize = 49;
    let length = message.chars().count();
    if length <= BEGINNING + END + 1 {
        return message.to_owned();
    }
    let beginning = message.chars().take(BEGINNING);
    let end = message.chars().skip(length - END);
    beginning.chain(['…']).chain(end).collect()
}
