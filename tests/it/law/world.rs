//! Runs a program in process: the simulator below the client's own stack, and a virtual clock that all share.

use std::error::Error as _;
use std::fmt;
use std::path::Path;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use http::{Request, Response};
use netmgr_lookups::{Call, Error, ErrorKind, Lookups};
use netmgr_sim::{DEFAULT_PASSWORD, DEFAULT_USERNAME, Inventory, Manager, ManagerSettings, Simulator};
use netmgr_transport::{Client, Error as RequestError, Get, LoginRecord, Stack};
use netmgr_types::ProviderConfig;
use percent_encoding::percent_decode_str;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::time::{Instant, advance, sleep, sleep_until, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::faults::{self, Fault};
use super::program::{GivingUp, Planned, Program, inventory};

/// Longest deadline of a lookup, in milliseconds.
pub(super) const LONGEST: u64 = 300_000;

/// Text in the inventory in whose place each reply has the time at which its request began.
pub(super) const STAMP: &str = "NOW0000000";

/// When every lookup has ended.
const HORIZON: Duration = Duration::from_secs(900);

/// How far two runtimes are apart.
const SLICE: u64 = 10;

/// Requests that a client may have in flight, its default.
pub(super) const PLACES: usize = 32;

/// A path that needs no object.
const VERSION: &str = "/api/v1/node/version";

/// A path whose requests hang when the lookups have ended.
const HANGS: &str = "/api/v1/hangs";

/// The clients of the lookups of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clients {
    /// One for all of them, which share requests.
    One,
    /// One for each of them.
    Each,
}

/// What became of a program.
#[derive(Default)]
pub(super) struct Run {
    /// Outcomes by lookup. None of those that were dropped.
    pub(super) outcomes: Vec<Option<Outcome>>,
    pub(super) requests: Vec<Sent>,
    /// Largest number of requests that each client had in flight. Over HTTP/1, each has a connection of its own.
    pub(super) connections: Vec<usize>,
    /// What was left when everything had ended.
    pub(super) left: Vec<String>,
}

impl Run {
    /// The number of requests of a client that `is_meant` names.
    pub(super) fn sent_by(&self, client: usize, is_meant: impl Fn(&Sent) -> bool) -> usize {
        self.requests
            .iter()
            .filter(|sent| sent.client == client && is_meant(sent))
            .count()
    }
}

/// Outcome of a lookup.
#[derive(Clone)]
pub(super) struct Outcome {
    /// The output as text, in which every time of a request is [`STAMP`], or the kind of the error.
    pub(super) result: Result<String, ErrorKind>,
    /// The error with its causes.
    pub(super) text: String,
    /// When the requests began whose replies the output shows.
    pub(super) stamps: Vec<u64>,
    pub(super) began: u64,
    pub(super) ended: u64,
}

/// A request.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    pub(super) client: usize,
    pub(super) at: u64,
    pub(super) target: String,
    /// Status of the reply, if there was one.
    pub(super) status: Option<u16>,
    /// Whether its connection was refused, so that the manager did not get it.
    pub(super) is_refused: bool,
    /// When its reply came, or it was given up.
    pub(super) ended: u64,
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, target, .. } = self;
        match self.status {
            Some(status) => write!(f, "{at}..{}: {status} {target}", self.ended),
            None => write!(f, "{at}..{}: no reply, {target}", self.ended),
        }
    }
}

struct World {
    simulator: Simulator,
    origin: Instant,
    faults: Vec<Fault>,
    /// Whether each client logs in before its lookup, and no login fails.
    has_sessions: bool,
    parallel: Semaphore,
    has_ended: AtomicBool,
    log: Mutex<Log>,
}

#[derive(Default)]
struct Log {
    requests: Vec<Sent>,
    outcomes: Vec<Option<Outcome>>,
    /// Requests in flight by client, now and at most.
    in_flight: Vec<usize>,
    peaks: Vec<usize>,
}

/// Runs `program`.
pub(super) fn run(program: &Program, clients: Clients) -> Run {
    fastrand::seed(program.seed);
    let aside = program.aside.map(|aside| (aside, runtime()));
    let main = runtime();
    let folder = (program.has_folder && clients == Clients::One).then(|| tempfile::tempdir().unwrap());
    let count = match clients {
        Clients::One => 1,
        Clients::Each => program.lookups.len(),
    };
    let world = main.block_on(async { Arc::new(World::new(program, count)) });
    let lookups: Vec<Lookups> = (0..count)
        .map(|client| {
            Lookups::new(world.client(client, program, folder.as_ref().map(tempfile::TempDir::path)))
        })
        .collect();

    let mut running = Vec::new();
    for (number, planned) in program.lookups.iter().enumerate() {
        let lookups = lookups[number % count].clone();
        let lookup = Arc::clone(&world).look_up(number, planned.clone(), lookups);
        match &aside {
            Some((_, runtime)) if planned.is_aside => drop(runtime.spawn(lookup)),
            _ => running.push(main.spawn(lookup)),
        }
    }
    let events = [main.spawn(Arc::clone(&world).switch_nodes(program.node_switches.clone()))]
        .into_iter()
        .chain([main.spawn(Arc::clone(&world).step(program.steps.clone()))]);
    let events: Vec<_> = events.collect();

    let mut kept = None;
    if let Some((aside, runtime)) = aside {
        runtime.block_on(async { advance(world.origin - Instant::now()).await });
        let mut at = program
            .lookups
            .iter()
            .map(|planned| planned.start)
            .min()
            .unwrap_or_default();
        while at < aside.until {
            at += SLICE;
            runtime.block_on(world.until(at));
            main.block_on(world.until(at));
        }
        kept = aside.is_kept.then_some(runtime);
    }
    let mut left = main.block_on(async {
        match timeout_at(world.origin + HORIZON, join_all(running)).await {
            Ok(ended) => ended
                .into_iter()
                .filter_map(Result::err)
                .map(|error| error.to_string())
                .collect(),
            Err(_) => vec!["a lookup that hangs".to_owned()],
        }
    });
    drop(kept);
    if clients == Clients::One {
        left.extend(main.block_on(world.places_left(lookups[0].client())));
    }
    drop(lookups);
    main.block_on(async {
        for event in events {
            event.abort();
            let _ = event.await;
        }
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
    });
    if main.metrics().num_alive_tasks() > 0 || Arc::strong_count(&world) > 1 {
        left.push("tasks".to_owned());
    }
    drop(main);
    left.extend(folder.iter().flat_map(|folder| locked_files(folder.path())));
    let mut log = world.log.lock().unwrap();
    if log.in_flight.iter().any(|number| *number > 0) {
        left.push("requests in flight".to_owned());
    }
    Run {
        outcomes: std::mem::take(&mut log.outcomes),
        requests: std::mem::take(&mut log.requests),
        connections: std::mem::take(&mut log.peaks),
        left,
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
}

/// The files of `folder` that something still locks.
fn locked_files(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    files
        .filter(|path| std::fs::File::open(path).unwrap().try_lock().is_err())
        .map(|path| format!("a lock of {}", path.display()))
        .collect()
}

impl World {
    fn new(program: &Program, clients: usize) -> Self {
        static INVENTORY: LazyLock<Inventory> = LazyLock::new(inventory);
        let manager = Manager::new(ManagerSettings::default(), INVENTORY.clone());
        let mut simulator = Simulator::serving(manager);
        if let Some(size) = program.page_size {
            simulator = simulator.fault(format!("GET * page-size={size}").parse().unwrap());
        }
        if clients > 1 {
            // Each lookup alone is far below them.
            simulator = simulator.requests_per_second(0).requests_in_flight(0);
        }
        Self {
            simulator: simulator.start_in_process(),
            origin: Instant::now(),
            faults: program.faults.clone(),
            has_sessions: program.has_sessions,
            parallel: Semaphore::new(program.parallel),
            has_ended: AtomicBool::new(false),
            log: Mutex::new(Log {
                outcomes: vec![None; program.lookups.len()],
                in_flight: vec![0; clients],
                peaks: vec![0; clients],
                ..Log::default()
            }),
        }
    }

    fn client(self: &Arc<Self>, number: usize, program: &Program, folder: Option<&Path>) -> Client {
        let connection = ProviderConfig::new("manager.test")
            .username(DEFAULT_USERNAME)
            .password(DEFAULT_PASSWORD)
            .session_auth(program.has_session)
            .max_retries(program.max_retries)
            // A random delay would decide which attempts meet a fault.
            .retry_min_delay(200_u32)
            .retry_max_delay(200_u32)
            .resolve()
            .unwrap();
        let world = Arc::clone(self);
        let leaf = Stack::new(tower::service_fn(move |request| {
            Arc::clone(&world).serve(number, request)
        }));
        let client = Client::builder(connection)
            .leaf(leaf)
            .login_record(folder.map(LoginRecord::in_folder));
        client.build().unwrap()
    }

    fn now(&self) -> u64 {
        u64::try_from(self.origin.elapsed().as_millis()).unwrap()
    }

    async fn until(&self, at: u64) {
        sleep_until(self.origin + Duration::from_millis(at)).await;
    }

    /// The end of the connections: replies to a request.
    async fn serve(
        self: Arc<Self>,
        client: usize,
        request: Request<Bytes>,
    ) -> Result<Response<Bytes>, RequestError> {
        let at = self.now();
        let target = request.uri().path_and_query().unwrap().as_str();
        let target = percent_decode_str(target).decode_utf8_lossy().into_owned();
        let in_flight = InFlight::begin(&self, client, at, &target);
        let latency = 20
            + target
                .bytes()
                .fold(7, |sum: u64, byte| (sum * 31 + u64::from(byte)) % 9973)
                % 90;
        let latency = sleep(Duration::from_millis(latency));
        let reply = async {
            let mut reply = self.simulator.answer(request).await.unwrap();
            let text = String::from_utf8(reply.body().to_vec()).unwrap();
            *reply.body_mut() = text.replace(STAMP, &format!("NOW{at:07}")).into();
            reply
        };
        latency.await;
        let has_ended = self.has_ended.load(Relaxed);
        let reply = match faults::find(&self.faults, at, &target) {
            _ if target.starts_with(HANGS) => std::future::pending().await,
            Some(fault) if !(has_ended || self.has_sessions && is_unharmed(&target)) => {
                fault.apply(&target, reply).await
            }
            _ => Ok(reply.await),
        };
        in_flight.ended(&reply);
        reply
    }

    async fn look_up(self: Arc<Self>, number: usize, planned: Planned, lookups: Lookups) {
        if self.has_sessions {
            let _ = lookups.client().get(&Get::new(VERSION)).await;
        }
        self.until(planned.start).await;
        let _place = self.parallel.acquire().await.unwrap();
        let began = self.now();
        let cancel = CancellationToken::new();
        let call = Call::default()
            .deadline(Duration::from_millis(planned.deadline))
            .confidential(planned.secret.is_some())
            .cancel(cancel.clone());
        let found = lookups.invoke(planned.function, planned.input.clone(), &call);
        let found = match planned.giving_up {
            None => found.await,
            Some((GivingUp::Dropped, at)) => {
                match timeout_at(self.origin + Duration::from_millis(at), found).await {
                    Ok(found) => found,
                    Err(_) => return,
                }
            }
            Some((GivingUp::Cancelled, at)) => {
                let cancelled = async {
                    self.until(at).await;
                    cancel.cancel();
                };
                tokio::join!(found, cancelled).0
            }
        };
        let outcome = Outcome::of(found, began, self.now());
        self.log.lock().unwrap().outcomes[number] = Some(outcome);
    }

    async fn switch_nodes(self: Arc<Self>, times: Vec<u64>) {
        for at in times {
            self.until(at).await;
            self.simulator.switch_node();
        }
    }

    async fn step(self: Arc<Self>, steps: Vec<(u64, u64)>) {
        for (at, time) in steps {
            self.until(at).await;
            advance(Duration::from_millis(time)).await;
        }
    }

    /// Checks that the governor has all its places. The requests for this are not logged.
    async fn places_left(&self, client: &Client) -> Option<String> {
        self.has_ended.store(true, Relaxed);
        let (requests, peaks) = {
            let log = self.log.lock().unwrap();
            (log.requests.len(), log.peaks.clone())
        };
        let taken = self.places(client).await;
        let mut log = self.log.lock().unwrap();
        log.requests.truncate(requests);
        log.peaks = peaks;
        let taken = taken.filter(|taken| *taken != PLACES)?;
        Some(format!("{taken} of {PLACES} places of the governor"))
    }

    /// The number of requests that hang at once. None if the client may not log in for a while.
    async fn places(&self, client: &Client) -> Option<usize> {
        // A rate that the manager reduced recovers.
        sleep(Duration::from_secs(20)).await;
        client.get(&Get::new(VERSION)).await.ok()?;
        let hanging = Get::new(HANGS);
        let hanging = join_all((0..PLACES + 8).map(|_| client.get(&hanging)));
        let mut hanging = pin!(hanging);
        let _ = timeout(Duration::from_secs(20), &mut hanging).await;
        let log = self.log.lock().unwrap();
        // A login may still be under way.
        Some(log.in_flight[0])
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.text.chars().take(300).collect();
        write!(f, "at {}: {:?} {:?} {text}", self.ended, self.result, self.stamps)
    }
}

impl Outcome {
    fn of(found: Result<serde_json::Value, Error>, began: u64, ended: u64) -> Self {
        let (result, text) = match found {
            Ok(output) => (Ok(output.to_string()), String::new()),
            Err(error) => (Err(error.kind()), chain(&error)),
        };
        let mut stamps = Vec::new();
        let result = result.map(|output| without_stamps(&output, &mut stamps));
        Self {
            result,
            text,
            stamps,
            began,
            ended,
        }
    }
}

/// Whether no fault concerns a request, if clients have sessions.
fn is_unharmed(target: &str) -> bool {
    faults::is_login(target) || target.starts_with(VERSION)
}

/// The error with its causes, and everything that it knows.
fn chain(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(below) = cause {
        text.push_str(&format!(": {below}"));
        cause = below.source();
    }
    format!("{text} ({error:?})")
}

/// Puts [`STAMP`] in place of each time of a request.
fn without_stamps(output: &str, stamps: &mut Vec<u64>) -> String {
    let mut pieces = output.split("NOW");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (digits, rest) = piece.split_at(STAMP.len() - "NOW".len());
        stamps.push(digits.parse().unwrap());
        text.push_str(STAMP);
        text.push_str(rest);
    }
    text
}

/// A request in flight.
struct InFlight<'a> {
    world: &'a World,
    client: usize,
    number: usize,
}

impl<'a> InFlight<'a> {
    fn begin(world: &'a World, client: usize, at: u64, target: &str) -> Self {
        let mut log = world.log.lock().unwrap();
        log.in_flight[client] += 1;
        log.peaks[client] = log.peaks[client].max(log.in_flight[client]);
        log.requests.push(Sent {
            client,
            at,
            target: target.to_owned(),
            status: None,
            is_refused: false,
            ended: u64::MAX,
        });
        Self {
            world,
            client,
            number: log.requests.len() - 1,
        }
    }

    fn ended(self, reply: &Result<Response<Bytes>, RequestError>) {
        let mut log = self.world.log.lock().unwrap();
        let sent = &mut log.requests[self.number];
        match reply {
            Ok(reply) => sent.status = Some(reply.status().as_u16()),
            Err(error) => sent.is_refused = error.failure().unsent,
        }
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        let mut log = self.world.log.lock().unwrap();
        log.in_flight[self.client] -= 1;
        log.requests[self.number].ended = self.world.now();
    }
}
