//! Options of the connection, which all commands with a session share.
//!
//! Where other settings come from is in `settings.rs`.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use netmgr_transport::RefusedLogins;
use netmgr_types::ProviderConfig;
use schemars::schema_for;
use serde_json::{Map, Value};

use crate::flags::{self, Flag};

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
pub(crate) struct ConnectionOptions {
    /// Whether to use a simulated manager inside the process.
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

impl ConnectionOptions {
    /// The options of a parsed command line.
    pub(crate) fn of(matches: &ArgMatches) -> Self {
        Self {
            simulate: cfg!(feature = "simulator") && matches.get_flag("simulate"),
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
        RefusedLogins::in_state_folder().filter(|_| !self.simulate)
    }
}

/// The arguments for [`ConnectionOptions`].
pub(crate) fn arguments() -> Vec<Arg> {
    const HEADING: &str = "Connection";
    let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let simulate = cfg!(feature = "simulator")
        .then(|| switch("simulate").help("Use a simulated manager inside this process"));
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

#[cfg(test)]
mod tests {
    use super::*;

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
