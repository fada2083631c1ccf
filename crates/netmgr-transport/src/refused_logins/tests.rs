//! Tests of the files with one process. Many processes are in the tests of the programs.

use std::fs::{self, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, SystemTime};

use netmgr_types::Login;
use tempfile::TempDir;

use super::record::{HOLDS, Record};
use super::turn::{Step, Turn, step, step_with};
use super::*;

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
fn lost_replies_do_not_count_after_the_clock_was_set_back_or_forward() {
    let home = Home::new();
    let account = home.account("x");
    drop(turn(&account));
    let now = SystemTime::now();
    for seconds in [901, 3600, 400 * 86_400] {
        let by = Duration::from_secs(seconds);
        for began in [now + by, now - by] {
            for number in 0..5 {
                lost::note(&account, began + Duration::from_millis(number));
            }
            drop(turn(&account));
            assert_eq!(home.files(), [format!("{}.lock", account.name)], "{seconds}");
        }
    }
    // Times that no clock shows.
    for name in ["18446744073709551615", "0", "-1", "x", ""] {
        fs::write(account.file(&format!("{name}.lost")), "").unwrap();
        drop(turn(&account));
    }
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
    let second = Guard::turn_of(Some(&guard));
    let second = timeout(Duration::from_secs(5), second).await;
    let second = second.expect("is sent without another wait");
    let Ok(second) = second else { panic!("goes") };
    second.end(Ending::Uncounted).await;
    assert!(guard.has_waited.load(Relaxed));
    let Ok(third) = Guard::turn_of(Some(&guard)).await else {
        panic!("goes")
    };
    third.end(Ending::Accepted).await;
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

#[tokio::test]
async fn a_client_shares_its_turn_and_does_not_wait_for_it() {
    let home = Home::new();
    let guard = guard(home.account("x"));
    let turn = async || match Guard::turn_of(Some(&guard)).await {
        Ok(turn) => turn,
        Err(_) => panic!("goes"),
    };
    let first = turn().await;
    let second = timeout(Duration::from_secs(2), turn());
    let second = second.await.expect("does not wait for its own turn");
    // It is that of both, until both have ended.
    second.end(Ending::Uncounted).await;
    assert!(waits(&home.account("x")));
    first.end(Ending::Uncounted).await;
    drop(turn().await);
}

#[test]
fn at_most_four_logins_without_a_reply_are_sent_while_the_manager_counts() {
    let home = Home::new();
    let account = home.account("x");
    let now = SystemTime::now();
    let lost = |age: u64| lost::note(&account, now - Duration::from_secs(age));
    for age in [30, 20, 10] {
        drop(turn(&account));
        lost(age);
    }
    let Step::Lost(until) = look(&account) else {
        panic!("the fourth is too early");
    };
    let wait = until.duration_since(now).unwrap().as_secs_f64();
    assert!((49.0..51.0).contains(&wait), "{wait}");
    // A changed password may be as wrong.
    assert!(matches!(look(&home.account("y")), Step::Lost(_)));

    lost::forget_all(&account);
    for age in [500, 400, 100] {
        lost(age);
    }
    drop(turn(&account));
    lost(61);
    let Step::Lost(until) = look(&account) else {
        panic!("the fifth locks the account");
    };
    let wait = until.duration_since(now).unwrap().as_secs_f64();
    assert!((399.0..401.0).contains(&wait), "{wait}");
}

#[test]
fn a_manager_that_was_away_and_responds_gets_another_login() {
    let home = Home::new();
    let account = home.account("x");
    drop(turn(&account));
    let lose = || {
        for age in [3, 2, 1] {
            lost::note(&account, SystemTime::now() - Duration::from_secs(age));
        }
    };
    lose();
    assert!(!lost::checked(&account, true), "it was never away");
    assert!(matches!(look(&account), Step::Lost(_)));
    assert!(!lost::checked(&account, false));
    assert!(matches!(look(&account), Step::Lost(_)));
    assert!(lost::checked(&account, true));
    drop(turn(&account));
    // What is lost after that counts anew.
    lose();
    assert!(!lost::checked(&account, false));
    lost::note(&account, SystemTime::now());
    assert!(!lost::checked(&account, true));
}

#[test]
fn a_login_that_is_accepted_ends_the_count() {
    let home = Home::new();
    let account = home.account("x");
    turn(&account).lost(&account);
    turn(&account).lost(&account);
    turn(&account).uncounted(&account);
    let third = turn(&account);
    lost::note(&account, SystemTime::now());
    third.accepted(&account);
    drop(third);
    assert_eq!(home.files(), [format!("{}.lock", account.name)]);
}

#[test]
fn a_login_that_was_taken_over_counts_once_and_only_until_its_reply() {
    let home = Home::new();
    let (first, second) = (home.account("x"), home.account("x"));
    let mut stopped = turn(&first);
    let before = stopped.began.unwrap() - Duration::from_secs(11);
    stopped.began = Some(before);
    fs::File::open(first.file("lock"))
        .unwrap()
        .set_modified(before)
        .unwrap();
    let Step::Go(taken) = step(&second, SystemTime::now(), Some(before)) else {
        panic!("takes over");
    };
    let notes = || home.files().iter().filter(|file| file.ends_with(".lost")).count();
    assert_eq!(notes(), 1);
    stopped.uncounted(&first);
    assert_eq!(notes(), 0);
    drop((stopped, taken));
}

#[test]
fn logins_are_not_taken_over_when_too_many_have_no_reply() {
    let home = Home::new();
    let accounts = [(); 4].map(|()| home.account("x"));
    let mut turns = vec![turn(&accounts[0])];
    for account in &accounts[1..3] {
        match take_over(account) {
            Step::Go(turn) => turns.push(turn),
            _ => panic!("takes over"),
        }
    }
    assert!(matches!(take_over(&accounts[3]), Step::Wait(Some(_))));
    turns[0].accepted(&accounts[0]);
    assert!(matches!(take_over(&accounts[3]), Step::Go(_)));
}

/// Takes over from a login that began a while ago.
fn take_over(account: &Account) -> Step {
    let lock = fs::File::open(account.file("lock")).unwrap();
    let notes = fs::read_dir(&account.folder).unwrap().count();
    // A time of its own for each.
    let age = Duration::from_secs(11) + Duration::from_millis(notes as u64);
    lock.set_modified(SystemTime::now() - age).unwrap();
    let began = lock.metadata().unwrap().modified().unwrap();
    step(account, SystemTime::now(), Some(began))
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
