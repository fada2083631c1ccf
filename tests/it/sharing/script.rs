//! A manager with replies that a test defines.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use http::{Request, Response};
use netmgr_lookups::{Call, Error, Lookups};
use netmgr_transport::{Client, Error as RequestError, ErrorKind, Failure, LoginRecord, Stack};
use netmgr_types::ProviderConfig;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

/// Time between a request and its reply.
pub(super) const LATENCY: Duration = Duration::from_millis(50);

/// A reply, or none.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    Json(u16, Value),
    /// Like `Json`, with a header `Retry-After`.
    Later(u16, &'static str),
    /// Like `Json`, after this time.
    After(Duration, Box<Reply>),
    /// No reply.
    Hang,
    /// The connection ends during the reply.
    Reset,
    /// The connection is refused.
    Refused,
}

impl Reply {
    pub(super) fn ok(body: Value) -> Self {
        Self::Json(200, body)
    }

    /// An error with a code, as the manager sends it.
    pub(super) fn error(status: u16) -> Self {
        Self::Json(
            status,
            json!({"error_code": 7, "error_message": "it failed", "httpStatus": "ERROR"}),
        )
    }

    /// There is no such object.
    pub(super) fn missing() -> Self {
        Self::Json(404, json!({"error_code": 600, "error_message": "no such object"}))
    }

    pub(super) fn after(self, seconds: u64) -> Self {
        Self::After(Duration::from_secs(seconds), Box::new(self))
    }
}

/// A request: when it came, relative to the start, and its path and query.
pub(super) type Sent = (Duration, String);

/// Lookups of a scripted manager.
#[derive(Clone)]
pub(super) struct Script {
    pub(super) lookups: Lookups,
    sent: Arc<Mutex<Vec<Sent>>>,
}

impl Script {
    /// A manager that replies with `answer`, which receives path and query, decoded, and the time since the start. Each
    /// request is authenticated on its own.
    pub(super) fn new(answer: impl Fn(&str, Duration) -> Reply + Send + Sync + 'static) -> Self {
        Self::with(|config| *config = config.clone().session_auth(false), answer)
    }

    /// Like [`Script::new`], with changed settings. By default, there is a login.
    pub(super) fn with(
        change: impl FnOnce(&mut ProviderConfig),
        answer: impl Fn(&str, Duration) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::recording(None, change, answer)
    }

    /// Like [`Script::with`], with a folder for rejected logins.
    pub(super) fn recording(
        login_record: Option<LoginRecord>,
        change: impl FnOnce(&mut ProviderConfig),
        answer: impl Fn(&str, Duration) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let mut config = ProviderConfig::new("manager.test")
            .username("admin")
            .password("secret");
        change(&mut config);
        let sent: Arc<Mutex<Vec<Sent>>> = Arc::default();
        let log = Arc::clone(&sent);
        let answer = Arc::new(answer);
        // The clock of the first request, because a client outlives its runtimes.
        let start = Arc::new(Mutex::new(None));
        let leaf = Stack::new(tower::service_fn(move |request: Request<Bytes>| {
            let start = *start.lock().unwrap().get_or_insert_with(Instant::now);
            let target = request.uri().path_and_query().unwrap().as_str();
            let target = percent_encoding::percent_decode_str(target)
                .decode_utf8_lossy()
                .into_owned();
            let at = start.elapsed();
            log.lock().unwrap().push((at, target.clone()));
            let reply = answer(&target, at);
            async move {
                sleep(LATENCY).await;
                send(reply).await
            }
        }));
        let connection = config.resolve().unwrap();
        let client = Client::builder(connection)
            .leaf(leaf)
            .login_record(login_record)
            .build()
            .unwrap();
        Self {
            lookups: Lookups::new(client),
            sent,
        }
    }

    pub(super) async fn invoke(&self, function: &str, input: Value) -> Result<Value, Error> {
        self.lookups.invoke(function, input, &Call::default()).await
    }

    /// Runs lookups of one function concurrently.
    pub(super) async fn all(&self, function: &str, inputs: Vec<Value>) -> Vec<Result<Value, Error>> {
        join_all(inputs.into_iter().map(|input| self.invoke(function, input))).await
    }

    /// The requests so far.
    pub(super) fn sent(&self) -> Vec<Sent> {
        self.sent.lock().unwrap().clone()
    }
}

async fn send(reply: Reply) -> Result<Response<Bytes>, RequestError> {
    let mut reply = reply;
    loop {
        let (status, retry_after, body) = match reply {
            Reply::After(time, later) => {
                sleep(time).await;
                reply = *later;
                continue;
            }
            Reply::Hang => std::future::pending().await,
            Reply::Reset => {
                let failure = Failure::default().reason("connection reset by peer");
                return Err(RequestError::new(ErrorKind::Connect, failure));
            }
            Reply::Refused => {
                let failure = Failure::default().reason("connection refused").unsent(true);
                return Err(RequestError::new(ErrorKind::Connect, failure));
            }
            Reply::Json(status, body) => (status, None, body.to_string()),
            Reply::Later(status, retry_after) => (status, Some(retry_after), String::new()),
        };
        let mut response = Response::builder()
            .status(status)
            .header("content-type", "application/json")
            .header("set-cookie", "JSESSIONID=1")
            .header("x-xsrf-token", "1");
        if let Some(retry_after) = retry_after {
            response = response.header("retry-after", retry_after);
        }
        return Ok(response.body(Bytes::from(body)).unwrap());
    }
}

/// A page with all of `rows`.
pub(super) fn page(rows: impl IntoIterator<Item = Value>) -> Reply {
    let rows: Vec<Value> = rows.into_iter().collect();
    Reply::ok(json!({"result_count": rows.len(), "results": rows}))
}

/// A page that is not the last one.
pub(super) fn first_page(rows: impl IntoIterator<Item = Value>, of: usize) -> Reply {
    let rows: Vec<Value> = rows.into_iter().collect();
    Reply::ok(json!({"result_count": of, "results": rows, "cursor": "0001next"}))
}

/// An IP pool of the manager API.
pub(super) fn pool(id: &str) -> Value {
    json!({"resource_type": "IpPool", "id": id, "display_name": format!("pool-{id}")})
}

/// A DHCP server of the policy API below `base`, with its id as its name.
pub(super) fn server_in(base: &str, id: &str) -> Value {
    json!({
        "resource_type": "DhcpServerConfig",
        "id": id,
        "display_name": id,
        "path": format!("{base}/dhcp-server-configs/{id}"),
    })
}

pub(super) fn server(id: &str) -> Value {
    server_in("/infra", id)
}

/// Names of servers.
pub(super) const NAMES: [&str; 9] = ["n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"];

/// The inputs that select each of these names.
pub(super) fn named(names: &[&str]) -> Vec<Value> {
    names.iter().map(|name| json!({"displayName": name})).collect()
}

/// The names that a search contains.
pub(super) fn searched(target: &str) -> Vec<&'static str> {
    NAMES
        .into_iter()
        .filter(|name| target.contains(&format!("display_name:{name}*")))
        .collect()
}

pub(super) fn is_search(target: &str) -> bool {
    target.starts_with("/policy/api/v1/search/query")
}

pub(super) fn is_server_list(target: &str) -> bool {
    target.starts_with("/policy/api/v1/infra/dhcp-server-configs?")
}

pub(super) const DHCP: &str = "getPolicyDhcpServer";
pub(super) const POOL: &str = "getIpPool";
