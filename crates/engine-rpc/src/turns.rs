//! Limit on concurrent functions. Other calls wait before their request is read, because the engine sends all
//! calls of a program at once and a waiting call should require few resources (0105).

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context as TaskContext, Poll};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::transport::server::TcpConnectInfo;
use tracing::Instrument as _;

use crate::error::Error;
use crate::session::Sessions;
use crate::status::status;
use crate::traced;

/// The calls that wait for their turn. Other calls, in particular [`Cancel`], never wait.
///
/// [`Cancel`]: crate::generated::pulumirpc::resource_provider_server::ResourceProvider::cancel
const FUNCTIONS: &str = "/pulumirpc.ResourceProvider/Invoke";

/// The header with the compression of the message.
const COMPRESSION: &str = "grpc-encoding";

/// A service whose functions wait for a slot.
#[derive(Clone)]
pub(crate) struct Turns<S> {
    inner: S,
    sessions: Arc<Sessions>,
    places: Arc<Semaphore>,
}

/// The slot of a running call. Released when the last clone is dropped, or by [`Self::give_up`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn(Arc<Mutex<Option<OwnedSemaphorePermit>>>);

impl Turn {
    /// Releases the slot, although the call continues.
    pub(crate) fn give_up(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl<S> Turns<S> {
    pub(crate) fn new(inner: S, sessions: Arc<Sessions>, at_once: usize) -> Self {
        Self {
            inner,
            sessions,
            places: Arc::new(Semaphore::new(at_once.min(Semaphore::MAX_PERMITS))),
        }
    }
}

type Answer = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

impl<S> Service<http::Request<Body>> for Turns<S>
where
    S: Service<http::Request<Body>, Response = http::Response<Body>, Error = Infallible, Future = Answer>
        + Clone
        + Send
        + 'static,
{
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, task: &mut TaskContext<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(task)
    }

    fn call(&mut self, mut request: http::Request<Body>) -> Answer {
        let connection = request.extensions().get::<TcpConnectInfo>();
        let busy = self
            .sessions
            .busy(connection.and_then(TcpConnectInfo::remote_addr));
        let span = traced::call(request.uri().path(), request.headers());
        if request.uri().path() != FUNCTIONS {
            let answer = self.inner.call(request);
            let answer = async move {
                let _busy = busy;
                answer.await
            };
            return Box::pin(answer.instrument(span));
        }
        let waiting = Waiting {
            compression: request.headers_mut().remove(COMPRESSION),
            connection: request.extensions_mut().remove(),
            message: request.into_body(),
        };
        let (mut inner, places) = (self.inner.clone(), Arc::clone(&self.places));
        let cancelled = self.sessions.context(waiting.address()).cancellation().clone();
        let answer = async move {
            let _busy = busy;
            let place = tokio::select! {
                biased;
                place = places.acquire_owned() => place.expect("the semaphore is never closed"),
                () = cancelled.cancelled() => return Ok(status(Error::Cancelled).into_http()),
            };
            inner.call(waiting.request(place)).await
        };
        Box::pin(answer.instrument(span))
    }
}

/// The parts of a request that functions use.
struct Waiting {
    /// Not read yet, except for data that the connection has received.
    message: Body,
    compression: Option<http::HeaderValue>,
    connection: Option<TcpConnectInfo>,
}

impl Waiting {
    fn address(&self) -> Option<SocketAddr> {
        self.connection.as_ref().and_then(TcpConnectInfo::remote_addr)
    }

    /// The request for the service.
    fn request(self, place: OwnedSemaphorePermit) -> http::Request<Body> {
        let mut request = http::Request::new(self.message);
        *request.method_mut() = http::Method::POST;
        *request.uri_mut() = http::Uri::from_static(FUNCTIONS);
        *request.version_mut() = http::Version::HTTP_2;
        if let Some(compression) = self.compression {
            request.headers_mut().insert(COMPRESSION, compression);
        }
        if let Some(connection) = self.connection {
            request.extensions_mut().insert(connection);
        }
        request
            .extensions_mut()
            .insert(Turn(Arc::new(Mutex::new(Some(place)))));
        request
    }
}
