//! `cargo xtask bench`: builds the programs as they are shipped, then measures what lookups cost.

use std::path::Path;

use crate::Error;
use crate::process::{command, run};

/// Runs the scenarios with these letters: `f` is an example of netmgr-lookups, the others are a benchmark of
/// netmgr-plugin.
pub(crate) fn run_scenarios(root: &Path, scenarios: &str) -> Result<(), Error> {
    let cargo = |arguments: &str| run(command("cargo", root).args(arguments.split(' ')));
    cargo("build --profile dist --package netmgr-plugin --package netmgr-cli --bins")?;
    if scenarios.contains('f') {
        cargo("run --profile dist --package netmgr-lookups --example decode -- target/bench-decode.json")?;
    }
    let others = scenarios.replace('f', "");
    if others.is_empty() {
        return Ok(());
    }
    // The benchmark itself waits for the programs and need not be fast.
    cargo(&format!(
        "bench --profile dev --package netmgr-plugin --bench lookups -- {others}"
    ))
}
