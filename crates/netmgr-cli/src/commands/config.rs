//! `config`: the settings, where each comes from, and the profiles.

use std::path::Path;

use clap::{ArgMatches, Command, FromArgMatches as _, Subcommand as _};
use serde_json::{Value, json};

use crate::app::App;
use crate::failure::CliError;
use crate::files;
use crate::output::{Column, standard_error, standard_output};
use crate::settings::{self, ConfigFile, MergedSettings, default_path, is_usual, without_userinfo};
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "config",
    command,
    shared: SharedOptions::All,
    run,
};

/// The subcommands of `config`.
#[derive(Debug, clap::Subcommand)]
enum ConfigCommand {
    /// Shows the settings, secrets masked
    #[command(
        after_help = "Examples:\n  netmgr config show --origin\n  netmgr config show --profile lab -o json"
    )]
    Show(Show),
    /// Lists the profiles of the configuration file
    #[command(after_help = "Examples:\n  netmgr config profiles\n  netmgr config profiles -o name")]
    Profiles,
    /// Selects the profile that is used without `--profile`
    #[command(
        after_help = "Examples:\n  netmgr config use lab\n  netmgr config use prod --config ./netmgr.toml"
    )]
    Use(Use),
    /// Prints the path of the configuration file
    #[command(after_help = "Examples:\n  netmgr config path\n  $EDITOR \"$(netmgr config path)\"")]
    Path,
}

#[derive(Debug, clap::Args)]
struct Show {
    /// Show where each value comes from
    #[arg(long)]
    origin: bool,
}

#[derive(Debug, clap::Args)]
struct Use {
    /// Name of the profile
    #[arg(value_name = "NAME")]
    selected: String,
}

fn command() -> Command {
    ConfigCommand::augment_subcommands(Command::new("config"))
        .about("Shows settings and profiles")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .after_help("Examples:\n  netmgr config show --origin\n  netmgr config use lab")
        .long_about(
            "Shows settings and profiles. A setting is read from its flag, or else from its NETMGR_* variable, or \
             else from the profile, or else from the rest of the configuration file, or else it has its default.\n\n\
             The file is that of --config, or of NETMGR_CONFIG, or config.toml, config.yaml or config.json in \
             ~/.config/netmgr:\n\n  \
             profile = \"lab\"\n\n  \
             [profiles.lab]\n  \
             host = \"manager.example.com\"\n  \
             username = \"admin\"\n  \
             passwordCommand = [\"pass\", \"show\", \"lab\"]",
        )
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let environment = settings::environment()?;
    let path = || {
        default_path(&app.connection, &environment).ok_or_else(|| {
            CliError::usage(
                "there is no folder for a configuration file",
                "name the file with --config or NETMGR_CONFIG",
            )
        })
    };
    match ConfigCommand::from_arg_matches(matches).expect("these are matches of the command") {
        ConfigCommand::Show(show) => {
            let settings = MergedSettings::read(&app.connection, environment)?;
            print_settings(app, &settings, show.origin)
        }
        ConfigCommand::Profiles => {
            let path = path()?;
            match is_usual(&app.connection, &environment) && !path.exists() {
                true => {
                    standard_error(&format!("there is no configuration file at {}", path.display()));
                    Ok(())
                }
                false => profiles(app, &path),
            }
        }
        ConfigCommand::Use(selected) => select(&path()?, &selected.selected),
        ConfigCommand::Path => standard_output(&format!("{}\n", path()?.display())),
    }
}

fn print_settings(app: &App, settings: &MergedSettings, with_origin: bool) -> Result<(), CliError> {
    let mut columns = vec![Column::new("setting"), Column::new("value")];
    if with_origin {
        columns.push(Column::new("origin"));
    }
    let rows = settings.shown().into_iter().map(|(setting, value, origin)| {
        let mut row = json!({ "setting": setting, "value": value });
        if with_origin {
            row["origin"] = json!(origin.to_string());
        }
        row
    });
    app.output.all_rows(columns, rows)
}

fn profiles(app: &App, path: &Path) -> Result<(), CliError> {
    let file = ConfigFile::read(path)?;
    let columns = vec![
        Column::new("name").title("PROFILE"),
        Column::new("selected"),
        Column::new("host"),
        Column::new("username"),
    ];
    let usual = file.usual();
    let rows = file.profiles.iter().map(|(name, settings)| {
        let of = |property: &str| {
            let shared = || file.shared.get(property);
            settings
                .get(property)
                .or_else(shared)
                .cloned()
                .unwrap_or(Value::Null)
        };
        json!({
            "name": name,
            "selected": usual == Some(name.as_str()),
            "host": without_userinfo(&of("host")),
            "username": of("username"),
        })
    });
    app.output.all_rows(columns, rows)
}

/// Writes the name of a profile into the file, and changes nothing else in it.
fn select(path: &Path, profile: &str) -> Result<(), CliError> {
    let file = ConfigFile::read(path)?;
    if !file.profiles.contains_key(profile) {
        return Err(file.unknown(profile));
    }
    let unusable = |cause: Box<dyn std::error::Error + Send + Sync>| {
        CliError::usage_because(
            format!("cannot select a profile in {}", path.display()),
            cause,
            "only files in TOML can be changed; set `profile` in the file with an editor",
        )
    };
    let text = std::fs::read_to_string(path).map_err(|error| CliError::unreadable(path.display(), error))?;
    let mut document: toml_edit::DocumentMut = text
        .parse()
        .map_err(|_| unusable("the file is not TOML".into()))?;
    let mut value = toml_edit::Value::from(profile);
    if let Some(old) = document.get("profile").and_then(toml_edit::Item::as_value) {
        // Blanks and the comment of the line.
        *value.decor_mut() = old.decor().clone();
    }
    document["profile"] = value.into();
    files::replace(path, &document.to_string())
        .map_err(|error| CliError::unwritable(path.display(), error))?;
    standard_error(&format!("{} uses the profile {profile}", path.display()));
    Ok(())
}
