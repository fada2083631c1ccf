//! The step of the page for newcomers that uses Terraform. The tests of the command line run the other steps.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::support::{Host, host};
use crate::programs::{program, programs};

const PAGE: &str = include_str!("../../../docs/getting-started.md");

/// The longest time for the commands, on a slow machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The parts of the step: commands, a configuration, and what the last command prints.
struct Step<'a> {
    serve: String,
    build: String,
    configuration: &'a str,
    plan: String,
    printed: String,
}

impl Step<'_> {
    fn read() -> Self {
        let (_, step) = PAGE.split_once("\n## 4.").unwrap();
        let (step, _) = step.split_once("\n## 5.").unwrap();
        let (commands, rest) = step.split_once("```terraform\n").unwrap();
        let (configuration, rest) = rest.split_once("```\n").unwrap();
        let [serve, build] = indented(commands).try_into().unwrap();
        let [last] = indented(rest).try_into().unwrap();
        let (plan, printed) = last.split_once('\n').unwrap();
        Self {
            serve,
            build,
            configuration,
            plan: plan.strip_prefix("$ ").unwrap().to_owned(),
            printed: printed.to_owned(),
        }
    }
}

/// The indented blocks of a page.
fn indented(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let blocks = lines.split(|line| !line.starts_with("    "));
    let blocks = blocks.filter(|block| !block.is_empty());
    blocks
        .map(|block| block.iter().map(|line| format!("{}\n", &line[4..])).collect())
        .collect()
}

/// A shell in `folder` with the programs that a newcomer has installed.
fn terminal(root: &Path, folder: &str, script: &str) -> Child {
    let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
    let mut shell = Command::new("sh");
    shell
        .args(["-ec", script])
        .current_dir(root.join(folder))
        .env_clear()
        .env("PATH", path)
        .env("HOME", root)
        .env("TMPDIR", root)
        .env("CHECKPOINT_DISABLE", "1")
        .env("TF_CLI_ARGS", "-no-color")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    shell.spawn().unwrap()
}

/// Installs what the page requires in `bin`. Its cargo, instead of compiling for minutes, puts the program that is built
/// already where that command would.
fn install(host: &Host, bin: &Path) {
    fs::create_dir(bin).unwrap();
    symlink(&host.program, bin.join("terraform")).unwrap();
    symlink(program("netmgr"), bin.join("netmgr")).unwrap();
    let cargo = format!(
        "#!/bin/sh\n[ \"$1 $2 $3\" = \"build --release -p\" ] && mkdir -p target/release && \
         ln -s \"{}/$4\" target/release/\n",
        programs().display()
    );
    fs::write(bin.join("cargo"), cargo).unwrap();
    fs::set_permissions(bin.join("cargo"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_step_of_getting_started_with_terraform_runs_as_it_is_written() {
    let host = host!("the_step_of_getting_started_with_terraform_runs_as_it_is_written");
    let step = Step::read();
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    install(host, &root.join("bin"));
    for folder in ["clone", "empty"] {
        fs::create_dir(root.join(folder)).unwrap();
    }

    let mut first = terminal(root, "clone", &format!("exec {}", step.serve));
    let mut serving = String::new();
    let mut stderr = BufReader::new(first.stderr.take().unwrap());
    stderr.read_line(&mut serving).await.unwrap();
    // The lines for the shell were written at once, before that one.
    let mut lines = vec![0; 4096];
    let length = first.stdout.as_mut().unwrap().read(&mut lines).await.unwrap();
    let lines = String::from_utf8_lossy(&lines[..length]);
    assert!(lines.starts_with("export NETMGR_"), "{lines}{serving}");

    fs::write(root.join("empty/main.tf"), step.configuration).unwrap();
    let script = format!("{lines}{}cd ../empty\n{}", step.build, step.plan);
    let second = terminal(root, "clone", &script).wait_with_output();
    let second = tokio::time::timeout(PATIENCE, second).await.unwrap().unwrap();
    let [stdout, stderr] = [second.stdout, second.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(second.status.success(), "{script}\n{stdout}\n{stderr}");
    assert!(stdout.contains(&step.printed), "{stdout}");
    first.kill().await.unwrap();
}
