//! Managers, clients and lookups that the tests share, and a paused clock.

use std::error::Error as _;
use std::future::Future;
use std::pin::pin;
use std::sync::mpsc;
use std::time::Duration;

use futures_util::future::join_all;
use http::Method;
use netmgr_lookups::{Call, Error, Lookups};
use netmgr_sim::{
    DEFAULT_PASSWORD, DEFAULT_USERNAME, Fault, LoggedRequest, ServerCertificate, Simulator, SimulatorBuilder,
};
use netmgr_transport::Client;
use netmgr_types::{Connection, ProviderConfig};
use serde_json::{Value, json};
use tokio::task::yield_now;
use tokio::time::advance;

/// An object of the default inventory, and the path from which it is read by id: one request.
pub(super) const POOL: &str = "1d2c3b4a-5968-4778-8695-a4b3c2d10001";
pub(super) const POOL_PATH: &str = "/api/v1/pools/ip-pools/1d2c3b4a-5968-4778-8695-a4b3c2d10001";
pub(super) const SEARCH: &str = "/policy/api/v1/search/query";
pub(super) const CREATE: &str = "/api/session/create";

/// A manager with the default inventory behind TLS.
pub(super) fn manager() -> SimulatorBuilder {
    Simulator::builder().tls(ServerCertificate::Valid)
}

/// A manager that speaks HTTP/2, and one that does not.
pub(super) fn both_protocols() -> [SimulatorBuilder; 2] {
    [manager(), manager().http1_only()]
}

pub(super) async fn started(builder: SimulatorBuilder) -> Simulator {
    builder.start().await.unwrap()
}

pub(super) fn fault(text: &str) -> Fault {
    text.parse().unwrap()
}

/// Credentials of the default account for a session.
pub(super) fn session() -> Value {
    json!({"username": DEFAULT_USERNAME, "password": DEFAULT_PASSWORD})
}

/// Credentials of the default account for each request.
pub(super) fn basic() -> Value {
    with(session(), json!({"sessionAuth": false}))
}

pub(super) fn with(mut settings: Value, more: Value) -> Value {
    let more = more.as_object().unwrap().clone();
    settings.as_object_mut().unwrap().extend(more);
    settings
}

/// The configuration of a client of `simulator`, with waits of a millisecond between attempts.
pub(super) fn connection(simulator: &Simulator, settings: Value) -> Connection {
    let reach = json!({"host": simulator.url(), "ca": simulator.ca_pem(), "retryMaxDelay": 1});
    ProviderConfig::from_json(with(reach, settings))
        .unwrap()
        .resolve()
        .unwrap()
}

pub(super) fn client(simulator: &Simulator, settings: Value) -> Client {
    Client::builder(connection(simulator, settings)).build().unwrap()
}

pub(super) fn lookups(simulator: &Simulator, settings: Value) -> Lookups {
    Lookups::new(client(simulator, settings))
}

pub(super) async fn call(lookups: &Lookups, function: &str, input: Value) -> Result<Value, Error> {
    lookups.invoke(function, input, &Call::default()).await
}

/// The cheapest lookup: one object by its id.
pub(super) async fn ask(lookups: &Lookups) -> Result<Value, Error> {
    call(lookups, "getIpPool", json!({"id": POOL})).await
}

/// Runs [`ask`] concurrently with one client. Each call has its own lookups, because equal ones would share a
/// request.
pub(super) async fn ask_many(lookups: &Lookups, times: usize) -> Vec<Result<Value, Error>> {
    let alone = || async { ask(&Lookups::new(lookups.client().clone())).await };
    join_all((0..times).map(|_| alone())).await
}

/// The error with all its causes, as a user reads it.
pub(super) fn reported(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

/// Number of requests for `path`.
pub(super) fn reads(simulator: &Simulator, path: &str) -> u64 {
    simulator.counters().requests_to(&Method::GET, path)
}

/// The requests other than logins.
pub(super) fn api_requests(simulator: &Simulator) -> Vec<LoggedRequest> {
    let mut requests = simulator.requests();
    requests
        .retain(|request| !request.path.starts_with("/api/session/") && !request.path.starts_with("/csp/"));
    requests
}

/// Waits until `condition` holds, without a timer, because clocks are paused here.
pub(super) async fn yield_until(condition: impl Fn() -> bool) {
    while !condition() {
        yield_now().await;
    }
}

/// Pauses the clock of client and manager until it is dropped. Sockets are not affected.
pub(super) struct Clock {
    _holds: mpsc::Sender<()>,
}

impl Clock {
    pub(super) fn stop() -> Self {
        tokio::time::pause();
        let (holds, held) = mpsc::channel::<()>();
        // A paused clock advances to the next timer when the runtime is idle, which includes waiting for a
        // socket. It does not advance while a blocking task runs.
        tokio::task::spawn_blocking(move || held.recv());
        Self { _holds: holds }
    }

    pub(super) async fn skip(&self, time: Duration) {
        advance(time).await;
    }

    /// Runs `work` on a clock that is much faster than real time, but slow enough for data on sockets to
    /// arrive.
    pub(super) async fn run<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            let tick = async {
                for _ in 0..20 {
                    yield_now().await;
                }
                advance(Duration::from_millis(10)).await;
            };
            tokio::select! {
                biased;
                done = work.as_mut() => return done,
                () = tick => {}
            }
        }
    }
}
