//! Sessions of engines: their addresses and cancellation.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::rpc::context::{CallerId, Context};
use crate::rpc::log::EngineLog;

/// A provider of an engine, from its handshake to its cancellation.
#[derive(Debug)]
struct EngineSession {
    /// The connection of the handshake; `None` if all connections belong to one engine.
    connection: Option<SocketAddr>,
    caller: CallerId,
    log: EngineLog,
    cancellation: CancellationToken,
    /// Number of calls that are running.
    calls: usize,
    /// When the latest call began or ended.
    used: Instant,
}

/// Client libraries close a connection after half an hour without a call, and open another one with the next.
/// A provider that closes a connection so late may still exist.
const IDLE: Duration = Duration::from_secs(29 * 60);

/// A running call.
pub(crate) struct Busy {
    sessions: Arc<EngineSessions>,
    caller: CallerId,
}

impl Drop for Busy {
    fn drop(&mut self) {
        if let Some(session) = self.sessions.all().iter_mut().find(|it| it.caller == self.caller) {
            session.calls -= 1;
            session.used = Instant::now();
        }
    }
}

/// The sessions of a process.
///
/// A plugin that an engine started serves that engine and one of its providers, over any number of
/// connections. A plugin that was started manually serves any number of providers: an engine connects once
/// for each of its providers that share the process, and only the handshake identifies the provider. A
/// connection is therefore a session (decision engine-plugins).
#[derive(Debug)]
pub(crate) struct EngineSessions {
    attached: bool,
    /// Latest last, and never empty.
    all: Mutex<Vec<EngineSession>>,
}

impl EngineSessions {
    /// Creates the sessions of a process that an engine started, or that waits for engines to attach.
    pub(crate) fn new(engine_address: Option<&str>) -> Self {
        let first = EngineSession::new(None, CallerId::default());
        if let Some(address) = engine_address {
            first.log.connect(address);
        }
        Self {
            attached: engine_address.is_none(),
            all: Mutex::new(vec![first]),
        }
    }

    /// Starts a session of an engine. The cancellation of an earlier session has no effect on it.
    pub(crate) fn begin(&self, connection: SocketAddr, engine_address: &str) {
        let connection = self.attached.then_some(connection);
        let mut all = self.all();
        let next = all.iter().map(|session| session.caller).max().unwrap_or_default();
        let known = |session: &EngineSession| session.connection == connection;
        let session = match all.iter().position(known) {
            Some(index) => &mut all[index],
            None => {
                // Cancelled sessions are removed when there is another one.
                all.retain(|session| !session.cancellation.is_cancelled());
                all.push(EngineSession::new(connection, next.next()));
                all.last_mut().expect("it was just put there")
            }
        };
        if session.cancellation.is_cancelled() {
            session.cancellation = CancellationToken::new();
        }
        if !engine_address.is_empty() {
            session.log.connect(engine_address);
        }
    }

    /// The context of a new call.
    pub(crate) fn context(&self, connection: SocketAddr) -> Context {
        self.with(connection, |session| {
            Context::new(session.log.clone(), session.cancellation.clone()).called_by(session.caller)
        })
    }

    /// Cancels all calls of this session, including later ones until a new session starts.
    pub(crate) fn cancel(&self, connection: SocketAddr) {
        self.with(connection, |session| session.cancellation.cancel());
    }

    /// Registers a call, which ends when the result is dropped.
    pub(crate) fn busy(self: &Arc<Self>, connection: SocketAddr) -> Busy {
        let mut all = self.all();
        let index = Self::index(&all, connection);
        let session = &mut all[index];
        session.calls += 1;
        session.used = Instant::now();
        Busy {
            sessions: Arc::clone(self),
            caller: session.caller,
        }
    }

    /// Ends the session of a closed connection, because its engine may have ended without cancelling it. The engine of a
    /// connection that was closed because it was idle still exists.
    pub(crate) fn closed(&self, connection: SocketAddr) {
        let all = self.all();
        if let Some(session) = all.iter().find(|session| session.connection == Some(connection))
            && (session.calls > 0 || session.used.elapsed() < IDLE)
        {
            session.cancellation.cancel();
        }
    }

    /// Cancels all calls.
    pub(crate) fn cancel_all(&self) {
        self.all()
            .iter()
            .for_each(|session| session.cancellation.cancel());
    }

    /// The session of a connection. A connection without a handshake belongs to the latest session, because
    /// clients reconnect after half an hour without traffic.
    fn with<T>(&self, connection: SocketAddr, use_it: impl FnOnce(&EngineSession) -> T) -> T {
        let all = self.all();
        use_it(&all[Self::index(&all, connection)])
    }

    fn index(all: &[EngineSession], connection: SocketAddr) -> usize {
        let own = all
            .iter()
            .position(|session| session.connection == Some(connection));
        let latest = || {
            all.iter()
                .rposition(|session| !session.cancellation.is_cancelled())
        };
        own.or_else(latest).unwrap_or(all.len() - 1)
    }

    fn all(&self) -> MutexGuard<'_, Vec<EngineSession>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EngineSession {
    fn new(connection: Option<SocketAddr>, caller: CallerId) -> Self {
        Self {
            connection,
            caller,
            log: EngineLog::default(),
            cancellation: CancellationToken::new(),
            calls: 0,
            used: Instant::now(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const ENGINE: &str = "127.0.0.1:1";

    fn peer(port: u16) -> SocketAddr {
        ([127, 0, 0, 1], port).into()
    }

    /// Sessions of two engines in a process that was started by hand.
    fn attached() -> Arc<EngineSessions> {
        let sessions = Arc::new(EngineSessions::new(None));
        sessions.begin(peer(1), ENGINE);
        sessions.begin(peer(2), ENGINE);
        sessions
    }

    fn is_over(sessions: &EngineSessions, port: u16) -> bool {
        sessions.context(peer(port)).cancellation().is_cancelled()
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_closes_ends_its_own_session() {
        let sessions = attached();
        sessions.closed(peer(3));
        assert!(!is_over(&sessions, 1) && !is_over(&sessions, 2));
        sessions.closed(peer(1));
        assert!(is_over(&sessions, 1) && !is_over(&sessions, 2));
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_closes_for_want_of_calls_leaves_its_session() {
        let sessions = attached();
        let call = sessions.busy(peer(2));
        advance(Duration::from_secs(30 * 60)).await;
        sessions.closed(peer(1));
        assert!(!is_over(&sessions, 1));
        // Half an hour counts from the end of a call; during a call, the connection is not closed.
        drop(call);
        sessions.closed(peer(2));
        assert!(is_over(&sessions, 2));

        let sessions = attached();
        let _call = sessions.busy(peer(2));
        advance(Duration::from_secs(40 * 60)).await;
        sessions.closed(peer(2));
        assert!(is_over(&sessions, 2));
    }

    #[tokio::test]
    async fn the_end_of_a_connection_ends_nothing_where_an_engine_started_the_process() {
        let sessions = EngineSessions::new(Some(ENGINE));
        sessions.begin(peer(1), ENGINE);
        sessions.closed(peer(1));
        assert!(!is_over(&sessions, 1));
    }

    #[tokio::test]
    async fn a_connection_without_an_identity_has_the_latest_session_that_is_not_over() {
        let sessions = attached();
        sessions.closed(peer(2));
        let one = sessions.context(peer(1)).caller();
        assert_eq!(sessions.context(peer(9)).caller(), one);
    }
}
