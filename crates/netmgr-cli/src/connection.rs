//! Settings of the connection. Flags take precedence over the file, the file over the environment, and the
//! environment over defaults.
//!
//! Settings are checked in `netmgr-types`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use heck::ToKebabCase as _;
use netmgr_types::{Connection, ProviderConfig};
use schemars::schema_for;
use serde_json::{Map, Value};

use crate::failure::CliError;
use crate::flags::{self, Flag};

/// Always true on the command line, so there is no flag.
const ON_DEMAND: &str = "onDemandConnection";

/// The flags of all settings that are not secret.
pub(crate) fn settings() -> Vec<Flag> {
    let mut settings = netmgr_lookups::properties(&schema_for!(ProviderConfig));
    settings.retain(|setting| setting.name != ON_DEMAND);
    flags::of(&settings)
}

/// Options of the connection, which all commands with a session share.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// Whether to use a simulated manager inside the process.
    pub(crate) simulate: bool,
    /// The configuration file.
    pub(crate) config: Option<PathBuf>,
    /// Settings given as flags, by property name.
    pub(crate) settings: Map<String, Value>,
    /// Maximum duration of a lookup.
    pub(crate) deadline: Option<Duration>,
    /// Whether to print statistics.
    pub(crate) stats: bool,
    /// Whether to print a line for each request.
    pub(crate) trace: bool,
}

impl Options {
    /// The options of a parsed command line.
    pub(crate) fn of(matches: &ArgMatches) -> Self {
        Self {
            simulate: matches.get_flag("simulate"),
            config: matches.get_one("config").cloned(),
            settings: flags::object(&settings(), matches),
            deadline: matches.get_one("deadline").copied(),
            stats: matches.get_flag("stats"),
            trace: matches.get_flag("trace"),
        }
    }
}

/// The arguments for [`Options`].
pub(crate) fn arguments() -> Vec<Arg> {
    const HEADING: &str = "Connection";
    let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let simulate = switch("simulate").help("Use a simulated manager inside this process");
    let config = Arg::new("config")
        .long("config")
        .value_name("FILE")
        .help("Configuration file in JSON or YAML, with property names such as `caFile`")
        .value_parser(value_parser!(PathBuf));
    let deadline = Arg::new("deadline")
        .long("deadline")
        .value_name("SECONDS")
        .help("Maximum duration of the lookup. Default 300, unless the function has an input `timeout`")
        .value_parser(seconds);
    let stats = switch("stats").help(
        "Print the number of requests, pages, bytes and retries and the elapsed time to standard error",
    );
    let trace = switch("trace").help(
        "Print a line for each request to standard error, with status, bytes and time, and without secrets",
    );
    let settings = settings();
    let settings = settings.iter().map(|flag| flag.argument().hide_short_help(true));
    [simulate, config, deadline, stats, trace]
        .into_iter()
        .chain(settings)
        .map(|argument| argument.help_heading(HEADING))
        .collect()
}

/// Maximum deadline. A later instant could not be represented.
const LONGEST_DEADLINE: Duration = Duration::from_secs(365 * 24 * 60 * 60);

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if seconds.is_nan() || seconds <= 0.0 {
        return Err("must be more than 0".to_owned());
    }
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if duration <= LONGEST_DEADLINE => Ok(duration.max(Duration::from_nanos(1))),
        _ => Err(format!("must be at most {} (a year)", LONGEST_DEADLINE.as_secs())),
    }
}

/// The connection that flags, file and environment describe.
pub(crate) async fn configured(options: &Options) -> Result<Connection, CliError> {
    let written = match &options.config {
        Some(path) => read(path)?,
        None => Map::new(),
    };
    merge(options.settings.clone(), written, |name| std::env::var(name).ok())
}

fn merge(
    settings: Map<String, Value>,
    mut written: Map<String, Value>,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Connection, CliError> {
    written.extend(settings);
    let config =
        ProviderConfig::from_json(Value::Object(written)).and_then(|config| config.with_env(environment));
    resolve(config.map_err(CliError::Configuration)?)
}

/// The connection to a simulated manager. Flags can change requests but not the address.
pub(crate) fn to_simulated(
    mut manager: Map<String, Value>,
    options: &Options,
) -> Result<Connection, CliError> {
    let elsewhere = manager
        .keys()
        .find(|name| options.settings.contains_key(*name))
        .map(|name| name.to_kebab_case());
    let config = options.config.as_ref().map(|_| "config".to_owned());
    if let Some(flag) = elsewhere.or(config) {
        return Err(CliError::usage(
            format!("--{flag} has no effect with --simulate"),
            "leave one of the two out",
        ));
    }
    manager.extend(options.settings.clone());
    resolve(ProviderConfig::from_json(Value::Object(manager)).map_err(CliError::Configuration)?)
}

fn resolve(config: ProviderConfig) -> Result<Connection, CliError> {
    let mut connection = config.resolve().map_err(CliError::Configuration)?;
    connection.on_demand = true;
    Ok(connection)
}

/// The properties of a configuration file.
fn read(path: &Path) -> Result<Map<String, Value>, CliError> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| CliError::unreadable(path.display(), error))?;
    let value = parse(&text).map_err(|error| CliError::Usage {
        what: format!("{name} is neither JSON nor YAML"),
        source: Some(error),
        hint: None,
    })?;
    match value {
        Value::Object(properties) => Ok(properties),
        _ => Err(CliError::usage(
            format!("{name} does not contain an object with settings"),
            "a file contains settings such as `host: manager.example.com`",
        )),
    }
}

/// Errors contain the position but not the text, which may contain secrets.
fn parse(text: &str) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
    if text.trim_start().starts_with('{') {
        return Ok(serde_json::from_str(text)?);
    }
    Ok(serde_saphyr::from_str_with_options(
        text,
        serde_saphyr::options! { with_snippet: false },
    )?)
}

#[cfg(test)]
mod tests {
    use netmgr_types::Credentials;
    use serde_json::json;

    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_flag_beats_the_file_which_beats_the_environment() {
        let flags = json!({ "enforcementPoint": "flag" });
        let file = json!({ "enforcementPoint": "file", "username": "file" });
        let set = [
            "NETMGR_HOST",
            "NETMGR_USERNAME",
            "NETMGR_PASSWORD",
            "NETMGR_ENFORCEMENT_POINT",
        ];
        let environment = |name: &str| set.contains(&name).then(|| "environment".to_owned());
        let connection = merge(map(flags), map(file), environment).unwrap();
        assert_eq!(connection.enforcement_point, "flag");
        assert_eq!(connection.host.name, "environment");
        let Credentials::Session(login) = &connection.credentials else {
            panic!("{:?}", connection.credentials);
        };
        assert_eq!(login.username, "file");
        assert!(connection.on_demand);
    }

    #[test]
    fn a_simulated_manager_cannot_be_asked_elsewhere() {
        let manager = || map(json!({ "host": "127.0.0.1:1", "username": "admin", "password": "x" }));
        let options = |settings: Value, file: Option<&Path>| Options {
            settings: map(settings),
            config: file.map(Path::to_owned),
            ..Options::default()
        };
        let refusal = |settings: Value, file: Option<&Path>| {
            to_simulated(manager(), &options(settings, file))
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            refusal(json!({ "host": "m" }), None),
            "--host has no effect with --simulate"
        );
        assert_eq!(
            refusal(json!({}), Some(Path::new("f"))),
            "--config has no effect with --simulate"
        );
        let connection = to_simulated(manager(), &options(json!({ "maxRetries": 0 }), None)).unwrap();
        assert_eq!(connection.retry.max_retries, 0);
        assert_eq!(connection.host.port, Some(1));
    }

    #[test]
    fn a_configuration_file_is_json_or_yaml() {
        let expected = json!({ "host": "manager.example.com", "maxRetries": 2 });
        let json = "{\n\t\"host\": \"manager.example.com\",\n\t\"maxRetries\": 2\n}";
        assert_eq!(parse(json).unwrap(), expected);
        assert_eq!(
            parse("host: manager.example.com\nmaxRetries: 2\n").unwrap(),
            expected
        );
    }

    #[test]
    fn a_file_that_cannot_be_read_as_either_is_not_quoted() {
        for text in [
            "{ \"password\": \"hunter2\" \"x\" }",
            "password: \"hunter2\nhost: [",
            "password: hunter2\n  a: b: c\n",
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn secrets_and_on_demand_have_no_flag() {
        let flags: Vec<String> = settings().iter().map(Flag::long).collect();
        for flag in [
            "host",
            "username",
            "ca-file",
            "allow-unverified-ssl",
            "max-retries",
            "retry-on-status-codes",
        ] {
            assert!(
                flags.iter().any(|known| known == flag),
                "{flag} is missing in {flags:?}"
            );
        }
        for secret in [
            "password",
            "client-auth-key",
            "cloud-token",
            "cloud-client-secret",
            "license-keys",
            "on-demand-connection",
        ] {
            assert!(flags.iter().all(|known| known != secret), "{secret}");
        }
    }
}
