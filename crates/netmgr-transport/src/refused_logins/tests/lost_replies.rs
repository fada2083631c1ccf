//! Logins whose replies were lost.

use super::*;

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
    assert!(
        !lost::checked(&account, true, SystemTime::now()),
        "it was never away"
    );
    assert!(matches!(look(&account), Step::Lost(_)));
    assert!(!lost::checked(&account, false, SystemTime::now()));
    assert!(matches!(look(&account), Step::Lost(_)));
    assert!(lost::checked(&account, true, SystemTime::now()));
    drop(turn(&account));
    // What is lost after that counts anew.
    lose();
    assert!(!lost::checked(&account, false, SystemTime::now()));
    lost::note(&account, SystemTime::now());
    assert!(!lost::checked(&account, true, SystemTime::now()));
}

#[test]
fn no_login_is_sent_while_notes_cannot_be_removed() {
    let home = Home::new();
    let account = home.account("x");
    drop(turn(&account));
    let now = SystemTime::now();
    let notes = [1, 2, 3].map(|age| lost::file(&account, now - Duration::from_secs(age)));
    for note in &notes {
        // A folder is not removed, like a file in a folder that is only read.
        fs::create_dir(note).unwrap();
    }
    assert!(!lost::checked(&account, false, SystemTime::now()));
    assert!(
        !lost::checked(&account, true, SystemTime::now()),
        "the next look finds the notes again"
    );
    notes.iter().for_each(|note| fs::remove_dir(note).unwrap());
    assert!(
        lost::checked(&account, true, SystemTime::now()),
        "another process has removed them"
    );
}

#[test]
fn a_login_that_is_taken_over_is_noted_once() {
    let home = Home::new();
    let account = home.account("x");
    let stopped = turn(&account);
    let began = SystemTime::now() - Duration::from_secs(11);
    lost::note(&account, began);
    lost::note(&account, began - Duration::from_secs(1));
    assert!(!lost::checked(&account, false, SystemTime::now()));
    lost::note(&account, began);
    assert!(account.file("away").exists(), "nothing was lost since");
    lost::note(&account, SystemTime::now());
    assert!(!account.file("away").exists());
    drop(stopped);
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
    assert_eq!(home.lost(), 1);
    stopped.uncounted(&first);
    assert_eq!(home.lost(), 0);
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

#[test]
fn logins_under_way_without_the_lock_keep_others_waiting_and_are_not_lost() {
    let home = Home::new();
    let account = home.account("x");
    drop(turn(&account));
    let go = || match step_without_lock(&account) {
        Step::Go(turn) => turn,
        _ => panic!("goes"),
    };
    let (first, second, third) = (go(), go(), go());
    assert!(matches!(step_without_lock(&account), Step::Wait(None)));
    assert!(matches!(look(&account), Step::Wait(None)), "nor with the lock");
    // One that was interrupted counts for nothing.
    drop(first);
    let fourth = go();
    assert!(matches!(step_without_lock(&account), Step::Wait(None)));
    // A lost one counts once, before and after its end.
    fourth.lost(&account);
    second.uncounted(&account);
    drop(second);
    let fifth = go();
    drop(fourth);
    assert!(matches!(step_without_lock(&account), Step::Wait(None)));
    third.lost(&account);
    fifth.lost(&account);
    assert!(matches!(step_without_lock(&account), Step::Lost(_)));
    fifth.accepted(&account);
    drop((third, fifth));
    assert_eq!(home.files(), [format!("{}.lock", account.name)]);
}

#[test]
fn notes_of_processes_that_were_killed_hold_as_long_as_a_login_takes() {
    let home = Home::new();
    let account = home.account("x");
    drop(turn(&account));
    for _ in 0..3 {
        let Step::Go(turn) = step_without_lock(&account) else {
            panic!("goes")
        };
        std::mem::forget(turn);
    }
    assert!(matches!(step_without_lock(&account), Step::Wait(None)));
    let files = home.files();
    let notes = files.iter().filter(|name| name.ends_with(".sent"));
    for (number, name) in notes.enumerate() {
        let began = SystemTime::now() - LONGEST_WAIT - Duration::from_millis(number as u64);
        let began = began.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_micros();
        fs::rename(home.folder().join(name), account.file(&format!("{began}.sent"))).unwrap();
    }
    drop(turn(&account));
    assert_eq!(home.files(), [format!("{}.lock", account.name)]);
}

#[tokio::test]
async fn each_login_of_a_client_counts_for_itself() {
    let home = Home::new();
    let guard = guard(home.account("x"));
    let turn = async || guarded_turn(&guard).await;
    let (first, second, third) = (turn().await, turn().await, turn().await);
    first.end(LoginEnd::Lost).await;
    second.end(LoginEnd::Lost).await;
    assert_eq!(home.lost(), 2);
    third.end(LoginEnd::Refused).await;
    assert_eq!(home.lost(), 2);
}

#[test]
fn logins_of_a_client_in_the_same_moment_are_noted_apart() {
    let home = Home::new();
    let account = home.account("x");
    let first = turn(&account);
    let others: Vec<Turn> = (0..100).map(|_| first.beside()).collect();
    for login in others.iter().chain([&first]) {
        login.lost(&account);
    }
    assert_eq!(home.lost(), 101);
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
