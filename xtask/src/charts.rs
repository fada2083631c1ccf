//! `cargo xtask charts`: compares what the cluster components set in charts and custom objects with
//! the committed data of the pinned versions. Fetches nothing.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::Error;
use crate::process::{command, run};

/// Where the data of charts is.
const DATA: &str = "crates/clusterpkg-components/tests/data/charts";

/// Lists the charts with their versions and sources, then runs the tests that use them.
pub(crate) fn run_checks(root: &Path) -> Result<(), Error> {
    let mut files: Vec<_> = fs::read_dir(root.join(DATA))?.collect::<Result<_, _>>()?;
    files.sort_by_key(std::fs::DirEntry::file_name);
    for file in files {
        let data: Value = serde_json::from_slice(&fs::read(file.path())?)?;
        let text = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
        println!("{} {}: {}", text("chart"), text("version"), text("source"));
    }
    let mut tests = command("cargo", root);
    tests.args("test --package clusterpkg-components --test it -- charts:: rules::".split(' '));
    run(&mut tests)
}
