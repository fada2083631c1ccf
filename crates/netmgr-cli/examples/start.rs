//! Measures how long the binary takes to print its help: `cargo run --release -p netmgr-cli --example start --
//! target/release/netmgr`.

use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Runs of each command line, after one that loads the binary from disk.
const RUNS: usize = 200;

#[allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a measurement of another process"
)]
fn main() -> ExitCode {
    let Some(program) = std::env::args_os().nth(1) else {
        eprintln!("usage: start PROGRAM");
        return ExitCode::FAILURE;
    };
    for arguments in [
        &["--help"][..],
        &["get", "--help"],
        &["get", "policy-group", "--help"],
        &["types"],
    ] {
        let mut times = Vec::with_capacity(RUNS);
        for run in 0..=RUNS {
            let started = Instant::now();
            let status = Command::new(&program)
                .args(arguments)
                .stdout(Stdio::null())
                .status();
            if !status.is_ok_and(|status| status.success()) {
                eprintln!("{arguments:?} failed");
                return ExitCode::FAILURE;
            }
            if run > 0 {
                times.push(started.elapsed());
            }
        }
        times.sort_unstable();
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        println!(
            "{:<22} median {:.1} ms, 95 % {:.1} ms",
            arguments.join(" "),
            milliseconds(times[RUNS / 2]),
            milliseconds(times[RUNS * 95 / 100]),
        );
    }
    ExitCode::SUCCESS
}
