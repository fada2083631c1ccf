//! The real engine as a test tool: its command line and language hosts, built by the Go toolchain
//! from their published modules, and what programs in TypeScript and Python need.
//!
//! Everything lands in `target/engine`, and is made again only when what it is made from changes:
//! versions, this project's schemas. Lives here: the tools. Not here: the SDKs (`sdk`), and the tests
//! that use both (`tests/it/engine`).

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::Error;
use crate::process;

mod samples;
mod sdk;

pub(crate) use sdk::{CLUSTERPKG, NETMGR};

/// Version of the command line; the module in `tests/engine/cli` pins the same one.
const PULUMI: &str = "3.259.0";
/// The engine's command line, and the variable in it that holds its version.
const PULUMI_PACKAGE: &str = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const PULUMI_VERSION: &str = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";
/// The last SDK module with the language hosts in it.
const HOSTS_MODULE: &str = "github.com/pulumi/pulumi/sdk/v3";
/// The language host of YAML programs, which is a module of its own.
const YAML_HOST: &str = "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml";
/// Scripts in the module of the other hosts that lie next to them: what the Python host starts programs with, and
/// the plugin of resources that are written in a TypeScript program.
const SCRIPTS: [&str; 2] = [
    "python/cmd/pulumi-language-python-exec",
    "nodejs/dist/pulumi-resource-pulumi-nodejs",
];

/// The source of the chores here.
const CHORE: &str = include_str!("engine.rs");

/// Prepares everything that the tests with the real engine need, and compiles the samples if wanted.
pub(crate) fn run(root: &Path, with_samples: bool) -> Result<(), Error> {
    let engine = Engine::of(root);
    engine.prepare()?;
    engine.sdks(&NETMGR)?;
    engine.sdks(&CLUSTERPKG)?;
    if with_samples {
        samples::compile(&engine)?;
    }
    Ok(())
}

/// The folders of the engine.
pub(crate) struct Engine {
    /// The workspace.
    root: PathBuf,
    /// `tests/engine`: what versions are used.
    sources: PathBuf,
    /// `target/engine`: what is made of them.
    pub(crate) folder: PathBuf,
}

impl Engine {
    /// The engine of the workspace in `root`.
    pub(crate) fn of(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
            sources: root.join("tests/engine"),
            folder: root.join("target/engine"),
        }
    }

    /// Builds and installs what is missing or outdated.
    fn prepare(&self) -> Result<(), Error> {
        self.command_line()?;
        self.hosts()?;
        self.yaml_host()?;
        self.sdk_generator()?;
        self.node()?;
        self.python()
    }

    /// Folder of the programs: `pulumi`, its language hosts, `sdkgen`.
    fn bin(&self) -> PathBuf {
        self.folder.join("bin")
    }

    fn command_line(&self) -> Result<(), Error> {
        let module = self.sources.join("cli");
        self.once(
            "pulumi",
            CHORE,
            &[module.join("go.mod"), module.join("go.sum")],
            || {
                let flags = format!("-s -w -X {PULUMI_VERSION}={PULUMI}");
                let out = self.bin().join("pulumi");
                go_build(&module, &flags, &out, &[PULUMI_PACKAGE])
            },
        )
    }

    fn hosts(&self) -> Result<(), Error> {
        let module = self.sources.join("hosts");
        self.once(
            "hosts",
            CHORE,
            &[module.join("go.mod"), module.join("go.sum")],
            || {
                let hosts = [
                    "nodejs/cmd/pulumi-language-nodejs",
                    "python/cmd/pulumi-language-python",
                ];
                let packages = hosts.map(|host| format!("{HOSTS_MODULE}/{host}"));
                // The trailing slash marks a folder.
                let out = self.bin().join("");
                go_build(&module, "-s -w", &out, &packages.each_ref().map(String::as_str))?;
                let folder = process::output(process::command("go", &module).args([
                    "list",
                    "-m",
                    "-f",
                    "{{.Dir}}",
                    HOSTS_MODULE,
                ]))?;
                for script in SCRIPTS.map(Path::new) {
                    let copy = self.bin().join(script.file_name().expect("a script has a name"));
                    // Written anew, since files of modules are read-only.
                    fs::write(&copy, fs::read(Path::new(folder.trim()).join(script))?)?;
                    process::make_executable(&copy)?;
                }
                Ok(())
            },
        )
    }

    fn yaml_host(&self) -> Result<(), Error> {
        let module = self.sources.join("yaml");
        let sources = ["go.mod", "go.sum"].map(|file| module.join(file));
        self.once("yaml", CHORE, &sources, || {
            go_build(
                &module,
                "-s -w",
                &self.bin().join("pulumi-language-yaml"),
                &[YAML_HOST],
            )
        })
    }

    pub(crate) fn sdk_generator(&self) -> Result<(), Error> {
        let module = self.sources.join("sdkgen");
        let sources = ["go.mod", "go.sum", "main.go", "loader.go", "logo.go"];
        self.once("sdkgen", CHORE, &sources.map(|file| module.join(file)), || {
            go_build(&module, "-s -w", &self.bin().join("sdkgen"), &["."])
        })
    }

    /// Modules for TypeScript, in `target/engine/node_modules`, so that SDKs below find them too.
    pub(crate) fn node(&self) -> Result<(), Error> {
        let files = ["package.json", "package-lock.json"];
        let sources = files.map(|file| self.sources.join("node").join(file));
        self.once("node", CHORE, &sources, || {
            fs::create_dir_all(&self.folder)?;
            for (source, name) in sources.iter().zip(files) {
                fs::copy(source, self.folder.join(name))?;
            }
            process::run(process::command("npm", &self.folder).args([
                "ci",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--loglevel=error",
            ]))
        })
    }

    /// A virtual environment in `target/engine/python`.
    pub(crate) fn python(&self) -> Result<(), Error> {
        let requirements = self.sources.join("python/requirements.txt");
        self.once("python", CHORE, std::slice::from_ref(&requirements), || {
            let environment = self.folder.join("python");
            process::run(
                process::command("python3", &self.folder)
                    .args(["-m", "venv"])
                    .arg(&environment),
            )?;
            let python = environment.join("bin/python");
            process::run(
                process::command(python, &self.folder)
                    .args(["-m", "pip", "install", "--quiet", "--requirement"])
                    .arg(&requirements),
            )
        })
    }

    /// Runs `work` unless it ran before with the same contents of `inputs` and the same `chore`, the
    /// source of which says what is made.
    fn once(
        &self,
        name: &str,
        chore: &str,
        inputs: &[PathBuf],
        work: impl FnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let stamp = self.folder.join("stamps").join(name);
        let mut made_from = chore.to_owned();
        for input in inputs {
            let text = fs::read_to_string(input).map_err(|error| format!("{}: {error}", input.display()))?;
            made_from.push_str(&text);
        }
        match fs::read_to_string(&stamp) {
            Ok(earlier) if earlier == made_from => return Ok(()),
            Ok(_) => fs::remove_file(&stamp)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        println!("== engine: {name}");
        work()?;
        fs::create_dir_all(self.folder.join("stamps"))?;
        Ok(fs::write(stamp, made_from)?)
    }
}

fn go_build(module: &Path, flags: &str, out: &Path, packages: &[&str]) -> Result<(), Error> {
    process::run(
        process::command("go", module)
            .args(["build", "-mod=readonly", "-ldflags", flags, "-o"])
            .arg(out)
            .args(packages),
    )
}
