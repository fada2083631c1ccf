//! A mock manager below a layer, with requests and replies for tests.

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use tower::{BoxError, ServiceExt};
use tower_test::mock::{self, Handle};

use crate::Error;
use crate::service::Inner;

/// The manager's end of [`pair`].
pub(crate) type Manager = Handle<Request<Bytes>, Response<Bytes>>;

/// Creates a service for a layer to wrap, and the manager that replies to it. Errors of the manager must be
/// [`Error`]s.
pub(crate) fn pair() -> (impl Inner, Manager) {
    let (mock, manager) = mock::pair();
    let service = mock.map_err(|error: BoxError| match error.downcast::<Error>() {
        Ok(error) => *error,
        Err(other) => panic!("not an error of this crate: {other}"),
    });
    (service, manager)
}

pub(crate) fn get(uri: &str) -> Request<Bytes> {
    Request::get(uri).body(Bytes::new()).unwrap()
}

pub(crate) fn ok() -> Response<Bytes> {
    reply(200, "{}")
}

pub(crate) fn reply(status: u16, body: impl Into<Bytes>) -> Response<Bytes> {
    let mut reply = Response::new(body.into());
    *reply.status_mut() = StatusCode::from_u16(status).unwrap();
    reply
}
