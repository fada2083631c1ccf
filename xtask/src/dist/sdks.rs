//! The SDKs, as package managers take them.

use std::path::Path;

use super::archive;
use crate::Error;
use crate::engine::{Engine, Sdks};
use crate::process;

/// Languages of SDKs.
pub(crate) const LANGUAGES: [&str; 5] = ["nodejs", "python", "go", "dotnet", "java"];

/// Writes the SDK of a package for one language.
pub(super) fn write(engine: &Engine, sdks: &Sdks, language: &str, out: &Path) -> Result<(), Error> {
    let Sdks { name, version, .. } = sdks;
    let sources = |folder: &Path| {
        let archive = out.join(format!("{name}-sdk-{language}-v{version}.tar.gz"));
        archive::write(folder, &archive)
    };
    match language {
        "nodejs" => node_package(&sdks.nodejs, out),
        "python" => engine.python_package(&sdks.python, out),
        // For a `replace` directive.
        "go" => sources(&sdks.go),
        "dotnet" => {
            sources(&sdks.dotnet)?;
            if !process::is_on_path("dotnet") {
                println!("skipped the NuGet package of {name}: dotnet is not installed");
                return Ok(());
            }
            process::run(
                process::command("dotnet", &sdks.dotnet)
                    .args(["pack", "--nologo", "--configuration", "Release", "--output"])
                    .arg(out),
            )
        }
        // A project of Gradle.
        "java" => sources(&sdks.java),
        other => Err(format!("there are no SDKs for {other}").into()),
    }
}

impl Engine {
    /// A wheel of a generated Python SDK.
    fn python_package(&self, sdk: &Path, out: &Path) -> Result<(), Error> {
        process::run(
            process::command(self.folder.join("python/bin/python"), sdk)
                .args(["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"])
                .arg(out)
                .arg("."),
        )
    }
}

/// A tarball of a generated Node.js SDK.
fn node_package(sdk: &Path, out: &Path) -> Result<(), Error> {
    process::run(
        process::command("npm", sdk)
            .args(["pack", "--silent", "--pack-destination"])
            .arg(out),
    )
}
