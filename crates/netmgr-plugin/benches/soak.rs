//! Many lookups of four client processes on one manager whose sessions and tokens live for seconds, with faults in one of
//! sixteen requests, and then lookups with faults that must be reported. `cargo xtask bench s` builds what is
//! needed and runs it. It prints a table.
//!
//! Arguments: the number of lookups, the maximum number of minutes, and the folder of the binaries.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "it prints figures")]
#![allow(clippy::disallowed_methods, reason = "it runs other processes in real time")]

#[path = "soak/batch.rs"]
mod batch;
#[path = "../tests/it/plugin.rs"]
#[allow(dead_code, reason = "tests need more")]
mod plugin;
#[path = "soak/surfacing.rs"]
mod surfacing;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use futures_util::future::join_all;
use netmgr_sim::{ServerCertificate, Simulator};
use serde_json::json;
use tokio::process::Command;
use tokio::time::{Instant, sleep, timeout};

use batch::ProgramBatch;
use plugin::Plugin;

const SESSION_LIFE: Duration = Duration::from_secs(3);
const TOKEN_LIFE: Duration = Duration::from_secs(2);
/// One in this number of requests has a fault; fewer at the beginning.
const FAULTY: u64 = 16;
/// Lookups between two pauses in which a session ends.
const BETWEEN_PAUSES: usize = 500;
/// Data sources of a plan.
const DATA_SOURCES: usize = 50;
/// Growth that counts as flat, in KiB for 1,000 lookups.
const FLAT: f64 = 128.0;
const TOKEN: &str = "a-token-for-the-soak-test";
const POOL_ID: &str = "1d2c3b4a-5968-4778-8695-a4b3c2d10001";

/// The faults that a client has to hide, as `netmgr simulate --fault` accepts them.
const FAULTS: [&str; 31] = [
    "* * status=429 retry-after=1",
    "* * status=429",
    "* * status=500 code=607",
    "* * status=502 body=html",
    "* * status=503",
    "* * status=503 retry-after=1 body=empty",
    "* * status=504 body=text",
    "* * reset",
    "* * reset=body",
    "* * truncate",
    "* * truncate=unsized",
    "* * delay=700ms",
    "* * session-loss",
    "* * node-switch",
    "* * xsrf-change",
    "* * token-loss",
    "GET */search/query status=400 code=60514",
    "* * cookie=changing",
    "* * cookie=new",
    "* * padding=20x200",
    "GET * page-size=1",
    "GET * page-size=1 cursor=dangling",
    "GET * page-size=1 cursor=repeat-last",
    "GET * page-size=1 cursor=repeat",
    "GET * page-size=1 cursor=endless",
    "GET * page-size=1 duplicates",
    "GET * malformed",
    "GET * result-count=absent",
    "GET * result-count=too-small",
    "GET * result-count=too-big",
    "GET * page-size=1 result-count=shrinking",
];

/// The results of a client's lookups.
struct SoakedClient {
    name: &'static str,
    lookups: usize,
    failures: Vec<String>,
    /// Lookups so far, and resident memory in KiB.
    memory: Vec<(usize, u64)>,
}

impl SoakedClient {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            lookups: 0,
            failures: Vec::new(),
            memory: Vec::new(),
        }
    }

    fn note(&mut self, failures: impl IntoIterator<Item = String>, lookups: usize, process: Option<u32>) {
        self.lookups += lookups;
        self.failures.extend(failures);
        if let Some(memory) = process.and_then(resident) {
            self.memory.push((self.lookups, memory));
        }
    }

    /// Whether the next lookups begin with a pause in which the session ends.
    async fn pause(&self, step: usize) {
        if self.lookups % BETWEEN_PAUSES < step {
            sleep(SESSION_LIFE + Duration::from_millis(200)).await;
        }
    }

    /// Growth in KiB for 1,000 lookups, by least squares without the first half, in which caches fill.
    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    fn growth(&self) -> Option<f64> {
        let settled = &self.memory[self.memory.len() / 2..];
        let count = settled.len() as f64;
        if settled.len() < 5 {
            return None;
        }
        let mean = |of: &dyn Fn(&(usize, u64)) -> f64| settled.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(&|point| point.0 as f64), mean(&|point| point.1 as f64));
        let over = mean(&|point| (point.0 as f64 - x) * (point.1 as f64 - y));
        let under = mean(&|point| (point.0 as f64 - x).powi(2));
        Some(over / under * 1000.0)
    }
}

fn resident(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

/// Duration and settings of a run.
struct SoakSettings {
    programs: PathBuf,
    environment: Vec<(&'static str, String)>,
    /// Lookups of each client.
    lookups: usize,
    end: Instant,
}

impl SoakSettings {
    fn goes_on(&self, client: &SoakedClient) -> bool {
        client.lookups < self.lookups && Instant::now() < self.end
    }

    fn variable(&self, wanted: &str) -> &str {
        let mut variables = self.environment.iter();
        &variables.find(|(name, _)| *name == wanted).unwrap().1
    }
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let [lookups, minutes, programs] = &arguments[..] else {
        panic!("lookups, minutes, and the folder of the programs");
    };
    let minutes: u64 = minutes.parse().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Simulator::builder()
        .tls(ServerCertificate::Valid)
        .ca_file(folder.path().join("ca.pem"))
        .session_timeout(SESSION_LIFE)
        .token_lifetime(TOKEN_LIFE)
        .cloud_api_token(TOKEN);
    let kinds = FAULTS.len() as u64;
    for (number, fault) in (0..).zip(FAULTS) {
        let text = format!("{fault} after={} every={}", FAULTY * number, FAULTY * kinds);
        builder = builder.fault(text.parse().unwrap());
    }
    let simulator = builder.start().await.unwrap();
    let begun = Instant::now();
    let mut environment = simulator.env();
    // The folder in which the processes count logins.
    environment.push(("XDG_STATE_HOME", folder.path().display().to_string()));
    let course = SoakSettings {
        programs: programs.into(),
        environment,
        lookups: lookups.parse::<usize>().unwrap() / 4,
        end: begun + Duration::from_secs(60 * minutes),
    };
    let cloud_host = simulator.addr().to_string();
    let clients = tokio::join!(
        with_plugin(&course, None),
        with_plugin(&course, Some(&cloud_host)),
        with_batch(&course),
        with_terraform(&course, folder.path()),
    );
    let elapsed = begun.elapsed();
    let left = simulator.open_sessions();
    sleep(SESSION_LIFE + Duration::from_millis(200)).await;
    let mut report = report(&simulator, &<[SoakedClient; 4]>::from(clients), elapsed, left);
    let (text, is_good) = surfacing::run(&course.programs).await;
    report.text.push_str(&text);
    report.is_good &= is_good;
    println!("{}", report.text);
    if !report.is_good {
        std::process::exit(1);
    }
}

/// The engine's plugin: with a session, or with a token of the hosted cloud.
async fn with_plugin(course: &SoakSettings, cloud: Option<&str>) -> SoakedClient {
    let mut client = SoakedClient::new(match cloud {
        None => "plugin, session",
        Some(_) => "plugin, token",
    });
    let environment = [("XDG_STATE_HOME", course.variable("XDG_STATE_HOME"))];
    let plugin = Plugin::start_program(course.programs.join("pulumi-resource-netmgr"), environment).await;
    let mut settings = json!({
        "host": course.variable("NETMGR_HOST"),
        "ca": std::fs::read_to_string(course.variable("NETMGR_CA_FILE")).unwrap(),
    });
    match cloud {
        Some(host) => {
            settings["cloudToken"] = TOKEN.into();
            settings["cloudAuthHost"] = host.into();
        }
        None => {
            settings["username"] = course.variable("NETMGR_USERNAME").into();
            settings["password"] = course.variable("NETMGR_PASSWORD").into();
        }
    }
    plugin.configure(settings).await.unwrap();
    let process = plugin.process.id();
    while course.goes_on(&client) {
        let invoke = async |number: usize| {
            let (function, input, id) = match number % 2 {
                1 if cloud.is_none() => ("getIpPool", json!({"displayName": "tep-pool"}), POOL_ID),
                _ => ("getPolicyBfdProfile", json!({"id": "fast-bfd"}), "fast-bfd"),
            };
            match plugin.invoke(function, input).await {
                Ok(Ok(output)) if output["id"] == id => None,
                Ok(other) => Some(format!("{function}: {other:?}")),
                Err(status) => Some(format!("{function}: {}", status.message())),
            }
        };
        let failures = join_all((0..8).map(invoke)).await;
        client.note(failures.into_iter().flatten(), 8, process);
        if cloud.is_none() {
            client.pause(8).await;
        }
    }
    // As the engine ends it.
    let mut process = plugin.process;
    drop(process.stdin.take());
    timeout(Duration::from_secs(30), process.wait())
        .await
        .unwrap()
        .unwrap();
    client
}

/// The command line's batch, which receives its lines one by one.
async fn with_batch(course: &SoakSettings) -> SoakedClient {
    let mut client = SoakedClient::new("netmgr batch");
    let mut batch = ProgramBatch::start(&course.programs, course.environment.clone(), Stdio::inherit());
    while course.goes_on(&client) {
        let pool = json!({"function": "getIpPool", "input": {"displayName": "tep-pool"}});
        let profile = json!({"function": "getPolicyBfdProfile", "input": {"id": "fast-bfd"}});
        let lines = format!("{pool}\n{profile}\n").repeat(8);
        batch.send(&lines).await;
        let mut failures = Vec::new();
        for _ in 0..16 {
            let answer = batch.answer().await;
            if answer["output"]["id"].is_null() {
                failures.push(answer["error"]["message"].to_string());
            }
        }
        client.note(failures, 16, batch.id());
        client.pause(16).await;
    }
    batch.end().await;
    client
}

/// Plans of the real Terraform, each of which starts several processes of the provider.
async fn with_terraform(course: &SoakSettings, folder: &Path) -> SoakedClient {
    let mut client = SoakedClient::new("terraform plan");
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
    write(
        "host.rc",
        format!(
            "provider_installation {{\n  dev_overrides {{ \"netmgr/netmgr\" = \"{}\" }}\n  direct {{}}\n}}\n",
            course.programs.display()
        ),
    );
    write(
        "main.tf",
        format!(
            "terraform {{\n  required_providers {{\n    netmgr = {{ source = \"netmgr/netmgr\" }}\n  }}\n}}\n\
             data \"netmgr_ip_pool\" \"x\" {{\n  count        = {DATA_SOURCES}\n  display_name = \"tep-pool\"\n}}\n"
        ),
    );
    while course.goes_on(&client) {
        let output = Command::new("terraform")
            .args(["plan", "-no-color", "-refresh=false"])
            .current_dir(folder)
            .envs(course.environment.iter().map(|(name, value)| (name, value)))
            .env("TF_CLI_CONFIG_FILE", folder.join("host.rc"))
            .env("CHECKPOINT_DISABLE", "1")
            .stdin(Stdio::null())
            .output()
            .await
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        client.note((!output.status.success()).then_some(errors), DATA_SOURCES, None);
    }
    client
}

struct Report {
    text: String,
    is_good: bool,
}

fn report(simulator: &Simulator, clients: &[SoakedClient], elapsed: Duration, left: usize) -> Report {
    let counters = simulator.counters();
    let mut text = format!(
        "Each client runs its lookups or stops when the time is over. Sessions live for {} s and tokens for {} s, and one of {FAULTY} \
         requests has one of {} faults. Growth of memory is that of the second half.\n\n\
         | client | lookups | failures | memory | growth for 1,000 lookups |\n|---|---|---|---|---|\n",
        SESSION_LIFE.as_secs(),
        TOKEN_LIFE.as_secs(),
        FAULTS.len(),
    );
    let mut is_good = true;
    for client in clients {
        let memory = client
            .memory
            .last()
            .map_or("several processes".to_owned(), |(_, memory)| {
                format!("{} KiB", memory)
            });
        let growth = client.growth();
        let shown = growth.map_or("-".to_owned(), |growth| format!("{growth:.0} KiB"));
        let SoakedClient {
            name,
            lookups,
            failures,
            ..
        } = client;
        writeln!(
            text,
            "| {name} | {lookups} | {} | {memory} | {shown} |",
            failures.len()
        )
        .unwrap();
        is_good &= failures.is_empty() && growth.is_none_or(|growth| growth < FLAT);
        for failure in failures.iter().take(3) {
            println!("{name}: {failure}");
        }
    }
    let rows = [
        ("seconds", elapsed.as_secs()),
        ("requests", counters.total_requests()),
        ("requests with a fault", counters.faults),
        ("logins", counters.logins),
        ("exchanges of a token", counters.token_exchanges),
        ("failed logins", counters.failed_logins),
        ("sessions ended by their client", counters.sessions_destroyed),
        ("sessions left at the end", left as u64),
        (
            "sessions left a session life later",
            simulator.open_sessions() as u64,
        ),
    ];
    text.push_str("\n| manager | |\n|---|---|\n");
    for (name, figure) in rows {
        writeln!(text, "| {name} | {figure} |").unwrap();
    }
    is_good &= counters.failed_logins == 0 && simulator.open_sessions() == 0;
    Report { text, is_good }
}
