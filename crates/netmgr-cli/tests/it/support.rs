//! Test support: processes of the program and of the simulated manager.

use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use heck::ToKebabCase as _;
use serde_json::Value;
use tokio::net::TcpSocket;

/// A way to end a process: Ctrl-C in its terminal, or a termination signal.
pub(crate) const INTERRUPT: &str = "-INT";
pub(crate) const TERMINATE: &str = "-TERM";

/// netmgr with an empty environment, so that no proxy and no setting of the developer's shell affects a test.
pub(crate) fn program<I: IntoIterator<Item: AsRef<OsStr>>>(arguments: I) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_netmgr"));
    command.env_clear().args(arguments).stdin(Stdio::null());
    command
}

/// The flags of an input object: `--context-project-id=dev`.
pub(crate) fn flags(input: &Value) -> Vec<String> {
    flags_of_member("--", input)
}

fn flags_of_member(flag: &str, value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| {
                let separator = if flag == "--" { "" } else { "-" };
                flags_of_member(&format!("{flag}{separator}{}", name.to_kebab_case()), value)
            })
            .collect(),
        Value::String(text) => vec![format!("{flag}={text}")],
        other => vec![format!("{flag}={other}")],
    }
}

/// A port that refuses connections while the socket exists: it is bound, so that nothing else gets the port, but does not
/// listen.
pub(crate) fn closed_port() -> (TcpSocket, String) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let address = socket.local_addr().unwrap().to_string();
    (socket, address)
}

/// Runs netmgr without any manager.
pub(crate) fn netmgr(arguments: &[&str]) -> Run {
    Run::of(&mut program(arguments))
}

/// The output and exit code of a finished process.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        Self::from(command.output().unwrap())
    }

    /// Runs `command` with `text` on its standard input.
    pub(crate) fn with_input(command: &mut Command, text: &str) -> Self {
        let piped = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        Self::from(child.wait_with_output().unwrap())
    }

    /// The output of a run that succeeded and printed nothing else, except that a newer function exists.
    #[track_caller]
    pub(crate) fn answer(&self) -> Value {
        let mut others = self
            .stderr
            .lines()
            .filter(|line| !line.contains("reads the older API"));
        assert_eq!((self.code, others.next()), (0, None), "{self:?}");
        self.json()
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        match serde_json::from_str(&self.stdout) {
            Ok(value) => value,
            Err(error) => panic!("{error}: {self:?}"),
        }
    }

    /// Standard error of a run that failed with `code` and printed no data.
    #[track_caller]
    pub(crate) fn failure(&self, code: i32) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (code, ""), "{self:?}");
        &self.stderr
    }
}

/// Both streams, then the exit code.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}{}[{}]", self.stdout, self.stderr, self.code)
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("the process ends by itself"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// `netmgr simulate` in its own process, which ends with its owner.
pub(crate) struct Manager {
    process: Child,
    stderr: BufReader<ChildStderr>,
    /// The lines it printed for a shell.
    pub(crate) lines: String,
}

impl Manager {
    /// A manager that is served over TLS.
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// The same, with more options.
    pub(crate) fn with(options: &[&str]) -> Self {
        Self::serve(&[&["--tls"], options].concat())
    }

    /// A manager with exactly these options.
    pub(crate) fn serve(options: &[&str]) -> Self {
        let mut command = program(["simulate"]);
        let command = command
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut stderr = BufReader::new(process.stderr.take().unwrap());
        let mut serving = String::new();
        stderr.read_line(&mut serving).unwrap();
        assert!(
            serving.starts_with("serving a simulated manager on "),
            "{serving}"
        );
        // The lines were written at once, before that one.
        let mut lines = vec![0; 4096];
        let length = process.stdout.as_mut().unwrap().read(&mut lines).unwrap();
        lines.truncate(length);
        Self {
            process,
            stderr,
            lines: String::from_utf8(lines).unwrap(),
        }
    }

    /// The variables that the lines set, without the quotes of the shell.
    pub(crate) fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.lines().map(|line| {
            let assignment = line.strip_prefix("export ").unwrap();
            let (name, value) = assignment.split_once('=').unwrap();
            (name, value.trim_matches('\''))
        })
    }

    /// One of the variables that the lines set.
    pub(crate) fn variable(&self, name: &str) -> &str {
        let mut variables = self.environment();
        variables.find(|(known, _)| *known == name).unwrap().1
    }

    /// netmgr with the settings of this manager.
    pub(crate) fn program(&self, arguments: &[&str]) -> Command {
        let mut command = program(arguments);
        command.envs(self.environment());
        command
    }

    /// `netmgr get` with these arguments, printing JSON.
    pub(crate) fn get(&self, arguments: &[&str]) -> Run {
        Run::of(self.program(&["get"]).args(arguments).args(["-o", "json"]))
    }

    /// Runs `function` for each case and returns the output. Each case has an exit code, so that a snapshot
    /// cannot contain a wrong one.
    #[track_caller]
    pub(crate) fn transcript(&self, function: &str, cases: &[(i32, &[&str])]) -> String {
        let mut transcript = String::new();
        for (code, arguments) in cases {
            let run = self.get(&[&[function], *arguments].concat());
            assert_eq!(run.code, *code, "{function} {arguments:?}: {run:?}");
            assert_eq!(
                run.stdout.is_empty(),
                *code != 0,
                "{function} {arguments:?}: {run:?}"
            );
            if *code == 0 {
                assert!(run.json().is_object(), "{run:?}");
            }
            let arguments = arguments
                .iter()
                .map(|argument| format!(" {}", shlex::try_quote(argument).unwrap()));
            let arguments: String = arguments.collect();
            write!(transcript, "$ netmgr get {function}{arguments}\n{run}\n").unwrap();
        }
        transcript
    }

    /// Pauses or resumes it.
    #[cfg(target_os = "linux")]
    pub(crate) fn signal(&self, name: &str) {
        signal(&self.process, name);
    }

    /// Ends it with a signal and returns its exit code and its remaining output.
    pub(crate) fn end(mut self, by: &str) -> (i32, String) {
        signal(&self.process, by);
        let code = self.process.wait().unwrap().code().unwrap();
        let mut rest = String::new();
        self.stderr.read_to_string(&mut rest).unwrap();
        (code, rest)
    }

    /// Ends it and returns its last output.
    pub(crate) fn last_words(mut self) -> String {
        signal(&self.process, INTERRUPT);
        let mut rest = String::new();
        let stdout = self.process.stdout.as_mut().unwrap();
        stdout.read_to_string(&mut rest).unwrap();
        rest
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        if let Ok(None) = self.process.try_wait() {
            // Terminated, not killed, so that it removes its temporary file.
            signal(&self.process, TERMINATE);
            let _ = self.process.wait();
        }
    }
}

/// Sends a signal, as a terminal or a supervisor does.
pub(crate) fn signal(process: &Child, name: &str) {
    let kill = Command::new("kill")
        .args([name, &process.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
}

/// A host that accepts connections and sends nothing.
pub(crate) struct SilentHost {
    pub(crate) url: String,
    accepted: Receiver<Instant>,
}

impl SilentHost {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (sender, accepted) = channel();
        thread::spawn(move || {
            let mut open = Vec::new();
            while let Ok((connection, _)) = listener.accept() {
                open.push(connection);
                if sender.send(now()).is_err() {
                    break;
                }
            }
        });
        Self { url, accepted }
    }

    /// The time from the connection of the process in `run` to its end. Its start takes seconds on a busy machine.
    #[track_caller]
    pub(crate) fn time(&self, run: impl FnOnce()) -> Duration {
        run();
        let ended = now();
        let first = self.accepted.try_iter().min();
        ended - first.expect("the process has connected")
    }
}

/// Checks that one of five attempts takes less than `limit`. A busy machine delays some of them, a defect all.
#[track_caller]
pub(crate) fn assert_takes_less_than(limit: Duration, mut attempt: impl FnMut() -> Duration) {
    let attempts = (0..5).map(|_| attempt());
    let late: Vec<_> = attempts.take_while(|took| *took >= limit).collect();
    assert!(late.len() < 5, "not within {limit:?}: {late:?}");
}

/// The current time. A paused clock would not affect another process.
#[allow(clippy::disallowed_methods, reason = "another process, so no paused clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Compares text with its snapshot, except parts that differ between runs.
macro_rules! assert_shown {
    ($name:expr, $text:expr) => {
        insta::with_settings!({ filters => crate::support::VARYING.to_vec(), omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        })
    };
}
pub(crate) use assert_shown;

/// Patterns of text that differs between runs, and their replacements in snapshots.
pub(crate) const VARYING: &[(&str, &str)] = &[
    (r"127\.0\.0\.1:\d{5}\b", "[address]"),
    (r"\b(after|in|waited) \d+(\.\d+)? s\b", "$1 [time]"),
    (r"\brequest id [0-9a-f-]{36}", "request id [id]"),
    (r"\b([0-9A-F]{2}:){31}[0-9A-F]{2}\b", "[thumbprint]"),
    (r"\b\d{2}:\d{2}:\d{2} ", ""),
];
