//! Options of the connection, which all commands with a session share.
//!
//! The sources of other settings are in `settings.rs`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::StyledStr;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches as _};
use heck::ToKebabCase as _;
use netmgr_transport::LoginRecord;
use netmgr_types::shapes::TenantContext;
use netmgr_types::{InvalidProperty, ProviderConfig};
use serde_json::{Map, Value};

use crate::failure::CliError;
use crate::flags;
use crate::setting_flags::{self, ON_DEMAND, setting_flags};
use crate::settings::password::{PASSWORD_PLACES, PASSWORD_PROPERTIES};
use crate::suggest;

/// The setting with this property or flag name.
pub(crate) fn property(name: &str) -> Result<String, CliError> {
    let named = properties().find(|property| *property == name || property.to_kebab_case() == name);
    named.map(str::to_owned).ok_or_else(|| {
        CliError::usage(
            format!("there is no setting {name:?}"),
            suggest::hint(
                name,
                &setting_names(),
                "`netmgr options` lists the settings, and `netmgr config --help` the commands",
            ),
        )
    })
}

/// The properties that a configuration file can have.
fn properties() -> impl Iterator<Item = &'static str> {
    let properties = ProviderConfig::ENV.iter().map(|(property, _)| *property);
    properties
        .filter(|property| *property != ON_DEMAND)
        .chain(PASSWORD_PROPERTIES)
}

/// The names of all settings, as they are typed.
pub(crate) fn setting_names() -> Vec<String> {
    properties().map(|property| property.to_kebab_case()).collect()
}

/// The setting with this property or flag name, with the value that a string describes, for a configuration file.
/// Secrets are rejected, because other users can read command lines.
pub(crate) fn setting(name: &str, text: &str) -> Result<(String, Value), CliError> {
    let property = property(name)?;
    if PASSWORD_PLACES.contains(&&*property) {
        return Ok((property, text.into()));
    }
    if property == "passwordKeyring" {
        return Err(CliError::usage(
            "only a login stores a password in the keyring",
            "run `netmgr login --keyring`",
        ));
    }
    let Some(flag) = setting_flags().iter().find(|flag| flag.id() == property) else {
        return Err(CliError::usage(
            format!("{name} is a secret, and other users can read command lines"),
            match property.starts_with("password") {
                true => "write it to the file with an editor, or set `password-command`",
                false => "write it to the file with an editor",
            },
        ));
    };
    let command = Command::new("set").no_binary_name(true).arg(flag.argument());
    let matches = command.try_get_matches_from([format!("--{}={text}", flag.long())]);
    let value = matches
        .ok()
        .and_then(|matches| flags::object(std::slice::from_ref(flag), &matches).remove(&flag.id()));
    let value = value.ok_or_else(|| {
        CliError::usage(
            format!("invalid value {text:?} for {name}"),
            format!("expected {}", flag.value_name()),
        )
    })?;
    Ok((property, value))
}

/// Rejects the value that `settings` have for a property if no connection can be made with it.
pub(crate) fn check_setting(property: &str, mut settings: Map<String, Value>) -> Result<(), CliError> {
    settings.retain(|name, _| !PASSWORD_PROPERTIES.contains(&&**name));
    let checked = ProviderConfig::from_json(settings.into()).and_then(ProviderConfig::resolve);
    let is_its = |problem: &InvalidProperty| problem.property.split('[').next() == Some(property);
    match checked.err().into_iter().flatten().find(is_its) {
        Some(problem) => Err(CliError::usage(
            problem.to_string(),
            "`netmgr options` describes the settings",
        )),
        None => Ok(()),
    }
}

/// Whether a setting of the connection has this flag.
pub(crate) fn is_setting(long: &str) -> bool {
    setting_flags().iter().any(|setting| setting.long() == long)
}

/// Options of the connection, which all commands with a session share.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Connection")]
pub(crate) struct ConnectionOptions {
    /// Use a simulated manager in this process
    #[cfg_attr(feature = "simulator", arg(long))]
    #[cfg_attr(not(feature = "simulator"), arg(skip))]
    pub(crate) simulate: bool,
    #[arg(
        long,
        value_name = "FILE",
        help = "Configuration file in TOML, YAML or JSON [default: ~/.config/netmgr/config.toml]"
    )]
    pub(crate) config: Option<PathBuf>,
    /// Profile of the configuration file; see `netmgr config --help`
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Maximum duration of the lookup. Default 300, unless the function has an input `timeout`
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) deadline: Option<Duration>,
    /// Print the numbers of requests, pages, bytes and retries, and the elapsed time, to standard error
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print a line for each request to standard error, with status, bytes and time, and without secrets
    #[arg(long)]
    pub(crate) trace: bool,
    /// File whose first line is the password
    #[arg(long, value_name = "FILE")]
    pub(crate) password_file: Option<PathBuf>,
    /// Read the password from the first line of standard input
    #[arg(long, conflicts_with = "password_file")]
    pub(crate) password_stdin: bool,
    /// Recording that the simulated manager serves instead of the demo inventory.
    #[arg(skip)]
    pub(crate) recording: Option<PathBuf>,
    /// Settings given as flags, by property name.
    #[arg(skip)]
    pub(crate) settings: Map<String, Value>,
}

impl ConnectionOptions {
    /// The options of a parsed command line; the default for a command without a connection.
    pub(crate) fn of(matches: &ArgMatches) -> Self {
        if matches.try_contains_id("deadline").is_err() {
            return Self::default();
        }
        // A command line that is being completed may lack them.
        let options = Self::from_arg_matches(matches).unwrap_or_default();
        Self {
            settings: flags::object(setting_flags(), matches),
            ..options
        }
    }

    /// The record of logins that processes share. A simulated manager inside the process locks no account.
    pub(crate) fn login_record(&self) -> Option<LoginRecord> {
        LoginRecord::in_state_folder().filter(|_| !self.simulate)
    }
}

/// The last line of the help of each command that connects to a manager.
pub(crate) const HINT: &str = "`netmgr options` lists the connection options and exit codes.";

/// A command whose help ends with [`HINT`].
pub(crate) fn hinted(command: Command) -> Command {
    let help =
        |text: Option<&StyledStr>| text.map_or_else(|| HINT.to_owned(), |text| format!("{text}\n\n{HINT}"));
    let after = help(command.get_after_help());
    command.after_help(after)
}

/// The arguments for [`ConnectionOptions`].
pub(crate) fn arguments() -> Vec<Arg> {
    let options = ConnectionOptions::augment_args(Command::new("connection"));
    let settings = setting_flags()
        .iter()
        .map(|flag| flag.argument().help_heading("Connection"));
    options.get_arguments().cloned().chain(settings).collect()
}

/// Maximum deadline. A later instant could not be represented.
const LONGEST_DEADLINE: Duration = Duration::from_secs(365 * 24 * 60 * 60);

pub(crate) fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| "must be a non-negative whole number".to_owned())
}

/// Parses the id of a project, as the inputs of functions are checked.
pub(crate) fn project(id: &str) -> Result<String, String> {
    let words = setting_flags::words(setting_flags::of_project());
    match TenantContext::project(id).validate() {
        Ok(()) => Ok(id.to_owned()),
        Err(problem) => Err(words.text(&problem.reason)),
    }
}

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
    use crate::flags::Flag;

    #[test]
    fn secrets_and_on_demand_have_no_flag() {
        let flags: Vec<String> = setting_flags().iter().map(Flag::long).collect();
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
