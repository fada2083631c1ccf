//! What the server knows of the engines it talks to: where they are, and whether they want everything
//! to end.

use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::context::{Caller, Context};
use crate::log::EngineLog;

/// One provider of an engine, from its introduction to its cancellation.
#[derive(Debug)]
struct Session {
    /// The connection that it came over; `None` where all connections are one engine's.
    connection: Option<SocketAddr>,
    caller: Caller,
    log: EngineLog,
    cancellation: CancellationToken,
}

/// The sessions of a process.
///
/// A plugin that an engine started serves that engine and one provider of it, over however many
/// connections. One that was started by hand serves any number: an engine connects once for each of
/// its providers that share the process, and no request but those of the introduction says which one
/// it is of. So there a connection is a session (0106).
#[derive(Debug)]
pub(crate) struct Sessions {
    attached: bool,
    /// Latest last, and never empty.
    all: Mutex<Vec<Session>>,
}

impl Sessions {
    /// The sessions of a process that an engine started, or that waits for engines to attach
    /// themselves.
    pub(crate) fn new(engine_address: Option<&str>) -> Self {
        let first = Session::new(None, Caller::default());
        if let Some(address) = engine_address {
            first.log.connect(address);
        }
        Self {
            attached: engine_address.is_none(),
            all: Mutex::new(vec![first]),
        }
    }

    /// An engine said where it is; what an earlier one cancelled is over.
    pub(crate) fn begin(&self, connection: Option<SocketAddr>, engine_address: &str) {
        let connection = connection.filter(|_| self.attached);
        let mut all = self.all();
        let next = all.iter().map(|session| session.caller).max().unwrap_or_default();
        let known = |session: &Session| session.connection == connection;
        let session = match all.iter().position(known) {
            Some(index) => &mut all[index],
            None => {
                // What is over is forgotten once there is something else to answer with.
                all.retain(|session| !session.cancellation.is_cancelled());
                all.push(Session::new(connection, next.next()));
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

    /// What a call is given that arrives now.
    pub(crate) fn context(&self, connection: Option<SocketAddr>) -> Context {
        self.with(connection, |session| {
            Context::new(session.log.clone(), session.cancellation.clone()).called_by(session.caller)
        })
    }

    /// Ends everything of this session that is outstanding, and all that comes before it begins anew.
    pub(crate) fn cancel(&self, connection: Option<SocketAddr>) {
        self.with(connection, |session| session.cancellation.cancel());
    }

    /// Ends everything outstanding.
    pub(crate) fn cancel_all(&self) {
        self.all()
            .iter()
            .for_each(|session| session.cancellation.cancel());
    }

    /// The session of a connection. One that introduced nobody is taken for a latest one that was
    /// opened anew, as clients do after half an hour of silence.
    fn with<T>(&self, connection: Option<SocketAddr>, use_it: impl FnOnce(&Session) -> T) -> T {
        let all = self.all();
        let own = all
            .iter()
            .find(|session| session.connection.is_some() && session.connection == connection);
        use_it(own.or(all.last()).expect("there is always one"))
    }

    fn all(&self) -> MutexGuard<'_, Vec<Session>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    fn new(connection: Option<SocketAddr>, caller: Caller) -> Self {
        Self {
            connection,
            caller,
            log: EngineLog::default(),
            cancellation: CancellationToken::new(),
        }
    }
}
