//! The SDKs of a package: generated from its schema by the engine's own code, compiled, and put where
//! the programs under test find them.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::Value;

use super::Engine;
use crate::{Error, process};

impl Engine {
    /// Makes the SDKs of the package described by `schema`, into `target/engine/sdk/<package>`.
    /// Anything but a clean schema is an error.
    pub(crate) fn sdks(&self, schema: &Path) -> Result<PathBuf, Error> {
        let text = fs::read_to_string(schema)?;
        let package: Value = serde_json::from_str(&text)?;
        let name = package["name"].as_str().ok_or("the schema has no name")?;
        let folder = self.folder.join("sdk").join(name);
        self.once(&format!("sdk-{name}"), &[schema.to_path_buf()], || {
            remove(&folder)?;
            fs::create_dir_all(&folder)?;
            process::run(
                process::command(self.bin().join("sdkgen"), &self.folder)
                    .arg("-schema")
                    .arg(schema)
                    .arg("-out")
                    .arg(&folder),
            )?;
            self.compile_nodejs(&folder.join("nodejs"), &package)?;
            self.compile_python(&folder.join("python"), &package)?;
            compile_go(&folder.join("go"), &package)
        })?;
        Ok(folder)
    }

    /// What is published of a Node.js SDK is the folder `bin` with the manifest in it.
    fn compile_nodejs(&self, sdk: &Path, package: &Value) -> Result<(), Error> {
        process::run(&mut process::command(
            self.folder.join("node_modules/.bin/tsc"),
            sdk,
        ))?;
        let bin = sdk.join("bin");
        fs::copy(sdk.join("package.json"), bin.join("package.json"))?;
        let name = text(package, "/language/nodejs/packageName")?;
        let link = self.folder.join("node_modules").join(name);
        if let Some(scope) = link.parent() {
            fs::create_dir_all(scope)?;
        }
        remove(&link)?;
        #[cfg(unix)]
        std::os::unix::fs::symlink(&bin, &link)?;
        Ok(())
    }

    /// Installed, since an SDK asks the environment for its own version.
    fn compile_python(&self, sdk: &Path, package: &Value) -> Result<(), Error> {
        let name = text(package, "/language/python/packageName")?;
        // The manifest names one, and the generator writes none.
        let description = text(package, "/description")?;
        fs::write(sdk.join("README.md"), format!("# {name}\n\n{description}\n"))?;
        let python = self.folder.join("python/bin/python");
        process::run(process::command(&python, sdk).args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--force-reinstall",
            ".",
        ]))?;
        process::run(process::command(&python, sdk).args(["-c", &format!("import {name}")]))
    }
}

/// A module around the generated package, with the versions that the command line has.
fn compile_go(sdk: &Path, package: &Value) -> Result<(), Error> {
    let import = text(package, "/language/go/importBasePath")?;
    let module = import.rsplit_once('/').map_or(import, |(module, _)| module);
    let requirement = format!("github.com/pulumi/pulumi/sdk/v3 v{}", super::PULUMI);
    fs::write(
        sdk.join("go.mod"),
        format!("module {module}\n\ngo 1.25.11\n\nrequire {requirement}\n"),
    )?;
    process::run(process::command("go", sdk).args(["build", "-mod=mod", "./..."]))
}

fn text<'a>(package: &'a Value, pointer: &str) -> Result<&'a str, Error> {
    let value = package.pointer(pointer).and_then(Value::as_str);
    value.ok_or_else(|| format!("the schema has no {pointer}").into())
}

/// Removes a folder or a link, if it is there.
fn remove(path: &Path) -> Result<(), Error> {
    let removed = match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}
