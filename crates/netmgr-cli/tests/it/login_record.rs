//! Logins that processes count together: many processes do not lock the account.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Manager, Run, signal};

/// A manager, a home, and processes that use both.
struct Stage {
    manager: Manager,
    home: TempDir,
}

impl Stage {
    fn new() -> Self {
        Self::with(&[])
    }

    /// A manager with these options.
    fn with(options: &[&str]) -> Self {
        Self {
            manager: Manager::with(&[&["--counters"], options].concat()),
            home: tempfile::tempdir().unwrap(),
        }
    }

    /// A lookup with this password.
    fn lookup(&self, password: &str, more: &[(&str, &str)]) -> Command {
        let mut command = self
            .manager
            .program(&["get", "getPolicyBfdProfile", "--id", "fast-bfd"]);
        command
            .envs(more.iter().copied())
            .env("NETMGR_PASSWORD", password)
            .env("HOME", self.home.path());
        command
    }

    fn ask(&self, password: &str) -> Run {
        Run::of(&mut self.lookup(password, &[]))
    }

    /// The right password.
    fn right(&self) -> &str {
        self.manager.variable("NETMGR_PASSWORD")
    }

    fn folder(&self) -> PathBuf {
        self.home.path().join(".local/state/netmgr/logins")
    }

    /// The file of the account.
    fn file(&self) -> PathBuf {
        let files = fs::read_dir(self.folder()).unwrap();
        let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        assert_eq!(files.len(), 1, "{files:?}");
        files.into_iter().next().unwrap()
    }

    /// Whether a login was counted.
    fn is_counted(&self) -> bool {
        let files = fs::read_dir(self.folder()).into_iter().flatten();
        let mut texts = files.filter_map(|file| fs::read_to_string(file.ok()?.path()).ok());
        texts.any(|text| text.contains("credential"))
    }

    /// Runs the command ten times at once. Returns the texts on standard error.
    fn ten(&self, password: &str, more: &[(&str, &str)]) -> Vec<Run> {
        let start = |_| {
            let mut command = self.lookup(password, more);
            command
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        };
        let children: Vec<Child> = (0..10).map(start).collect();
        let wait = |child: Child| Run::from(child.wait_with_output().unwrap());
        children.into_iter().map(wait).collect()
    }

    /// Logins that the manager rejected.
    fn failed_logins(self) -> u64 {
        let counted: Value = serde_json::from_str(&self.manager.last_words()).unwrap();
        counted["failedLogins"].as_u64().unwrap()
    }
}

#[test]
fn ten_processes_with_a_wrong_password_lock_no_account() {
    for more in [&[][..], &[("NETMGR_SESSION_AUTH", "false")]] {
        let stage = Stage::new();
        let mut not_sent = 0;
        for _ in 0..2 {
            for run in stage.ten("wrong", more) {
                assert_eq!((run.code, run.stdout.as_str()), (5, ""), "{run:?}");
                not_sent += usize::from(run.stderr.contains("not sent, because the manager rejected"));
            }
        }
        assert!(not_sent >= 16, "{not_sent} {more:?}");
        // A changed password is sent immediately, by all.
        for run in stage.ten(stage.right(), more) {
            assert_eq!(run.code, 0, "{run:?}");
        }
        assert!((1..=4).contains(&stage.failed_logins()), "{more:?}");
    }
}

#[test]
fn a_rejection_holds_for_sessions_and_for_passwords_with_each_request() {
    let stage = Stage::new();
    for more in [
        &[][..],
        &[("NETMGR_SESSION_AUTH", "false")],
        &[("NETMGR_SESSION_AUTH", "true")],
    ] {
        for run in stage.ten("wrong", more) {
            assert_eq!(run.code, 5, "{run:?}");
        }
    }
    assert!((1..=4).contains(&stage.failed_logins()));
}

#[test]
fn a_record_that_cannot_be_written_ends_no_process() {
    let stage = Stage::new();
    let lookup = stage.lookup(stage.right(), &[]);
    let mut limited = Command::new("bash");
    limited
        .args(["-c", "ulimit -f 0; exec \"$@\"", "bash"])
        .arg(lookup.get_program())
        .args(lookup.get_args())
        .env_clear();
    for (name, value) in lookup.get_envs() {
        limited.envs(value.map(|value| (name, value)));
    }
    let run = Run::of(&mut limited);
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn the_error_names_the_time_and_the_file_whose_removal_sends_the_login_again() {
    let stage = Stage::new();
    assert!(!stage.ask("wrong").stderr.contains("not sent"));
    let error = stage.ask("wrong").stderr;
    let file = stage.file();
    for part in [
        "not sent, because the manager rejected the same user name and password at ",
        "Z",
        "T",
        "correct the user name or password",
        file.to_str().unwrap(),
    ] {
        assert!(error.contains(part), "{part} in {error}");
    }
    assert!(!error.contains("wrong"), "{error}");
    let mut doctor = stage.manager.program(&["doctor"]);
    let doctor = Run::of(
        doctor
            .env("NETMGR_PASSWORD", "wrong")
            .env("HOME", stage.home.path()),
    );
    assert!(doctor.stdout.contains("rejected the login"), "{doctor:?}");
    assert!(!doctor.stdout.contains("not sent"), "{doctor:?}");
    assert!(stage.ask("wrong").stderr.contains("not sent"));
    fs::remove_file(file).unwrap();
    assert!(!stage.ask("wrong").stderr.contains("not sent"));
    assert_eq!(stage.failed_logins(), 3);
}

#[test]
fn a_login_that_the_manager_accepts_clears_the_rejection() {
    let stage = Stage::new();
    // The account is locked temporarily, as with a password that becomes right.
    assert!(!stage.ask("wrong").stderr.contains("not sent"));
    assert_eq!(stage.ask(stage.right()).code, 0);
    assert!(!stage.ask("wrong").stderr.contains("not sent"));
    assert_eq!(stage.failed_logins(), 2);
}

#[test]
fn a_home_that_cannot_be_used_costs_the_guard_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    File::create(&file).unwrap();
    // Root may write everywhere, so a file at the path of the folder simulates a home without permissions.
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o500)).unwrap();
    for home in [
        Some(file.as_path()),
        Some(&locked),
        Some(Path::new("/proc")),
        Some(Path::new("/dev/full")),
        None,
    ] {
        let stage = Stage::new();
        let run = |password: &str| {
            let mut command = stage.lookup(password, &[]);
            match home {
                Some(home) => command.env("HOME", home),
                None => command.env_remove("HOME"),
            };
            Run::of(&mut command)
        };
        assert_eq!(run(stage.right()).code, 0, "{home:?}");
        assert_eq!(run("wrong").code, 5, "{home:?}");
        assert_eq!(run(stage.right()).code, 0, "{home:?}");
    }
}

#[test]
fn a_file_that_is_damaged_is_replaced() {
    let stage = Stage::new();
    stage.ask("wrong");
    fs::write(stage.file(), "{\"salt\": [").unwrap();
    assert!(!stage.ask("wrong").stderr.contains("not sent"));
    assert!(stage.ask("wrong").stderr.contains("not sent"));
    assert_eq!(stage.failed_logins(), 2);
}

#[test]
fn unclear_responses_count_in_all_processes_and_doctor_logs_in() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("requests");
    let fault = "POST /api/session/create status=500";
    let stage = Stage::with(&["--fault", fault, "--request-log", log.to_str().unwrap()]);
    let logins = || {
        fs::read_to_string(&log)
            .unwrap()
            .matches("/api/session/create")
            .count()
    };
    for _ in 0..4 {
        assert_ne!(stage.ask(stage.right()).code, 0);
    }
    let error = stage.ask(stage.right()).stderr;
    assert!(
        error.contains("not sent, because 4 logins in the last 3 minutes had no clear response"),
        "{error}"
    );
    assert_eq!(logins(), 4);
    let mut doctor = stage.manager.program(&["doctor"]);
    Run::of(doctor.env("HOME", stage.home.path()));
    assert_eq!(logins(), 5);
}

#[test]
fn a_process_that_is_killed_or_stopped_during_its_login_delays_no_other() {
    for end in ["-KILL", "-STOP"] {
        let stage = Stage::new();
        // The login is not answered.
        stage.manager.signal("-STOP");
        let mut first = stage.lookup("wrong", &[]).stderr(Stdio::null()).spawn().unwrap();
        while !stage.is_counted() {
            std::thread::yield_now();
        }
        signal(&first, end);
        stage.manager.signal("-CONT");
        #[allow(clippy::disallowed_methods, reason = "another process, so no paused clock")]
        let start = Instant::now();
        assert_eq!(stage.ask(stage.right()).code, 0, "{end}");
        assert!(start.elapsed() < Duration::from_secs(5), "{end}");
        first.kill().unwrap();
        first.wait().unwrap();
    }
}
