//! The pool of connections, which is replaced when an attempt on it has timed out.
//!
//! A connection can stop responding without being closed, because a firewall has dropped its state, or a load
//! balancer forwards it to a node that no longer exists. The HTTP client cannot close a single connection, so
//! the whole pool is abandoned; requests in flight on it continue (decision limits).

use std::sync::{Arc, Mutex, MutexGuard};

use crate::call_context::CallContext;
use crate::lock::lock;

type Open = dyn Fn() -> reqwest::Result<reqwest::Client> + Send + Sync;

/// The pool that new requests use, and how to open another.
pub(super) struct Connections {
    open: Box<Open>,
    pool: Mutex<Pool>,
}

struct Pool {
    generation: u64,
    http: reqwest::Client,
}

impl Connections {
    /// # Errors
    ///
    /// Errors of `open`.
    pub(super) fn try_new(
        open: impl Fn() -> reqwest::Result<reqwest::Client> + Send + Sync + 'static,
    ) -> reqwest::Result<Arc<Self>> {
        let http = open()?;
        Ok(Arc::new(Self {
            open: Box::new(open),
            pool: Mutex::new(Pool { generation: 0, http }),
        }))
    }

    /// The pool for an exchange of `call`, which is abandoned if its attempt has timed out.
    pub(super) fn lease(self: &Arc<Self>, call: CallContext) -> Lease {
        let pool = self.pool();
        Lease {
            http: pool.http.clone(),
            generation: pool.generation,
            connections: Arc::clone(self),
            call,
        }
    }

    /// Opens a new pool, unless this has already happened since `generation`.
    fn retire(&self, generation: u64) {
        let mut pool = self.pool();
        if pool.generation != generation {
            return;
        }
        // Opening a pool with the same settings succeeded before. If it fails now, keep the old pool.
        if let Ok(http) = (self.open)() {
            tracing::debug!("an attempt timed out; opening new connections");
            *pool = Pool {
                generation: generation + 1,
                http,
            };
        }
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        lock(&self.pool)
    }
}

/// The use of a pool by an exchange.
pub(super) struct Lease {
    pub(super) http: reqwest::Client,
    generation: u64,
    connections: Arc<Connections>,
    call: CallContext,
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.call.has_timed_out() {
            self.connections.retire(self.generation);
        }
    }
}
