//! Measures the export of a manager with 100,000 objects, and the comparison of two such recordings. `cargo xtask bench x`
//! builds the program and runs it.
//!
//! Argument: the folder with the binary `netmgr`.

#![allow(clippy::print_stdout, reason = "it prints figures")]
#![allow(
    clippy::disallowed_methods,
    reason = "it measures other processes in real time"
)]

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Interval at which the memory of a process is read.
const TICK: Duration = Duration::from_millis(10);

/// A finished process.
struct Measured {
    seconds: f64,
    /// The most resident memory in MiB; zero where there is no `/proc`.
    peak: f64,
    stderr: String,
}

/// Prints a line for each step.
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let programs = PathBuf::from(arguments.next().ok_or("the folder of the program is missing")?);
    let program = programs.canonicalize()?.join("netmgr");
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let manager = Manager::start(&program)?;
    println!("| Step | Requests | Memory | Time |\n|---|---|---|---|");
    for file in ["a.json", "b.json"] {
        let mut export = Command::new(&program);
        export
            .current_dir(folder)
            .args(["export", "-o", file, "--stats"])
            .envs(manager.environment()?);
        let measured = measure(&mut export, 0)?;
        let requests = measured
            .stderr
            .split_once("requests ")
            .map_or("?", |(_, rest)| rest);
        let requests = requests.split(',').next().unwrap_or_default();
        print("export", requests, &measured);
    }
    let diff = |name, before: &str, after: &str| -> Result<(), Box<dyn Error>> {
        let measured = measure(
            Command::new(&program)
                .current_dir(folder)
                .args(["diff", before, after]),
            0,
        )?;
        print(name, "-", &measured);
        Ok(())
    };
    diff("diff of the same text", "a.json", "b.json")?;
    // Revisions are ignored, so that all objects are the same in another text.
    let text = fs::read_to_string(folder.join("a.json"))?;
    fs::write(
        folder.join("c.json"),
        text.replace("\"_revision\":0", "\"_revision\":1"),
    )?;
    diff("diff of objects with other texts", "a.json", "c.json")
}

fn print(name: &str, requests: &str, Measured { seconds, peak, .. }: &Measured) {
    println!("| {name} | {requests} | {peak:.0} MiB | {seconds:.1} s |");
}

/// Runs a command that must end with the exit code `code`.
fn measure(command: &mut Command, code: i32) -> Result<Measured, Box<dyn Error>> {
    let started = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak: f64 = 0.0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        let memory = fs::read_to_string(&status_file).unwrap_or_default();
        let line = memory.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
        peak = peak.max(kibibytes.unwrap_or_default() / 1024.0);
        sleep(TICK);
    };
    let seconds = started.elapsed().as_secs_f64();
    let mut stderr = String::new();
    if let Some(mut pipe) = child.stderr.take() {
        pipe.read_to_string(&mut stderr)?;
    }
    match status.code() == Some(code) {
        true => Ok(Measured {
            seconds,
            peak,
            stderr,
        }),
        false => Err(format!("{status}: {stderr}").into()),
    }
}

/// A simulated manager in another process, which ends with this value.
struct Manager {
    process: Child,
    ready: Value,
}

impl Manager {
    fn start(program: &Path) -> Result<Self, Box<dyn Error>> {
        let mut simulate = Command::new(program);
        simulate.args("simulate --objects 100000 --requests-per-second 0 --json".split(' '));
        let mut process = simulate.stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        if let Some(stdout) = &mut process.stdout {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let manager = Self {
            process,
            ready: serde_json::from_str(&line).unwrap_or_default(),
        };
        Ok(manager)
    }

    /// The variables that the program needs.
    fn environment(&self) -> Result<Vec<(String, String)>, Box<dyn Error>> {
        let variables = self.ready["environment"].as_object();
        let variables = variables.ok_or("the simulated manager did not start")?;
        let text = |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
        Ok(variables.iter().filter_map(text).collect())
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
