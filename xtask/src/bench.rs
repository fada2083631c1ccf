//! `cargo xtask bench`: builds the programs as they are shipped, then measures what lookups cost.

use std::path::{Path, PathBuf};

use crate::Error;
use crate::process::{command, run};

/// Measures the Terraform provider and its peers. Needs Terraform.
pub(crate) fn run_terraform(root: &Path, peers: &[PathBuf]) -> Result<(), Error> {
    build(root, &["terraform-provider-netmgr", "netmgr-cli"])?;
    let mut bench = command("cargo", root);
    bench.args("bench --profile dev --package netmgr-tests --bench terraform --".split(' '));
    bench.arg(root.join("target/release"));
    for peer in peers {
        bench.arg(peer.canonicalize()?);
    }
    run(&mut bench)
}

/// Runs the scenarios with these letters. `f` is an example of netmgr-lookups, `s` a benchmark of its own, and `x` of
/// netmgr-tests; the others are one benchmark of netmgr-plugin.
pub(crate) fn run_scenarios(root: &Path, scenarios: &str) -> Result<(), Error> {
    let cargo = |arguments: &str| run(command("cargo", root).args(arguments.split(' ')));
    if scenarios.contains('x') {
        build(root, &["netmgr-cli"])?;
        let mut bench = command("cargo", root);
        bench.args("bench --profile dev --package netmgr-tests --bench recordings --".split(' '));
        run(bench.arg(root.join("target/release")))?;
    }
    let scenarios = scenarios.replace('x', "");
    if scenarios.is_empty() {
        return Ok(());
    }
    build(root, &["netmgr-plugin", "netmgr-cli"])?;
    if scenarios.contains('f') {
        cargo("run --release --package netmgr-lookups --example decode -- target/bench-decode.json")?;
    }
    if scenarios.contains('s') {
        build(root, &["terraform-provider-netmgr"])?;
        cargo("bench --package netmgr-plugin --bench soak -- 10000 15 target/release")?;
    }
    let others = scenarios.replace(['f', 's'], "");
    if others.is_empty() {
        return Ok(());
    }
    cargo(&format!(
        "bench --package netmgr-plugin --bench lookups -- {others}"
    ))
}

/// Builds the programs of `packages` one by one, as they are shipped: what is built together has the features of all.
fn build(root: &Path, packages: &[&str]) -> Result<(), Error> {
    for package in packages {
        run(command("cargo", root).args(["build", "--release", "--package", package, "--bins"]))?;
    }
    Ok(())
}
