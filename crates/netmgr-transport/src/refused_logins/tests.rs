//! Tests of the files with one process. Tests with many processes are in the tests of the binaries.

use std::fs;

use netmgr_types::{Host, LoginScheme};
use tempfile::TempDir;

use super::*;

struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn shared(&self) -> RefusedLogins {
        RefusedLogins::in_folder(self.0.path().join("state").join("logins"))
    }

    /// An account in its own process.
    fn account(&self, password: &str) -> Arc<AccountFile> {
        self.of(Login::new("admin", password))
    }

    fn of(&self, login: Login) -> Arc<AccountFile> {
        let host = Host::parse("mgr.example.com").unwrap();
        let connection = Connection::new(host, Credentials::Session(login));
        self.shared().account(&connection).unwrap()
    }
}

async fn begin(account: &Arc<AccountFile>) -> BegunLogin {
    account
        .begin(|| {})
        .await
        .unwrap_or_else(|error| panic!("not sent: {error}"))
}

async fn is_rejected(account: &Arc<AccountFile>) -> bool {
    account.begin(|| {}).await.is_err()
}

/// Moves the time of the verdict, as if the clock had been set.
fn shift(account: &AccountFile, by: impl Fn(u64) -> u64) {
    let mut verdict = RecordedVerdict::read(&mut File::open(&account.path).unwrap()).unwrap();
    verdict.at = by(verdict.at);
    fs::write(&account.path, serde_json::to_vec(&verdict).unwrap()).unwrap();
}

#[tokio::test]
async fn a_rejected_login_is_not_sent_again_and_a_changed_password_is() {
    let home = Home::new();
    begin(&home.account("wrong")).await.ended(false).await;
    assert!(is_rejected(&home.account("wrong")).await);
    begin(&home.account("right")).await.ended(true).await;
    drop(begin(&home.account("wrong")).await);
}

#[tokio::test]
async fn a_login_that_asks_always_is_sent_and_clears_the_rejection() {
    let home = Home::new();
    begin(&home.account("x")).await.ended(false).await;
    let host = Host::parse("mgr.example.com").unwrap();
    let connection = Connection::new(host, Credentials::Session(Login::new("admin", "x")));
    let asking = home.shared().asking_always().account(&connection).unwrap();
    begin(&asking).await.ended(false).await;
    assert!(is_rejected(&home.account("x")).await);
    begin(&asking).await.ended(true).await;
    drop(begin(&home.account("x")).await);
}

#[tokio::test]
async fn another_user_scheme_or_manager_is_another_login() {
    let home = Home::new();
    begin(&home.account("wrong")).await.ended(false).await;
    let remote = Login::new("admin", "wrong").scheme(LoginScheme::Remote);
    drop(begin(&home.of(remote)).await);
    drop(begin(&home.of(Login::new("audit", "wrong"))).await);
    for (host, credentials) in [
        (
            "mgr.example.com:8443",
            Credentials::Session(Login::new("admin", "wrong")),
        ),
        (
            "mgr.example.com",
            Credentials::Header(Login::new("admin", "wrong")),
        ),
    ] {
        let connection = Connection::new(Host::parse(host).unwrap(), credentials);
        drop(begin(&home.shared().account(&connection).unwrap()).await);
    }
    let certificate = Connection::new(Host::parse("mgr").unwrap(), Credentials::Certificate);
    assert!(home.shared().account(&certificate).is_none());
}

#[tokio::test]
async fn a_rejection_holds_for_15_minutes_and_not_after_the_clock_was_set_back() {
    let home = Home::new();
    let wrong = home.account("wrong");
    begin(&wrong).await.ended(false).await;
    let holds = u64::try_from(REFUSAL_HOLDS.as_micros()).unwrap();
    shift(&wrong, |at| at - holds + 60_000_000);
    assert!(is_rejected(&wrong).await);
    shift(&wrong, |at| at - 60_000_000);
    drop(begin(&wrong).await);
    shift(&wrong, |at| at + holds);
    assert!(is_rejected(&wrong).await);
    shift(&wrong, |at| at + 3_600_000_000);
    drop(begin(&wrong).await);
}

#[tokio::test]
async fn others_wait_for_the_first_login_until_one_is_accepted() {
    let home = Home::new();
    let first = begin(&home.account("x")).await;
    let (second, third) = (home.account("x"), home.account("x"));
    let (second, third) = (second.begin(|| {}), third.begin(|| {}));
    let arrival = SystemTime::now();
    let lock = |account: &Arc<AccountFile>| account.lock(arrival, 0);
    assert!(matches!(lock(&home.account("x")), Err(Hurdle::Locked)));
    let accepting = async {
        sleep(3 * PAUSE).await;
        first.ended(true).await;
        Ok(BegunLogin::default())
    };
    let (second, third, _) =
        tokio::try_join!(second, third, accepting).unwrap_or_else(|error| panic!("{error}"));
    // The others no longer wait for each other.
    assert!(second.lock.is_none() || third.lock.is_none());
}

#[tokio::test]
async fn others_that_wait_for_a_wrong_password_do_not_send_it() {
    let home = Home::new();
    let first = begin(&home.account("x")).await;
    let second = home.account("x");
    let rejecting = async {
        sleep(3 * PAUSE).await;
        first.ended(false).await;
    };
    let (second, ()) = tokio::join!(second.begin(|| {}), rejecting);
    let error = second.err().unwrap().to_string();
    for part in [
        "the manager rejected the login: request: not sent, because the manager rejected the same user name and password",
        "netmgr doctor",
        home.account("x").path.to_str().unwrap(),
    ] {
        assert!(error.contains(part), "{part} in {error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_that_takes_too_long_or_is_dropped_keeps_nobody_waiting() {
    let home = Home::new();
    let stuck = begin(&home.account("x")).await;
    let (other, start) = (home.account("x"), Instant::now());
    drop(begin(&other).await);
    assert!(start.elapsed() > LONGEST_WAIT && start.elapsed() < LONGEST_WAIT + Duration::from_secs(1));
    let start = Instant::now();
    drop(begin(&other).await);
    assert!(start.elapsed() < Duration::from_secs(1), "a client waits once");
    drop(stuck);
    assert!(begin(&home.account("x")).await.lock.unwrap().is_first);
}

#[tokio::test(start_paused = true)]
async fn one_login_at_a_time_follows_those_that_take_too_long() {
    let home = Home::new();
    let start = Instant::now();
    let logins = [(); 6].map(|()| {
        let account = home.account("x");
        async move {
            let begun = begin(&account).await;
            let at = start.elapsed().as_secs();
            sleep(Duration::from_secs(200)).await;
            drop(begun);
            at
        }
    });
    let mut begun = futures_util::future::join_all(logins).await;
    begun.sort_unstable();
    assert_eq!(begun, [0, 10, 30, 70, 150, 150]);
}

#[tokio::test(start_paused = true)]
async fn a_login_that_follows_is_accepted_or_rejected_for_all() {
    for is_accepted in [true, false] {
        let home = Home::new();
        let stuck = begin(&home.account("x")).await;
        let start = Instant::now();
        let logins = [(); 2].map(|()| {
            let account = home.account("x");
            async move {
                let begun = account.begin(|| {}).await.ok()?;
                begun.ended(is_accepted).await;
                Some(())
            }
        });
        let sent = futures_util::future::join_all(logins).await;
        assert_eq!(
            sent.into_iter().flatten().count(),
            if is_accepted { 2 } else { 1 }
        );
        assert!(start.elapsed() < LONGEST_WAIT + Duration::from_secs(1));
        drop(stuck);
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_of_the_same_client_is_waited_for_since_it_was_sent() {
    let home = Home::new();
    let (account, other) = (home.account("x"), home.account("x"));
    let stuck = begin(&account).await;
    sleep(LONGEST_WAIT).await;
    let start = Instant::now();
    drop(begin(&account).await);
    assert!(start.elapsed() < Duration::from_secs(1));
    drop(begin(&other).await);
    assert!(
        start.elapsed() > LONGEST_WAIT,
        "another process waits from its arrival"
    );
    drop(stuck);
}

#[test]
fn an_acceptance_before_the_arrival_counts_for_nothing() {
    let home = Home::new();
    let (first, second) = (home.account("x"), home.account("x"));
    first.record(None, true).unwrap();
    let lock = first.lock(SystemTime::now(), 0).ok().unwrap().unwrap();
    let later = SystemTime::now() + Duration::from_micros(1);
    assert!(matches!(second.lock(later, 0), Err(Hurdle::Locked)));
    assert!(matches!(second.lock(UNIX_EPOCH, 0), Ok(None)));
    // It was written before the clock was set back.
    shift(&first, |at| at + 3_600_000_000);
    assert!(matches!(second.lock(UNIX_EPOCH, 0), Err(Hurdle::Locked)));
    drop(lock);
}

#[tokio::test]
async fn the_file_belongs_to_its_user_and_contains_nothing_of_the_password() {
    let home = Home::new();
    for is_accepted in [true, false] {
        let account = home.account("hunter2-wrong");
        begin(&account).await.ended(is_accepted).await;
        let folder = account.path.parent().unwrap();
        let files: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        assert_eq!(files, [account.path.as_path()]);
        let text = fs::read_to_string(&account.path).unwrap();
        for part in ["hunter2", "admin", "mgr.example.com"] {
            assert!(!text.contains(part) && !account.path.ends_with(part), "{text}");
        }
        assert_eq!(text.contains("[["), !is_accepted, "{text}");
        assert_eq!(text.len(), LENGTH);
        assert_mode(&account.path, 0o600);
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

#[tokio::test]
async fn a_file_that_cannot_be_used_is_replaced_or_passed_over() {
    let home = Home::new();
    let wrong = home.account("wrong");
    drop(begin(&wrong).await);
    for text in ["", "{", "[]", "{\"at\":1}", "\u{0}", &"9".repeat(100_000)] {
        fs::write(&wrong.path, text).unwrap();
        begin(&wrong).await.ended(false).await;
        let is_long = text.len() > LENGTH;
        assert!(is_long || is_rejected(&wrong).await, "{text:.20}");
    }
    // Nothing can be written, because a folder has the name of the file.
    fs::remove_file(&wrong.path).unwrap();
    fs::create_dir(&wrong.path).unwrap();
    begin(&wrong).await.ended(false).await;
    let connection = Connection::new(
        Host::parse("mgr").unwrap(),
        Credentials::Header(Login::new("a", "b")),
    );
    let nowhere = RefusedLogins::in_folder("/dev/null/x")
        .account(&connection)
        .unwrap();
    begin(&nowhere).await.ended(true).await;
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

#[cfg(unix)]
#[tokio::test]
async fn a_link_or_a_pipe_in_place_of_a_file_is_not_used() {
    let home = Home::new();
    let account = home.account("wrong");
    fs::create_dir_all(account.path.parent().unwrap()).unwrap();
    let [old, absent] = ["old", "absent"].map(|name| home.0.path().join(name));
    fs::write(&old, "old").unwrap();
    for target in [Some(&old), Some(&absent), None] {
        match target {
            Some(target) => std::os::unix::fs::symlink(target, &account.path).unwrap(),
            None => {
                let made = std::process::Command::new("mkfifo").arg(&account.path).status();
                assert!(made.unwrap().success());
            }
        }
        begin(&account).await.ended(false).await;
        // Nothing was recorded, so the login is sent.
        drop(begin(&home.account("wrong")).await);
        assert_eq!(fs::read_to_string(&old).unwrap(), "old");
        assert!(!absent.exists());
        fs::remove_file(&account.path).unwrap();
    }
}
