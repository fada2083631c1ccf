//! A process of `netmgr batch`, which receives its lines one by one.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

/// Maximum time for the end of the process.
const FAREWELL: Duration = Duration::from_secs(30);

pub(super) struct ProgramBatch {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl ProgramBatch {
    /// Starts the program in the folder `programs`.
    pub(super) fn start(
        programs: &Path,
        environment: impl IntoIterator<Item = (&'static str, String)>,
        stderr: Stdio,
    ) -> Self {
        let mut process = Command::new(programs.join("netmgr"))
            .args(["batch", "--as-ready"])
            .envs(environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        Self {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()).lines(),
            process,
        }
    }

    pub(super) fn id(&self) -> Option<u32> {
        self.process.id()
    }

    /// Writes lookups, one on each line.
    pub(super) async fn send(&mut self, lines: &str) {
        self.input.write_all(lines.as_bytes()).await.unwrap();
    }

    /// Reads the next result.
    pub(super) async fn answer(&mut self) -> Value {
        let line = self.output.next_line().await.unwrap();
        serde_json::from_str(&line.expect("an answer for each line")).unwrap()
    }

    /// Waits for the end of the process after its last line.
    pub(super) async fn end(mut self) {
        drop(self.input);
        timeout(FAREWELL, self.process.wait()).await.unwrap().unwrap();
    }
}
