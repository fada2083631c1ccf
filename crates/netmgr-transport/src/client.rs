//! The client: a connection to a manager that all lookups share.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::header::{self, ACCEPT, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use netmgr_types::{Connection, ManagerVersion};
use tokio::time::Instant;
use tower::util::BoxCloneSyncService;
use tower::{Service, ServiceExt};

use crate::Reservation;
use crate::auth::Auth;
use crate::call_context::{CallContext, ReplyContext};
use crate::classify::classify;
use crate::known_secrets::KnownSecrets;
use crate::layers::base_uri::authority;
use crate::leaf::proxy::through;
use crate::service::BoxStack;
use crate::shared_task::SharedTask;
use crate::traffic::{Clocks, Traffic, TrafficCounters, counted};
use crate::{Error, ErrorKind, Failure, Get, Reply, RequestLine};

/// The service that sends the requests of a client: any tower service, with its type erased.
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

/// A client of a manager. Clones share the connection.
#[derive(Clone)]
pub struct Client {
    shared: Arc<ClientParts>,
}

struct ClientParts {
    stack: BoxStack,
    connection: Connection,
    secrets: KnownSecrets,
    lookup_deadline: Duration,
    /// The authentication inside `stack`, to log in early and to log out.
    auth: Option<Auth>,
    version: VersionCache,
    counters: Arc<TrafficCounters>,
    /// The proxy in front of the manager, for messages.
    proxy: Option<String>,
}

/// Default duration of a lookup.
pub(crate) const LOOKUP_DEADLINE: Duration = Duration::from_secs(300);

/// Specifies the character set, which the manager requires for non-ASCII URLs.
const CONTENT_TYPE: HeaderValue = HeaderValue::from_static("application/json; charset=UTF-8");

/// The manager's version, which is read at most once (`version.rs`).
pub(crate) struct VersionCache {
    pub(crate) known: Mutex<Option<ManagerVersion>>,
    pub(crate) request: SharedTask<Result<ManagerVersion, Error>>,
}

impl Client {
    /// Creates a client on top of any tower service.
    pub fn new(connection: Connection, stack: Stack) -> Self {
        let secrets = KnownSecrets::of(&connection);
        let counters = Arc::<TrafficCounters>::default();
        let stack = counted(stack.0, Arc::clone(&counters));
        Self::with_auth(connection, secrets, stack, LOOKUP_DEADLINE, None, counters, None)
    }

    /// Creates a client on top of `stack`, which contains `auth` and adds to `secrets`.
    pub(crate) fn with_auth(
        connection: Connection,
        secrets: KnownSecrets,
        stack: BoxStack,
        lookup_deadline: Duration,
        auth: Option<Auth>,
        counters: Arc<TrafficCounters>,
        proxy: Option<String>,
    ) -> Self {
        Self {
            shared: Arc::new(ClientParts {
                stack,
                connection,
                secrets,
                lookup_deadline,
                auth,
                version: VersionCache {
                    known: Mutex::default(),
                    request: SharedTask::new(),
                },
                counters,
                proxy,
            }),
        }
    }

    /// Logs in before the first request, in a task that ends with this client, to reduce the latency of the first lookup. Sends
    /// nothing if each request is authenticated on its own (user name and password without a session, client
    /// certificate).
    ///
    /// If the manager refuses the login, the first request fails with the manager's reason. Other failures
    /// are ignored; the first request then logs in.
    ///
    /// # Panics
    ///
    /// If it is called outside of a tokio runtime.
    pub fn open_in_background(&self) {
        if let Some(auth) = &self.shared.auth {
            auth.open();
        }
    }

    /// Ends the session on the manager, if there is one. Waits at most 2 s. Call it after the last request; a
    /// later request logs in again.
    pub async fn close(&self) {
        if let Some(auth) = &self.shared.auth {
            auth.close().await;
        }
    }

    /// Requests and bytes of this client so far.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        self.shared.counters.read()
    }

    /// The clocks of the manager and of this machine at the last reply. `None` before the first, and if replies have
    /// no date.
    #[must_use]
    pub fn clocks(&self) -> Option<Clocks> {
        self.shared.counters.clocks()
    }

    /// The validated configuration of the client.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.shared.connection
    }

    /// Default duration of a lookup, from the builder. Callers that send several requests add it to their
    /// start time and pass the deadline to each [`Get`].
    #[must_use]
    pub fn lookup_deadline(&self) -> Duration {
        self.shared.lookup_deadline
    }

    /// Sends `get` and returns the body of a reply with status 200. Dropping the future cancels the request.
    ///
    /// # Errors
    ///
    /// Every kind of [`Error`] except [`ErrorKind::Config`].
    pub async fn get(&self, get: &Get) -> Result<Reply, Error> {
        let mut request = Request::get(self.target(get)?)
            .header(header::CONTENT_TYPE, CONTENT_TYPE)
            .body(Bytes::new())
            .expect("a path built by Get is a valid request target");
        *CallContext::of_mut(&mut request) = get.context();
        self.send(request).await
    }

    /// Checks that `get` can be expressed as a URL. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidRequest`], which sending it would return.
    pub fn check(&self, get: &Get) -> Result<(), Error> {
        self.target(get).map(drop)
    }

    /// The path and query of `get`.
    fn target(&self, get: &Get) -> Result<String, Error> {
        get.target(&self.shared.connection.host.prefix).map_err(|reason| {
            // A path that is too long to be sent is too long to be shown.
            let path: String = get.path().chars().take(200).collect();
            let failure = Failure::default()
                .request_line(self.request_line(&Method::GET, &path))
                .unsent(true)
                .reason(reason);
            Error::new(ErrorKind::InvalidRequest, failure)
        })
    }

    /// The error of a lookup that waited for `get` until its deadline, `waited` after its start, while the request
    /// continues for other lookups.
    #[must_use]
    pub fn late(&self, get: &Get, waited: Duration) -> Error {
        let failure = Failure::default()
            .request_line(self.request_line(&Method::GET, get.path()))
            .reason(format!("no usable response within {:.1} s", waited.as_secs_f64()))
            .hint("try again later or increase the deadline");
        let mut error = Error::new(ErrorKind::Deadline, failure);
        self.name_login(&mut error);
        through(error, self.shared.proxy.as_deref()).sanitized(&self.shared.secrets.all())
    }

    /// Waits until a request can be sent immediately: for the login, and for a slot within the manager's
    /// limits. Pass the result to [`Get::reserved`].
    ///
    /// Returns `None` if the client was created with [`Client::new`], or if the login failed, which the
    /// request then reports.
    pub async fn reserve(&self) -> Option<Reservation> {
        self.shared.auth.as_ref()?.reserve().await
    }

    /// Waits for the end of the login that is under way, if there is one. Sends nothing.
    pub async fn login_settled(&self) {
        if let Some(auth) = &self.shared.auth {
            auth.login_settled().await;
        }
    }

    /// Sends a `POST` request, for [`Client::install_missing_licenses`].
    pub(crate) async fn post(&self, path: &'static str, json: Bytes) -> Result<Reply, Error> {
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(json)
            .expect("a fixed path");
        self.send(request).await
    }

    async fn send(&self, mut request: Request<Bytes>) -> Result<Reply, Error> {
        let start = Instant::now();
        let lookup_deadline = self.shared.lookup_deadline;
        CallContext::of_mut(&mut request)
            .deadline
            .get_or_insert_with(|| start + lookup_deadline);
        request
            .headers_mut()
            .insert(ACCEPT, HeaderValue::from_static("application/json"));
        let request_line = self.request_line(request.method(), request.uri().path());
        match self.shared.stack.clone().oneshot(request).await {
            // The status of an added licence is 201.
            Ok(reply) if matches!(reply.status(), StatusCode::OK | StatusCode::CREATED) => {
                self.shared.counters.attempts(ReplyContext::of(&reply).attempts);
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

    /// Completes `error` with facts about the call, and removes secrets. All failures leave the stack here.
    /// Facts that a lower layer added about its own request, such as a login, are kept.
    fn completed(&self, mut error: Error, request_line: RequestLine, start: Instant) -> Error {
        let failure = error.failure_mut();
        failure.request_line.get_or_insert(request_line);
        failure.elapsed = start.elapsed();
        self.shared.counters.attempts(failure.attempts);
        self.name_login(&mut error);
        through(error, self.shared.proxy.as_deref()).sanitized(&self.shared.secrets.all())
    }

    /// Adds to an exceeded deadline that the request waits for a login, of which its own line says nothing.
    fn name_login(&self, error: &mut Error) {
        let auth = self.shared.auth.as_ref();
        if error.kind() == ErrorKind::Deadline && auth.is_some_and(Auth::is_logging_in) {
            error.failure_mut().add_reason("the login has not ended");
        }
    }

    /// Sanitizes `text` of a manager or proxy for errors, logs and terminals: removes all secrets that this
    /// client sent or received, and applies [`netmgr_types::foreign::sanitized`].
    #[must_use]
    pub fn sanitized(&self, text: &str) -> String {
        self.shared.secrets.all().sanitized(text)
    }

    /// `text` without all secrets that this client sent or received, and otherwise unchanged.
    #[must_use]
    pub fn redacted(&self, text: &str) -> String {
        self.shared.secrets.all().redacted(text)
    }

    /// The secrets of this client.
    pub(crate) fn secrets(&self) -> &KnownSecrets {
        &self.shared.secrets
    }

    /// Describes a request for errors.
    pub(crate) fn request_line(&self, method: &Method, path: &str) -> RequestLine {
        let host = &self.shared.connection.host;
        RequestLine {
            method: method.clone(),
            host: authority(host),
            path: format!("{}{path}", host.prefix),
        }
    }

    /// The manager's version, after it was read.
    pub(crate) fn version_cache(&self) -> &VersionCache {
        &self.shared.version
    }
}

/// Prints the host and kind of manager, but no credentials.
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
