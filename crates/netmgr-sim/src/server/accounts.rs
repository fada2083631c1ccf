//! User accounts: passwords, what each account may read, and the lockout after failed logins. `authenticate` extracts
//! credentials from requests.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

/// Failed logins after which an account is locked for one source address.
const FAILURES_UNTIL_LOCKOUT: u32 = 5;
/// Time for which an account is locked after its last login attempt, and for which a failure counts.
const LOCKOUT: Duration = Duration::from_secs(900);

/// An account of the simulated manager.
///
/// It reads everything except the prefixes named by [`User::denied`].
#[derive(Debug, Clone)]
pub struct User {
    pub(crate) name: String,
    password: String,
    directory: bool,
    pub(crate) denied: Vec<String>,
}

impl User {
    /// An account of the manager itself. `Authorization: Remote` does not accept it.
    pub fn local(name: impl Into<String>, password: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            password: password.into(),
            directory: false,
            denied: Vec::new(),
        }
    }

    /// An account of a directory, such as `reader@corp.example`. Sessions, `Basic` and `Remote` accept it.
    pub fn directory(name: impl Into<String>, password: impl Into<String>) -> Self {
        Self {
            directory: true,
            ..Self::local(name, password)
        }
    }

    /// Revokes the permission to read paths that start with `prefix`, for example
    /// `/policy/api/v1/infra/dhcp-server-configs`. Reading them gives 403 with `error_code` 401.
    pub fn denied(mut self, prefix: impl Into<String>) -> Self {
        self.denied.push(prefix.into());
        self
    }

    pub(crate) fn name_and_password(&self) -> (&str, &str) {
        (&self.name, &self.password)
    }
}

/// The directory accounts that may log in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum AcceptedAccounts {
    /// A session form or `Authorization: Basic`.
    Any,
    /// `Authorization: Remote`.
    DirectoryOnly,
}

/// All accounts and their failed logins.
#[derive(Debug)]
pub(crate) struct Accounts {
    users: HashMap<String, Arc<User>>,
    failures: Mutex<HashMap<(String, IpAddr), Failures>>,
}

#[derive(Debug)]
struct Failures {
    count: u32,
    last: Instant,
}

impl Accounts {
    pub(crate) fn new(users: Vec<User>) -> Self {
        let users = users
            .into_iter()
            .map(|user| (user.name.clone(), Arc::new(user)))
            .collect();
        Self {
            users,
            failures: Mutex::default(),
        }
    }

    /// Checks a name and password. During a lockout, the correct password fails as well and restarts the
    /// period.
    pub(crate) fn log_in(
        &self,
        name: &str,
        password: &str,
        scheme: AcceptedAccounts,
        source: IpAddr,
    ) -> Option<Arc<User>> {
        let mut failures = self.failures.lock().expect("no holder of the lock panics");
        let now = Instant::now();
        let key = (name.to_owned(), source);
        if failures
            .get(&key)
            .is_some_and(|failed| now - failed.last >= LOCKOUT)
        {
            failures.remove(&key);
        }
        let locked = failures
            .get(&key)
            .is_some_and(|failed| failed.count >= FAILURES_UNTIL_LOCKOUT);
        let user = self
            .users
            .get(name)
            .filter(|user| !locked && user.password == password)
            .filter(|user| scheme == AcceptedAccounts::Any || user.directory);
        match user {
            Some(user) => {
                failures.remove(&key);
                Some(Arc::clone(user))
            }
            None => {
                let failed = failures.entry(key).or_insert(Failures { count: 0, last: now });
                failed.count += 1;
                failed.last = now;
                None
            }
        }
    }

    /// Locks every account for `source`, as failed logins do.
    pub(crate) fn lock_all(&self, source: IpAddr) {
        let mut failures = self.failures.lock().expect("no holder of the lock panics");
        for name in self.users.keys() {
            let locked = Failures {
                count: FAILURES_UNTIL_LOCKOUT,
                last: Instant::now(),
            };
            failures.insert((name.clone(), source), locked);
        }
    }
}

#[cfg(test)]
mod tests {
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
}
