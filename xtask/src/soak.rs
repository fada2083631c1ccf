//! `cargo xtask soak`: many lookups of several client processes against a manager with faults.

use std::path::Path;

use crate::Error;
use crate::process::{command, run};

/// The table of the last run.
const TABLE: &str = "docs/soak.md";

/// Builds the programs and runs the lookups. Needs Terraform.
pub(crate) fn run_lookups(root: &Path, minutes: u64, lookups: usize) -> Result<(), Error> {
    let packages = ["netmgr-plugin", "netmgr-cli", "terraform-provider-netmgr"];
    let packages = packages.iter().flat_map(|package| ["--package", package]);
    run(command("cargo", root).args(["build", "--bins"]).args(packages))?;
    let mut bench = command("cargo", root);
    bench.args("bench --profile dev --package netmgr-plugin --bench soak --".split(' '));
    bench.args([lookups.to_string(), minutes.to_string()]);
    run(bench.arg(root.join("target/debug")).arg(root.join(TABLE)))
}
