//! The figures: a table for people, a file for programs.

use std::path::Path;

use serde::Serialize;

use crate::simulator::Counted;
use crate::subject::RunOutcome;

/// The figures of one run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReportRow {
    /// The scenario's letter.
    scenario: char,
    /// The measured work.
    what: String,
    /// Number of objects on the manager.
    load: String,
    lookups: usize,
    /// Requests, including logins, without the logout.
    requests: u64,
    logins: u64,
    connections: u64,
    /// Requests refused because of the manager's limits.
    throttled: u64,
    /// Maximum number of concurrent requests.
    peak_in_flight: u64,
    /// Bytes of the answers' bodies.
    body_bytes: u64,
    #[serde(flatten)]
    outcome: RunOutcome,
    /// Seconds that the network takes: the latency of each request that must follow another.
    floor_seconds: Option<f64>,
}

impl ReportRow {
    pub(crate) fn new(
        scenario: char,
        what: impl Into<String>,
        load: &str,
        lookups: usize,
        outcome: RunOutcome,
        counted: &Counted,
    ) -> Self {
        Self {
            scenario,
            what: what.into(),
            load: load.to_owned(),
            lookups,
            requests: counted.requests(),
            logins: counted.logins,
            connections: counted.connections,
            throttled: counted.throttled(),
            peak_in_flight: counted.peak_in_flight,
            body_bytes: counted.body_bytes,
            outcome,
            floor_seconds: None,
        }
    }

    pub(crate) fn floor(self, seconds: f64) -> Self {
        Self {
            floor_seconds: Some(seconds),
            ..self
        }
    }

    /// The row of the table.
    fn line(&self) -> String {
        let outcome = &self.outcome;
        let over = self.floor_seconds.map_or_else(String::new, |floor| {
            format!("  {:.0} ms over the floor", (outcome.seconds - floor) * 1e3)
        });
        format!(
            "{} {:<28} {:<6} {:>7} {:>8} {:>6} {:>5} {:>8.2} {:>6} {:>6.1} {:>6.1} {:>7.2} {:>8.2}{over}",
            self.scenario,
            self.what,
            self.load,
            self.lookups,
            self.requests,
            self.connections,
            self.throttled,
            outcome.seconds,
            outcome.failed + outcome.wrong,
            outcome.before.resident_mib,
            outcome.after.peak_mib,
            outcome.after.cpu_seconds - outcome.before.cpu_seconds,
            self.body_bytes as f64 / 1e6,
        )
    }
}

/// Head of the table.
pub(crate) fn print_head() {
    println!(
        "  {:<28} {:<6} {:>7} {:>8} {:>6} {:>5} {:>8} {:>6} {:>6} {:>6} {:>7} {:>8}",
        "",
        "load",
        "lookups",
        "requests",
        "conns",
        "429",
        "seconds",
        "failed",
        "MiB",
        "peak",
        "CPU s",
        "MB read"
    );
}

/// Prints a row as soon as it is complete.
pub(crate) fn print(row: &ReportRow) {
    println!("{}", row.line());
    if let Some(failure) = &row.outcome.first_failure {
        println!("    first failure: {failure}");
    }
}

/// Writes all rows as JSON.
pub(crate) fn write(rows: &[ReportRow], file: &Path) {
    let json = serde_json::to_string_pretty(rows).unwrap();
    std::fs::write(file, json + "\n").unwrap();
    println!("written to {}", file.display());
}
