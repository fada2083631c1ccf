//! Sessions: cookie, XSRF token, idle expiry and the node they live on. Accounts are checked in `accounts`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

use super::accounts::User;
use super::ids;
use crate::manager_error::ManagerError;

/// The cookie that carries a session.
pub(crate) const SESSION_COOKIE: &str = "JSESSIONID";
/// The cookie with which a load balancer identifies the node.
pub(crate) const AFFINITY_COOKIE: &str = "NODE_AFFINITY";

/// All sessions of the current node.
#[derive(Debug)]
pub(crate) struct SessionStore {
    idle_timeout: Duration,
    needs_affinity: bool,
    node: Mutex<SessionNode>,
}

#[derive(Debug, Default)]
struct SessionNode {
    number: u32,
    sessions: HashMap<String, OpenSession>,
}

#[derive(Debug)]
struct OpenSession {
    user: Arc<User>,
    xsrf: String,
    last_used: Instant,
    expired: bool,
}

/// A new session, as its client receives it.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) id: String,
    pub(crate) xsrf: String,
    pub(crate) affinity: String,
}

/// The session in a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PresentedSession<'a> {
    pub(crate) id: &'a str,
    pub(crate) xsrf: Option<&'a str>,
    pub(crate) affinity: Option<&'a str>,
}

impl SessionStore {
    pub(crate) fn new(idle_timeout: Duration, needs_affinity: bool) -> Self {
        Self {
            idle_timeout,
            needs_affinity,
            node: Mutex::default(),
        }
    }

    pub(crate) fn open(&self, user: Arc<User>) -> Opened {
        let opened = Opened {
            id: ids::hex32(),
            xsrf: ids::uuid(),
            affinity: String::new(),
        };
        let session = OpenSession {
            user,
            xsrf: opened.xsrf.clone(),
            last_used: Instant::now(),
            expired: false,
        };
        let mut node = self.node();
        node.sessions.insert(opened.id.clone(), session);
        Opened {
            affinity: node.name(),
            ..opened
        }
    }

    /// Returns the account of a valid session and resets its idle time.
    pub(crate) fn check(&self, shown: PresentedSession<'_>) -> Result<Arc<User>, ManagerError> {
        let mut node = self.node();
        // On another node, the session is unknown and the request is not authenticated.
        let unknown = || ManagerError::credentials("with an unknown session");
        if self.needs_affinity && shown.affinity != Some(node.name().as_str()) {
            return Err(unknown());
        }
        let session = node.sessions.get_mut(shown.id).ok_or_else(unknown)?;
        session.expired |= session.last_used.elapsed() >= self.idle_timeout;
        if session.expired || shown.xsrf != Some(session.xsrf.as_str()) {
            return Err(ManagerError::session());
        }
        session.last_used = Instant::now();
        Ok(Arc::clone(&session.user))
    }

    /// Ends a session that [`SessionStore::check`] accepts.
    pub(crate) fn close(&self, shown: PresentedSession<'_>) -> Result<(), ManagerError> {
        self.check(shown)?;
        self.node().sessions.remove(shown.id);
        Ok(())
    }

    /// Number of sessions that have not ended.
    pub(crate) fn open_count(&self) -> usize {
        let node = self.node();
        let is_open =
            |session: &&OpenSession| !session.expired && session.last_used.elapsed() < self.idle_timeout;
        node.sessions.values().filter(is_open).count()
    }

    /// Ends all sessions as if they had expired.
    pub(crate) fn expire_all(&self) {
        for session in self.node().sessions.values_mut() {
            session.expired = true;
        }
    }

    /// Changes the XSRF tokens of all sessions.
    pub(crate) fn change_xsrf(&self) {
        for session in self.node().sessions.values_mut() {
            session.xsrf = ids::uuid();
        }
    }

    /// Switches to another node, which does not know the sessions.
    pub(crate) fn switch_node(&self) {
        let mut node = self.node();
        node.number += 1;
        node.sessions.clear();
    }

    fn node(&self) -> std::sync::MutexGuard<'_, SessionNode> {
        self.node.lock().expect("no holder of the lock panics")
    }
}

impl SessionNode {
    fn name(&self) -> String {
        format!("node-{}", self.number)
    }
}

#[cfg(test)]
mod tests;
