//! Test support: a connection, and a client on top of a function.

use std::future::Future;

use bytes::Bytes;
use netmgr_types::{
    Connection, Credentials, Deployment, Host, Login, LoginScheme, RetrySettings, Secret, TlsSettings,
};
use tower::service_fn;

use crate::{Client, Error};

/// A local manager with session credentials.
pub(crate) fn connection() -> Connection {
    Connection {
        host: Host {
            scheme: "https",
            name: "manager.example".to_owned(),
            port: None,
            prefix: String::new(),
        },
        deployment: Deployment::PolicyManager,
        credentials: Credentials::Session(login()),
        tls: TlsSettings::default(),
        enforcement_point: "default".to_owned(),
        retry: RetrySettings::default(),
        license_keys: Vec::new(),
        on_demand: true,
        tolerate_partial_success: false,
    }
}

/// User name and password with characters that require encoding.
pub(crate) fn login() -> Login {
    Login {
        username: "admin@corp".to_owned(),
        password: Secret::new("p+w &%ä"),
        scheme: LoginScheme::Basic,
    }
}

/// A client whose stack is `answer`.
pub(crate) fn client_over<F, A>(connection: Connection, answer: F) -> Client
where
    F: FnMut(http::Request<Bytes>) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Result<http::Response<Bytes>, Error>> + Send + 'static,
{
    Client::new(connection, crate::Stack::new(service_fn(answer)))
}
