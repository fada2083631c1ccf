//! Tests of the layer with a scripted peer on a paused clock, one file per kind of credentials.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::{BoxFuture, join_all};
use http::{HeaderMap, Method, Request, Response};
use netmgr_types::Credentials;
use tokio::time::sleep;
use tower::util::BoxCloneSyncService;
use tower::{ServiceExt, service_fn};

use super::{Auth, Lanes, SharedLogin};
use crate::classify::classify;
use crate::layers::base_uri::Base;
use crate::layers::origin::origin;
use crate::service::BoxStack;
use crate::testing::connection;
use crate::{Error, ErrorKind, Failure};

mod client;
mod cloud;
mod header;
mod session;

type Script = dyn FnMut(&Arrived) -> Answer + Send;
type Answer = Result<Response<Bytes>, Error>;

/// Latency of the peer.
const LATENCY: Duration = Duration::from_millis(10);
/// Latency of the path `/stuck`.
const STUCK: Duration = Duration::from_secs(8);

/// A request that arrived at the peer.
#[derive(Clone)]
struct Arrived {
    method: Method,
    uri: String,
    headers: HeaderMap,
    body: String,
}

impl Arrived {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    fn is_login(&self) -> bool {
        self.method == Method::POST && !self.uri.ends_with("/destroy")
    }
}

/// The inner service: replies to each request after [`LATENCY`], ten times that for the path `/slow`, and
/// [`STUCK`] for the path `/stuck`, and records the requests.
#[derive(Clone)]
struct Peer {
    arrived: Arc<Mutex<Vec<Arrived>>>,
    answer: Arc<Mutex<Script>>,
}

impl Peer {
    fn new(answer: impl FnMut(&Arrived) -> Answer + Send + 'static) -> Self {
        Self {
            arrived: Arc::default(),
            answer: Arc::new(Mutex::new(answer)),
        }
    }

    fn stack(&self) -> BoxStack {
        let peer = self.clone();
        BoxCloneSyncService::new(service_fn(move |request: Request<Bytes>| {
            let peer = peer.clone();
            async move {
                let arrived = Arrived {
                    method: request.method().clone(),
                    uri: request.uri().to_string(),
                    headers: request.headers().clone(),
                    body: String::from_utf8(request.body().to_vec()).unwrap(),
                };
                peer.arrived.lock().unwrap().push(arrived.clone());
                sleep(match arrived.uri.as_str() {
                    "/slow" => 10 * LATENCY,
                    "/stuck" => STUCK,
                    _ => LATENCY,
                })
                .await;
                (peer.answer.lock().unwrap())(&arrived)
            }
        }))
    }

    fn auth(&self, credentials: Credentials) -> Auth {
        let connection = connection().credentials(credentials);
        let named = origin(self.stack(), Base::new(&connection.host).unwrap());
        let auth = SharedLogin::try_new(&connection, Duration::from_secs(60), None).unwrap();
        auth.over(in_all_lanes(BoxCloneSyncService::new(named)))
    }

    fn arrived(&self) -> Vec<Arrived> {
        self.arrived.lock().unwrap().clone()
    }

    fn logins(&self) -> usize {
        self.arrived().iter().filter(|arrived| arrived.is_login()).count()
    }

    /// Requests for the version of the node.
    fn checks(&self) -> usize {
        self.arrived()
            .iter()
            .filter(|arrived| arrived.uri == "/api/v1/node/version")
            .count()
    }

    fn with_password(&self) -> usize {
        self.arrived()
            .iter()
            .filter(|arrived| arrived.header("authorization").is_some())
            .count()
    }

    fn reads(&self) -> usize {
        self.arrived()
            .iter()
            .filter(|arrived| arrived.method == Method::GET)
            .count()
    }
}

fn in_all_lanes(stack: BoxStack) -> Lanes {
    Lanes {
        requests: stack.clone(),
        logins: stack.clone(),
        logouts: stack,
    }
}

/// A read through the layer.
fn read(auth: &Auth) -> BoxFuture<'static, Answer> {
    read_path(auth, "/api/v1/pools/ip-pools?cursor=1")
}

fn read_path(auth: &Auth, path: &str) -> BoxFuture<'static, Answer> {
    let request = Request::get(path).body(Bytes::new()).unwrap();
    Box::pin(auth.clone().oneshot(request))
}

/// 64 reads at once.
async fn read_64(auth: &Auth) -> Vec<Answer> {
    join_all((0..64).map(|_| read(auth))).await
}

fn reply(status: u16, body: impl Into<Bytes>) -> Response<Bytes> {
    Response::builder().status(status).body(body.into()).unwrap()
}

fn error_reply(status: u16, code: &str) -> Response<Bytes> {
    reply(
        status,
        format!(r#"{{"module_name":"common-services","error_message":"no","error_code":{code}}}"#),
    )
}

fn broken() -> Error {
    Error::new(ErrorKind::Connect, Failure::default().reason("connection reset"))
}

/// The text of an error or reply that has to be [`ErrorKind::Unauthenticated`].
#[track_caller]
fn unauthenticated(answer: Answer) -> String {
    let error = answer.map_or_else(|error| error, |reply| classify(&reply));
    assert_eq!(error.kind(), ErrorKind::Unauthenticated, "{error:?}");
    error.to_string()
}
