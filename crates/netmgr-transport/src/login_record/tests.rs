//! Tests of the files with one process. Tests with many processes are in the tests of the binaries.

use std::fs;
use std::path::Path;

use netmgr_types::{Host, Login, LoginScheme};
use tempfile::TempDir;
use tokio::time::advance;

use super::account_file::{AccountLogins, LENGTH};
use super::*;

const ATTEMPT: Duration = Duration::from_secs(60);

struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn record(&self) -> LoginRecord {
        LoginRecord::in_folder(self.0.path().join("state").join("logins"))
    }

    /// The logins of a process with this password.
    fn process(&self, password: &str) -> LoginCount {
        self.of(Credentials::Session(Login::new("admin", password)))
    }

    fn of(&self, credentials: Credentials) -> LoginCount {
        count(Some(&self.record()), credentials)
    }
}

fn count(record: Option<&LoginRecord>, credentials: Credentials) -> LoginCount {
    let host = Host::parse("mgr.example.com").unwrap();
    LoginCount::new(record, &Connection::new(host, credentials), ATTEMPT)
}

/// The logins of a client without a file.
fn alone() -> LoginCount {
    count(None, Credentials::Session(Login::new("admin", "x")))
}

async fn log_in(count: &LoginCount, end: CountedEnd) {
    let login = count
        .begin(true)
        .await
        .unwrap_or_else(|hurdle| panic!("{hurdle:?}"));
    count.end(login, end).await;
}

async fn hurdle(count: &LoginCount) -> Option<Hurdle> {
    count.begin(true).await.err()
}

async fn is_rejected(count: &LoginCount) -> bool {
    matches!(hurdle(count).await, Some(Hurdle::Rejected(_)))
}

fn path(count: &LoginCount) -> &Path {
    &count.file.as_ref().unwrap().path
}

/// Moves the times in the file, as if the clock had been set.
fn shift(count: &LoginCount, by: impl Fn(u64) -> u64) {
    let mut contents: AccountLogins = serde_json::from_slice(&fs::read(path(count)).unwrap()).unwrap();
    for login in &mut contents.logins.0 {
        login.at = by(login.at);
    }
    fs::write(path(count), serde_json::to_vec(&contents).unwrap()).unwrap();
}

const SECOND: u64 = 1_000_000;

#[tokio::test]
async fn all_processes_together_send_four_logins_without_success_in_three_minutes() {
    let home = Home::new();
    for _ in 0..4 {
        assert_eq!(hurdle(&home.process("x")).await, None);
        shift(&home.process("x"), |at| at - 30 * SECOND);
    }
    // A process that was killed counts, and is waited for within the attempt timeout.
    shift(&home.process("x"), |at| at - 50 * SECOND);
    let Some(Hurdle::Spent(after)) = hurdle(&home.process("x")).await else {
        panic!("a fifth login")
    };
    assert!(after < Duration::from_secs(11), "{after:?}");
    shift(&home.process("x"), |at| at - 11 * SECOND);
    assert_eq!(hurdle(&home.process("x")).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_client_without_a_file_counts_its_own_logins() {
    for (logins, end, holds) in [
        (4, CountedEnd::Unclear, WINDOW),
        (1, CountedEnd::Rejected, REJECTION_HOLDS),
    ] {
        let client = alone();
        for _ in 0..logins {
            log_in(&client, end).await;
        }
        assert!(client.begin(true).await.is_err());
        advance(holds - Duration::from_secs(1)).await;
        assert!(client.begin(true).await.is_err());
        advance(Duration::from_secs(1)).await;
        log_in(&client, end).await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_login_needs_permission_after_unclear_ones() {
    let client = alone();
    for _ in 0..3 {
        log_in(&client, CountedEnd::Unclear).await;
    }
    assert_eq!(client.begin(false).await.err(), Some(Hurdle::LastOne));
    log_in(&client, CountedEnd::Unclear).await;
    assert!(matches!(client.begin(true).await.err(), Some(Hurdle::Spent(_))));
}

#[tokio::test(start_paused = true)]
async fn a_login_that_was_not_checked_does_not_count_and_a_success_ends_the_count() {
    let client = alone();
    for _ in 0..3 {
        for _ in 0..3 {
            log_in(&client, CountedEnd::Unclear).await;
        }
        for _ in 0..10 {
            log_in(&client, CountedEnd::Unchecked).await;
        }
        log_in(&client, CountedEnd::Accepted).await;
    }
}

#[tokio::test(start_paused = true)]
async fn four_logins_under_way_are_waited_for_within_the_attempt_timeout() {
    let client = alone();
    for _ in 0..4 {
        let _counted = client.begin(true).await.ok().unwrap();
    }
    advance(ATTEMPT - Duration::from_secs(1)).await;
    assert_eq!(hurdle(&client).await, Some(Hurdle::UnderWay));
    advance(Duration::from_millis(1001)).await;
    assert!(matches!(hurdle(&client).await, Some(Hurdle::Spent(_))));
}

#[tokio::test]
async fn a_rejected_login_is_not_sent_again_and_a_changed_password_is() {
    let home = Home::new();
    log_in(&home.process("wrong"), CountedEnd::Rejected).await;
    let error = home.process("wrong");
    let hurdle = hurdle(&error).await.unwrap();
    let error = error.error(&hurdle).to_string();
    for part in [
        "the manager rejected the login: request: not sent, because the manager rejected the same user name and password",
        "netmgr doctor",
        path(&home.process("x")).to_str().unwrap(),
    ] {
        assert!(error.contains(part), "{part} in {error}");
    }
    log_in(&home.process("right"), CountedEnd::Accepted).await;
    log_in(&home.process("wrong"), CountedEnd::Unchecked).await;
}

#[tokio::test]
async fn a_process_that_logs_in_always_replaces_the_record() {
    let home = Home::new();
    let always = || {
        let login = Login::new("admin", "x");
        count(
            Some(&home.record().logging_in_always()),
            Credentials::Session(login),
        )
    };
    log_in(&home.process("x"), CountedEnd::Rejected).await;
    log_in(&always(), CountedEnd::Rejected).await;
    assert!(is_rejected(&home.process("x")).await);
    log_in(&always(), CountedEnd::Unclear).await;
    log_in(&home.process("x"), CountedEnd::Accepted).await;
}

#[tokio::test]
async fn another_user_scheme_or_manager_is_another_login() {
    let home = Home::new();
    log_in(&home.process("wrong"), CountedEnd::Rejected).await;
    let remote = Login::new("admin", "wrong").scheme(LoginScheme::Remote);
    for other in [
        Credentials::Session(remote),
        Credentials::Session(Login::new("audit", "wrong")),
    ] {
        assert!(!is_rejected(&home.of(other)).await);
    }
    let with_each_request = Credentials::Header(Login::new("admin", "wrong"));
    assert!(is_rejected(&home.of(with_each_request)).await);
    let host = Host::parse("mgr.example.com:8443").unwrap();
    let elsewhere = Connection::new(host, Credentials::Session(Login::new("admin", "wrong")));
    assert!(!is_rejected(&LoginCount::new(Some(&home.record()), &elsewhere, ATTEMPT)).await);
    assert!(home.of(Credentials::Certificate).file.is_none());
}

#[tokio::test]
async fn a_rejection_holds_for_15_minutes_and_not_after_the_clock_was_set_back() {
    let home = Home::new();
    let wrong = home.process("wrong");
    log_in(&wrong, CountedEnd::Rejected).await;
    let holds = micros(REJECTION_HOLDS);
    for (by, is_held) in [(holds - 60 * SECOND, true), (60 * SECOND, false)] {
        shift(&wrong, |at| at - by);
        assert_eq!(is_rejected(&home.process("wrong")).await, is_held);
    }
    log_in(&wrong, CountedEnd::Rejected).await;
    shift(&wrong, |at| at + 3600 * SECOND);
    assert!(!is_rejected(&home.process("wrong")).await);
}

#[tokio::test]
async fn the_file_belongs_to_its_user_and_contains_nothing_of_the_password() {
    let home = Home::new();
    for end in [CountedEnd::Accepted, CountedEnd::Unclear, CountedEnd::Rejected] {
        let process = home.process("hunter2-wrong");
        log_in(&process, end).await;
        let folder = path(&process).parent().unwrap();
        let files: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        assert_eq!(files, [path(&process)]);
        let text = fs::read_to_string(path(&process)).unwrap();
        for part in ["hunter2", "admin", "mgr.example.com"] {
            assert!(!text.contains(part) && !path(&process).ends_with(part), "{text}");
        }
        assert_eq!(text.contains("credential"), end != CountedEnd::Accepted, "{text}");
        assert_eq!(text.len(), LENGTH);
        assert_mode(path(&process), 0o600);
        assert_mode(folder, 0o700);
    }
}

#[cfg(unix)]
#[track_caller]
fn assert_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    let permissions = fs::metadata(path).unwrap().permissions();
    assert_eq!(permissions.mode() & 0o777, mode, "{path:?}");
}

#[cfg(not(unix))]
fn assert_mode(_: &Path, _: u32) {}

#[test]
fn a_file_is_long_enough_for_all_its_logins() {
    let mut logins = RecordedLogins::default();
    for _ in 0..20 {
        logins.add(u16::MAX, u64::MAX / 2, LoginState::Rejected);
    }
    let text = serde_json::to_string(&logins).unwrap();
    let salt = serde_json::to_string(&[255; 16]).unwrap();
    let length = text.len() + salt.len() + r#"{"salt":,"logins":}"#.len();
    assert!(length <= LENGTH, "{length}");
}

#[tokio::test]
async fn a_file_that_is_damaged_is_replaced() {
    let home = Home::new();
    let wrong = home.process("wrong");
    log_in(&wrong, CountedEnd::Unchecked).await;
    for text in ["", "{", "[]", "{\"at\":1}", "\u{0}", &"9".repeat(LENGTH)] {
        fs::write(path(&wrong), text).unwrap();
        log_in(&wrong, CountedEnd::Rejected).await;
        assert!(is_rejected(&home.process("wrong")).await, "{text:.20}");
    }
}

/// The count of the client holds.
#[cfg(unix)]
#[tokio::test]
async fn a_file_that_cannot_be_used_is_not_waited_for() {
    let home = Home::new();
    let wrong = home.process("wrong");
    let file = path(&wrong);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let [old, absent] = ["old", "absent"].map(|name| home.0.path().join(name));
    fs::write(&old, "old").unwrap();
    let obstacles: [&dyn Fn(); 5] = [
        &|| std::os::unix::fs::symlink(&old, file).unwrap(),
        &|| std::os::unix::fs::symlink(&absent, file).unwrap(),
        &|| {
            let made = std::process::Command::new("mkfifo").arg(file).status();
            assert!(made.unwrap().success());
        },
        &|| fs::create_dir(file).unwrap(),
        &|| {
            let locked = fs::File::create(file).unwrap();
            locked.lock().unwrap();
            std::mem::forget(locked);
        },
    ];
    for place in obstacles {
        place();
        let process = home.process("wrong");
        log_in(&process, CountedEnd::Rejected).await;
        assert_eq!(hurdle(&process).await, Some(Hurdle::Rejected(None)));
        assert_eq!(hurdle(&home.process("wrong")).await, None, "nothing was recorded");
        assert_eq!(fs::read_to_string(&old).unwrap(), "old");
        assert!(!absent.exists());
        match file.is_dir() && !file.is_symlink() {
            true => fs::remove_dir(file).unwrap(),
            false => fs::remove_file(file).unwrap(),
        }
    }
    let nowhere = LoginRecord::in_folder("/dev/null/x");
    let nowhere = count(Some(&nowhere), Credentials::Header(Login::new("a", "b")));
    log_in(&nowhere, CountedEnd::Accepted).await;
}

#[test]
fn the_folder_follows_the_environment() {
    let of = |variables: &[(&str, &str)]| {
        state_folder(|name| {
            let variable = variables.iter().find(|(known, _)| *known == name);
            variable.map(|(_, value)| PathBuf::from(value))
        })
    };
    let root = if cfg!(windows) { "C:\\" } else { "/" };
    let path = |name: &str| format!("{root}{name}");
    let chosen = [("XDG_STATE_HOME", &*path("state")), ("HOME", &*path("home"))];
    assert_eq!(of(&chosen), Some(path("state").into()));
    assert_eq!(of(&[("XDG_STATE_HOME", "state")]), None);
    assert_eq!(of(&[]), None);
    #[cfg(all(unix, not(target_os = "macos")))]
    assert_eq!(of(&[("HOME", "/home/u")]), Some("/home/u/.local/state".into()));
}
