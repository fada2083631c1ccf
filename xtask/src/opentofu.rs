//! OpenTofu as a test tool: its command line, built by the Go toolchain from its published module.
//!
//! The suite of the Terraform provider uses it when the variable `NETMGR_TERRAFORM` names it.

use std::path::Path;
use std::{env, fs};

use serde_json::Value;

use crate::engine::Engine;
use crate::{Error, process};

const MODULE: &str = "github.com/opentofu/opentofu";
const VERSION: &str = "1.11.14";

/// Builds the command line into `target/engine/opentofu`, unless it is there.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let folder = Engine::of(root).folder.join("opentofu").join(VERSION);
    let program = folder.join(format!("tofu{}", env::consts::EXE_SUFFIX));
    if !program.exists() {
        println!("== OpenTofu {VERSION}");
        fs::create_dir_all(&folder)?;
        // Outside of its own module, Go ignores the replacements of dependencies that the module requires.
        let mut download = process::command("go", &folder);
        let module = format!("{MODULE}@v{VERSION}");
        let downloaded = process::output(download.args(["mod", "download", "-json", &module]))?;
        let downloaded: Value = serde_json::from_str(&downloaded)?;
        let sources = downloaded["Dir"]
            .as_str()
            .ok_or("go reports no folder of the module")?;
        let flags = format!("-s -w -X {MODULE}/version.dev=no");
        let mut build = process::command("go", Path::new(sources));
        build.env("GOWORK", "off").env("CGO_ENABLED", "0");
        build.args(["build", "-trimpath", "-ldflags", &flags, "-o"]);
        process::run(build.arg(&program).arg("./cmd/tofu"))?;
    }
    println!("NETMGR_TERRAFORM={}", program.display());
    Ok(())
}
