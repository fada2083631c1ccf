//! The samples of all functions and components in Go, which has a compiler on every machine that builds the engine.

use std::fmt::Write as _;
use std::fs;

use super::{CLUSTERPKG, Engine, NETMGR};
use crate::Error;
use crate::codegen::samples;
use crate::process;

/// Writes every sample to `target/engine/samples`. They have to be formatted as gofmt does, and `go vet` has to accept them
/// with the generated SDKs.
pub(super) fn compile(engine: &Engine) -> Result<(), Error> {
    let folder = engine.folder.join("samples");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    for (name, sample) in samples()?.iter().filter(|(_, sample)| sample.fence == "go") {
        let own = folder.join(name.to_lowercase());
        fs::create_dir_all(&own)?;
        fs::write(own.join("main.go"), &sample.text)?;
    }
    let unformatted = process::output(process::command("gofmt", &folder).args(["-l", "."]))?;
    if !unformatted.is_empty() {
        return Err(format!("samples that gofmt would change:\n{unformatted}").into());
    }
    let mut manifest = "module samples\n\ngo 1.25.11\n".to_owned();
    for (path, version, folder) in engine.go_modules(&[&NETMGR, &CLUSTERPKG])? {
        let folder = folder.display();
        writeln!(
            manifest,
            "\nrequire {path} v{version}\nreplace {path} => {folder}"
        )?;
    }
    fs::write(folder.join("go.mod"), manifest)?;
    process::run(process::command("go", &folder).args(["vet", "-mod=mod", "./..."]))?;
    println!("compiled the samples in Go");
    Ok(())
}
