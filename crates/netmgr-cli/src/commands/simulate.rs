//! `simulate`: a simulated manager that is served to other processes.
//!
//! The simulator is in `netmgr-sim`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::time::Duration;

use clap::{ArgMatches, Args, Command, FromArgMatches as _, ValueEnum};
use netmgr_lookups::counted;
use netmgr_sim::{
    CombinedSearches, Fault, Manager, ManagerKind, ManagerSettings, ServerCertificate, Simulator,
};
use netmgr_types::ManagerVersion;
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::failure::CliError;
use crate::inventory::inventory;
use crate::options::whole;
use crate::output::{json_line, standard_error, standard_output};
use crate::signals::interrupt;
use crate::subcommand::{SharedOptions, Subcommand};
use request_log::RequestLog;

mod request_log;

/// Options of `simulate`.
#[derive(Debug, Clone, PartialEq, Args)]
#[group(skip)]
struct SimulateOptions {
    /// Address to listen on; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Serve HTTPS with a certificate of a temporary authority
    #[arg(long)]
    tls: bool,
    #[arg(
        long,
        value_name = "FILE",
        requires = "tls",
        help = "File for the certificate of that authority [default: a temporary file]"
    )]
    write_ca: Option<PathBuf>,
    #[arg(
        long,
        value_name = "KIND",
        help = "Kind of the simulated manager [default: that of a recorded manager, or local]"
    )]
    kind: Option<SimulatedKind>,
    #[arg(
        long,
        value_name = "VERSION",
        value_parser = version,
        help = "Version of the simulated manager, such as 4.2.1 [default: that of a recorded manager, or one that supports \
                every function]"
    )]
    manager_version: Option<ManagerVersion>,
    /// Number of objects to generate in addition to the demo inventory, at most 1000000. Every 1000 objects
    /// need about 6 MB of memory; beyond 20000 objects, about 2 MB
    #[arg(long, value_name = "N", value_parser = objects, default_value = "0")]
    objects: usize,
    /// Seed of the generated objects
    #[arg(long, value_name = "S", value_parser = whole::<u64>, default_value = "0")]
    seed: u64,
    /// JSON or YAML file with objects to serve in addition to the demo inventory, or a recording of `netmgr export`, which
    /// is served alone. Can be repeated
    #[arg(
        long,
        value_name = "FILE",
        long_help = "JSON or YAML file with objects to serve in addition to the demo inventory: an object with a list \
                     of objects for each collection. A recording of `netmgr export` is served without the demo inventory. Can \
                     be repeated.\n\
                     Example: {\"/infra/certificates\": [{\"id\": \"web\", \"display_name\": \"web\"}]}"
    )]
    inventory: Vec<PathBuf>,
    /// Serve only the objects of --inventory, without the demo inventory
    #[arg(long, conflicts_with = "objects")]
    no_demo: bool,
    /// Latency of every response in milliseconds
    #[arg(long, value_name = "MS", value_parser = milliseconds, default_value = "0")]
    latency: Duration,
    /// Maximum number of requests per user and second; further requests fail with 429. 0 disables the limit
    #[arg(long, value_name = "N", value_parser = whole::<u32>, default_value = "100")]
    requests_per_second: u32,
    /// Maximum number of concurrent requests per user; further requests fail with 503. 0 disables the limit
    #[arg(long, value_name = "N", value_parser = whole::<usize>, default_value = "40")]
    requests_in_flight: usize,
    /// Offer only HTTP/1.1, not HTTP/2
    #[arg(long, requires = "tls")]
    http1_only: bool,
    /// Reject searches that combine alternatives with OR
    #[arg(long)]
    refuse_combined_searches: bool,
    /// Fault to inject: a method and a path, or neither, and effects. Can be repeated
    #[arg(
        long = "fault",
        value_name = "FAULT",
        long_help = "Fault to inject: a method (or *) and a path (* matches any text), and effects. Without a method and a \
                     path, it affects every request. Can be repeated.\n\
                     Examples: '503 every 10',\n'GET /policy/api/v1/search/query status=503 retry-after=1 count=2'"
    )]
    faults: Vec<Fault>,
    /// Print a line of JSON when the manager is ready, instead of shell commands
    #[arg(long)]
    json: bool,
    /// File to write a line of JSON to for each request; - is standard error
    #[arg(long, value_name = "FILE")]
    request_log: Option<PathBuf>,
    /// Print counters (requests, connections, bytes, ...) as a line of JSON at the end
    #[arg(long)]
    counters: bool,
}

/// Kind of the simulated manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SimulatedKind {
    /// A policy manager
    Local,
    /// A global manager
    Global,
}

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "simulate",
    command,
    shared: SharedOptions::None,
    run,
};

fn command() -> Command {
    // After the options, whose comment would be the description otherwise.
    SimulateOptions::augment_args(Command::new("simulate"))
        .about("Serve a simulated manager until Ctrl-C")
        .long_about(
            "Serve a simulated manager until Ctrl-C, and print shell commands that configure `netmgr` in another shell.",
        )
        .after_help("Examples:\n  netmgr simulate --tls\n  netmgr simulate --listen 127.0.0.1:8443 --objects 1000 --latency 20")
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let wanted = "must be an IP address and a port, such as 127.0.0.1:8443 or [::1]:0";
    text.parse().map_err(|_| wanted.to_owned())
}

/// A version that consists of numbers. Managers can append other text to theirs, which has no effect.
fn version(text: &str) -> Result<ManagerVersion, String> {
    let is_number = |part: &str| part.parse::<u32>().is_ok();
    let version = text.parse().ok().filter(|_| text.split('.').all(is_number));
    version.ok_or_else(|| format!("{text:?} is not a version, such as 4.2.1"))
}

/// A number of objects that fits into memory.
fn objects(text: &str) -> Result<usize, String> {
    const MOST: usize = 1_000_000;
    let objects = whole(text)?;
    match objects <= MOST {
        true => Ok(objects),
        false => Err(format!("must be at most {MOST}")),
    }
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    whole(text).map(Duration::from_millis)
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let options = SimulateOptions::from_arg_matches(matches).expect("these are matches of the command");
    app.block_on(Box::pin(serve(options)))
}

/// Serves until Ctrl-C.
async fn serve(options: SimulateOptions) -> Result<(), CliError> {
    let temporary = std::env::temp_dir().join(format!("netmgr-simulate-{}.pem", std::process::id()));
    let file_is_ours = options.tls && options.write_ca.is_none();
    let counters = options.counters;
    // Handle Ctrl-C before a temporary file is created.
    let mut interrupted = pin!(interrupt());
    let started = tokio::select! {
        biased;
        _ = &mut interrupted => None,
        started = start(options, &temporary) => Some(started),
    };
    let outcome = match started {
        None => Ok(()),
        Some(Err(failure)) => Err(failure),
        Some(Ok(simulator)) => {
            interrupted.await;
            match counters {
                true => standard_output(&json_line(&simulator.counters())),
                false => Ok(()),
            }
        }
    };
    if file_is_ours {
        // The file is temporary and may already be deleted.
        let _ = std::fs::remove_file(temporary);
    }
    outcome
}

/// Starts the simulated manager and prints its address.
async fn start(options: SimulateOptions, temporary: &Path) -> Result<Simulator<Manager>, CliError> {
    let settings = ManagerSettings {
        combined_searches: match options.refuse_combined_searches {
            true => CombinedSearches::Refused,
            false => CombinedSearches::Answered,
        },
        ..ManagerSettings::default()
    };
    let (files, objects) = (options.inventory, (!options.no_demo).then_some(options.objects));
    // Pipes and many objects take seconds, during which Ctrl-C must work, as while a pipe to write has no reader.
    let inventory = tokio::task::spawn_blocking(move || inventory(&files, objects, options.seed))
        .await
        .expect("reading and generating objects does not panic")?;
    for (collection, objects) in inventory.ignored() {
        standard_error(&format!(
            "left out {} of {collection}, which the simulator does not support",
            counted(objects, "object")
        ));
    }
    let mut settings = inventory.settings(settings);
    match options.kind {
        Some(SimulatedKind::Local) => settings.kind = ManagerKind::Local,
        Some(SimulatedKind::Global) => settings.kind = ManagerKind::Global,
        None => {}
    }
    if let Some(version) = options.manager_version {
        settings.version = version.to_string();
        settings.node_version = None;
    }
    let is_global = settings.kind == ManagerKind::Global;
    let mut builder = Simulator::serving(Manager::new(settings, inventory))
        .listen(options.listen)
        .latency(options.latency)
        .requests_per_second(options.requests_per_second)
        .requests_in_flight(options.requests_in_flight);
    if options.tls {
        let file = options.write_ca.as_deref().unwrap_or(temporary);
        builder = builder.tls(ServerCertificate::Valid).ca_file(file);
    }
    if options.http1_only {
        builder = builder.http1_only();
    }
    for fault in options.faults {
        builder = builder.fault(fault);
    }
    if let Some(file) = options.request_log {
        let log = tokio::task::spawn_blocking(move || RequestLog::open(&file)).await;
        let log = log.expect("opening a file does not panic")?;
        builder = builder.on_request(move |request| log.write(request));
    }
    let simulator = builder.start().await?;
    standard_output(&match options.json {
        true => json_line(&readiness(&simulator, is_global)),
        false => shell_lines(&simulator, is_global),
    })?;
    standard_error(&format!(
        "serving a simulated manager on {}; press Ctrl-C to stop",
        simulator.url()
    ));
    if !simulator.addr().ip().is_loopback() {
        standard_error("warning: other machines can reach the simulated manager, and its password is public");
    }
    Ok(simulator)
}

/// The commands that point clients in a shell at the manager.
fn shell_lines(simulator: &Simulator<Manager>, is_global: bool) -> String {
    let mut lines = simulator.env_lines();
    if is_global {
        lines.push("NETMGR_GLOBAL_MANAGER=true".to_owned());
    }
    lines.iter().map(|line| format!("export {line}\n")).collect()
}

/// The address and credentials that a script needs to use the manager.
fn readiness(simulator: &Simulator<Manager>, is_global: bool) -> Value {
    let mut environment: Map<String, Value> = simulator
        .env()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect();
    if is_global {
        environment.insert("NETMGR_GLOBAL_MANAGER".to_owned(), json!("true"));
    }
    json!({
        "ready": true,
        "url": simulator.url(),
        "address": simulator.addr(),
        "port": simulator.addr().port(),
        "processId": std::process::id(),
        "environment": environment,
    })
}
