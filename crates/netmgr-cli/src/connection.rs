//! Options of the connection, and the connection that they describe.
//!
//! Where settings come from is in `settings.rs`. They are checked in `netmgr-types`.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, value_parser};
#[cfg(feature = "simulator")]
use heck::ToKebabCase as _;
use netmgr_transport::RefusedLogins;
use netmgr_types::{Connection, ProviderConfig};
use schemars::schema_for;
use serde_json::{Map, Value};

use crate::failure::CliError;
use crate::flags::{self, Flag};
use crate::settings::{PasswordSource, Settings};

/// Always true on the command line, so there is no flag.
const ON_DEMAND: &str = "onDemandConnection";

/// The flags of all settings that are not secret.
fn settings() -> &'static [Flag] {
    // Made once: every command without a connection has them as well, hidden.
    static FLAGS: LazyLock<Vec<Flag>> = LazyLock::new(|| {
        let mut settings = netmgr_lookups::properties(&schema_for!(ProviderConfig));
        settings.retain(|setting| setting.name != ON_DEMAND);
        flags::of(&settings)
    });
    &FLAGS
}

/// Options of the connection, which all commands with a session share.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// Whether to use a simulated manager inside the process.
    #[cfg(feature = "simulator")]
    pub(crate) simulate: bool,
    /// The configuration file.
    pub(crate) config: Option<PathBuf>,
    /// The profile in it.
    pub(crate) profile: Option<String>,
    /// The file with the password.
    pub(crate) password_file: Option<PathBuf>,
    /// Whether the password is on standard input.
    pub(crate) password_stdin: bool,
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
            #[cfg(feature = "simulator")]
            simulate: matches.get_flag("simulate"),
            config: matches.get_one("config").cloned(),
            profile: matches.get_one("profile").cloned(),
            password_file: matches.get_one("password-file").cloned(),
            password_stdin: matches.get_flag("password-stdin"),
            settings: flags::object(settings(), matches),
            deadline: matches.get_one("deadline").copied(),
            stats: matches.get_flag("stats"),
            trace: matches.get_flag("trace"),
        }
    }

    /// Where refused logins are shared with other processes. A simulated manager inside the process locks no account.
    pub(crate) fn refused_logins(&self) -> Option<RefusedLogins> {
        RefusedLogins::in_state_folder().filter(|_| !self.is_simulated())
    }

    /// Whether the manager is simulated inside the process.
    pub(crate) fn is_simulated(&self) -> bool {
        #[cfg(feature = "simulator")]
        return self.simulate;
        #[cfg(not(feature = "simulator"))]
        false
    }

    /// Where the flags say that the password is, and the flag.
    pub(crate) fn password_source(&self) -> Option<(PasswordSource, &'static str)> {
        if self.password_stdin {
            return Some((PasswordSource::Stdin, "password-stdin"));
        }
        let file = self.password_file.clone()?;
        Some((PasswordSource::File(file), "password-file"))
    }
}

/// The arguments for [`Options`].
pub(crate) fn arguments() -> Vec<Arg> {
    const HEADING: &str = "Connection";
    let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    #[cfg(feature = "simulator")]
    let simulate = Some(switch("simulate").help("Use a simulated manager inside this process"));
    #[cfg(not(feature = "simulator"))]
    let simulate = None;
    let config = Arg::new("config")
        .long("config")
        .value_name("FILE")
        .help("Configuration file in TOML, YAML or JSON [default: ~/.config/netmgr/config.toml]")
        .value_parser(value_parser!(PathBuf));
    let profile = Arg::new("profile")
        .long("profile")
        .value_name("NAME")
        .help("Profile of the configuration file; see `netmgr config --help`");
    let password_file = Arg::new("password-file")
        .long("password-file")
        .value_name("FILE")
        .help("File whose first line is the password")
        .hide_short_help(true)
        .value_parser(value_parser!(PathBuf));
    let password_stdin = switch("password-stdin")
        .help("Read the password from the first line of standard input")
        .hide_short_help(true)
        .conflicts_with("password-file");
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
    let settings = settings()
        .iter()
        .map(|flag| flag.argument().hide_short_help(true));
    let password = [password_file, password_stdin];
    let others = [config, profile, deadline, stats, trace];
    simulate
        .into_iter()
        .chain(others)
        .chain(password)
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

/// A simulated manager, which ends when it is dropped.
#[cfg(feature = "simulator")]
pub(crate) use crate::commands::simulate::Simulated;

/// There is none.
#[cfg(not(feature = "simulator"))]
pub(crate) enum Simulated {}

/// The connection to the manager that the options describe. One that is simulated has to be kept.
pub(crate) async fn open(options: &Options) -> Result<(Connection, Option<Simulated>), CliError> {
    #[cfg(feature = "simulator")]
    if options.simulate {
        let manager = Simulated::start(&options.settings).await?;
        return Ok((to_simulated(manager.settings(), options)?, Some(manager)));
    }
    Ok((configured(options).await?, None))
}

/// The connection that flags, environment and file describe. May run a command for the password, or prompt
/// for it.
async fn configured(options: &Options) -> Result<Connection, CliError> {
    let environment = |name: &str| std::env::var(name).ok();
    let settings = Settings::read(options, environment)?;
    resolve(settings.config(environment).await?)
}

/// The connection to a simulated manager. Flags can change requests but not the address.
#[cfg(feature = "simulator")]
fn to_simulated(mut manager: Map<String, Value>, options: &Options) -> Result<Connection, CliError> {
    let elsewhere = manager
        .keys()
        .find(|name| options.settings.contains_key(*name))
        .map(|name| name.to_kebab_case());
    let given = [
        ("config", options.config.is_some()),
        ("profile", options.profile.is_some()),
        ("password-file", options.password_file.is_some()),
        ("password-stdin", options.password_stdin),
    ];
    let given = given
        .iter()
        .find(|(_, is_given)| *is_given)
        .map(|(flag, _)| (*flag).to_owned());
    if let Some(flag) = elsewhere.or(given) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "simulator")]
    #[test]
    fn a_simulated_manager_is_not_combined_with_settings_of_another() {
        use std::path::Path;

        use serde_json::json;

        let map = |value: Value| value.as_object().unwrap().clone();
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
