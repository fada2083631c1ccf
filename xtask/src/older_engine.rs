//! The command line of an engine that is not the pinned one, built on demand, to test the plugins
//! with older engines. It uses the SDKs and the language hosts of the pinned one, which are linked beside it: an
//! engine warns about hosts in other folders.
//!
//! Its dependencies are those that its own module names; nothing about them is committed.

use std::fs;
use std::path::Path;

use crate::engine::Engine;
use crate::{Error, process};

/// The package of the command line, and the variable in it that holds its version.
const PACKAGE: &str = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const VERSION: &str = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/// How the names of language hosts and of the scripts beside them begin.
const HOSTS: [&str; 2] = ["pulumi-language-", "pulumi-resource-"];

/// A module that needs nothing but the command line.
const MODULE: &str = "module netmgr.dev/older-engine\n\ngo 1.25\n";
const USE: &str =
    "//go:build tools\n\npackage tools\n\nimport _ \"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi\"\n";

/// Builds the command line of `version` into `target/engine/versions/<version>`, unless it is there, and links the
/// language hosts beside it.
pub(crate) fn run(root: &Path, version: &str) -> Result<(), Error> {
    if version.split('.').count() != 3 || !version.split('.').all(|part| part.parse::<u32>().is_ok()) {
        return Err(format!("{version} is not a version of the engine, such as 3.142.0").into());
    }
    let engine = Engine::of(root);
    engine.prepare()?;
    let folder = engine.folder.join("versions").join(version);
    let program = folder.join("pulumi");
    if !program.exists() {
        println!("== engine {version}");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("go.mod"), MODULE)?;
        fs::write(folder.join("tools.go"), USE)?;
        process::run(process::command("go", &folder).args(["get", &format!("{PACKAGE}@v{version}")]))?;
        let flags = format!("-s -w -X {VERSION}={version}");
        process::run(
            process::command("go", &folder)
                .args(["build", "-ldflags", &flags, "-o"])
                .arg(&program)
                .arg(PACKAGE),
        )?;
    }
    for file in fs::read_dir(engine.bin())? {
        let file = file?;
        let name = file.file_name();
        let is_host = |prefix: &&str| name.to_string_lossy().starts_with(*prefix);
        let link = folder.join(&name);
        if HOSTS.iter().any(is_host) && !link.exists() {
            link_to(&file.path(), &link)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link_to(host: &Path, link: &Path) -> Result<(), Error> {
    Ok(std::os::unix::fs::symlink(host, link)?)
}

#[cfg(not(unix))]
fn link_to(host: &Path, link: &Path) -> Result<(), Error> {
    fs::copy(host, link)?;
    Ok(())
}
