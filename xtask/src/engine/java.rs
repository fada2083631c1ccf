//! Java SDKs, compiled with what Maven fetches. Slow, so it happens when a chore needs it and not with the
//! other SDKs.

use std::path::{Path, PathBuf};
use std::{env, fs};

use super::{Engine, Package};
use crate::{Error, process};

/// Fetches what SDKs need. Pinned, as everything else here is.
const FETCH: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";

/// Why there is nothing to compile Java with, if there is not.
pub(crate) fn missing() -> Option<String> {
    let missing: Vec<_> = ["javac", "jar", "mvn"]
        .into_iter()
        .filter(|program| !process::is_on_path(program))
        .collect();
    (!missing.is_empty()).then(|| format!("there is no {}", missing.join(" and no ")))
}

impl Engine {
    /// A jar of the SDK of a package, compiled with those of the packages that it uses.
    pub(crate) fn java_package(&self, package: &Package) -> Result<PathBuf, Error> {
        let mut class_path = vec![self.java_libraries()?.join("*")];
        for used in package.uses {
            class_path.push(self.java_package(used)?);
        }
        let sdks = self.sdks(package)?;
        let classes = self.folder.join("sdk").join(&sdks.name).join("classes");
        let jar = self
            .folder
            .join("sdk")
            .join(&sdks.name)
            .join(format!("{}-{}.jar", sdks.name, sdks.version));
        let stamp = format!("java-{}", sdks.name);
        self.once(
            &stamp,
            include_str!("java.rs"),
            &[self.stamp_of(&sdks.name)],
            || {
                compile(&sdks.java.join("src/main/java"), &classes, &class_path)?;
                // What the SDK reads its own version and the plugin's from.
                let root = java_root(&sdks.java.join("src/main/java"))?;
                let resources = classes.join(root).join(&sdks.name);
                fs::write(resources.join("version.txt"), &sdks.version)?;
                let plugin =
                    serde_json::json!({ "resource": true, "name": sdks.name, "version": sdks.version });
                fs::write(resources.join("plugin.json"), plugin.to_string())?;
                process::run(
                    process::command("jar", &classes)
                        .args(["--create", "--file"])
                        .arg(&jar)
                        .arg("."),
                )
            },
        )?;
        Ok(jar)
    }

    /// The jars of the SDK of a package and of those that it uses.
    pub(crate) fn java_packages(&self, package: &Package) -> Result<Vec<PathBuf>, Error> {
        let mut jars = vec![self.java_package(package)?];
        for used in package.uses {
            jars.push(self.java_package(used)?);
        }
        Ok(jars)
    }

    /// The folder of the engine's Java SDK and what it needs.
    pub(crate) fn java_libraries(&self) -> Result<PathBuf, Error> {
        let project = self.sources.join("java");
        let libraries = self.folder.join("java");
        self.once(
            "java",
            include_str!("java.rs"),
            &[project.join("pom.xml")],
            || {
                let out = format!("-DoutputDirectory={}", libraries.display());
                process::run(process::command("mvn", &project).args(["--quiet", "--batch-mode", FETCH, &out]))
            },
        )?;
        Ok(libraries)
    }

    fn stamp_of(&self, package: &str) -> PathBuf {
        self.folder.join("stamps").join(format!("sdk-{package}"))
    }
}

/// Compiles every source below `sources` into `classes`.
pub(crate) fn compile(sources: &Path, classes: &Path, class_path: &[PathBuf]) -> Result<(), Error> {
    if classes.exists() {
        fs::remove_dir_all(classes)?;
    }
    fs::create_dir_all(classes)?;
    let mut files = Vec::new();
    crate::dist::list(sources, &mut files)?;
    // Too many for one command line on some systems.
    let list: String = files.iter().map(|file| format!("{}\n", file.display())).collect();
    let arguments = classes.with_extension("files");
    fs::write(&arguments, list)?;
    process::run(
        process::command("javac", sources)
            .args(["-nowarn", "-Xlint:none", "-proc:none", "-d"])
            .arg(classes)
            .arg("-cp")
            .arg(env::join_paths(class_path)?)
            .arg(format!("@{}", arguments.display())),
    )
}

/// The folder of the outermost package that has more than one member, without the package itself:
/// `io/github/netmgr` for `io.github.netmgr.netmgr`.
fn java_root(sources: &Path) -> Result<PathBuf, Error> {
    let mut folder = sources.to_path_buf();
    loop {
        let entries = fs::read_dir(&folder)?.collect::<Result<Vec<_>, _>>()?;
        match &entries[..] {
            [only] if only.path().is_dir() => folder = only.path(),
            _ => break,
        }
    }
    let package = folder.strip_prefix(sources)?;
    Ok(package.parent().unwrap_or(package).to_path_buf())
}
