//! Measures a plugin: its size, its start, its memory. Figures are printed with their goals.

use std::env::consts;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Child;
use tokio::time::Instant;

/// Starts to take the median of.
const STARTS: usize = 100;

/// A figure and its goal.
pub struct Figure {
    /// The measured quantity.
    pub name: &'static str,
    /// How much it was.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// Maximum value, if there is a goal.
    pub goal: Option<f64>,
}

/// The figures, a line each, with those that miss their goal marked.
#[allow(clippy::print_stdout, reason = "a measurement prints figures")]
pub fn print(figures: &[Figure]) {
    for Figure {
        name,
        value,
        unit,
        goal,
    } in figures
    {
        let goal = goal.map(|goal| {
            let verdict = if *value <= goal { "" } else { ", missed" };
            format!("(goal: at most {goal}{verdict})")
        });
        println!("{name:<30}{value:>7.2} {unit:<4}{}", goal.unwrap_or_default());
    }
}

/// Builds a plugin of the workspace as it is shipped, and returns its path.
pub fn shipped(package: &str, program: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let built = Command::new("cargo")
        .args(["build", "--release", "--package", package])
        .current_dir(root)
        .status();
    assert!(built.unwrap().success());
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    target
        .join("release")
        .join(format!("{program}{}", consts::EXE_SUFFIX))
}

/// Size of a plugin's executable in MiB, and the median time in milliseconds from its start to its port line.
pub async fn size_and_start(program: &Path) -> [Figure; 2] {
    let size = std::fs::metadata(program).unwrap().len();
    let start = median_start(program).await;
    [
        Figure {
            name: "binary",
            value: mebibytes(size),
            unit: "MiB",
            goal: Some(12.0),
        },
        Figure {
            name: "start to port line, median",
            value: start.as_secs_f64() * 1e3,
            unit: "ms",
            goal: Some(4.0),
        },
    ]
}

async fn median_start(program: &Path) -> Duration {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let before = Instant::now();
        let mut process = tokio::process::Command::new(program)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .await
            .unwrap();
        times.push(before.elapsed());
        process.kill().await.unwrap();
    }
    times.sort();
    times[STARTS / 2]
}

/// Current memory of a process in MiB, from `/proc`; 0 on other systems.
pub fn memory(process: &Child, name: &'static str, goal: f64) -> Figure {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id().unwrap()));
    let status = status.unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    Figure {
        name,
        value: mebibytes(kibibytes.unwrap_or_default() * 1024),
        unit: "MiB",
        goal: Some(goal),
    }
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
