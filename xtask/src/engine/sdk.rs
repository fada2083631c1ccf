//! The SDKs of a package: generated from its schema by the engine's own code, compiled, and put where
//! the programs under test find them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::Value;

use super::Engine;
use crate::Error;
use crate::process;

/// A package that gets SDKs.
pub(crate) struct Package {
    /// Its schema, a file of the workspace.
    pub(crate) schema: &'static str,
    /// The packages whose types and resources it refers to.
    pub(super) uses: &'static [Self],
}

/// The lookups.
pub(crate) const NETMGR: Package = Package {
    schema: "schema/netmgr.package.json",
    uses: &[],
};

/// The components, and what they consist of. The SDKs of the latter are large; those made here have
/// what the components use, under the names of the published ones.
pub(crate) const CLUSTERPKG: Package = Package {
    schema: "schema/clusterpkg.package.json",
    uses: &[
        Package {
            schema: "tests/data/providers/aws.package.json",
            uses: &[],
        },
        Package {
            schema: "tests/data/providers/kubernetes.package.json",
            uses: &[],
        },
    ],
};

/// The SDKs of a package, as they are published.
pub(crate) struct Sdks {
    /// The package's name.
    pub(crate) name: String,
    /// The compiled modules with their manifest.
    pub(crate) nodejs: PathBuf,
    /// A project that pip installs.
    pub(crate) python: PathBuf,
    /// The root of a module.
    pub(crate) go: PathBuf,
    /// A project that `dotnet` builds. Not compiled here.
    pub(crate) dotnet: PathBuf,
    /// A project that Gradle builds. Compiled on demand.
    pub(crate) java: PathBuf,
}

/// A package schema that was read.
struct Schema {
    path: PathBuf,
    package: Value,
}

/// A Go module.
struct GoModule {
    path: String,
    /// Its path below the folder of the SDKs.
    below: String,
    /// Whether it is published by others.
    foreign: bool,
}

impl Engine {
    /// Makes the SDKs of a package and of those that it uses, each below `target/engine/sdk/<package>`.
    /// Anything but a clean schema is an error.
    pub(crate) fn sdks(&self, package: &Package) -> Result<Sdks, Error> {
        let mut uses = Vec::new();
        for used in package.uses {
            self.sdks(used)?;
            uses.push(Schema::read(&self.root, used)?);
        }
        let schema = Schema::read(&self.root, package)?;
        let name = schema.text("/name")?;
        let folder = self.folder.join("sdk").join(name);
        let module = schema.go_module()?;
        let sdks = Sdks {
            name: name.to_owned(),
            nodejs: folder.join("nodejs/bin"),
            python: folder.join("python"),
            go: folder.join(&module.below),
            dotnet: folder.join("dotnet"),
            java: folder.join("java"),
        };
        let mut made_from: Vec<_> = uses.iter().map(|used| used.path.clone()).collect();
        made_from.push(schema.path.clone());
        self.once(&format!("sdk-{name}"), include_str!("sdk.rs"), &made_from, || {
            remove(&folder)?;
            fs::create_dir_all(&folder)?;
            let mut generate = process::command(self.bin().join("sdkgen"), &self.folder);
            generate.arg("-schema").arg(&schema.path).arg("-out").arg(&folder);
            for used in &uses {
                generate.arg("-with").arg(&used.path);
            }
            process::run(&mut generate)?;
            self.compile_nodejs(&folder.join("nodejs"))?;
            self.compile_python(&sdks.python, &schema)?;
            self.compile_go(&sdks.go, &module, &uses, &folder.join("compiled.mod"))
        })?;
        self.link_nodejs(&sdks.nodejs, &schema)?;
        Ok(sdks)
    }

    /// The Go modules of packages and of those that they use: paths, versions and folders, and the engine's own.
    pub(crate) fn go_modules(&self, packages: &[&Package]) -> Result<Vec<(String, String, PathBuf)>, Error> {
        let mut modules = Vec::new();
        for package in packages {
            self.sdks(package)?;
            for package in package.uses.iter().chain([*package]) {
                let schema = Schema::read(&self.root, package)?;
                let GoModule { path, below, .. } = schema.go_module()?;
                let made = self.folder.join("sdk").join(schema.text("/name")?).join(below);
                let version = schema.text("/version").unwrap_or("0.0.0").to_owned();
                modules.push((path, version, made));
            }
        }
        Ok(modules)
    }

    /// A Node.js SDK is published from its folder `bin`, with the manifest in it.
    fn compile_nodejs(&self, sdk: &Path) -> Result<(), Error> {
        process::run(&mut process::command(
            self.folder.join("node_modules/.bin/tsc"),
            sdk,
        ))?;
        fs::copy(sdk.join("package.json"), sdk.join("bin/package.json"))?;
        Ok(())
    }

    /// Puts the compiled Node.js SDK among the modules. Done each time, since installing those anew
    /// takes it away.
    fn link_nodejs(&self, sdk: &Path, schema: &Schema) -> Result<(), Error> {
        let name = match schema.text("/language/nodejs/packageName") {
            Ok(name) => name.to_owned(),
            Err(_) => format!("@pulumi/{}", schema.text("/name")?),
        };
        let link = self.folder.join("node_modules").join(name);
        if let Some(scope) = link.parent() {
            fs::create_dir_all(scope)?;
        }
        remove(&link)?;
        #[cfg(unix)]
        std::os::unix::fs::symlink(sdk, &link)?;
        Ok(())
    }

    /// Installed, because an SDK reads its own version from the environment.
    fn compile_python(&self, sdk: &Path, schema: &Schema) -> Result<(), Error> {
        let name = match schema.text("/language/python/packageName") {
            Ok(name) => name.to_owned(),
            Err(_) => format!("pulumi_{}", schema.text("/name")?),
        };
        // The manifest names one, and the generator writes none.
        let description = schema.text("/description")?;
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

    /// A module with the versions that the command line has. For compiling, the modules of the packages
    /// that it uses are those made here.
    fn compile_go(
        &self,
        sdk: &Path,
        module: &GoModule,
        uses: &[Schema],
        compiled: &Path,
    ) -> Result<(), Error> {
        let mut manifest = format!(
            "module {}\n\ngo 1.25.11\n\nrequire github.com/pulumi/pulumi/sdk/v3 v{}\n",
            module.path,
            super::PULUMI
        );
        let mut replacements = String::new();
        for used in uses {
            let GoModule { path, below, .. } = used.go_module()?;
            let made = self.folder.join("sdk").join(used.text("/name")?).join(below);
            writeln!(manifest, "require {path} v{}", used.text("/version")?)?;
            writeln!(replacements, "replace {path} => {}", made.display())?;
        }
        fs::write(sdk.join("go.mod"), &manifest)?;
        if module.foreign {
            // Compiled as far as they are used. The generator writes some that are not, with imports that
            // they do not need.
            return Ok(());
        }
        fs::write(compiled, manifest + &replacements)?;
        process::run(
            process::command("go", sdk)
                .args(["build", "-mod=mod", "-modfile"])
                .arg(compiled)
                .arg("./..."),
        )
    }
}

impl Schema {
    fn read(root: &Path, package: &Package) -> Result<Self, Error> {
        let path = root.join(package.schema);
        let package = serde_json::from_str(&fs::read_to_string(&path)?)?;
        Ok(Self { path, package })
    }

    fn text(&self, pointer: &str) -> Result<&str, Error> {
        let value = self.package.pointer(pointer).and_then(Value::as_str);
        value.ok_or_else(|| format!("{} has no {pointer}", self.path.display()).into())
    }

    /// This project's packages are modules of their own; others are `go/<package>` in one that ends in its
    /// major version.
    fn go_module(&self) -> Result<GoModule, Error> {
        let import = self.text("/language/go/importBasePath")?;
        let foreign = import.split_once("/go/").filter(|(module, _)| {
            let last = module.rsplit('/').next().unwrap_or_default();
            last.starts_with('v')
        });
        let package = import.rsplit('/').next().unwrap_or_default();
        Ok(GoModule {
            path: foreign.map_or(import, |(module, _)| module).to_owned(),
            below: foreign.map_or_else(|| format!("go/{package}"), |_| String::new()),
            foreign: foreign.is_some(),
        })
    }
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
