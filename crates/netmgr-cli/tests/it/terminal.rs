//! A terminal for tests: runs the program under a pseudo-terminal, types, and reads the screen.
//!
//! ```ignore
//! // `stdin`, `stdout` and `stderr` are a terminal of 80 columns. Ctrl-C and the width act as in a real one.
//! let mut terminal = Terminal::run(&manager.program(&["get", "ip-pool"]), 80);
//! terminal.wait_for("Password");           // until the program has written this text
//! terminal.type_line("secret");            // as typed on the keyboard, with Return
//! let ended = terminal.end();              // until the program ends
//! assert_eq!(ended.code, 0);
//! assert_eq!(ended.screen, "...");         // the rows of the screen, as a person sees them
//! assert!(ended.output.contains("\x1b[")); // everything that was written, with escape sequences
//! ```
//!
//! - [`Terminal::with_piped_output`] is `netmgr … | program`: only standard error and input are the terminal.
//! - The environment is that of the command, as [`support::program`](crate::support::program) makes it (empty), and
//!   `TERM`.
//! - Wait for a text before [`Terminal::ctrl_c`]; a process that has not installed its handler yet is killed.
//! - Nothing sleeps. A text that does not appear within [`LIMIT`] fails the test and prints the screen.

use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pty_process::Size;
use pty_process::blocking::{self, Pty};

/// Maximum time without any output while a test waits for some. Only a failing test takes this long.
const LIMIT: Duration = Duration::from_secs(60);

/// Rows of the terminal, more than any test fills, so that nothing scrolls out of the screen.
const ROWS: u16 = 200;

/// Width of the screen of a terminal that does not report any.
const USUAL_WIDTH: u16 = 80;

/// The key Ctrl-C.
const CTRL_C: &str = "\x03";

/// A program that runs in a terminal.
pub(crate) struct Terminal {
    pty: Arc<Pty>,
    process: Child,
    chunks: Receiver<Vec<u8>>,
    written: Vec<u8>,
    screen: vt100::Parser,
}

/// The screen and the exit code of a finished program.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Exit code; a program that a signal killed fails the test.
    pub(crate) code: i32,
    /// Everything that was written to the terminal, with escape sequences. Lines end with `\r\n`.
    pub(crate) output: String,
    /// The rows of the screen at the end, without trailing spaces and empty rows at the bottom.
    pub(crate) screen: String,
    /// Standard output, if it was not the terminal.
    pub(crate) piped: String,
}

impl Terminal {
    /// Runs a command in a terminal of this width. With 0, the terminal does not report its width.
    pub(crate) fn run(command: &Command, columns: u16) -> Self {
        Self::start(command, columns, false)
    }

    /// The same, with standard output in a pipe.
    pub(crate) fn with_piped_output(command: &Command, columns: u16) -> Self {
        Self::start(command, columns, true)
    }

    fn start(command: &Command, columns: u16, piped: bool) -> Self {
        let (pty, pts) = blocking::open().unwrap();
        pty.resize(Size::new(ROWS, columns)).unwrap();
        let mut inside = blocking::Command::new(command.get_program())
            .args(command.get_args())
            .env_clear()
            .env("TERM", "xterm-256color");
        for (name, value) in command.get_envs() {
            inside = match value {
                Some(value) => inside.env(name, value),
                None => inside.env_remove(name),
            };
        }
        if piped {
            inside = inside.stdout(Stdio::piped());
        }
        let process = inside.spawn(pts).unwrap();
        let pty = Arc::new(pty);
        let (sender, chunks) = channel();
        let reading = Arc::clone(&pty);
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The error is the end: no process has the terminal open any more.
            while let Ok(length @ 1..) = (&*reading).read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            pty,
            process,
            chunks,
            written: Vec::new(),
            screen: vt100::Parser::new(
                nonzero(ROWS),
                NonZero::new(columns).unwrap_or(nonzero(USUAL_WIDTH)),
                0,
            ),
        }
    }

    /// Waits until the program has written `text`, which can be anywhere in its output so far.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) {
        while !self.output().contains(text) {
            match self.chunks.recv_timeout(LIMIT) {
                Ok(chunk) => self.take(&chunk),
                Err(_) => panic!("{text:?} does not appear:\n{}", self.screen()),
            }
        }
    }

    /// Types text, as on the keyboard.
    pub(crate) fn type_keys(&mut self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// Types a line and Return.
    pub(crate) fn type_line(&mut self, line: &str) {
        self.type_keys(&format!("{line}\r"));
    }

    /// Presses Ctrl-C, which the terminal turns into a signal.
    pub(crate) fn ctrl_c(&mut self) {
        self.type_keys(CTRL_C);
    }

    /// Everything that was written so far, with escape sequences.
    pub(crate) fn output(&self) -> String {
        String::from_utf8_lossy(&self.written).into_owned()
    }

    /// The current screen.
    pub(crate) fn screen(&self) -> String {
        let screen = self.screen.screen();
        let (_, columns) = screen.size();
        let rows: Vec<String> = screen
            .rows(0, columns.get())
            .map(|row| row.trim_end().to_owned())
            .collect();
        rows.join("\n").trim_end().to_owned()
    }

    /// Waits for the end of the program.
    #[track_caller]
    pub(crate) fn end(mut self) -> Ended {
        let mut piped = String::new();
        if let Some(mut output) = self.process.stdout.take() {
            output.read_to_string(&mut piped).unwrap();
        }
        loop {
            match self.chunks.recv_timeout(LIMIT) {
                Ok(chunk) => self.take(&chunk),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the process does not end:\n{}", self.screen()),
            }
        }
        let status = self.process.wait().unwrap();
        Ended {
            code: status
                .code()
                .unwrap_or_else(|| panic!("{status}:\n{}", self.screen())),
            output: self.output(),
            screen: self.screen(),
            piped,
        }
    }

    fn take(&mut self, chunk: &[u8]) {
        self.written.extend_from_slice(chunk);
        self.screen.process(chunk);
    }
}

fn nonzero(length: u16) -> NonZero<u16> {
    NonZero::new(length).unwrap()
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Ok(None) = self.process.try_wait() {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}
