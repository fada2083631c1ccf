//! The client: one connection to one manager, shared by all lookups.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{self, ACCEPT, HeaderValue};
use http::{Method, Request, StatusCode};
use netmgr_types::Connection;
use tokio::time::Instant;
use tower::ServiceExt;
use tower::util::BoxCloneSyncService;

use crate::builder::LOOKUP_DEADLINE;
use crate::classify::classify;
use crate::layers::Deadline;
use crate::layers::base_uri::authority;
use crate::{ClientBuilder, Error, Exchange, Get, Reply};

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
    lookup_deadline: Duration,
}

/// Names the character set, which the manager asks for when a URL carries more than ASCII.
/// Source: manager-api section 0.
const CONTENT_TYPE: HeaderValue = HeaderValue::from_static("application/json; charset=UTF-8");

impl Client {
    /// Settings of a client for `connection`; see [`ClientBuilder::build`].
    #[must_use]
    pub fn builder(connection: Connection) -> ClientBuilder {
        ClientBuilder::new(connection)
    }

    /// A client over any tower service that answers the requests of this crate.
    pub fn new(connection: Connection, stack: Stack) -> Self {
        Self::with_deadline(connection, stack, LOOKUP_DEADLINE)
    }

    pub(crate) fn with_deadline(connection: Connection, stack: Stack, lookup_deadline: Duration) -> Self {
        Self {
            shared: Arc::new(Shared {
                stack,
                connection,
                lookup_deadline,
            }),
        }
    }

    /// The checked configuration behind the client.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.shared.connection
    }

    /// The time that a lookup has when nothing else is said: the setting of the builder. Callers
    /// of several requests add it to the moment they start and hand each [`Get`] that deadline.
    #[must_use]
    pub fn lookup_deadline(&self) -> Duration {
        self.shared.lookup_deadline
    }

    /// Sends `get` and returns the body of a 200 answer. Dropping the future drops the request.
    ///
    /// # Errors
    ///
    /// Every variant of [`Error`] but [`Error::Config`].
    pub async fn get(&self, get: &Get) -> Result<Reply, Error> {
        let start = Instant::now();
        let exchange = self.exchange(get);
        match self.shared.stack.clone().oneshot(self.request(get)).await {
            Ok(reply) if reply.status() == StatusCode::OK => Ok(Reply {
                exchange,
                body: reply.into_body(),
            }),
            Ok(reply) => Err(completed(classify(&reply), exchange, start)),
            Err(error) => Err(completed(error, exchange, start)),
        }
    }

    fn request(&self, get: &Get) -> Request<Bytes> {
        let mut request = Request::get(get.path_and_query())
            .header(ACCEPT, "application/json")
            .header(header::CONTENT_TYPE, CONTENT_TYPE)
            .body(Bytes::new())
            .expect("a path built by Get is a valid request target");
        let until = get
            .until()
            .unwrap_or_else(|| Instant::now() + self.shared.lookup_deadline);
        request.extensions_mut().insert(Deadline(until));
        request
    }

    fn exchange(&self, get: &Get) -> Exchange {
        let host = &self.shared.connection.host;
        Exchange {
            method: Method::GET,
            host: authority(host),
            path: format!("{}{}", host.prefix, get.path()),
        }
    }
}

/// `error` with what only the caller knows. What a layer below said about a request of its own, a
/// login for instance, stays.
fn completed(mut error: Error, exchange: Exchange, start: Instant) -> Error {
    if let Some(failure) = error.failure_mut() {
        failure.exchange.get_or_insert(exchange);
        failure.elapsed = start.elapsed();
    }
    error
}

#[cfg(test)]
mod tests;
