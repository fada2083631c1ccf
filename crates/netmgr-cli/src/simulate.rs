//! Simulated managers: one served to other processes, one inside this process.
//!
//! Not here: what a simulated manager is; that is in `netmgr-sim`.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueEnum, value_parser};
use netmgr_sim::{
    DEFAULT_PASSWORD, DEFAULT_USERNAME, Fault, Inventory, Manager, ManagerKind, ManagerSettings,
    ServerCertificate, Simulator, StartError,
};
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::get::interrupt;
use crate::print;

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
    latency: Duration,
    faults: Vec<Fault>,
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
            Arg::new("latency")
                .long("latency")
                .value_name("MS")
                .help("Milliseconds that every answer takes")
                .value_parser(whole::<u64>)
                .default_value("0"),
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
        latency: Duration::from_millis(*matches.get_one("latency").expect(DEFAULT)),
        faults: matches.get_many("fault").into_iter().flatten().cloned().collect(),
    }
}

/// Serves until Ctrl-C.
pub(crate) async fn serve(options: Options) -> Result<(), Failure> {
    let temporary = std::env::temp_dir().join(format!("netmgr-simulate-{}.pem", std::process::id()));
    let file_is_ours = options.tls && options.write_ca.is_none();
    let outcome = tokio::select! {
        // Listens for Ctrl-C before there is anything that it would leave behind.
        biased;
        () = interrupt() => Ok(()),
        Err(failure) = serve_on(options, &temporary) => Err(failure),
    };
    if file_is_ours {
        // It is one of the system's temporary files; if it is gone already, all the better.
        let _ = std::fs::remove_file(temporary);
    }
    outcome
}

/// Serves and does not end.
async fn serve_on(options: Options, temporary: &Path) -> Result<Infallible, Failure> {
    let settings = settings_of(options.kind, options.version);
    let inventory = Inventory::generated(options.objects, options.seed);
    let mut builder = Simulator::serving(Manager::new(settings, inventory))
        .listen(options.listen)
        .latency(options.latency);
    if options.tls {
        let file = options.write_ca.as_deref().unwrap_or(temporary);
        builder = builder.tls(ServerCertificate::Valid).ca_file(file);
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
    std::future::pending().await
}

/// A simulated manager inside this process, reached over TLS like a real one.
pub(crate) struct Simulated(Simulator<Manager>);

impl Simulated {
    /// Starts one: a global manager when the settings ask for one.
    pub(crate) async fn start(settings: &Map<String, Value>) -> Result<Self, Failure> {
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

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        Self::Simulator(error)
    }
}
