//! Functions: the calls of which engines send all of a program at once. A call that waits needs little memory (0105).
//!
//! The gRPC library keeps the request, its body and the state of its decoding until a call is answered. Here, a call
//! waits for its slot with an unread request, and for its result with nothing but the call of the provider.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context as TaskContext, Poll};

use futures_util::FutureExt as _;
use futures_util::future::lazy;
use grpc_plugin::Protobuf;
use http_body::Frame;
use prost::bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::body::Body;
use tonic::codec::{Codec as _, Streaming};
use tonic::codegen::{Service, http};
use tonic::{Code, Status};
use tracing::Instrument as _;

use crate::rpc::InvokeRequest;
use crate::rpc::channel::MAX_MESSAGE;
use crate::rpc::context::Context;
use crate::rpc::error::Error;
use crate::rpc::generated::pulumirpc as rpc;
use crate::rpc::provider::Provider;
use crate::rpc::requests::FromRpc as _;
use crate::rpc::service::{self, guarded};
use crate::rpc::status::status;
use crate::rpc::traced;

/// The path of functions. Other calls, in particular [`Cancel`], never wait.
///
/// [`Cancel`]: crate::rpc::generated::pulumirpc::resource_provider_server::ResourceProvider::cancel
const PATH: &str = "/pulumirpc.ResourceProvider/Invoke";

/// The header with the compression of the message.
const COMPRESSION: &str = "grpc-encoding";

/// The address that a call comes from, as an extension of its request.
#[derive(Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// A service that serves functions, each of which waits for a slot, in front of the service for other calls.
pub(crate) struct Functions<S, P> {
    others: S,
    provider: Arc<service::Service<P>>,
    slots: Arc<Semaphore>,
    /// Of the connection.
    peer: Option<SocketAddr>,
}

impl<S: Clone, P> Clone for Functions<S, P> {
    fn clone(&self) -> Self {
        Self {
            others: self.others.clone(),
            provider: Arc::clone(&self.provider),
            slots: Arc::clone(&self.slots),
            peer: self.peer,
        }
    }
}

/// The slot of a running call. Released when the last clone is dropped, or by [`Self::give_up`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn(Option<Arc<Mutex<Option<OwnedSemaphorePermit>>>>);

impl Turn {
    fn of(slot: OwnedSemaphorePermit) -> Self {
        Self(Some(Arc::new(Mutex::new(Some(slot)))))
    }

    /// Releases the slot, although the call continues.
    pub(crate) fn give_up(&self) {
        if let Some(slot) = &self.0 {
            slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }
}

impl<S, P: Provider> Functions<S, P> {
    pub(crate) fn new(others: S, provider: Arc<service::Service<P>>) -> Self {
        let at_once = provider.provider.functions_at_once();
        Self {
            others,
            provider,
            slots: Arc::new(Semaphore::new(at_once.min(Semaphore::MAX_PERMITS))),
            peer: None,
        }
    }

    /// The same service for the calls of the connection from `peer`.
    pub(crate) fn of(&self, peer: SocketAddr) -> Self
    where
        S: Clone,
    {
        Self {
            peer: Some(peer),
            ..self.clone()
        }
    }
}

type Answer = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

impl<S, P> Service<http::Request<Body>> for Functions<S, P>
where
    S: Service<http::Request<Body>, Response = http::Response<Body>, Error = Infallible, Future = Answer>,
    P: Provider,
{
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, task: &mut TaskContext<'_>) -> Poll<Result<(), Infallible>> {
        self.others.poll_ready(task)
    }

    fn call(&mut self, mut request: http::Request<Body>) -> Answer {
        let busy = self.provider.sessions.busy(self.peer);
        let span = traced::call(request.uri().path(), request.headers());
        if request.uri().path() != PATH {
            if let Some(peer) = self.peer {
                request.extensions_mut().insert(Peer(peer));
            }
            let answer = self.others.call(request);
            let answer = async move {
                let _busy = busy;
                answer.await
            };
            return Box::pin(answer.instrument(span));
        }
        let provider = Arc::clone(&self.provider);
        let slots = Arc::clone(&self.slots);
        let cx = self.provider.sessions.context(self.peer);
        let is_compressed = request
            .headers()
            .get(COMPRESSION)
            .is_some_and(|compression| compression != "identity");
        let message = request.into_body();
        // Boxed, so that its space is free while the function runs.
        let begun = Box::pin(begun(cx, slots, message, is_compressed));
        let answer = async move {
            let (cx, request) = match begun.await {
                Ok(begun) => begun,
                Err(status) => return Ok(status.into_http()),
            };
            // Invalid arguments are an error: a function that is called without a program shows no failures.
            // Called within the guard, and with the request in the space of the future that takes its place.
            let call = lazy(|_| provider.provider.invoke(&cx, request)).flatten();
            let ended = guarded(&cx, call).await;
            drop(busy);
            Ok(match ended {
                Ok(result) => Reply::response(result.into_message()),
                Err(error) => status(error).into_http(),
            })
        };
        Box::pin(answer.instrument(span))
    }
}

/// Waits for a slot, then reads and decodes the request in `message`.
async fn begun(
    cx: Context,
    slots: Arc<Semaphore>,
    message: Body,
    is_compressed: bool,
) -> Result<(Context, InvokeRequest), Status> {
    if is_compressed {
        return Err(Status::unimplemented("compressed messages are not supported"));
    }
    let slot = tokio::select! {
        biased;
        slot = slots.acquire_owned() => slot.expect("the semaphore is never closed"),
        () = cx.cancellation().cancelled() => return Err(status(Error::Cancelled)),
    };
    let request = InvokeRequest::from_rpc(read(message).await?).map_err(service::malformed)?;
    Ok((cx.at(Turn::of(slot)), request))
}

/// Reads the message of a request.
async fn read(message: Body) -> Result<rpc::InvokeRequest, Status> {
    let decoder = Protobuf::<(), rpc::InvokeRequest>::default().decoder();
    let mut messages = Streaming::new_request(decoder, message, None, Some(MAX_MESSAGE));
    let request = messages.message().await?;
    // The request is over when its trailers have been read.
    messages.trailers().await?;
    request.ok_or_else(|| Status::internal("the request has no message"))
}

/// Body of a successful response: one message, then the status.
struct Reply {
    message: Option<Bytes>,
    status: Option<http::HeaderMap>,
}

impl Reply {
    /// The response with `message`, which begins with its length as in "engine-plugin" 1.1.
    fn response(message: Bytes) -> http::Response<Body> {
        let mut status = http::HeaderMap::with_capacity(1);
        status.insert("grpc-status", (Code::Ok as i32).into());
        let body = Self {
            message: Some(message),
            status: Some(status),
        };
        let mut response = http::Response::new(Body::new(body));
        let content = http::HeaderValue::from_static("application/grpc");
        response.headers_mut().insert(http::header::CONTENT_TYPE, content);
        response
    }
}

impl http_body::Body for Reply {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _task: &mut TaskContext<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = match self.message.take() {
            Some(message) => Some(Frame::data(message)),
            None => self.status.take().map(Frame::trailers),
        };
        Poll::Ready(frame.map(Ok))
    }

    fn is_end_stream(&self) -> bool {
        self.status.is_none()
    }
}
