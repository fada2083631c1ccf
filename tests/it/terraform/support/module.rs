//! One root module, with its own home.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use netmgr_sim::Simulator;
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::Host;
use crate::programs::program;

/// Maximum time for one command, on a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(240);

/// A root module in a temporary folder. The provider is found by a development override, so that it need not be
/// installed.
pub(crate) struct Module {
    pub(crate) host: &'static Host,
    folder: TempDir,
    environment: Vec<(String, OsString)>,
}

/// The outcome of a command.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    /// Its output, if it succeeded.
    #[track_caller]
    pub(crate) fn succeeded(self) -> String {
        assert_eq!(self.code, Some(0), "{}\n{}", self.stdout, self.stderr);
        self.stdout
    }

    /// Its errors as one line without frames, if it failed.
    #[track_caller]
    pub(crate) fn failed(self) -> String {
        assert_eq!(self.code, Some(1), "{}\n{}", self.stdout, self.stderr);
        flat(&self.stderr)
    }
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Text whose lines the host has wrapped, with single spaces.
fn flat(text: &str) -> String {
    let words = text
        .split_whitespace()
        .filter(|word| !["│", "╷", "╵"].contains(word));
    words.collect::<Vec<_>>().join(" ")
}

impl Module {
    /// A module with the configuration `text`, to which the requirement of the provider `netmgr` is added.
    pub(crate) fn new(host: &'static Host, text: &str) -> Self {
        Self::of(host, "netmgr", "terraform-provider-netmgr", text)
    }

    /// A module of the example provider of `terraform-plugin`.
    pub(crate) fn of_example(host: &'static Host, text: &str) -> Self {
        Self::of(host, "example", "examples/terraform-provider-example", text)
    }

    fn of(host: &'static Host, name: &str, provider: &str, text: &str) -> Self {
        let module = Self {
            host,
            folder: tempfile::tempdir().unwrap(),
            environment: Vec::new(),
        };
        for folder in ["module", "home", "tmp", "bin"] {
            fs::create_dir(module.path(folder)).unwrap();
        }
        // Its process is the provider's, which the journal names.
        module.wrap(
            name,
            &format!(
                "echo $$ >> {}\nexec {} \"$@\"\n",
                module.path("journal").display(),
                program(provider).display()
            ),
        );
        let overrides = format!(
            "provider_installation {{\n  dev_overrides {{ \"netmgr/{name}\" = \"{}\" }}\n  direct {{}}\n}}\n",
            module.path("bin").display()
        );
        module.configure_host(&overrides);
        module.require(name);
        module.write("main.tf", text);
        module
    }

    /// Adds the settings that connect to a manager.
    pub(crate) fn with(mut self, manager: &Simulator) -> Self {
        for (name, value) in manager.env() {
            self.set(name, &value);
        }
        self
    }

    /// Replaces the binary that the host starts with a shell script.
    pub(crate) fn wrap(&self, name: &str, script: &str) {
        let file = self.path("bin").join(format!("terraform-provider-{name}"));
        fs::write(&file, format!("#!/bin/sh\n{script}")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Replaces the host's own configuration.
    pub(crate) fn configure_host(&self, text: &str) {
        fs::write(self.path("host.rc"), text).unwrap();
    }

    fn require(&self, name: &str) {
        let requirement = format!(
            "terraform {{\n  required_providers {{\n    {name} = {{ source = \"netmgr/{name}\" }}\n  }}\n}}\n"
        );
        self.write("versions.tf", &requirement);
    }

    /// Writes a file of the module.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let file = self.path("module").join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// A file of the module as text.
    pub(crate) fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.path("module").join(name)).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A path in the folder of the test.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Sets an environment variable of the following commands.
    pub(crate) fn set(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.environment.retain(|(other, _)| other != name);
        self.environment
            .push((name.to_owned(), value.as_ref().to_owned()));
    }

    /// Runs a command of the host, such as `apply -auto-approve`.
    pub(crate) async fn run(&self, command: &str) -> Outcome {
        let output = self.command(command).output();
        let output = tokio::time::timeout(PATIENCE, output).await;
        output.expect("the host ends").unwrap().into()
    }

    /// Starts a command of the host in its own process group.
    pub(crate) fn start(&self, command: &str) -> Child {
        self.command(command).process_group(0).spawn().unwrap()
    }

    /// Sends a signal to the process group of a command, as a terminal does.
    pub(crate) fn signal(command: &Child, signal: &str) {
        signal_to(&format!("-{}", command.id().unwrap()), signal);
    }

    fn command(&self, line: &str) -> Command {
        let mut words = line.split_whitespace();
        let mut command = Command::new(&self.host.program);
        command.arg(words.next().unwrap());
        if !line.contains("-json") && !line.starts_with("version") {
            command.arg("-no-color");
        }
        command
            .args(words)
            .current_dir(self.path("module"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path("home"))
            .env("TMPDIR", self.path("tmp"))
            .env("TF_CLI_CONFIG_FILE", self.path("host.rc"))
            .env("TF_IN_AUTOMATION", "1")
            .env("CHECKPOINT_DISABLE", "1")
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// All outputs of the state.
    pub(crate) async fn outputs(&self) -> Value {
        let text = self.run("output -json").await.succeeded();
        let outputs: Value = serde_json::from_str(&text).unwrap();
        let outputs = outputs.as_object().unwrap().iter();
        outputs
            .map(|(name, output)| (name.clone(), output["value"].clone()))
            .collect()
    }

    /// The process ids of the providers that were started so far.
    pub(crate) fn started(&self) -> Vec<String> {
        let journal = fs::read_to_string(self.path("journal")).unwrap_or_default();
        journal.lines().map(str::to_owned).collect()
    }

    /// The providers that still run.
    #[cfg(target_os = "linux")]
    pub(crate) fn running(&self) -> Vec<String> {
        let mut started = self.started();
        started.retain(|id| {
            let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
            !status.is_empty() && !status.contains("State:\tZ")
        });
        started
    }

    /// Processes cannot be distinguished otherwise.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn running(&self) -> Vec<String> {
        Vec::new()
    }

    /// Folders of sockets that providers left behind.
    pub(crate) fn sockets(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.path("tmp")).unwrap();
        let paths = files.map(|file| file.unwrap().path());
        paths.filter(|path| path.join("plugin").exists()).collect()
    }
}

/// Sends a signal to a process or a group.
pub(crate) fn signal_to(target: &str, signal: &str) {
    let sent = std::process::Command::new("kill")
        .args([&format!("-{signal}"), "--", target])
        .status();
    assert!(sent.unwrap().success());
}

/// Copies a binary without following links.
pub(crate) fn install(program: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(program, to).unwrap();
}
