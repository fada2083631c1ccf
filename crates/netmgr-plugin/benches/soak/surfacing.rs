//! Faults that no retry can hide: each lookup fails, and its error has the expected reason.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use netmgr_sim::{ServerCertificate, Simulator};
use serde_json::json;
use tokio::time::timeout;

use super::batch::ProgramBatch;

/// Lookups for each fault. The last one reads 4,000 pages and is looked up once.
const LOOKUPS: usize = 16;
/// Longest time for the lookups with one fault.
const PATIENCE: Duration = Duration::from_secs(120);

/// The faults, as `netmgr simulate --fault` accepts them, and the reasons.
const FAULTS: [(&str, &str); 9] = [
    ("* * lockout", "wrong name or password, or account locked"),
    ("GET * gzip=corrupt", "its gzip data is corrupt"),
    ("GET * status=400", "returned 400 Bad Request"),
    ("GET * status=403 code=401", "permission denied"),
    ("GET * status=404 body=html", "not supported by this manager"),
    ("GET * status=302", "redirects are not followed"),
    ("GET * status=501 body=html", "returned 501 Not Implemented"),
    ("GET * body=html", "unexpected response"),
    ("GET * page-size=1 cursor=growing", "the list does not end"),
];

/// Runs lookups with each of the faults. Returns a table, and whether all reasons were the expected ones.
pub(super) async fn run(programs: &Path) -> (String, bool) {
    let mut text = format!(
        "\n{} faults must not be hidden. With each of them, {LOOKUPS} lookups of `netmgr batch` fail with the reason, or one with the last fault, which takes 4,000 pages.\n\n\
         | fault | reason | other results |\n|---|---|---|\n",
        FAULTS.len()
    );
    let mut is_good = true;
    for (fault, reason) in FAULTS {
        let lookups = if fault.contains("growing") { 1 } else { LOOKUPS };
        let others = timeout(PATIENCE, others(programs, fault, reason, lookups)).await;
        let others = others.unwrap_or_else(|_| vec!["no end".to_owned()]);
        writeln!(text, "| `{fault}` | {reason} | {} |", others.len()).unwrap();
        is_good &= others.is_empty();
        for other in others.iter().take(3) {
            println!("{fault}: {other}");
        }
    }
    (text, is_good)
}

/// Results other than failures with `reason`.
async fn others(programs: &Path, fault: &str, reason: &str, lookups: usize) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let simulator = Simulator::builder()
        .tls(ServerCertificate::Valid)
        .ca_file(folder.path().join("ca.pem"))
        .fault(fault.parse().unwrap());
    let simulator = simulator.start().await.unwrap();
    let state = ("XDG_STATE_HOME", folder.path().to_str().unwrap().to_owned());
    let environment = simulator.env().into_iter().chain([state]);
    let mut batch = ProgramBatch::start(programs, environment, Stdio::null());
    let line = json!({"function": "getIpPool", "input": {"displayName": "tep-pool"}});
    let mut others = Vec::new();
    // Sequentially, because concurrent lookups share requests.
    for _ in 0..lookups {
        batch.send(&format!("{line}\n")).await;
        let answer = batch.answer().await;
        let error = answer["error"].to_string();
        if answer["error"].is_null() || !error.contains(reason) {
            others.push(answer.to_string());
        }
    }
    batch.end().await;
    let counters = simulator.counters();
    if simulator.open_sessions() > 0 {
        others.push(format!("{} sessions are left", simulator.open_sessions()));
    }
    // A locked account answers each login like a wrong password, which is sent once.
    if counters.failed_logins > 1 {
        others.push(format!("{} failed logins", counters.failed_logins));
    }
    others
}
