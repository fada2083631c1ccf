//! Settings of the connection with the origin of each value. A flag takes precedence over the environment, the environment
//! over the configuration file, and the file over defaults (decision command-line). A profile that is named by a flag takes precedence over
//! the environment.
//!
//! Settings are checked in `netmgr-types`.

mod edit;
mod file;
mod format;
mod password;
pub(crate) mod prompt;

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::path::PathBuf;

use netmgr_types::ProviderConfig;
use schemars::schema_for;
use serde_json::{Map, Value};

use crate::failure::CliError;
use crate::options::ConnectionOptions;

pub(crate) use edit::ConfigEdit;
use file::select;
pub(crate) use file::{ConfigFile, default_path, is_usual};
pub(crate) use password::{PASSWORD_PLACES, PASSWORD_PROPERTIES, PasswordSource};

/// Represents the value of a secret.
pub(crate) const MASKED: &str = "********";

/// Settings with which a client logs in.
const CREDENTIALS: [&str; 8] = [
    "password",
    "clientAuthCert",
    "clientAuthCertFile",
    "clientAuthKey",
    "clientAuthKeyFile",
    "cloudToken",
    "cloudClientId",
    "cloudClientSecret",
];

/// An address without user name, password, path and query. An address with a user name is invalid, but it can be shown
/// before it is checked.
pub(crate) fn without_userinfo(value: &Value) -> Value {
    match value.as_str().and_then(|text| text.rsplit_once('@')) {
        Some((_, host)) => {
            let end = host.find(['/', '?', '#']).unwrap_or(host.len());
            format!("{MASKED}@{}", &host[..end]).into()
        }
        None => value.clone(),
    }
}

/// The source of a setting's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SettingOrigin {
    /// A flag of the command line, by its name without dashes.
    Flag(String),
    /// An environment variable.
    Variable(&'static str),
    /// The configuration file, and the profile in it.
    File { path: PathBuf, profile: Option<String> },
    /// The default.
    Default,
}

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "flag --{flag}"),
            Self::Variable(name) => write!(f, "environment {name}"),
            Self::File {
                path,
                profile: Some(profile),
            } => write!(f, "profile {profile} in {}", path.display()),
            Self::File { path, profile: None } => write!(f, "file {}", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A setting with a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    /// The value; text for one of the environment.
    pub(crate) value: Value,
    /// Its source.
    pub(crate) origin: SettingOrigin,
}

/// The variables of the environment.
///
/// # Errors
///
/// A variable of netmgr that is not UTF-8. Its value is not shown.
pub(crate) fn environment() -> Result<impl Fn(&str) -> Option<String> + Copy, CliError> {
    for (name, value) in env::vars_os() {
        if name.to_string_lossy().starts_with("NETMGR_")
            && let Err(error) = str::from_utf8(value.as_encoded_bytes())
        {
            return Err(CliError::usage_because(
                format!("the environment variable {} cannot be used", name.display()),
                format!("its value is not UTF-8: {error}"),
                "set a UTF-8 value",
            ));
        }
    }
    Ok(|name: &str| env::var(name).ok())
}

/// All settings that flags, environment and file have.
#[derive(Debug, Default)]
pub(crate) struct MergedSettings {
    /// Values by property name.
    pub(crate) values: BTreeMap<String, Setting>,
    /// The host that the file has for the profile, although another one may take precedence.
    profile_host: Option<Value>,
    /// The source of the password, unless a setting contains it.
    pub(crate) password: Option<(PasswordSource, SettingOrigin)>,
}

impl MergedSettings {
    /// Reads the settings of flags, environment and file. Runs no command and prompts for nothing.
    pub(crate) fn read(
        options: &ConnectionOptions,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, CliError> {
        let mut settings = Self::default();
        let selected = select(options, &environment)?.unwrap_or_default();
        let origin = |profile: Option<String>| SettingOrigin::File {
            path: selected.path.clone(),
            profile,
        };
        let (shared, own) = (selected.shared, selected.own);
        settings.profile_host = own.get("host").or(shared.get("host")).cloned();
        settings.add(shared, &origin(None))?;
        // A profile that is named on the command line is used as a whole.
        let is_named = options.profile.is_some();
        if !is_named {
            settings.add(own.clone(), &origin(selected.profile.clone()))?;
        }
        let is_credential =
            |property: &str| CREDENTIALS.contains(&property) || property.starts_with("password");
        let has_credentials = is_named && own.keys().any(|property| is_credential(property));
        settings.add_environment(&environment, |property| {
            !(has_credentials && is_credential(property))
        });
        if is_named {
            settings.add(own, &origin(selected.profile.clone()))?;
        }
        for (property, value) in &options.settings {
            let flag = heck::AsKebabCase(property).to_string();
            settings.set(property, value.clone(), SettingOrigin::Flag(flag));
        }
        if options.password_stdin {
            let origin = SettingOrigin::Flag("password-stdin".to_owned());
            settings.set_source(PasswordSource::Stdin, origin);
        } else if let Some(file) = options.password_file.clone() {
            let origin = SettingOrigin::Flag("password-file".to_owned());
            settings.set_source(PasswordSource::File(file), origin);
        }
        Ok(settings)
    }

    /// Adds the variables of the properties that are wanted.
    fn add_environment(
        &mut self,
        environment: &impl Fn(&str) -> Option<String>,
        is_wanted: impl Fn(&str) -> bool,
    ) {
        let variable = |name: &str| environment(name).filter(|text| !text.is_empty());
        for (property, name) in ProviderConfig::ENV {
            if let Some(text) = variable(name).filter(|_| is_wanted(property)) {
                self.set(property, text.into(), SettingOrigin::Variable(name));
            }
        }
        for (name, source) in PasswordSource::VARIABLES {
            // A password itself is more specific than where to find one.
            if let Some(text) = variable(name)
                && variable("NETMGR_PASSWORD").is_none()
                && is_wanted("password")
            {
                self.set_source(source(text), SettingOrigin::Variable(name));
            }
        }
    }

    /// Adds the settings of a file, in which `passwordFile` and `passwordCommand` name the source of the password.
    fn add(&mut self, mut values: Map<String, Value>, origin: &SettingOrigin) -> Result<(), CliError> {
        let sources = PasswordSource::take(&mut values)?;
        for (property, value) in values {
            self.set(&property, value, origin.clone());
        }
        if let Some(source) = sources {
            self.set_source(source, origin.clone());
        }
        Ok(())
    }

    fn set(&mut self, property: &str, value: Value, origin: SettingOrigin) {
        if property == "password" {
            self.password = None;
        }
        self.values.insert(property.to_owned(), Setting { value, origin });
    }

    fn set_source(&mut self, source: PasswordSource, origin: SettingOrigin) {
        self.values.remove("password");
        self.password = Some((source, origin));
    }

    /// Whether a password is required but missing.
    fn lacks_password(&self) -> bool {
        let has = |property: &str| self.values.contains_key(property);
        let others = [
            "clientAuthCert",
            "clientAuthCertFile",
            "cloudToken",
            "cloudClientId",
        ];
        has("username") && !has("password") && !others.into_iter().any(has)
    }

    /// Whether there is a manager to log in to without a prompt, which completions and background processes cannot
    /// show.
    pub(crate) fn is_silent(&self) -> bool {
        let prompts = match &self.password {
            Some((source, _)) => !matches!(source, PasswordSource::File(_)),
            None => self.lacks_password(),
        };
        self.values.contains_key("host") && !prompts
    }

    /// The configuration, with the password from its source.
    pub(crate) async fn config(
        mut self,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<ProviderConfig, CliError> {
        self.check_host()?;
        let password = match self.password.take() {
            Some((source, _)) => Some(source.read().await?),
            None if self.lacks_password() => self.prompt().await?,
            None => None,
        };
        // Variables are read by the configuration itself, which knows their types.
        let mut variables = Vec::new();
        let mut values = Map::new();
        for (property, setting) in self.values {
            match setting.origin {
                SettingOrigin::Variable(name) => variables.push(name),
                _ => drop(values.insert(property, setting.value)),
            }
        }
        let environment = |name: &str| environment(name).filter(|_| variables.contains(&name));
        if let Some(password) = password {
            values.insert("password".to_owned(), password.into());
        }
        ProviderConfig::from_json(Value::Object(values))
            .and_then(|config| config.with_env(environment))
            .map_err(CliError::Configuration)
    }

    /// Rejects credentials of a profile for a host that is not that of the profile.
    fn check_host(&self) -> Result<(), CliError> {
        let Some(host) = self.values.get("host") else {
            return Ok(());
        };
        let is_of_profile =
            |origin: &SettingOrigin| matches!(origin, SettingOrigin::File { profile: Some(_), .. });
        let secrets = self
            .values
            .iter()
            .filter(|(property, _)| CREDENTIALS.contains(&property.as_str()));
        let mut credentials = secrets
            .map(|(property, setting)| (property.as_str(), &setting.origin))
            .chain(self.password.iter().map(|(_, origin)| ("password", origin)));
        match credentials.find(|(_, origin)| is_of_profile(origin)) {
            Some((property, origin)) if self.profile_host.as_ref().is_some_and(|own| *own != host.value) => {
                Err(CliError::usage_because(
                    "the credentials of a profile are sent only to the host of the profile",
                    format!("{property} is from {origin}, and host is from {}", host.origin),
                    "remove the host, or set credentials for this host in the same source",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Prompts for the password on a terminal.
    async fn prompt(&self) -> Result<Option<String>, CliError> {
        let text = |property: &str| {
            let setting = self.values.get(property)?;
            setting.value.as_str().map(str::to_owned)
        };
        let (Some(user), Some(host)) = (text("username"), text("host")) else {
            return Ok(None);
        };
        prompt::password(&format!("Password of {user} on {host}: ")).await
    }

    /// Every setting with its value as text, secrets masked, and its origin. Defaults come last.
    pub(crate) fn shown(&self) -> Vec<(String, Value, SettingOrigin)> {
        let masked = |property: &str, value: &Value| match ProviderConfig::SECRET.contains(&property) {
            true => MASKED.into(),
            false if ["host", "cloudAuthHost"].contains(&property) => without_userinfo(value),
            false => value.clone(),
        };
        let mut shown: Vec<(String, Value, SettingOrigin)> = self
            .values
            .iter()
            .map(|(property, setting)| {
                (
                    property.clone(),
                    masked(property, &setting.value),
                    setting.origin.clone(),
                )
            })
            .collect();
        if let Some((source, origin)) = &self.password {
            shown.push(("password".to_owned(), source.to_string().into(), origin.clone()));
        }
        shown.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        let schema = schema_for!(ProviderConfig);
        let properties = schema.get("properties").and_then(Value::as_object);
        for (property, description) in properties.into_iter().flatten() {
            let is_set = shown.iter().any(|(known, ..)| known == property);
            if let Some(default) = description.get("default").filter(|_| !is_set) {
                shown.push((property.clone(), default.clone(), SettingOrigin::Default));
            }
        }
        shown
    }
}

#[cfg(test)]
mod tests;
