//! Measures data sources in the real Terraform: 1,000 of them against a simulated manager in another process, and the
//! start of the provider. `cargo xtask bench --peer PATH` measures the provider of another project as well.
//!
//! Arguments: the folder with the binaries `terraform-provider-netmgr` and `netmgr`, and providers of peers. A peer's
//! name is that of its file; it must have the same data sources and settings with its own prefix.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "it prints figures")]
#![allow(
    clippy::disallowed_methods,
    reason = "it measures other processes in real time"
)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Data sources of a module, a quarter of each kind.
const DATA_SOURCES: usize = 1000;

/// Kinds that are in both providers: data sources without prefix, and their collections.
const KINDS: [(&str, &str); 4] = [
    ("policy_certificate", "/infra/certificates"),
    ("policy_context_profile", "/infra/context-profiles"),
    ("policy_dhcp_server", "/infra/dhcp-server-configs"),
    ("compute_manager", "/api/v1/fabric/compute-managers"),
];

/// Number of starts, of which the median is printed.
const STARTS: usize = 21;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let programs = PathBuf::from(arguments.next().expect("the folder of the programs"));
    let mut providers = vec![programs.join("terraform-provider-netmgr")];
    providers.extend(arguments.map(PathBuf::from));
    println!(
        "| provider | starts in | at rest | -parallelism | plan | requests | failed | peak memory | file |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for program in &providers {
        let provider = Provider::new(program);
        let (start, rest) = provider.starts();
        for parallelism in [10, DATA_SOURCES] {
            let plan = provider.plan(&programs.join("netmgr"), parallelism);
            println!(
                "| {} | {start:.1} ms | {:.1} MiB | {parallelism} | {:.2} s | {} | {} | {:.1} MiB | {:.1} MiB |",
                provider.name,
                mebibytes(rest),
                plan.elapsed.as_secs_f64(),
                plan.requests,
                plan.failed,
                mebibytes(plan.peak),
                mebibytes(fs::metadata(program).unwrap().len() / 1024),
            );
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn mebibytes(kibibytes: u64) -> f64 {
    kibibytes as f64 / 1024.0
}

/// A provider by its binary.
struct Provider {
    program: PathBuf,
    /// The prefix of its data sources.
    name: String,
    folder: tempfile::TempDir,
}

/// The cost of a plan.
struct Plan {
    elapsed: Duration,
    requests: u64,
    failed: usize,
    /// Largest memory of a provider in KiB.
    peak: u64,
}

impl Provider {
    fn new(program: &Path) -> Self {
        let file = program.file_name().unwrap().to_str().unwrap();
        let name = file
            .strip_prefix("terraform-provider-")
            .expect("the binary of a provider");
        let folder = tempfile::tempdir().unwrap();
        let name = name.split(['_', '.']).next().unwrap().to_owned();
        fs::create_dir(folder.path().join("bin")).unwrap();
        let file = folder
            .path()
            .join("bin")
            .join(format!("terraform-provider-{name}"));
        fs::copy(program, file).unwrap();
        Self {
            program: program.to_owned(),
            name,
            folder,
        }
    }

    /// Milliseconds from the start to the handshake, including the certificate, and memory after it in KiB: medians.
    fn starts(&self) -> (f64, u64) {
        let host = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let mut starts: Vec<(f64, u64)> = (0..STARTS).map(|_| self.start(&host.cert.pem())).collect();
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let time = starts[STARTS / 2].0;
        starts.sort_by_key(|(_, memory)| *memory);
        (time, starts[STARTS / 2].1)
    }

    fn start(&self, certificate: &str) -> (f64, u64) {
        let begun = Instant::now();
        let mut process = Command::new(&self.program)
            .env(
                "TF_PLUGIN_MAGIC_COOKIE",
                "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
            )
            .env("PLUGIN_PROTOCOL_VERSIONS", "5,6")
            .env("PLUGIN_MIN_PORT", "10000")
            .env("PLUGIN_MAX_PORT", "25000")
            .env("PLUGIN_CLIENT_CERT", certificate)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let elapsed = begun.elapsed();
        assert!(line.starts_with("1|"), "{}: {line}", self.program.display());
        let memory = memory(process.id(), "VmRSS:").unwrap_or_default();
        // No host ends it.
        process.kill().unwrap();
        process.wait().unwrap();
        (elapsed.as_secs_f64() * 1000.0, memory)
    }

    fn plan(&self, simulator: &Path, parallelism: usize) -> Plan {
        let simulator = Simulator::start(simulator, self.folder.path());
        self.write_module();
        let mut command = Command::new("terraform");
        command
            .args(["plan", "-no-color", "-refresh=false"])
            .arg(format!("-parallelism={parallelism}"))
            .current_dir(self.folder.path())
            .env("TF_CLI_CONFIG_FILE", self.folder.path().join("host.rc"))
            .env("CHECKPOINT_DISABLE", "1")
            .envs(self.settings(&simulator))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let program = self.folder.path().join("bin");
        let (done, peak) = (AtomicBool::new(false), AtomicU64::new(0));
        let (output, elapsed) = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    peak.fetch_max(largest(&program), Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(5));
                }
            });
            let begun = Instant::now();
            let output = command.output().unwrap();
            let elapsed = begun.elapsed();
            done.store(true, Ordering::Relaxed);
            (output, elapsed)
        });
        let errors = String::from_utf8_lossy(&output.stderr);
        Plan {
            elapsed,
            requests: simulator.end(),
            failed: errors.lines().filter(|line| line.contains("Error: ")).count(),
            peak: peak.load(Ordering::Relaxed),
        }
    }

    /// The settings as variables; `nsxt` uses other names.
    fn settings(&self, simulator: &Simulator) -> Vec<(String, String)> {
        let settings = simulator.settings.iter();
        settings
            .flat_map(|(name, value)| {
                let peer = match name.as_str() {
                    "NETMGR_HOST" => "NSXT_MANAGER_HOST".to_owned(),
                    name => name.replacen("NETMGR_", "NSXT_", 1),
                };
                [
                    (name.clone(), value.clone()),
                    (peer, value.replace("https://", "")),
                ]
            })
            .collect()
    }

    fn write_module(&self) {
        let name = &self.name;
        let overrides = format!(
            "provider_installation {{\n  dev_overrides {{ \"netmgr/{name}\" = \"{}\" }}\n  direct {{}}\n}}\n",
            self.folder.path().join("bin").display()
        );
        fs::write(self.folder.path().join("host.rc"), overrides).unwrap();
        let mut text = format!(
            "terraform {{\n  required_providers {{\n    {name} = {{ source = \"netmgr/{name}\" }}\n  }}\n}}\n"
        );
        for (kind, _) in KINDS {
            text += &format!(
                "data \"{name}_{kind}\" \"all\" {{\n  count        = {}\n  display_name = \"{kind}-${{count.index}}\"\n}}\n",
                DATA_SOURCES / KINDS.len()
            );
        }
        fs::write(self.folder.path().join("main.tf"), text).unwrap();
    }
}

/// A simulated manager in another process.
struct Simulator {
    process: Child,
    settings: Vec<(String, String)>,
}

impl Simulator {
    fn start(program: &Path, folder: &Path) -> Self {
        let inventory: Value = KINDS
            .iter()
            .map(|(kind, collection)| {
                let objects = (0..DATA_SOURCES / KINDS.len())
                    .map(|number| json!({"id": format!("{kind}-{number}"), "display_name": format!("{kind}-{number}")}));
                ((*collection).to_owned(), objects.collect::<Value>())
            })
            .collect();
        fs::write(folder.join("inventory.json"), inventory.to_string()).unwrap();
        let mut process = Command::new(program)
            .args([
                "simulate",
                "--tls",
                "--latency",
                "20",
                "--counters",
                "--inventory",
            ])
            .arg(folder.join("inventory.json"))
            .arg("--write-ca")
            .arg(folder.join("ca.pem"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.as_mut().unwrap()).lines();
        let mut settings = Vec::new();
        while settings.len() < 4 {
            let line = lines.next().expect("the simulator starts").unwrap();
            if let Some((name, value)) = line.strip_prefix("export ").and_then(|line| line.split_once('=')) {
                settings.push((name.to_owned(), value.trim_matches('\'').to_owned()));
            }
        }
        Self { process, settings }
    }

    /// Ends it, and returns the number of requests.
    fn end(mut self) -> u64 {
        let interrupted = Command::new("kill")
            .args(["-INT", &self.process.id().to_string()])
            .status();
        assert!(interrupted.unwrap().success());
        let mut counters = Value::Null;
        for line in BufReader::new(self.process.stdout.take().unwrap()).lines() {
            counters = serde_json::from_str(&line.unwrap()).unwrap_or(counters);
        }
        self.process.wait().unwrap();
        let requests = counters["requests"]
            .as_object()
            .expect("the simulator prints counters");
        requests.values().filter_map(Value::as_u64).sum()
    }
}

/// The peak memory of processes whose binary is in `folder`, in KiB.
fn largest(folder: &Path) -> u64 {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let ours = processes.filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        let program = fs::read_link(entry.path().join("exe")).ok()?;
        program.starts_with(folder).then(|| memory(id, "VmHWM:"))?
    });
    ours.max().unwrap_or_default()
}

/// A figure of the memory of a process in KiB.
fn memory(id: u32, figure: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(figure))?;
    line.split_whitespace().next()?.parse().ok()
}
