//! The client: one connection to one manager, shared by all lookups.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{self, ACCEPT, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use netmgr_types::Connection;
use tokio::time::Instant;
use tower::util::BoxCloneSyncService;
use tower::{Service, ServiceExt};

use crate::auth::{Auth, Reservation};
use crate::builder::LOOKUP_DEADLINE;
use crate::classify::classify;
use crate::known_secrets::KnownSecrets;
use crate::layers::base_uri::authority;
use crate::layers::{Alternative, Attempts, Deadline, Since};
use crate::traffic::{Counters, Traffic, counted};
use crate::version::VersionCache;
use crate::{ClientBuilder, Error, Failure, Get, Reply, RequestLine};

/// A stack inside a client, its type erased.
pub(crate) type BoxStack = BoxCloneSyncService<Request<Bytes>, Response<Bytes>, Error>;

/// What sends the requests of a client: any tower service, its type erased.
#[derive(Clone)]
pub struct Stack(pub(crate) BoxStack);

impl Stack {
    /// Erases the type of `service`.
    pub fn new<S>(service: S) -> Self
    where
        S: Service<Request<Bytes>, Response = Response<Bytes>, Error = Error> + Clone + Send + Sync + 'static,
        S::Future: Send + 'static,
    {
        Self(BoxCloneSyncService::new(service))
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stack").finish_non_exhaustive()
    }
}

/// A connection to one manager. Cloning shares it.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    stack: BoxStack,
    connection: Connection,
    secrets: KnownSecrets,
    lookup_deadline: Duration,
    /// The authentication inside `stack`, to log in early and to log out.
    auth: Option<Auth<BoxStack>>,
    version: VersionCache,
    counters: Arc<Counters>,
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
        let secrets = KnownSecrets::of(&connection);
        let counters = Arc::<Counters>::default();
        let stack = counted(stack.0, Arc::clone(&counters));
        Self::with_auth(connection, secrets, stack, LOOKUP_DEADLINE, None, counters)
    }

    /// A client over `stack`, which contains `auth` and adds to `secrets`.
    pub(crate) fn with_auth(
        connection: Connection,
        secrets: KnownSecrets,
        stack: BoxStack,
        lookup_deadline: Duration,
        auth: Option<Auth<BoxStack>>,
        counters: Arc<Counters>,
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                stack,
                connection,
                secrets,
                lookup_deadline,
                auth,
                version: VersionCache::default(),
                counters,
            }),
        }
    }

    /// Logs in ahead of the first request, in a task of its own, so that the first lookup does not
    /// wait for it. Sends nothing where each request authenticates itself (user name and password
    /// without a session, client certificate).
    ///
    /// A login that the manager refuses fails the first request with the manager's reason. Any
    /// other failure is forgotten: the first request logs in itself.
    ///
    /// # Panics
    ///
    /// When it is not called from within a tokio runtime.
    pub fn open_in_background(&self) {
        if let Some(auth) = self.shared.auth.clone().filter(Auth::opens) {
            tokio::spawn(async move { auth.open().await });
        }
    }

    /// Ends the session on the manager, if one was created; waits 2 s at most. Call it once, after
    /// the last request: a later request would log in again.
    pub async fn close(&self) {
        if let Some(auth) = &self.shared.auth {
            auth.close().await;
        }
    }

    /// What this client has sent and received so far.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        self.shared.counters.read()
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
        self.check(get)?;
        let mut request = Request::get(get.path_and_query())
            .header(header::CONTENT_TYPE, CONTENT_TYPE)
            .body(Bytes::new())
            .expect("a path built by Get is a valid request target");
        if let Some(since) = get.begun() {
            request.extensions_mut().insert(Since(since));
        }
        if let Some(reservation) = get.reservation() {
            reservation.attach(&mut request);
        }
        if get.has_alternative() {
            request.extensions_mut().insert(Alternative);
        }
        self.send(request, get.until()).await
    }

    /// Checks that a URL can carry `get`. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidRequest`], which sending it would return.
    pub fn check(&self, get: &Get) -> Result<(), Error> {
        match get.unfit(&self.shared.connection.host.prefix) {
            Some(reason) => Err(self.not_sent(get, reason)),
            None => Ok(()),
        }
    }

    /// Waits until a request could be sent at once: after the login, and with a place below the
    /// manager's limits. Pass it to [`Get::reserved`].
    ///
    /// None when the client has no stack of its own, or when there is no login; the request then
    /// reports why.
    pub async fn reserve(&self) -> Option<Reservation> {
        self.shared.auth.as_ref()?.reserve().await
    }

    /// Sends the one kind of request that is no `GET`, see [`Client::install_missing_licenses`].
    pub(crate) async fn post(&self, path: &'static str, json: Bytes) -> Result<Reply, Error> {
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(json)
            .expect("a fixed path");
        self.send(request, None).await
    }

    async fn send(&self, mut request: Request<Bytes>, until: Option<Instant>) -> Result<Reply, Error> {
        let start = Instant::now();
        let until = until.unwrap_or_else(|| start + self.shared.lookup_deadline);
        request.extensions_mut().insert(Deadline(until));
        request
            .headers_mut()
            .insert(ACCEPT, HeaderValue::from_static("application/json"));
        let request_line = self.request_line(request.method(), request.uri().path());
        match self.shared.stack.clone().oneshot(request).await {
            // 201 answers a licence that was added.
            Ok(reply) if matches!(reply.status(), StatusCode::OK | StatusCode::CREATED) => {
                let attempts = reply.extensions().get::<Attempts>();
                self.shared
                    .counters
                    .attempts(attempts.map_or(1, |attempts| attempts.count));
                Ok(Reply {
                    request_line,
                    body: reply.into_body(),
                    secrets: self.shared.secrets.clone(),
                })
            }
            Ok(reply) => Err(self.completed(classify(&reply), request_line, start)),
            Err(error) => Err(self.completed(error, request_line, start)),
        }
    }

    /// `error` with what only the caller knows, and without what no text may show: the one place
    /// where failures leave the stack. What a layer below said about a request of its own, a login
    /// for instance, stays.
    fn completed(&self, mut error: Error, request_line: RequestLine, start: Instant) -> Error {
        if let Some(failure) = error.failure_mut() {
            failure.request_line.get_or_insert(request_line);
            failure.elapsed = start.elapsed();
            self.shared.counters.attempts(failure.attempts);
        }
        error.shown(&self.shared.secrets.all())
    }

    /// `text`, which a manager or a proxy wrote, as it may stand in an error, a log or on a
    /// terminal: without any secret that this client sends or was issued, and otherwise as
    /// [`netmgr_types::foreign::shown`].
    #[must_use]
    pub fn shown(&self, text: &str) -> String {
        self.shared.secrets.all().shown(text)
    }

    /// What no text may show.
    pub(crate) fn secrets(&self) -> &KnownSecrets {
        &self.shared.secrets
    }

    fn not_sent(&self, get: &Get, reason: String) -> Error {
        // What is too long to be sent is too long to be shown.
        let path: String = get.path().chars().take(200).collect();
        Error::InvalidRequest(Box::new(Failure {
            request_line: Some(self.request_line(&Method::GET, &path)),
            unsent: true,
            reason: Some(reason),
            ..Failure::default()
        }))
    }

    /// A request as failures name it.
    pub(crate) fn request_line(&self, method: &Method, path: &str) -> RequestLine {
        let host = &self.shared.connection.host;
        RequestLine {
            method: method.clone(),
            host: authority(host),
            path: format!("{}{path}", host.prefix),
        }
    }

    /// The manager's version, once it was read.
    pub(crate) fn version_cache(&self) -> &VersionCache {
        &self.shared.version
    }
}

/// Host and kind of manager; never credentials.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let connection = &self.shared.connection;
        f.debug_struct("Client")
            .field("host", &connection.host.base_url())
            .field("deployment", &connection.deployment)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
