//! `cargo xtask bench`: builds the programs as they are shipped, then measures what lookups cost.

use std::path::{Path, PathBuf};

use crate::Error;
use crate::process::{command, run};

/// Measures the Terraform provider and those of peers. Needs Terraform.
pub(crate) fn run_terraform(root: &Path, peers: &[PathBuf]) -> Result<(), Error> {
    for package in ["terraform-provider-netmgr", "netmgr-cli"] {
        let mut build = command("cargo", root);
        run(build.args(["build", "--release", "--package", package, "--bins"]))?;
    }
    let mut bench = command("cargo", root);
    bench.args("bench --profile dev --package netmgr-tests --bench terraform --".split(' '));
    bench.arg(root.join("target/release"));
    for peer in peers {
        bench.arg(peer.canonicalize()?);
    }
    run(&mut bench)
}

/// Runs the scenarios with these letters: `f` is an example of netmgr-lookups, the others are a benchmark of
/// netmgr-plugin.
pub(crate) fn run_scenarios(root: &Path, scenarios: &str) -> Result<(), Error> {
    let cargo = |arguments: &str| run(command("cargo", root).args(arguments.split(' ')));
    // Separately, as they are shipped: what is built together has the features of both.
    cargo("build --release --package netmgr-plugin --bins")?;
    cargo("build --release --package netmgr-cli --bins")?;
    if scenarios.contains('f') {
        cargo("run --release --package netmgr-lookups --example decode -- target/bench-decode.json")?;
    }
    let others = scenarios.replace('f', "");
    if others.is_empty() {
        return Ok(());
    }
    // Optimized, because a slow client stretches a burst of calls, which then take more requests.
    cargo(&format!(
        "bench --profile fuzz --package netmgr-plugin --bench lookups -- {others}"
    ))
}
