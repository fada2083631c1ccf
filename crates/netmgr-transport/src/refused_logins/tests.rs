//! Tests of the files with one process. Many processes are in the tests of the programs.

use std::fs::{self, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, SystemTime};

use netmgr_types::Login;
use tempfile::TempDir;

use super::record::{HOLDS, Record};
use super::turn::{Step, Turn, step, step_with, step_without_lock};
use super::*;

mod lost_replies;

const MANAGER: &str = "https://mgr.example.com";

struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("state").join("logins")
    }

    fn account(&self, password: &str) -> Account {
        Account::new(
            &self.folder(),
            MANAGER,
            &Login::new("admin", password),
            Way::Session,
        )
    }

    fn files(&self) -> Vec<String> {
        let mut files: Vec<_> = fs::read_dir(self.folder())
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        files
    }

    /// Number of logins that are noted as lost.
    fn lost(&self) -> usize {
        self.files().iter().filter(|file| file.ends_with(".lost")).count()
    }
}

fn look(account: &Account) -> Step {
    step(account, SystemTime::now(), None)
}

#[track_caller]
fn turn(account: &Account) -> Turn {
    match look(account) {
        Step::Go(turn) => turn,
        Step::Refused(at) => panic!("refused at {at:?}"),
        Step::Wait(late) => panic!("waits: {late:?}"),
        Step::Lost(until) => panic!("not before {until:?}"),
    }
}

fn is_refused(account: &Account) -> bool {
    matches!(look(account), Step::Refused(_))
}

fn waits(account: &Account) -> bool {
    matches!(look(account), Step::Wait(None))
}

/// Moves the time of a refusal, as a clock that is set does.
fn shift(account: &Account, by: impl Fn(u64) -> u64) {
    let file = account.record();
    let mut record: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let at = record["refused"][0]["at"].as_u64().unwrap();
    record["refused"][0]["at"] = by(at).into();
    fs::write(file, record.to_string()).unwrap();
}

#[test]
fn a_refused_login_is_not_sent_again_and_a_changed_password_is() {
    let home = Home::new();
    let wrong = home.account("wrong");
    turn(&wrong).refused(&wrong);
    assert!(is_refused(&home.account("wrong")));
    let right = home.account("right");
    turn(&right).accepted(&right);
    // The wrong one stays wrong.
    assert!(is_refused(&home.account("wrong")));
}

#[test]
fn another_manager_user_scheme_or_way_is_another_login() {
    let home = Home::new();
    let wrong = home.account("wrong");
    turn(&wrong).refused(&wrong);
    let login = |user: &str| Login::new(user, "wrong");
    let remote = login("admin").scheme(LoginScheme::Remote);
    for (manager, login, way) in [
        ("https://mgr.example.com:8443", login("admin"), Way::Session),
        (MANAGER, login("audit"), Way::Session),
        (MANAGER, remote, Way::Session),
        (MANAGER, login("admin"), Way::Header),
    ] {
        let other = Account::new(&home.folder(), manager, &login, way);
        drop(turn(&other));
    }
}

#[test]
fn a_refusal_holds_for_the_lockout_period_and_not_after_the_clock_was_set_back() {
    let home = Home::new();
    let wrong = home.account("wrong");
    turn(&wrong).refused(&wrong);
    let holds = u64::try_from(HOLDS.as_micros()).unwrap();
    shift(&wrong, |at| at - holds + 60_000_000);
    assert!(is_refused(&wrong));
    shift(&wrong, |at| at - 60_000_000);
    drop(turn(&wrong));
    shift(&wrong, |at| at + holds);
    assert!(is_refused(&wrong));
    shift(&wrong, |at| at + 3_600_000_000);
    drop(turn(&wrong));
}

#[test]
fn an_acceptance_before_the_clock_was_set_back_counts_for_nothing() {
    let home = Home::new();
    let account = home.account("right");
    let mut record = Record::new().unwrap();
    let arrival = SystemTime::now();
    let later = |seconds: u64| arrival + Duration::from_secs(seconds);
    record.accept(&account, later(2));
    assert!(record.accepted_since(&account, arrival, later(3)));
    record.accept(&account, later(3600));
    assert!(!record.accepted_since(&account, arrival, later(3)));
    assert!(record.accepted_since(&account, arrival, later(3601)));
}

#[test]
fn one_login_is_sent_at_a_time_until_one_was_accepted() {
    let home = Home::new();
    let (first, second) = (home.account("right"), home.account("right"));
    let arrival = SystemTime::now();
    let sending = turn(&first);
    assert!(matches!(step(&second, arrival, None), Step::Wait(None)));
    sending.accepted(&first);
    drop(sending);
    // A third process is quicker. The second need not wait for it.
    let third = turn(&home.account("right"));
    assert!(matches!(step(&second, arrival, None), Step::Go(_)));
    assert!(
        waits(&home.account("right")),
        "an acceptance before the arrival counts for nothing"
    );
    assert!(waits(&home.account("wrong")));
    drop(third);
    drop(turn(&second));
}

#[test]
fn a_login_that_takes_too_long_keeps_nobody_waiting() {
    let home = Home::new();
    let (first, second, third) = (home.account("x"), home.account("x"), home.account("x"));
    let stopped = turn(&first);
    let long_ago = SystemTime::now() - Duration::from_secs(11);
    let lock = fs::File::open(first.file("lock")).unwrap();
    for began in [long_ago, SystemTime::now() + Duration::from_secs(3600)] {
        lock.set_modified(began).unwrap();
        let Step::Wait(Some(seen)) = look(&second) else {
            panic!("the time is seen twice");
        };
        let Step::Go(turn) = step(&second, SystemTime::now(), Some(seen)) else {
            panic!("goes");
        };
        // The others wait for this one.
        assert!(waits(&third));
        drop(turn);
        assert!(matches!(look(&third), Step::Wait(Some(_))));
    }
    drop(stopped);
}

#[test]
fn a_turn_that_ends_late_does_not_end_the_one_that_took_over() {
    let home = Home::new();
    let account = home.account("x");
    let stopped = turn(&account);
    let lock = fs::File::open(account.file("lock")).unwrap();
    let modified = || lock.metadata().unwrap().modified().unwrap();
    lock.set_modified(SystemTime::now() - Duration::from_secs(11))
        .unwrap();
    let Step::Go(turn) = step(&account, SystemTime::now(), Some(modified())) else {
        panic!("takes over");
    };
    let began = modified();
    drop(stopped);
    assert_eq!(modified(), began);
    drop(turn);
    assert_eq!(modified(), SystemTime::UNIX_EPOCH);
}

#[test]
fn a_login_waits_for_no_other_if_files_cannot_be_locked() {
    let home = Home::new();
    let account = home.account("x");
    let look = || {
        step_with(&account, SystemTime::now(), None, |_| {
            Err(TryLockError::Error(ErrorKind::Unsupported.into()))
        })
    };
    let Step::Go(turn) = look() else {
        panic!("goes");
    };
    assert!(matches!(look(), Step::Go(_)));
    turn.refused(&account);
    assert!(matches!(look(), Step::Refused(_)));
}

#[tokio::test]
async fn a_client_waits_once_until_there_is_a_verdict() {
    let home = Home::new();
    let guard = guard(home.account("x"));
    let _stopped = turn(&home.account("x"));
    fs::File::open(guard.account.file("lock"))
        .unwrap()
        .set_modified(SystemTime::now() - Duration::from_secs(11))
        .unwrap();
    // Waits for a moment, and takes over.
    let first = guard.turn().await.unwrap_or_else(|_| panic!("takes over"));
    assert!(waits(&guard.account));
    let second = timeout(Duration::from_secs(5), guarded_turn(&guard)).await;
    let second = second.expect("is sent without another wait");
    second.end(LoginEnd::Uncounted).await;
    assert!(guard.has_waited.load(Relaxed));
    let third = guarded_turn(&guard).await;
    third.end(LoginEnd::Accepted).await;
    assert!(!guard.has_waited.load(Relaxed));
    drop(first);
}

fn guard(account: Account) -> Guard {
    Guard {
        account: Arc::new(account),
        is_slow: Arc::default(),
        has_waited: Arc::default(),
        current: Arc::default(),
    }
}

async fn guarded_turn(guard: &Guard) -> GuardedTurn {
    let turn = Guard::turn_of(Some(guard)).await;
    turn.unwrap_or_else(|_| panic!("goes"))
}

#[tokio::test]
async fn a_client_shares_its_turn_and_does_not_wait_for_it() {
    let home = Home::new();
    let guard = guard(home.account("x"));
    let first = guarded_turn(&guard).await;
    let second = timeout(Duration::from_secs(2), guarded_turn(&guard));
    let second = second.await.expect("does not wait for its own turn");
    // It is that of both, until both have ended.
    second.end(LoginEnd::Uncounted).await;
    assert!(waits(&home.account("x")));
    first.end(LoginEnd::Uncounted).await;
    drop(guarded_turn(&guard).await);
}

#[test]
fn files_belong_to_their_user_and_contain_nothing_of_the_password() {
    let home = Home::new();
    let wrong = home.account("hunter2-wrong");
    turn(&wrong).refused(&wrong);
    let files = home.files();
    assert_eq!(files.len(), 2, "{files:?}");
    for file in files {
        let path = home.folder().join(file);
        let text = fs::read_to_string(&path).unwrap();
        for part in ["hunter2", "admin", "mgr.example.com"] {
            assert!(!text.contains(part) && !path.ends_with(part), "{text}");
        }
        assert!(text.len() < 200, "{text}");
        assert_mode(&path, 0o600);
    }
    assert_mode(&home.folder(), 0o700);
}

#[cfg(unix)]
#[track_caller]
fn assert_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(
        fs::metadata(path).unwrap().permissions().mode() & 0o777,
        mode,
        "{path:?}"
    );
}

#[cfg(not(unix))]
fn assert_mode(_: &Path, _: u32) {}

#[test]
fn files_that_cannot_be_used_are_replaced_or_passed_over() {
    let home = Home::new();
    let wrong = home.account("wrong");
    drop(turn(&wrong));
    for text in ["", "{", "[]", "{\"salt\":[1]}", "\u{0}", &"9".repeat(100_000)] {
        fs::write(wrong.record(), text).unwrap();
        turn(&wrong).refused(&wrong);
        assert!(is_refused(&wrong), "{text:.20}");
    }
    // Nothing can be written to folders in the places of the files.
    fs::remove_file(wrong.record()).unwrap();
    fs::create_dir(wrong.record()).unwrap();
    turn(&wrong).refused(&wrong);
    fs::remove_file(wrong.file("lock")).unwrap();
    fs::create_dir(wrong.file("lock")).unwrap();
    turn(&wrong).refused(&wrong);
    let nowhere = Account::new(
        Path::new("/dev/null/x"),
        MANAGER,
        &Login::new("a", "b"),
        Way::Header,
    );
    turn(&nowhere).accepted(&nowhere);
    assert_eq!(home.files().len(), 2, "no part of a file is left");
}

#[test]
fn the_usual_login_leaves_an_empty_lock_alone() {
    let home = Home::new();
    let right = home.account("right");
    turn(&right).accepted(&right);
    assert_eq!(home.files(), [format!("{}.lock", right.name)]);
    assert_eq!(fs::metadata(right.file("lock")).unwrap().len(), 0);
}

#[test]
fn many_wrong_passwords_do_not_grow_the_file() {
    let home = Home::new();
    let mut record = Record::new().unwrap();
    let mut lengths = Vec::new();
    for number in 0..12 {
        record.refuse(&home.account(&format!("wrong-{number}")), SystemTime::now());
        lengths.push(serde_json::to_string(&record).unwrap().len());
    }
    assert!(lengths[11] <= lengths[8] + 16, "{lengths:?}");
    assert!(
        record
            .refused(&home.account("wrong-11"), SystemTime::now())
            .is_some()
    );
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
