//! The engine's command line and what belongs to it, or why there is none.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Makes a missing tool a failure.
const REQUIRED: &str = "NETMGR_ENGINE_TESTS";

/// Where things are.
#[derive(Debug)]
pub(crate) struct Tools {
    /// The workspace.
    pub(crate) root: PathBuf,
    /// What `cargo xtask engine` makes.
    pub(crate) engine: PathBuf,
    /// The plugin under test.
    pub(crate) plugin: PathBuf,
}

impl Tools {
    /// The tools; `None`, after saying so, when the test `name` is to be skipped.
    ///
    /// # Panics
    ///
    /// When they are missing and required.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        static TOOLS: OnceLock<Result<Tools, String>> = OnceLock::new();
        match TOOLS.get_or_init(look) {
            Ok(tools) => Some(tools),
            Err(missing) if std::env::var(REQUIRED).is_ok_and(|value| value == "required") => {
                panic!("{missing}, and {REQUIRED} is `required`")
            }
            Err(missing) => {
                // Past the capture of the test harness, which shows nothing of tests that pass.
                let _ = writeln!(std::io::stderr(), "skipped {name}: {missing}");
                None
            }
        }
    }

    /// A program of the engine.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.engine.join("bin").join(name)
    }
}

fn look() -> Result<Tools, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_path_buf();
    let engine = root.join("target/engine");
    let programs = [
        "pulumi",
        "pulumi-language-nodejs",
        "pulumi-language-python",
        "pulumi-language-python-exec",
        "pulumi-resource-pulumi-nodejs",
    ];
    let mut needed: Vec<PathBuf> = programs
        .iter()
        .map(|name| engine.join("bin").join(name))
        .collect();
    needed.extend(["node_modules/@netmgr/netmgr", "python/bin/python"].map(|path| engine.join(path)));
    if let Some(missing) = needed.iter().find(|path| !path.exists()) {
        return Err(format!(
            "{} is missing; run `cargo xtask engine`",
            missing.display()
        ));
    }
    let made_from = std::fs::read_to_string(engine.join("stamps/sdk-netmgr")).unwrap_or_default();
    if !made_from.ends_with(&std::fs::read_to_string(root.join("schema/netmgr.package.json")).unwrap()) {
        return Err("the SDKs are not those of the schema; run `cargo xtask engine`".to_owned());
    }
    Ok(Tools {
        plugin: build_plugin(&root),
        root,
        engine,
    })
}

/// Builds the plugin as it is now, which cargo does not do for the tests of another crate.
fn build_plugin(root: &Path) -> PathBuf {
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args([
            "build",
            "--quiet",
            "--package",
            "netmgr-plugin",
            "--profile",
            profile,
        ])
        .current_dir(root)
        .status();
    assert!(built.unwrap().success(), "the plugin does not build");
    // Beside the folder of this test's executable.
    let tests = std::env::current_exe().unwrap();
    let target = tests.parent().and_then(Path::parent).unwrap();
    target.join("pulumi-resource-netmgr")
}
