//! `login`: checks the access to a manager, and stores it as a profile.
//!
//! The profile never contains the password, but the command or the file that it comes from, or netmgr prompts for it each
//! time. The keyring of the system is one of these commands.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use netmgr_transport::Client;
use netmgr_types::ProviderConfig;
use serde_json::{Map, Value};

use crate::app::App;
use crate::failure::CliError;
use crate::flags::shell_word;
use crate::options::ConnectionOptions;
use crate::output::standard_error;
use crate::session;
use crate::settings::{
    self, ConfigEdit, ConfigFile, KeyringEntry, MergedSettings, OTHER_LOGINS, PASSWORD_PROPERTIES,
    PasswordSource, USUAL, absolute, default_path, prompt,
};
use crate::signals::interrupt;
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "login",
    command,
    shared: SharedOptions::Connection,
    run,
};

/// Id of the flag for the keyring.
const KEYRING: &str = "keyring";

fn command() -> Command {
    Command::new("login")
        .about("Check access to a manager and store it as a profile")
        .long_about(
            "Prompt for the address of a manager and the user name, log in, and store both in the configuration file as \
             the profile `--profile`, or `default`. Settings given as flags become part of the profile. The file never \
             contains the password: each login reads it from the system's keyring (`--keyring`), runs a command that \
             prints it, or prompts for it.",
        )
        .after_help(
            "Examples:\n  netmgr login --keyring\n  \
             netmgr login --profile lab --host lab.example.com --username admin --password-command 'pass show lab'",
        )
        .arg(
            Arg::new("password-command")
                .long("password-command")
                .value_name("COMMAND")
                .conflicts_with_all(["password_file", "password_stdin"])
                .help("Command line that prints the password on its first line"),
        )
        .arg(
            Arg::new(KEYRING)
                .long(KEYRING)
                .action(ArgAction::SetTrue)
                .conflicts_with_all(["password-command", "password_file"])
                .help("Store the password in the system's keyring, with `security` on macOS and `secret-tool` elsewhere"),
        )
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    if app.connection.simulate {
        return Err(CliError::usage(
            "a simulated manager needs no login",
            "omit --simulate, or use it with another command",
        ));
    }
    let path = default_path(&app.connection, &settings::environment()?)?;
    ConfigEdit::check(&path)?;
    let command = matches.get_one::<String>("password-command").cloned();
    let uses_keyring = matches.get_flag(KEYRING);
    app.block_on(Box::pin(async {
        tokio::select! {
            biased;
            exit = interrupt() => Err(CliError::Interrupted(exit)),
            outcome = login(&app.connection, &path, command, uses_keyring) => outcome,
        }
    }))
}

async fn login(
    options: &ConnectionOptions,
    path: &Path,
    command: Option<String>,
    uses_keyring: bool,
) -> Result<(), CliError> {
    let file = path.exists().then(|| ConfigFile::read(path)).transpose()?;
    let mut settings = options.settings.clone();
    ask(&mut settings, "host", "Host name or address of the manager: ").await?;
    let mut places = Map::new();
    let mut password = None;
    if !OTHER_LOGINS.iter().any(|other| settings.contains_key(*other)) {
        ask(&mut settings, "username", "User name: ").await?;
        let (source, place) = source(options, path, command, uses_keyring).await?;
        places.extend(place);
        password = match source {
            Some(source) => Some(source.read(None, options.deadline).await?),
            None => prompt::password("Password: ").await?,
        };
    }
    if uses_keyring && password.is_none() {
        return Err(CliError::usage(
            "--keyring: there is no password to store",
            "enter the password on a terminal or use --password-stdin; a login without a password needs no keyring",
        ));
    }
    let profile = options.profile.as_deref().unwrap_or(USUAL);
    // The whole profile is checked, because it keeps its other settings. A password outside of profiles remains in use
    // unless the profile has one of its own.
    let has_own = uses_keyring || !places.is_empty();
    let replaced: [&[&str]; 2] = [
        if has_own { &PASSWORD_PROPERTIES } else { &[] },
        &PASSWORD_PROPERTIES,
    ];
    let merged = MergedSettings::with_changes(file.as_ref(), Some(profile), &settings, replaced)?;
    let origins = merged.origins();
    let values = merged.values.into_iter();
    let mut checked: Map<_, _> = values
        .map(|(property, setting)| (property, setting.value))
        .collect();
    checked.extend(
        password
            .clone()
            .map(|password| ("password".to_owned(), password.into())),
    );
    let checked = check(options, checked).await;
    let version = checked.map_err(|failure| failure.of_settings(&origins))?;
    if let Some(password) = password.filter(|_| uses_keyring) {
        let text = |setting: &str| settings[setting].as_str().unwrap_or_default();
        let entry = KeyringEntry::new(text("host"), text("username"), profile);
        PasswordSource::store(entry, &password, options.deadline).await?;
        places.insert("passwordKeyring".to_owned(), true.into());
    }

    let mut edit = ConfigEdit::open(path)?;
    // Another process can have changed it meanwhile.
    let file = path.exists().then(|| ConfigFile::read(path)).transpose()?;
    let used = file.as_ref().and_then(ConfigFile::usual).unwrap_or(profile);
    for property in PASSWORD_PROPERTIES {
        edit.remove(Some(profile), property)?;
    }
    for (setting, value) in settings.into_iter().chain(places) {
        edit.set(Some(profile), &setting, &absolute(&setting, value, Path::new("")))?;
    }
    if used == profile && profile != USUAL {
        edit.select(profile);
    }
    edit.save()?;
    standard_error(&format!(
        "logged in: manager version {version}\nstored the profile {profile} in {}",
        path.display()
    ));
    let question = "Use it without --profile from now on? [y/N] ";
    if used == profile {
        return Ok(());
    }
    if prompt::line(question)
        .await?
        .is_some_and(|answer| answer.eq_ignore_ascii_case("y"))
    {
        super::config::select(path, profile)
    } else {
        let profile = shell_word(profile);
        standard_error(&format!(
            "use it with `--profile {profile}`, or make it the default with `netmgr config use {profile}`"
        ));
        Ok(())
    }
}

/// Prompts for a setting that no flag sets.
async fn ask(settings: &mut Map<String, Value>, setting: &str, question: &str) -> Result<(), CliError> {
    if settings.contains_key(setting) {
        return Ok(());
    }
    let answer = prompt::line(question).await?;
    let answer = answer
        .ok_or_else(|| CliError::usage(format!("--{setting} is required"), "prompts require a terminal"))?;
    settings.insert(setting.to_owned(), answer.into());
    Ok(())
}

/// Source of the password, and its setting; neither if netmgr prompts for it.
async fn source(
    options: &ConnectionOptions,
    path: &Path,
    command: Option<String>,
    uses_keyring: bool,
) -> Result<(Option<PasswordSource>, Option<(String, Value)>), CliError> {
    if options.password_stdin {
        return Ok((Some(PasswordSource::Stdin), None));
    }
    if let Some(file) = &options.password_file {
        let place = ("passwordFile".to_owned(), file.to_string_lossy().into());
        return Ok((Some(PasswordSource::File(file.clone())), Some(place)));
    }
    let command = match command {
        Some(command) => Some(command),
        None if uses_keyring => None,
        None => prompt::line("Command that prints the password (empty: enter it each time): ").await?,
    };
    Ok(match command {
        Some(line) => {
            let source = PasswordSource::command(&line, path);
            (Some(source), Some(("passwordCommand".to_owned(), line.into())))
        }
        None => (None, None),
    })
}

/// Logs in, and returns the version of the manager.
async fn check(options: &ConnectionOptions, settings: Map<String, Value>) -> Result<String, CliError> {
    let config = ProviderConfig::from_json(settings.into()).map_err(CliError::Configuration)?;
    let mut connection = config.resolve().map_err(CliError::Configuration)?;
    connection.on_demand = true;
    let client = Client::builder(connection)
        .login_record(options.login_record())
        .build()
        .map_err(CliError::Client)?;
    let deadline = options
        .deadline
        .map(|deadline| tokio::time::Instant::now() + deadline);
    let version = client.version(deadline).await;
    let version = version.map(|version| version.to_string()).map_err(|error| {
        netmgr_lookups::Error::request_failed("login", "the version of the manager", error).into()
    });
    session::end(&client, version.as_ref().err()).await;
    version
}
