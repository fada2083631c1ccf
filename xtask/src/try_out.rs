//! A cluster without a cloud: the TypeScript example in the real engine, with the suite's stand-ins in place of the
//! cloud's plugins. Everything is in `target/try`; nothing leaves the machine.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::Error;
use crate::engine::{self, Engine};
use crate::process;

/// The example that is tried.
const EXAMPLE: &str = "examples/cluster-typescript";
const STACK: &str = "try";
/// Milliseconds that a stand-in takes for each resource, so that the order can be seen.
const DELAY: &str = "300";
const CONFIGURATION: [(&str, &str); 2] = [("firstSubnet", "subnet-0a1"), ("secondSubnet", "subnet-0b2")];

/// Runs a command of the engine, such as `up` or `destroy`, for the example.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Error> {
    engine::run(root, false)?;
    let mut build = process::command("cargo", root);
    build.args([
        "build",
        "--quiet",
        "--package",
        "clusterpkg-components",
        "--package",
        "netmgr-tests",
    ]);
    process::run(build.args(["--bin", "pulumi-resource-clusterpkg", "--bin", "stand-in"]))?;
    let place = Place {
        engine: Engine::of(root).folder,
        folder: root.join("target/try"),
    };
    place.lay_out(root)?;
    process::run(&mut place.pulumi(&["stack", "select", "--create", STACK]))?;
    for (key, value) in CONFIGURATION {
        process::run(&mut place.pulumi(&["config", "set", key, value]))?;
    }
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    process::run(&mut place.pulumi(&arguments))
}

/// The folder in which the example is tried.
struct Place {
    /// `target/engine`.
    engine: PathBuf,
    /// `target/try`.
    folder: PathBuf,
}

impl Place {
    /// The program, its modules and the plugins that it finds.
    fn lay_out(&self, root: &Path) -> Result<(), Error> {
        let (program, plugins) = (self.folder.join("program"), self.folder.join("plugins"));
        for folder in [&program, &plugins, &self.folder.join("state")] {
            fs::create_dir_all(folder)?;
        }
        for name in ["index.ts", "package.json", "tsconfig.json"] {
            fs::copy(root.join(EXAMPLE).join(name), program.join(name))?;
        }
        let built = root.join("target/debug");
        let names = [
            ("clusterpkg", "pulumi-resource-clusterpkg"),
            ("aws", "stand-in"),
            ("kubernetes", "stand-in"),
        ];
        let mut project =
            fs::read_to_string(root.join(EXAMPLE).join("Pulumi.yaml"))? + "plugins:\n  providers:\n";
        for (package, program) in names {
            link(
                &built.join(program),
                &plugins.join(format!("pulumi-resource-{package}")),
            )?;
            project += &format!("    - name: {package}\n      path: {}\n", plugins.display());
        }
        fs::write(program.join("Pulumi.yaml"), project)?;
        link(&self.engine.join("node_modules"), &program.join("node_modules"))
    }

    /// A command of the engine whose home and state are here.
    fn pulumi(&self, arguments: &[&str]) -> Command {
        let bin = self.engine.join("bin");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(bin.clone()).chain(std::env::split_paths(&path)));
        let mut command = process::command(bin.join("pulumi"), &self.folder.join("program"));
        command
            .args(arguments)
            .env("PATH", path.unwrap_or_default())
            .env("PULUMI_HOME", self.folder.join("home"))
            .env(
                "PULUMI_BACKEND_URL",
                format!("file://{}", self.folder.join("state").display()),
            )
            .env("PULUMI_CONFIG_PASSPHRASE", "")
            .env("PULUMI_SKIP_UPDATE_CHECK", "true")
            .env("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", "true")
            .env("STAND_IN_DELAY_MS", DELAY)
            .env_remove("PULUMI_STACK");
        command
    }
}

/// Makes `at` lead to `to`, whatever it led to before.
fn link(to: &Path, at: &Path) -> Result<(), Error> {
    match fs::remove_file(at) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    #[cfg(unix)]
    return Ok(std::os::unix::fs::symlink(to, at)?);
    #[cfg(not(unix))]
    Err(format!(
        "{} cannot be linked to {}: this command requires Unix",
        at.display(),
        to.display()
    )
    .into())
}
