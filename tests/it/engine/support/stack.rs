//! One stack of one program, with its own home.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use netmgr_sim::Simulator;
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::Tools;
use crate::programs::{programs, root};

/// Maximum time for one command of the engine, on a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(240);

/// A stack of a program, in a temporary folder.
pub(crate) struct Stack {
    tools: &'static Tools,
    folder: TempDir,
    environment: Vec<(String, String)>,
    /// Options of every command that runs the program.
    pub(crate) options: Vec<&'static str>,
    /// Whether the types of a TypeScript program are checked each time that it runs, which takes longer than the rest.
    checks_types: bool,
}

/// The outcome of a command.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) success: bool,
    /// Its standard output, followed by its standard error.
    pub(crate) text: String,
}

impl Stack {
    /// A new stack of a program below `tests/programs`, whose plugin is named in its project file.
    pub(crate) async fn of(tools: &'static Tools, program: &str) -> Self {
        Self::with_plugins(tools, program, &[("netmgr", programs())]).await
    }

    /// Like [`Self::of`], with other plugins: their packages, and the folders that contain them.
    pub(crate) async fn with_plugins(
        tools: &'static Tools,
        program: &str,
        plugins: &[(&str, &Path)],
    ) -> Self {
        let mut stack = Self::uninitialized(tools, &root().join("tests/programs").join(program));
        // The others read their behavior from configuration, which has no types.
        stack.checks_types = program == "shapes-typescript";
        let project = stack.program().join("Pulumi.yaml");
        let mut text = fs::read_to_string(&project).unwrap() + "plugins:\n  providers:\n";
        for (name, folder) in plugins {
            text += &format!("    - name: {name}\n      path: {}\n", folder.display());
        }
        fs::write(project, text).unwrap();
        stack.begin().await
    }

    /// A new stack of the unchanged program in a folder.
    pub(crate) async fn of_folder(tools: &'static Tools, program: &Path) -> Self {
        Self::uninitialized(tools, program).begin().await
    }

    fn uninitialized(tools: &'static Tools, program: &Path) -> Self {
        let folder = TempDir::new().unwrap();
        let copy = folder.path().join("program");
        fs::create_dir_all(&copy).unwrap();
        fs::create_dir_all(folder.path().join("state")).unwrap();
        for file in fs::read_dir(program).unwrap() {
            let file = file.unwrap();
            if file.file_type().unwrap().is_file() {
                fs::copy(file.path(), copy.join(file.file_name())).unwrap();
            }
        }
        symlink(tools.engine.join("node_modules"), copy.join("node_modules")).unwrap();
        symlink(tools.engine.join("python"), copy.join("venv")).unwrap();
        Self {
            tools,
            folder,
            environment: Vec::new(),
            options: Vec::new(),
            checks_types: true,
        }
    }

    async fn begin(self) -> Self {
        self.run(&["stack", "init", "dev"]).await.succeeded();
        self
    }

    /// The path of the program.
    pub(crate) fn program(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    /// Sets an environment variable for all commands that follow.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.environment.push((name.to_owned(), value.into()));
    }

    /// Points the default provider at a manager, by the environment.
    pub(crate) fn point_at(&mut self, manager: &Simulator) {
        for (name, value) in manager.env() {
            self.set(name, value);
        }
    }

    /// Removes the variables that [`Stack::set`] and [`Stack::point_at`] set.
    pub(crate) fn clear(&mut self) {
        self.environment.clear();
    }

    /// Sets configuration; `options` are options of `pulumi config set`.
    pub(crate) async fn configure(&self, options: &[&str], key: &str, value: &str) {
        let arguments = [&["config", "set"], options, &["--", key, value]].concat();
        self.run(&arguments).await.succeeded();
    }

    /// Runs the program `ask-…` with these calls.
    pub(crate) async fn ask(&self, questions: &Value) {
        self.configure(&[], "ask", &questions.to_string()).await;
    }

    pub(crate) async fn preview(&self) -> Outcome {
        self.operate(&["preview"]).await
    }

    pub(crate) async fn up(&self) -> Outcome {
        self.operate(&["up", "--yes", "--skip-preview"]).await
    }

    pub(crate) async fn refresh(&self) -> Outcome {
        self.operate(&["refresh", "--yes", "--skip-preview"]).await
    }

    pub(crate) async fn destroy(&self) -> Outcome {
        self.operate(&["destroy", "--yes", "--skip-preview"]).await
    }

    /// Checks that a preview contains no changes.
    pub(crate) async fn is_settled(&mut self) {
        self.options.push("--expect-no-changes");
        self.preview().await.succeeded();
        self.options.pop();
    }

    async fn operate(&self, command: &[&str]) -> Outcome {
        self.run(&[command, &["--non-interactive", "--color=never"], &self.options].concat())
            .await
    }

    /// The outputs of the last update, secrets in clear.
    pub(crate) async fn outputs(&self) -> Value {
        let outcome = self
            .output(&["stack", "output", "--json", "--show-secrets"])
            .await;
        assert!(outcome.status.success(), "{outcome:?}");
        serde_json::from_slice(&outcome.stdout).unwrap()
    }

    /// The state as text.
    pub(crate) async fn exported(&self) -> String {
        let exported = self.run(&["stack", "export"]).await;
        exported.succeeded().text
    }

    /// The resources in the state.
    pub(crate) async fn resources(&self) -> Vec<Value> {
        let state: Value = serde_json::from_str(&self.exported().await).unwrap();
        state["deployment"]["resources"]
            .as_array()
            .cloned()
            .unwrap_or_default()
    }

    /// The inputs of the provider resources in the state.
    pub(crate) async fn providers(&self) -> Vec<Value> {
        let resources = self.resources().await;
        let providers = resources
            .into_iter()
            .filter(|resource| resource["type"] == "pulumi:providers:netmgr");
        providers.map(|resource| resource["inputs"].clone()).collect()
    }

    /// Runs a command of the engine to its end.
    pub(crate) async fn run(&self, arguments: &[&str]) -> Outcome {
        let Output {
            status,
            mut stdout,
            stderr,
        } = self.output(arguments).await;
        stdout.extend(stderr);
        Outcome {
            success: status.success(),
            text: String::from_utf8(stdout).unwrap(),
        }
    }

    async fn output(&self, arguments: &[&str]) -> Output {
        let child = self.command(arguments).spawn().unwrap();
        let ended = tokio::time::timeout(PATIENCE, child.wait_with_output()).await;
        ended
            .unwrap_or_else(|_| panic!("pulumi {arguments:?} does not end"))
            .unwrap()
    }

    /// Starts a command of the engine in its own process group, as a shell does.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).process_group(0).spawn().unwrap()
    }

    /// Interrupts a command as a user would, and waits for its end, which follows soon.
    pub(crate) async fn interrupt(&self, command: Child) -> Output {
        let group = format!("-{}", command.id().unwrap());
        let interrupted = Command::new("kill").args(["-INT", "--", &group]).status().await;
        assert!(interrupted.unwrap().success());
        let ended = tokio::time::timeout(Duration::from_secs(20), command.wait_with_output()).await;
        ended.expect("the command ends soon").unwrap()
    }

    /// Kills a program that runs with this stack's environment, as an administrator or a lack of memory would.
    #[cfg(target_os = "linux")]
    pub(crate) fn kill(&self, program: &str) {
        let mut killed = 0;
        for (process, line) in self.running() {
            if line
                .split('\0')
                .next()
                .is_some_and(|path| path.ends_with(program))
            {
                let id = process.file_name().unwrap();
                let status = std::process::Command::new("kill").arg("-KILL").arg(id).status();
                assert!(status.unwrap().success());
                killed += 1;
            }
        }
        assert_ne!(killed, 0, "{program} does not run");
    }

    /// Programs that run with this stack's environment: plugins, hosts and their child processes.
    #[cfg(target_os = "linux")]
    pub(crate) fn processes(&self) -> Vec<String> {
        self.running().map(|(_, line)| line).collect()
    }

    /// Folders below `/proc` and command lines of programs that run with this stack's environment.
    #[cfg(target_os = "linux")]
    fn running(&self) -> impl Iterator<Item = (PathBuf, String)> {
        let home = self
            .folder
            .path()
            .join("home")
            .into_os_string()
            .into_encoded_bytes();
        let processes = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
        processes
            // Other processes may end during the search, or not be readable.
            .filter(move |process| {
                let environment = fs::read(process.join("environ")).unwrap_or_default();
                environment.windows(home.len()).any(|part| part == home)
            })
            .map(|process| {
                let line = fs::read_to_string(process.join("cmdline")).unwrap_or_default();
                (process, line)
            })
            .filter(|(_, line)| !line.is_empty())
    }

    /// Processes cannot be distinguished otherwise.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn processes(&self) -> Vec<String> {
        Vec::new()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let here = self.folder.path();
        // The Python host of the tests takes the interpreter from the path; newer ones read the
        // project's option.
        let program = self.tools.command_line();
        let folders = [
            program.parent().unwrap().to_owned(),
            self.tools.engine.join("python/bin"),
        ];
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&path))).unwrap();
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.program())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .env("PATH", path)
            .env("PULUMI_HOME", here.join("home"))
            .env(
                "PULUMI_BACKEND_URL",
                format!("file://{}", here.join("state").display()),
            )
            .env("PULUMI_CONFIG_PASSPHRASE", "")
            .env("PULUMI_SKIP_UPDATE_CHECK", "true")
            .env("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", "true")
            // The variables that the person who runs the tests has set for their own manager.
            .env_remove("PULUMI_STACK");
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("NETMGR_")) {
            command.env_remove(name);
        }
        if !self.checks_types {
            command.env("PULUMI_NODEJS_TRANSPILE_ONLY", "true");
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

impl Outcome {
    /// Returns the outcome if it is a success.
    #[track_caller]
    pub(crate) fn succeeded(self) -> Self {
        assert!(self.success, "the command failed:\n{}", self.text);
        self
    }

    /// Returns the outcome if it is a failure.
    #[track_caller]
    pub(crate) fn failed(self) -> Self {
        assert!(!self.success, "the command succeeded:\n{}", self.text);
        self
    }

    /// Returns the outcome if its text contains this part.
    #[track_caller]
    pub(crate) fn says(self, part: &str) -> Self {
        // The engine wraps no lines without a terminal, but indents them.
        assert!(self.text.contains(part), "{part:?} is not in:\n{}", self.text);
        self
    }

    /// Returns the outcome if its text does not contain this part.
    #[track_caller]
    pub(crate) fn never_says(self, part: &str) -> Self {
        assert!(!self.text.contains(part), "{part:?} is in:\n{}", self.text);
        self
    }
}
