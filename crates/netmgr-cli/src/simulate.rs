//! Simulated managers: one served to other processes, one inside this process.
//!
//! Not here: what a simulated manager is; that is in `netmgr-sim`.

use std::error::Error;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::str::FromStr;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueEnum, value_parser};
use netmgr_sim::{
    CombinedSearches, DEFAULT_PASSWORD, DEFAULT_USERNAME, Fault, Inventory, Manager, ManagerKind,
    ManagerSettings, ServerCertificate, Simulator, StartError,
};
use serde_json::{Map, Value, json};

use crate::failure::CliError;
use crate::print;
use crate::signals::interrupt;

/// How a simulated manager is served.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Options {
    listen: SocketAddr,
    tls: bool,
    write_ca: Option<PathBuf>,
    kind: Kind,
    version: Option<String>,
    objects: usize,
    seed: u64,
    inventory: Option<PathBuf>,
    latency: Duration,
    requests_per_second: u32,
    requests_in_flight: usize,
    http1_only: bool,
    combined_searches: CombinedSearches,
    faults: Vec<Fault>,
    counters: bool,
}

/// What kind of manager is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A policy manager
    Local,
    /// A global manager
    Global,
}

/// The command `simulate`.
pub(crate) fn command() -> Command {
    Command::new("simulate")
        .about("Serves a simulated manager until Ctrl-C")
        .long_about(
            "Serves a simulated manager until Ctrl-C. Prints the shell lines that point `netmgr get` \
             in another shell at it.",
        )
        .args([
            Arg::new("listen")
                .long("listen")
                .value_name("ADDRESS:PORT")
                .help("Where to listen; port 0 takes a free one")
                .value_parser(address)
                .default_value("127.0.0.1:0"),
            Arg::new("tls")
                .long("tls")
                .action(ArgAction::SetTrue)
                .help("Serve HTTPS, with a certificate of an authority made for this run"),
            Arg::new("write-ca")
                .long("write-ca")
                .value_name("FILE")
                .help("Where to write that authority's certificate [default: a temporary file, removed at the end]")
                .value_parser(value_parser!(PathBuf))
                .requires("tls"),
            Arg::new("kind")
                .long("kind")
                .value_name("KIND")
                .help("What kind of manager to simulate")
                .value_parser(value_parser!(Kind))
                .default_value("local"),
            Arg::new("manager-version")
                .long("manager-version")
                .value_name("VERSION")
                .help("Version of the simulated manager, such as 4.2.1 [default: one that has every function]"),
            Arg::new("objects")
                .long("objects")
                .value_name("N")
                .help("Objects to generate beside those of the demonstration")
                .value_parser(whole::<usize>)
                .default_value("0"),
            Arg::new("seed")
                .long("seed")
                .value_name("S")
                .help("Seed of the generated objects; the same seed gives the same ones")
                .value_parser(whole::<u64>)
                .default_value("0"),
            Arg::new("inventory")
                .long("inventory")
                .value_name("FILE")
                .help("JSON file of objects to serve beside those of the demonstration")
                .long_help(
                    "JSON file of objects to serve beside those of the demonstration: an object with a list of \
                     objects for each collection.\n\
                     Example: {\"/infra/certificates\": [{\"id\": \"web\", \"display_name\": \"web\"}]}",
                )
                .value_parser(value_parser!(PathBuf)),
            Arg::new("latency")
                .long("latency")
                .value_name("MS")
                .help("Milliseconds that every answer takes")
                .value_parser(whole::<u64>)
                .default_value("0"),
            Arg::new("requests-per-second")
                .long("requests-per-second")
                .value_name("N")
                .help("Requests that a user may send in one second, more are refused with 429; 0 means no limit")
                .value_parser(whole::<u32>)
                .default_value("100"),
            Arg::new("requests-in-flight")
                .long("requests-in-flight")
                .value_name("N")
                .help("Requests that a user may have in flight, more are refused with 503; 0 means no limit")
                .value_parser(whole::<usize>)
                .default_value("40"),
            Arg::new("http1-only")
                .long("http1-only")
                .action(ArgAction::SetTrue)
                .help("Offer HTTP/1.1 alone, not HTTP/2")
                .requires("tls"),
            Arg::new("refuse-combined-searches")
                .long("refuse-combined-searches")
                .action(ArgAction::SetTrue)
                .help("Refuse searches that combine alternatives with OR"),
            Arg::new("fault")
                .long("fault")
                .value_name("FAULT")
                .help("What goes wrong: method or *, path (* matches any text), then effects; may be repeated")
                .long_help(
                    "What goes wrong: method or *, path (* matches any text), then effects. May be repeated.\n\
                     Example: 'GET /policy/api/v1/search/query status=503 retry-after=1 count=2'",
                )
                .value_parser(value_parser!(Fault))
                .action(ArgAction::Append),
            Arg::new("counters")
                .long("counters")
                .action(ArgAction::SetTrue)
                .help("At the end, print what was counted (requests, connections, bytes, ...) as a line of JSON"),
        ])
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let wanted = "must be an IP address and a port, such as 127.0.0.1:8443 or [::1]:0";
    text.parse().map_err(|_| wanted.to_owned())
}

fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| "must be a whole number from 0 on".to_owned())
}

/// The options given to the command.
pub(crate) fn options(matches: &ArgMatches) -> Options {
    const DEFAULT: &str = "it has a default";
    Options {
        listen: *matches.get_one("listen").expect(DEFAULT),
        tls: matches.get_flag("tls"),
        write_ca: matches.get_one("write-ca").cloned(),
        kind: *matches.get_one("kind").expect(DEFAULT),
        version: matches.get_one("manager-version").cloned(),
        objects: *matches.get_one("objects").expect(DEFAULT),
        seed: *matches.get_one("seed").expect(DEFAULT),
        inventory: matches.get_one("inventory").cloned(),
        latency: Duration::from_millis(*matches.get_one("latency").expect(DEFAULT)),
        requests_per_second: *matches.get_one("requests-per-second").expect(DEFAULT),
        requests_in_flight: *matches.get_one("requests-in-flight").expect(DEFAULT),
        http1_only: matches.get_flag("http1-only"),
        combined_searches: match matches.get_flag("refuse-combined-searches") {
            true => CombinedSearches::Refused,
            false => CombinedSearches::Answered,
        },
        faults: matches.get_many("fault").into_iter().flatten().cloned().collect(),
        counters: matches.get_flag("counters"),
    }
}

/// Serves until Ctrl-C.
pub(crate) async fn serve(options: Options) -> Result<(), CliError> {
    let temporary = std::env::temp_dir().join(format!("netmgr-simulate-{}.pem", std::process::id()));
    let file_is_ours = options.tls && options.write_ca.is_none();
    let counters = options.counters;
    // Listens for Ctrl-C before there is anything that it would leave behind.
    let mut interrupted = pin!(interrupt());
    let started = tokio::select! {
        biased;
        () = &mut interrupted => None,
        started = start(options, &temporary) => Some(started),
    };
    let outcome = match started {
        None => Ok(()),
        Some(Err(failure)) => Err(failure),
        Some(Ok(simulator)) => {
            interrupted.await;
            match counters {
                true => print::standard_output(&print::json_line(&simulator.counters())),
                false => Ok(()),
            }
        }
    };
    if file_is_ours {
        // It is one of the system's temporary files; if it is gone already, all the better.
        let _ = std::fs::remove_file(temporary);
    }
    outcome
}

/// Starts the simulated manager and prints where it is.
async fn start(options: Options, temporary: &Path) -> Result<Simulator<Manager>, CliError> {
    let settings = ManagerSettings {
        combined_searches: options.combined_searches,
        ..settings_of(options.kind, options.version)
    };
    let mut inventory = Inventory::generated(options.objects, options.seed);
    if let Some(file) = &options.inventory {
        add_file(&mut inventory, file)?;
    }
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
    let simulator = builder.start().await?;
    let mut lines = simulator.env_lines();
    if options.kind == Kind::Global {
        lines.push("NETMGR_GLOBAL_MANAGER=true".to_owned());
    }
    let lines: String = lines.iter().map(|line| format!("export {line}\n")).collect();
    print::standard_output(&lines)?;
    print::standard_error(&format!(
        "serving a simulated manager on {}; Ctrl-C ends it",
        simulator.url()
    ));
    Ok(simulator)
}

fn add_file(inventory: &mut Inventory, file: &Path) -> Result<(), CliError> {
    let unusable = |source: Box<dyn Error + Send + Sync>| CliError::Usage {
        what: format!("the inventory file {} cannot be used", file.display()),
        source: Some(source),
    };
    let json = std::fs::read_to_string(file).map_err(|error| unusable(error.into()))?;
    inventory
        .add_document(&json)
        .map_err(|error| unusable(error.into()))
}

/// A simulated manager inside this process, reached over TLS like a real one.
pub(crate) struct Simulated(Simulator<Manager>);

impl Simulated {
    /// Starts one: a global manager when the settings ask for one.
    pub(crate) async fn start(settings: &Map<String, Value>) -> Result<Self, CliError> {
        let kind = match settings.get("globalManager") {
            Some(Value::Bool(true)) => Kind::Global,
            _ => Kind::Local,
        };
        let manager = Manager::new(settings_of(kind, None), Inventory::default());
        let builder = Simulator::serving(manager).tls(ServerCertificate::Valid);
        Ok(Self(builder.start().await?))
    }

    /// The settings that point a client at it.
    pub(crate) fn settings(&self) -> Map<String, Value> {
        let settings = [
            ("host", json!(self.0.host())),
            ("username", json!(DEFAULT_USERNAME)),
            ("password", json!(DEFAULT_PASSWORD)),
            ("ca", json!(self.0.ca_pem())),
        ];
        settings
            .map(|(name, value)| (name.to_owned(), value))
            .into_iter()
            .collect()
    }
}

fn settings_of(kind: Kind, version: Option<String>) -> ManagerSettings {
    let default = ManagerSettings::default();
    ManagerSettings {
        kind: match kind {
            Kind::Local => ManagerKind::Local,
            Kind::Global => ManagerKind::Global,
        },
        version: version.unwrap_or(default.version),
        ..default
    }
}

impl From<StartError> for CliError {
    fn from(error: StartError) -> Self {
        Self::Simulator(error)
    }
}
