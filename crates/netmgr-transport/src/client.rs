//! The client: one connection to one manager, shared by all lookups.

use std::sync::Arc;

use bytes::Bytes;
use netmgr_types::Connection;
use tower::ServiceExt;
use tower::util::BoxCloneSyncService;

use crate::{Error, Exchange, Get, Reply};

/// The stack behind a client, its type erased.
pub type Stack = BoxCloneSyncService<http::Request<Bytes>, http::Response<Bytes>, Error>;

/// A connection to one manager. Cloning shares it.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    stack: Stack,
    connection: Connection,
}

impl Client {
    /// A client over any tower service that answers the requests of this crate.
    pub fn new(connection: Connection, stack: Stack) -> Self {
        Self {
            shared: Arc::new(Shared { stack, connection }),
        }
    }

    /// The checked configuration behind the client.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.shared.connection
    }

    /// Sends `get` and returns the body of a 200 answer.
    ///
    /// # Errors
    ///
    /// Every variant of [`Error`] but [`Error::Config`].
    pub async fn get(&self, get: &Get) -> Result<Reply, Error> {
        let request = http::Request::get(get.path_and_query())
            .body(Bytes::new())
            .expect("a path built by Get is a valid request target");
        let reply = self.shared.stack.clone().oneshot(request).await?;
        let exchange = Exchange {
            method: http::Method::GET,
            host: self.shared.connection.host.name.clone(),
            path: get.path().to_owned(),
        };
        Ok(Reply {
            exchange,
            body: reply.into_body(),
        })
    }
}
