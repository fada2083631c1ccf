//! Unusual environments and ends of each binary: closed and full streams, signals, no home, full disks.
//!
//! Killed engines and hosts are in the suites `engine` and `terraform`, rejected logins in the tests of the binaries.

#![cfg(target_os = "linux")]

mod clocks;
mod full_disk;

use std::fs;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use netmgr_sim::Simulator;
use pulumi_testing::until;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::Command;
use tokio::time::timeout;

use crate::programs::program;

/// Maximum time for one process, on a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A binary, and how it serves.
struct Program {
    name: &'static str,
    serve: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
}

const PROGRAMS: [Program; 4] = [
    Program {
        name: "netmgr",
        serve: &["simulate"],
        variables: &[],
    },
    Program {
        name: "pulumi-resource-netmgr",
        serve: &["127.0.0.1:1"],
        variables: &[],
    },
    Program {
        name: "pulumi-resource-clusterpkg",
        serve: &["127.0.0.1:1"],
        variables: &[],
    },
    Program {
        name: "terraform-provider-netmgr",
        serve: &[],
        variables: &[
            (
                "TF_PLUGIN_MAGIC_COOKIE",
                "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
            ),
            ("PLUGIN_PROTOCOL_VERSIONS", "6"),
        ],
    },
];

impl Program {
    /// The binary behind a shell command, in which `"$@"` is the binary with `arguments`.
    fn behind(&self, line: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("sh");
        command
            .args(["-c", line, "sh"])
            .arg(program(self.name))
            .args(arguments)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .envs(self.variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Runs it to its end. Returns the status and the output on standard error.
    async fn end(&self, line: &str, arguments: &[&str], home: Option<&str>) -> (ExitStatus, String) {
        let mut command = self.behind(line, arguments);
        command.envs(home.map(|home| ("HOME", home)));
        let output = timeout(PATIENCE, command.output()).await;
        let output = output
            .unwrap_or_else(|_| panic!("{} does not end: {line}", self.name))
            .unwrap();
        (output.status, String::from_utf8(output.stderr).unwrap())
    }
}

#[tokio::test]
async fn streams_that_are_closed_or_full_and_homes_that_cannot_be_used_are_no_crash() {
    // A name, the shell command, the argument, the home, and the exit code.
    let cases = [
        ("stdin closed", r#"exec "$@" <&-"#, "--help", None, 0),
        ("stdout closed", r#"exec "$@" >&-"#, "--help", None, 0),
        ("stdout full", r#"exec "$@" >/dev/full"#, "--help", None, 1),
        (
            "stdout full, version",
            r#"exec "$@" >/dev/full"#,
            "--version",
            None,
            1,
        ),
        (
            "reader gone",
            r#"{ "$@"; echo "code $?" >&2; } | true"#,
            "--help",
            None,
            0,
        ),
        ("stderr closed", r#"exec "$@" >/dev/full 2>&-"#, "--help", None, 1),
        (
            "stderr full",
            r#"exec "$@" >/dev/full 2>/dev/full"#,
            "--help",
            None,
            1,
        ),
        ("no home", r#"exec "$@""#, "--help", None, 0),
        ("home read-only", r#"exec "$@""#, "--help", Some("/proc"), 0),
        (
            "no file may grow",
            r#"trap "" XFSZ; ulimit -f 0; exec "$@""#,
            "--help",
            None,
            0,
        ),
    ];
    for program in &PROGRAMS {
        for (case, line, argument, home, code) in cases {
            let (status, errors) = program.end(line, &[argument], home).await;
            let name = program.name;
            assert!(status.code() == Some(code), "{name}, {case}: {status}\n{errors}");
            assert!(!errors.contains("panicked"), "{name}, {case}: {errors}");
            assert!(!errors.contains("code 1"), "{name}, {case}: {errors}");
        }
    }
}

#[tokio::test]
async fn a_program_that_cannot_announce_itself_ends() {
    for program in &PROGRAMS {
        for line in [
            r#"exec "$@" >/dev/full"#,
            r#"exec "$@" >/dev/full 2>/dev/full"#,
            r#"exec "$@" >/dev/full 2>&-"#,
        ] {
            let (status, errors) = program.end(line, program.serve, None).await;
            assert_eq!(status.code(), Some(1), "{}: {line}\n{errors}", program.name);
            assert!(!errors.contains("panicked"), "{}: {errors}", program.name);
        }
    }
}

#[tokio::test]
async fn a_signal_ends_every_program_whatever_its_streams_are() {
    for program in &PROGRAMS {
        for streams in [
            r#"exec "$@""#,
            r#"exec "$@" 2>/dev/full"#,
            r#"exec "$@" 2>&-"#,
            r#"exec "$@" <&-"#,
        ] {
            for signal in ["TERM", "INT", "HUP"] {
                // Ctrl-C reaches the host and its providers at the same time. The host ends them when they have
                // answered.
                if signal == "INT" && program.name.starts_with("terraform-") {
                    continue;
                }
                if signal == "HUP" && ignores_hangups("self") {
                    continue;
                }
                let case = format!("{} {signal} {streams}", program.name);
                let folder = tempfile::tempdir().unwrap();
                let mut command = program.behind(streams, program.serve);
                command
                    .env("TMPDIR", folder.path())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::null());
                let mut process = command.spawn().unwrap();
                let mut line = String::new();
                let mut stdout = BufReader::new(process.stdout.take().unwrap());
                let ready = timeout(PATIENCE, stdout.read_line(&mut line)).await;
                assert!(ready.expect(&case).unwrap() > 0, "{case}");
                let id = process.id().unwrap().to_string();
                let sent = std::process::Command::new("kill")
                    .args([&format!("-{signal}"), &id])
                    .status();
                assert!(sent.unwrap().success());
                let status = timeout(PATIENCE, process.wait()).await.expect(&case).unwrap();
                assert!(status.success(), "{case}: {status}");
                let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
                assert!(left.is_empty(), "{case}: {left:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_hangup_that_is_ignored_stays_ignored() {
    for program in &PROGRAMS {
        let mut command = program.behind(r#"trap "" HUP; exec "$@""#, program.serve);
        let mut process = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        let ready = timeout(PATIENCE, stdout.read_line(&mut line)).await;
        assert!(ready.expect(program.name).unwrap() > 0, "{}", program.name);
        let id = process.id().unwrap().to_string();
        assert!(ignores_hangups(&id), "{}", program.name);
        for signal in ["-HUP", "-TERM"] {
            let sent = std::process::Command::new("kill").args([signal, &id]).status();
            assert!(sent.unwrap().success());
        }
        let status = timeout(PATIENCE, process.wait()).await.expect(program.name);
        assert!(status.unwrap().success(), "{}", program.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_ends_the_session_of_a_command() {
    const PENDING: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0013";
    const SEARCHES: &str = "GET /policy/api/v1/search/query delay=60s";

    let [netmgr, ..] = &PROGRAMS;
    let wait = ["get", "compute-manager-realization", "--delay=0", "--id", PENDING];
    let state = format!("/api/v1/fabric/compute-managers/{PENDING}/state");
    for (arguments, path) in [(&wait[..], &*state), (&["doctor"], "/policy/api/v1/search/query")] {
        for (signal, code) in [("-INT", 130), ("-TERM", 130), ("-HUP", 129)] {
            if signal == "-HUP" && ignores_hangups("self") {
                continue;
            }
            let case = format!("{arguments:?} {signal}");
            let manager = Simulator::builder().fault(SEARCHES.parse().unwrap());
            let manager = manager.start().await.unwrap();
            let mut command = netmgr.behind(r#"exec "$@""#, arguments);
            let process = command.envs(manager.env()).spawn().unwrap();
            let requested = || manager.requests().iter().any(|request| request.path == path);
            until(&case, requested).await;
            let id = process.id().unwrap().to_string();
            let sent = std::process::Command::new("kill").args([signal, &id]).status();
            assert!(sent.unwrap().success());
            let output = timeout(PATIENCE, process.wait_with_output()).await.expect(&case);
            let output = output.unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(code), "{case}: {errors}");
            assert!(errors.ends_with("error: interrupted\n"), "{case}: {errors}");
            assert_eq!(
                (manager.counters().logins, manager.open_sessions()),
                (1, 0),
                "{case}"
            );
        }
    }
}

/// Whether the process `id` ignores hangups, as below `nohup`. Child processes inherit that.
pub(crate) fn ignores_hangups(id: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & 1 == 1)
}

#[tokio::test]
async fn a_plugin_ends_with_the_stdin_of_its_engine() {
    for program in PROGRAMS
        .iter()
        .filter(|program| program.name.starts_with("pulumi-"))
    {
        let mut command = program.behind(r#"exec "$@""#, program.serve);
        let mut process = command.stdin(Stdio::piped()).spawn().unwrap();
        drop(process.stdin.take());
        let status = timeout(PATIENCE, process.wait())
            .await
            .expect(program.name)
            .unwrap();
        assert!(status.success(), "{}: {status}", program.name);
    }
}

#[tokio::test]
async fn a_plugin_ends_with_the_process_that_started_it_whatever_its_stdin_is() {
    let [_, plugins @ ..] = &PROGRAMS;
    for program in plugins {
        for stdin in [Stdio::piped(), Stdio::null()] {
            // The shell waits for the plugin, because another command follows.
            let mut command = program.behind(r#""$@"; true"#, program.serve);
            command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::null());
            let mut starter = command.spawn().unwrap();
            let _held = starter.stdin.take();
            let mut stdout = BufReader::new(starter.stdout.take().unwrap());
            let mut output = String::new();
            let ready = timeout(PATIENCE, stdout.read_line(&mut output)).await;
            assert!(ready.expect(program.name).unwrap() > 0, "{}", program.name);
            starter.kill().await.unwrap();
            let ended = timeout(Duration::from_secs(20), stdout.read_to_string(&mut output)).await;
            ended.expect(program.name).unwrap();
        }
    }
}

#[tokio::test]
async fn a_plugin_that_a_person_started_outlives_the_shell() {
    let [_, plugins @ .., provider] = &PROGRAMS;
    for (program, arguments) in plugins
        .iter()
        .map(|one| (one, &[][..]))
        .chain([(provider, &["--debug"][..])])
    {
        let mut command = program.behind(r#""$@"; true"#, arguments);
        let mut shell = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let shell_id = shell.id().unwrap().to_string();
        let mut stdout = BufReader::new(shell.stdout.take().unwrap());
        let mut output = String::new();
        let ready = timeout(PATIENCE, stdout.read_line(&mut output)).await;
        assert!(ready.expect(program.name).unwrap() > 0, "{}", program.name);
        let children = fs::read_to_string(format!("/proc/{shell_id}/task/{shell_id}/children")).unwrap();
        shell.kill().await.unwrap();
        let ended = timeout(Duration::from_secs(3), stdout.read_to_string(&mut output)).await;
        assert!(ended.is_err(), "{}", program.name);
        let stopped = std::process::Command::new("kill").arg(children.trim()).status();
        assert!(stopped.unwrap().success(), "{}", program.name);
    }
}

#[tokio::test]
async fn a_full_disk_leaves_files_as_they_were() {
    let [netmgr, ..] = &PROGRAMS;
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.toml");
    let text = "profile = \"a\"\n[profiles.a]\nhost = \"a\"\n[profiles.b]\nhost = \"b\"\n";
    let path = config.to_str().unwrap();
    let manual = folder.path().join("man");
    let manual = manual.to_str().unwrap();
    for limit in [
        r#"trap "" XFSZ; ulimit -f 0; exec "$@""#,
        r#"ulimit -c 0; ulimit -f 0; exec "$@""#,
    ] {
        for arguments in [
            &["config", "use", "b", "--config", path][..],
            &["man", "--dir", manual],
        ] {
            fs::write(&config, text).unwrap();
            let (status, errors) = netmgr.end(limit, arguments, None).await;
            assert!(!status.success(), "{arguments:?}: {errors}");
            assert!(!errors.contains("panicked"), "{errors}");
            assert_eq!(fs::read_to_string(&config).unwrap(), text, "{arguments:?}");
            let pages = fs::read_dir(manual).into_iter().flatten();
            let pages: Vec<_> = pages
                .filter(|page| {
                    page.as_ref()
                        .unwrap()
                        .path()
                        .extension()
                        .is_some_and(|end| end == "1")
                })
                .collect();
            assert!(pages.is_empty(), "{pages:?}");
        }
    }
    let (status, errors) = netmgr
        .end(r#"exec "$@""#, &["config", "use", "b", "--config", path], None)
        .await;
    assert!(status.success(), "{errors}");
    assert!(fs::read_to_string(&config).unwrap().contains("profile = \"b\""));
}
