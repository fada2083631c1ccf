//! One call: its own simulator, the client's stack over its request handler, and the outcome.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http::{Request, Response};
use netmgr_lookups::{Call, Error, FunctionEntry, Lookups, Observer, Progress, ResultKind};
use netmgr_sim::{
    Backend, BrokenConnection, DEFAULT_PASSWORD, DEFAULT_USERNAME, Fault, Inventory, Manager,
    ManagerSettings, Simulator, SimulatorBuilder,
};
use netmgr_transport::{Client, Error as RequestError, ErrorKind as RequestErrorKind, Failure, Stack};
use netmgr_types::ProviderConfig;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use super::outcome::{Course, Outcome};
use crate::lookups::harness::chain;

const API_TOKEN: &str = "token-of-the-cloud";
/// Longer than any wait, including its grace period.
const HOURS: Duration = Duration::from_secs(3 * 3600);

/// A manager that many calls share. Only faults change its behavior, and these belong to the simulator in front of it.
#[derive(Clone)]
pub(super) struct Shared(Arc<Manager>);

impl Shared {
    pub(super) fn new() -> Self {
        Self(Arc::new(Manager::new(
            ManagerSettings::default(),
            Inventory::default(),
        )))
    }
}

impl Backend for Shared {
    fn respond(&self, call: &netmgr_sim::ApiRequest) -> netmgr_sim::ApiResponse {
        self.0.respond(call)
    }
}

/// How a client logs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Login {
    Session,
    Basic,
    CloudToken,
}

impl Login {
    /// The settings of a client, including the kind of manager that it expects.
    pub(super) fn settings(self) -> Value {
        let login = json!({ "username": DEFAULT_USERNAME, "password": DEFAULT_PASSWORD });
        match self {
            Self::Session => login,
            Self::Basic => with(login, json!({ "sessionAuth": false })),
            Self::CloudToken => {
                json!({ "cloudToken": API_TOKEN, "cloudAuthHost": "cloud.example", "enforcementPoint": "default" })
            }
        }
    }
}

pub(super) fn with(mut settings: Value, more: Value) -> Value {
    let more = more.as_object().expect("settings are an object").clone();
    settings
        .as_object_mut()
        .expect("settings are an object")
        .extend(more);
    settings
}

/// The behaviour of a function without a fault.
#[derive(Debug)]
pub(super) struct Normal {
    pub(super) answer: Value,
    /// Requests other than logins.
    pub(super) reads: u32,
    pub(super) class: Class,
}

/// Groups of functions that react alike to faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// They wait for a state.
    Waits,
    /// They search by name.
    Searches,
    /// They read a list.
    Lists,
    /// They read one document.
    Reads,
}

/// The course of one call without a fault.
pub(super) async fn normal(manager: &Shared, entry: &'static FunctionEntry, login: Login) -> Normal {
    let bench = Bench::start(manager, login, &[]);
    let call = Call::default();
    let answer = bench
        .lookups
        .invoke(entry.spec.name, entry.describe().example, &call)
        .await;
    let answer = answer.unwrap_or_else(|error| panic!("{}", chain(&error)));
    let reads = bench.seen.lock().unwrap();
    let class = if entry.spec.answer == ResultKind::State {
        Class::Waits
    } else if reads.iter().any(|read| read.path.contains("/search/")) {
        Class::Searches
    } else if reads.iter().any(|read| is_page(&read.answer)) {
        Class::Lists
    } else {
        Class::Reads
    };
    Normal {
        answer,
        reads: reads.iter().filter(|read| !read.login).count() as u32,
        class,
    }
}

/// The course of one call under faults.
pub(super) async fn course(
    manager: &Shared,
    entry: &'static FunctionEntry,
    login: Login,
    faults: &[String],
    deadline: Option<Duration>,
    right: &Value,
) -> Course {
    let bench = Bench::start(manager, login, faults);
    let started = Instant::now();
    let (outcome, text) = ending(bench.lookups.clone(), entry, deadline, right).await;
    let seen = bench.seen.lock().unwrap();
    Course {
        outcome,
        requests: seen.len() as u32,
        logins: seen.iter().filter(|seen| seen.login).count() as u32,
        time: started.elapsed(),
        text,
    }
}

/// How one call ends, and its answer or error as text.
pub(super) async fn ending(
    lookups: Lookups,
    entry: &'static FunctionEntry,
    deadline: Option<Duration>,
    right: &Value,
) -> (Outcome, String) {
    let notes = Arc::new(Notes::default());
    let mut call = Call::default().observer(Arc::clone(&notes) as Arc<dyn Observer>);
    call.deadline = deadline;
    // A separate task contains a panic.
    let task = tokio::spawn(async move {
        let answer = lookups.invoke(entry.spec.name, entry.describe().example, &call);
        timeout(HOURS, answer).await
    });
    match task.await {
        Ok(Ok(result)) => {
            let warnings = notes.0.lock().unwrap();
            (Outcome::of(&result, &warnings, right), describe(&result))
        }
        Ok(Err(_)) => (Outcome::Hangs, String::new()),
        Err(panic) => (Outcome::Panics, panic.to_string()),
    }
}

fn describe(result: &Result<Value, Error>) -> String {
    match result {
        Ok(answer) => answer.to_string(),
        Err(error) => chain(error),
    }
}

/// Warnings of a call.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Observer for Notes {
    fn warning(&self, message: &str) {
        self.0.lock().unwrap().push(message.to_owned());
    }

    fn progress(&self, _: &Progress) {}
}

/// A request that reached the manager.
struct Seen {
    path: String,
    login: bool,
    /// The body of its answer.
    answer: Bytes,
}

/// A simulator with these faults.
pub(super) fn simulator(manager: &Shared, faults: &[String]) -> SimulatorBuilder<Shared> {
    let mut builder = Simulator::serving(manager.clone()).cloud_api_token(API_TOKEN);
    for text in faults {
        let fault: Fault = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        builder = builder.fault(fault);
    }
    builder
}

struct Bench {
    lookups: Lookups,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Bench {
    fn start(manager: &Shared, login: Login, faults: &[String]) -> Self {
        let builder = simulator(manager, faults);
        let simulator = Arc::new(builder.start_in_process());
        let settings = with(login.settings(), json!({ "host": "https://127.0.0.1" }));
        let connection = ProviderConfig::from_json(settings).unwrap().resolve().unwrap();
        let seen = Arc::default();
        let client = Client::builder(connection).leaf(leaf(simulator, Arc::clone(&seen)));
        Self {
            lookups: Lookups::new(client.build().unwrap()),
            seen,
        }
    }
}

/// The end of the stack: passes requests to the simulator, and returns its answers as the real leaf does.
fn leaf(simulator: Arc<Simulator<Shared>>, seen: Arc<Mutex<Vec<Seen>>>) -> Stack {
    Stack::new(tower::service_fn(move |request: Request<Bytes>| {
        let simulator = Arc::clone(&simulator);
        let seen = Arc::clone(&seen);
        async move {
            let path = request.uri().path().to_owned();
            let number = {
                let mut seen = seen.lock().unwrap();
                seen.push(Seen {
                    login: path == "/api/session/create" || path.starts_with("/csp/"),
                    path,
                    answer: Bytes::new(),
                });
                seen.len() - 1
            };
            let reply = as_the_leaf_does(simulator.answer(request).await)?;
            seen.lock().unwrap()[number].answer = reply.body().clone();
            Ok(reply)
        }
    }))
}

fn is_page(body: &Bytes) -> bool {
    serde_json::from_slice::<Value>(body).is_ok_and(|body| body.is_array() || body.get("results").is_some())
}

/// The error of the real leaf for a broken connection or a truncated body. The suite `wire` compares them.
fn as_the_leaf_does(
    answer: Result<Response<Bytes>, BrokenConnection>,
) -> Result<Response<Bytes>, RequestError> {
    let error = |kind, reason: &str| RequestError::new(kind, Failure::default().reason(reason));
    match answer {
        Ok(reply) if reply.headers().contains_key(CONTENT_ENCODING) => {
            Err(error(RequestErrorKind::BadReply, "the answer cannot be unpacked"))
        }
        Ok(reply) if !reply.headers().contains_key(CONTENT_LENGTH) => {
            Err(error(RequestErrorKind::Connect, "the response was truncated"))
        }
        Ok(reply) => Ok(reply),
        Err(broken) => Err(error(RequestErrorKind::Connect, &broken.to_string())),
    }
}
