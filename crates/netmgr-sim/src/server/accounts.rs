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
mod tests;
