//! Tests of `accounts.rs`.

use std::net::Ipv4Addr;

use super::*;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

fn accounts() -> Accounts {
    Accounts::new(vec![
        User::local("admin", "right"),
        User::directory("eve@corp.example", "secret"),
    ])
}

fn fail(accounts: &Accounts, times: u32) {
    for _ in 0..times {
        let user = accounts.log_in("admin", "wrong", AcceptedAccounts::Any, HERE);
        assert!(user.is_none());
    }
}

/// Whether the right password is accepted.
fn accepts(accounts: &Accounts, source: IpAddr) -> bool {
    let user = accounts.log_in("admin", "right", AcceptedAccounts::Any, source);
    user.is_some()
}

#[tokio::test(start_paused = true)]
async fn the_fifth_failure_locks_the_account_for_that_source_only() {
    let accounts = accounts();
    fail(&accounts, 5);
    assert!(!accepts(&accounts, HERE));
    assert!(accepts(&accounts, ELSEWHERE));
}

#[tokio::test(start_paused = true)]
async fn a_success_forgets_earlier_failures() {
    let accounts = accounts();
    fail(&accounts, 4);
    assert!(accepts(&accounts, HERE));
    fail(&accounts, 4);
    assert!(accepts(&accounts, HERE));
}

#[tokio::test(start_paused = true)]
async fn an_attempt_during_the_lockout_starts_the_period_again() {
    let accounts = accounts();
    fail(&accounts, 5);
    tokio::time::advance(LOCKOUT - Duration::from_secs(1)).await;
    fail(&accounts, 1);
    tokio::time::advance(LOCKOUT - Duration::from_secs(1)).await;
    assert!(!accepts(&accounts, HERE));
    tokio::time::advance(LOCKOUT).await;
    assert!(accepts(&accounts, HERE));
}

#[tokio::test(start_paused = true)]
async fn accounts_can_be_locked_without_a_failure() {
    let accounts = accounts();
    accounts.lock_all(HERE);
    assert!(!accepts(&accounts, HERE));
    tokio::time::advance(LOCKOUT).await;
    assert!(accepts(&accounts, HERE));
}

#[tokio::test]
async fn the_remote_scheme_takes_directory_accounts_only() {
    let accounts = accounts();
    assert!(
        accounts
            .log_in("admin", "right", AcceptedAccounts::DirectoryOnly, HERE)
            .is_none()
    );
    assert!(
        accounts
            .log_in(
                "eve@corp.example",
                "secret",
                AcceptedAccounts::DirectoryOnly,
                HERE
            )
            .is_some()
    );
    assert!(
        accounts
            .log_in("eve@corp.example", "secret", AcceptedAccounts::Any, HERE)
            .is_some()
    );
}
