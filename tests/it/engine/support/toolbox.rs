//! The engine's command line and its tools, or the reason why they are missing.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::programs::root;
use crate::requirements;

/// `required` makes a missing tool a failure; `skip` skips the suite.
const WISH: &str = "NETMGR_ENGINE_TESTS";
/// Version of another engine, whose published archive is unpacked in `target/engine/versions/<version>`.
const VERSION: &str = "NETMGR_ENGINE_VERSION";

/// A feature that older engines lack, and the first version that has it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Since {
    what: &'static str,
    version: [u32; 3],
}

impl Since {
    const fn new(what: &'static str, minor: u32) -> Self {
        Self {
            what,
            version: [3, minor, 0],
        }
    }
}

/// In older engines, stand-ins cannot record which provider is configured.
pub(crate) const NAMES_IN_CONFIGURE: Since = Since::new("names of providers in Configure", 154);
/// Before, `pulumi package add` does not change the project file.
pub(crate) const PACKAGES_IN_PROJECTS: Since = Since::new("packages in project files", 163);
/// Older engines kill plugins at the end of a command, so sessions may not end.
pub(crate) const CANCEL_AT_THE_END: Since = Since::new("time for plugins to end", 172);
/// In older engines, transforms cannot import resources.
pub(crate) const IMPORTS_IN_TRANSFORMS: Since = Since::new("imports in transforms", 199);
/// In older engines, plugins cannot distinguish lookups of previews and updates.
pub(crate) const PREVIEWS_OF_CALLS: Since = Since::new("a preview flag in calls", 206);
/// In older engines, a component does not receive its aliases.
pub(crate) const ALIASES_OF_COMPONENTS: Since = Since::new("aliases of remote components", 217);
/// Older engines only check files.
pub(crate) const SCHEMA_CHECK_OF_PLUGINS: Since = Since::new("`pulumi schema check` of plugins", 225);
/// The option that sends spans to a collector, and the wait for the spans of plugins that end.
pub(crate) const TRACES: Since = Since::new("`--otel-traces` with the spans of plugins", 229);
/// The command that calls functions without a program.
pub(crate) const DO: Since = Since::new("`pulumi do`", 242);

/// The paths of the programs.
#[derive(Debug)]
pub(crate) struct Tools {
    /// The output of `cargo xtask engine`.
    pub(crate) engine: PathBuf,
}

impl Tools {
    /// The tools; `None`, with a message, if the test `name` is skipped.
    ///
    /// # Panics
    ///
    /// If they are missing and required.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        static TOOLS: OnceLock<Result<Tools, String>> = OnceLock::new();
        requirements::find(&TOOLS, look, WISH, name)
    }

    /// Whether the engine is too old for a part of the test `name`. Prints a message if it is.
    pub(crate) fn lacks(&self, name: &str, part: Since) -> bool {
        let Ok(version) = std::env::var(VERSION) else {
            return false;
        };
        let own: Vec<u32> = version.split('.').map(|number| number.parse().unwrap()).collect();
        let lacks = own < part.version.to_vec();
        if lacks {
            let [major, minor, patch] = part.version;
            let Since { what, .. } = part;
            let _ = writeln!(
                std::io::stderr(),
                "skipped {name}: engine {version} does not support {what}, which requires {major}.{minor}.{patch}"
            );
        }
        lacks
    }

    /// A binary of the engine.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.engine.join("bin").join(name)
    }

    /// The engine's command line.
    pub(crate) fn command_line(&self) -> PathBuf {
        command_line(&self.engine)
    }
}

fn command_line(engine: &Path) -> PathBuf {
    match std::env::var(VERSION) {
        Ok(version) => engine.join("versions").join(version).join("pulumi"),
        Err(_) => engine.join("bin/pulumi"),
    }
}

fn look() -> Result<Tools, String> {
    let root = root();
    let engine = root.join("target/engine");
    let programs = [
        "pulumi",
        "pulumi-language-nodejs",
        "pulumi-language-python",
        "pulumi-language-python-exec",
        "pulumi-language-yaml",
        "pulumi-resource-pulumi-nodejs",
    ];
    let mut needed: Vec<PathBuf> = programs
        .iter()
        .map(|name| engine.join("bin").join(name))
        .collect();
    needed.push(engine.join("python/bin/python"));
    needed.push(command_line(&engine));
    if let Some(missing) = needed.iter().find(|path| !path.exists()) {
        return Err(format!(
            "{} is missing; run `cargo xtask engine`",
            missing.display()
        ));
    }
    for package in ["netmgr", "clusterpkg"] {
        let made_from = std::fs::read_to_string(engine.join(format!("stamps/sdk-{package}")));
        let schema = std::fs::read_to_string(root.join(format!("schema/{package}.package.json"))).unwrap();
        if !made_from.is_ok_and(|text| text.ends_with(&schema)) {
            return Err(format!(
                "the SDKs of {package} are not those of its schema; run `cargo xtask engine`"
            ));
        }
    }
    Ok(Tools { engine })
}
