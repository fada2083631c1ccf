//! Test support: a connection, and a client on top of a function.

use std::future::Future;

use bytes::Bytes;
use netmgr_types::{Connection, Credentials, Host, Login};
use tower::service_fn;

use crate::{Client, Error};

/// A local manager with session credentials.
pub(crate) fn connection() -> Connection {
    let host = Host::parse("manager.example").expect("a valid host");
    Connection::new(host, Credentials::Session(login())).on_demand(true)
}

/// User name and password with characters that require encoding.
pub(crate) fn login() -> Login {
    Login::new("admin@corp", "p+w &%ä")
}

/// A client whose stack is `answer`.
pub(crate) fn client_over<F, A>(connection: Connection, answer: F) -> Client
where
    F: FnMut(http::Request<Bytes>) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Result<http::Response<Bytes>, Error>> + Send + 'static,
{
    Client::new(connection, crate::Stack::new(service_fn(answer)))
}
