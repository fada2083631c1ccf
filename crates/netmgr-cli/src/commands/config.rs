//! `config`: the settings, where each comes from, and the profiles.

use std::iter;
use std::path::Path;

use clap::{ArgMatches, Command, FromArgMatches as _, Subcommand as _};
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::completion::{profiles, words};
use crate::failure::CliError;
use crate::options;
use crate::output::{Column, standard_error, standard_output};
use crate::settings::{
    self, ConfigEdit, ConfigFile, MergedSettings, PASSWORD_PROPERTIES, absolute, default_path, is_usual,
    no_file, without_userinfo,
};
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
    /// Show the settings, with secrets masked
    #[command(
        after_help = "Examples:\n  netmgr config show --origin\n  netmgr config show --profile lab -o json"
    )]
    Show(Show),
    /// List the profiles of the configuration file
    #[command(after_help = "Examples:\n  netmgr config profiles\n  netmgr config profiles -o name")]
    Profiles,
    /// Select the default profile
    #[command(
        after_help = "Examples:\n  netmgr config use lab\n  netmgr config use prod --config ./netmgr.toml"
    )]
    Use(Use),
    /// Change a setting of the current profile, or of `--profile`
    #[command(
        after_help = "Examples:\n  netmgr config set host manager.example.com\n  netmgr config set password-command 'pass show netmgr/lab' --profile lab"
    )]
    Set(Set),
    /// Print a setting, secrets masked
    #[command(after_help = "Examples:\n  netmgr config get host\n  netmgr config get ca-file --profile lab")]
    Get(SettingArgument),
    /// Remove a setting of the current profile, or of `--profile`
    #[command(
        after_help = "Examples:\n  netmgr config unset ca-file\n  netmgr config unset password-command --profile lab"
    )]
    Unset(SettingArgument),
    /// Print the path of the configuration file
    #[command(after_help = "Examples:\n  netmgr config path\n  $EDITOR \"$(netmgr config path)\"")]
    Path,
}

#[derive(Debug, clap::Args)]
struct Show {
    /// Show the origin of each value
    #[arg(long)]
    origin: bool,
}

#[derive(Debug, clap::Args)]
struct Use {
    /// Name of the profile, which can also be given as `--profile`
    #[arg(value_name = "NAME", required_unless_present = "profile", conflicts_with = "profile", add = profiles::selected())]
    selected: Option<String>,
}

#[derive(Debug, clap::Args)]
struct Set {
    /// Name of the setting, such as `ca-file` or `caFile`
    #[arg(value_name = "SETTING", add = words::settings())]
    setting: String,
    /// New value
    #[arg(value_name = "VALUE", allow_negative_numbers = true)]
    value: String,
}

#[derive(Debug, clap::Args)]
struct SettingArgument {
    /// Name of the setting, such as `ca-file` or `caFile`
    #[arg(value_name = "SETTING", add = words::settings())]
    setting: String,
}

fn command() -> Command {
    ConfigCommand::augment_subcommands(Command::new("config"))
        .about("Show and change settings and profiles")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .after_help("Examples:\n  netmgr config show --origin\n  netmgr config use lab\n  netmgr config set host manager.example.com")
        .long_about(
            "Show and change settings and profiles. Settings are read from flags, then from NETMGR_* variables, then from \
             the profile, then from the top level of the configuration file.\n\n\
             The file is given by --config or NETMGR_CONFIG. The default is config.toml, config.yaml or config.json in \
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
    let path = || default_path(&app.connection, &environment);
    let (name, _) = matches.subcommand().expect("a subcommand is required");
    if ["set", "unset", "use"].contains(&name) {
        app.output.refuse(&format!("config {name}"))?;
    }
    match ConfigCommand::from_arg_matches(matches).expect("these are matches of the command") {
        ConfigCommand::Show(show) => {
            let settings = MergedSettings::read(&app.connection, environment)?;
            print_settings(app, &settings, show.origin)
        }
        ConfigCommand::Get(get) => {
            let setting = options::property(&get.setting)?;
            let settings = MergedSettings::read(&app.connection, environment)?;
            let is_source = settings.password_property() == Some(&*setting);
            let name = if is_source { "password" } else { &setting };
            let value = settings.shown().into_iter().find(|(known, ..)| known == name);
            let (_, value, _) = value.ok_or_else(|| is_not_set(&setting, ""))?;
            print_text(app, &setting, &value)
        }
        ConfigCommand::Unset(unset) => change(app, &path()?, &options::property(&unset.setting)?, None),
        ConfigCommand::Profiles => {
            let path = path()?;
            if is_usual(&app.connection, &environment) && !path.exists() {
                standard_error(&format!("there is no configuration file at {}", path.display()));
                return print_profiles(app, &ConfigFile::default());
            }
            print_profiles(app, &ConfigFile::read(&path)?)
        }
        ConfigCommand::Use(selected) => {
            let name = selected.selected.or_else(|| app.connection.profile.clone());
            let (path, name) = (path()?, name.expect("one of the two is required"));
            if is_usual(&app.connection, &environment) && !path.exists() {
                return Err(no_file(&name));
            }
            select(&path, &name)
        }
        ConfigCommand::Set(set) => {
            let (setting, value) = options::setting(&set.setting, &set.value)?;
            change(app, &path()?, &setting, Some(value))
        }
        ConfigCommand::Path => print_text(app, "path", &json!(path()?)),
    }
}

/// Prints a single value: for people, without its name.
fn print_text(app: &App, name: &str, value: &Value) -> Result<(), CliError> {
    app.output.check_fields(&[name.to_owned()])?;
    match app.output.is_for_people() {
        true => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            standard_output(&format!("{text}\n"))
        }
        false => app.output.object(&json!({ name: value })),
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

fn print_profiles(app: &App, file: &ConfigFile) -> Result<(), CliError> {
    let columns = vec![
        Column::new("name").title("PROFILE"),
        Column::new("selected"),
        Column::new("host"),
        Column::new("username"),
    ];
    let usual = file.usual();
    let rows = file.profiles.keys().map(|name| {
        let settings = file.settings(Some(name));
        let of = |property: &str| settings.get(property).cloned().unwrap_or_default();
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
pub(super) fn select(path: &Path, profile: &str) -> Result<(), CliError> {
    let file = ConfigFile::read(path)?;
    if !file.profiles.contains_key(profile) {
        return Err(file.unknown(profile));
    }
    let mut edit = ConfigEdit::open(path)?;
    edit.select(profile);
    edit.save()?;
    standard_error(&format!("{} uses the profile {profile}", path.display()));
    Ok(())
}

/// Writes a setting into the file, or removes it.
fn change(app: &App, path: &Path, setting: &str, value: Option<Value>) -> Result<(), CliError> {
    let mut edit = ConfigEdit::open(path)?;
    let file = path.exists().then(|| ConfigFile::read(path)).transpose()?;
    let usual = || file.as_ref()?.usual();
    let profile = app.connection.profile.as_deref().or_else(usual);
    let place = place(path, profile);
    if let Some(value) = &value {
        let mut settings = file.as_ref().map_or_else(Map::new, |file| file.settings(profile));
        settings.insert(setting.to_owned(), value.clone());
        options::check_setting(setting, settings)?;
    }
    if let Some(file) = &file {
        check_destination(file, profile, setting, value.as_ref())?;
    }
    let mut replaced = Vec::new();
    let done = match value {
        Some(value) => {
            let value = absolute(setting, value, Path::new(""));
            // They cannot be combined.
            if PASSWORD_PROPERTIES.contains(&setting) {
                for property in PASSWORD_PROPERTIES {
                    let is_removed = edit.remove(profile, property)? && property != setting;
                    replaced.extend(is_removed.then_some(property));
                }
            }
            edit.set(profile, setting, &value)?;
            "is set in"
        }
        None if edit.remove(profile, setting)? => "is removed from",
        None => return Err(is_not_set(setting, &format!(" in {place}"))),
    };
    edit.save()?;
    let replaced = replaced
        .iter()
        .map(|property| format!(", where it replaces {property}"));
    standard_error(&format!(
        "{setting} {done} {place}{}",
        replaced.collect::<String>()
    ));
    Ok(())
}

/// A profile of a file, or the file.
fn place(path: &Path, profile: Option<&str>) -> String {
    let of = profile.map_or_else(String::new, |profile| format!("profile {profile} of "));
    format!("{of}{}", path.display())
}

/// Rejects a change of a setting, by which credentials of the file would be sent to another host, user or service.
fn check_destination(
    file: &ConfigFile,
    profile: Option<&str>,
    setting: &str,
    value: Option<&Value>,
) -> Result<(), CliError> {
    if !["host", "username", "cloudAuthHost"].contains(&setting) {
        return Ok(());
    }
    let shared = profile.and_then(|_| file.shared.get(setting));
    let value = value.or(shared);
    let new = value.map(|value| (setting.to_owned(), value.clone()));
    let new = Map::from_iter(new);
    // Profiles without a value of their own use the shared one.
    let others = file
        .profiles
        .iter()
        .filter(|(_, own)| profile.is_none() && own.get(setting).is_none())
        .map(|(name, _)| Some(name.as_str()));
    for profile in iter::once(profile).chain(others) {
        let settings = MergedSettings::with_changes(Some(file), profile, &new, [&[], &[]]);
        // Without a value, they would be sent to any.
        if settings.is_err() || settings.is_ok_and(|settings| value.is_none() && settings.binds(setting)) {
            let whose = if value.is_some() { "another" } else { "this" };
            return Err(CliError::usage(
                format!(
                    "{} has credentials for {whose} {setting}",
                    place(&file.path, profile)
                ),
                "use `netmgr login`, or remove the credentials with `netmgr config unset`",
            ));
        }
    }
    Ok(())
}

fn is_not_set(setting: &str, place: &str) -> CliError {
    CliError::NotFound {
        what: format!("{setting} is not set{place}"),
        hint: "`netmgr config show --origin` lists the settings".to_owned(),
    }
}
