//! A simulated manager in its own process.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde::Deserialize;
use serde_json::Value;

use crate::process::ProcessUsage;

/// Latency of every answer, in milliseconds.
pub(crate) const LATENCY_MS: u64 = 50;

/// A running `netmgr simulate`.
pub(crate) struct SimulatorProcess {
    process: Child,
    stdout: BufReader<ChildStdout>,
    environment: BTreeMap<String, String>,
}

/// The documents that a simulated manager starts with.
#[derive(Default)]
pub(crate) struct InventoryDocuments {
    files: Vec<tempfile::NamedTempFile>,
}

impl InventoryDocuments {
    pub(crate) fn add(&mut self, document: &Value) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut writer = BufWriter::new(&file);
        serde_json::to_writer(&mut writer, document).unwrap();
        writer.flush().unwrap();
        drop(writer);
        self.files.push(file);
    }
}

/// Requests and connections that the simulator counted.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Counted {
    requests: BTreeMap<String, u64>,
    statuses: BTreeMap<String, u64>,
    pub(crate) logins: u64,
    pub(crate) connections: u64,
    pub(crate) body_bytes: u64,
    pub(crate) peak_in_flight: u64,
}

impl Counted {
    /// Requests, without the logout.
    pub(crate) fn requests(&self) -> u64 {
        let logouts = self.requests.get("POST /api/session/destroy");
        self.requests.values().sum::<u64>() - logouts.copied().unwrap_or_default()
    }

    /// Requests that were refused because of the manager's limits.
    pub(crate) fn throttled(&self) -> u64 {
        ["429", "503"]
            .iter()
            .filter_map(|status| self.statuses.get(*status))
            .sum()
    }
}

impl SimulatorProcess {
    /// Serves an inventory, over HTTP/1.1 by default. Returns when it accepts connections.
    pub(crate) fn start(program: &Path, inventory: &InventoryDocuments, http2: bool) -> Self {
        let mut command = Command::new(program);
        command
            .args(["simulate", "--tls", "--counters", "--latency"])
            .arg(LATENCY_MS.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for file in &inventory.files {
            command.arg("--inventory").arg(file.path());
        }
        if !http2 {
            command.arg("--http1-only");
        }
        let mut process = command.spawn().unwrap();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        // Its last line is on the other stream, so the number of lines must be known.
        let mut environment = BTreeMap::new();
        while environment.len() < 4 {
            let mut line = String::new();
            assert!(
                stdout.read_line(&mut line).unwrap() > 0,
                "the simulator did not start"
            );
            let assignment = line.trim().strip_prefix("export ").unwrap();
            let (name, value) = assignment.split_once('=').unwrap();
            environment.insert(name.to_owned(), value.trim_matches('\'').to_owned());
        }
        // The other stream has only one more line and is not read.
        drop(process.stderr.take());
        Self {
            process,
            stdout,
            environment,
        }
    }

    /// The variables that point a client at it.
    pub(crate) fn environment(&self) -> &BTreeMap<String, String> {
        &self.environment
    }

    /// Peak memory so far, in MiB.
    pub(crate) fn peak_mib(&self) -> f64 {
        ProcessUsage::of(self.process.id()).peak_mib
    }

    /// Ends it, and returns its counters.
    pub(crate) fn end(mut self) -> Counted {
        let id = self.process.id().to_string();
        let interrupted = Command::new("kill").args(["-INT", &id]).status();
        assert!(interrupted.unwrap().success());
        let mut line = String::new();
        self.stdout.read_to_string(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

impl Drop for SimulatorProcess {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
