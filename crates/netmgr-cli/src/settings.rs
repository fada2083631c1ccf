//! Settings of the connection with the origin of each value. A flag takes precedence over the environment, the environment
//! over the configuration file, and the file over defaults (decision command-line). A profile that is named by a flag takes precedence over
//! the environment. The variables of the Terraform provider `vmware/nsxt` come before the defaults.
//!
//! Settings are checked in `netmgr-types`.

mod destinations;
mod edit;
mod file;
mod format;
mod keyring;
pub(crate) mod password;
pub(crate) mod prompt;

use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::time::Duration;

use netmgr_types::{ProviderConfig, sensitive};
use schemars::schema_for;
use serde_json::{Map, Value};

use crate::failure::CliError;
use crate::files;
use crate::options::ConnectionOptions;
use crate::origins::{Origins, SettingOrigin};
use crate::setting_flags::ON_DEMAND;

use destinations::{destinations, is_for};
pub(crate) use edit::ConfigEdit;
use file::select;
pub(crate) use file::{ConfigFile, USUAL, absolute, default_path, is_usual, no_file};
pub(crate) use keyring::KeyringEntry;

pub(crate) use password::{PASSWORD_PROPERTIES, PasswordSource};

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

/// Settings with which a client logs in without a password.
pub(crate) const OTHER_LOGINS: [&str; 4] = [
    "clientAuthCert",
    "clientAuthCertFile",
    "cloudToken",
    "cloudClientId",
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
/// A variable of a setting that is not UTF-8. Its value is not shown.
pub(crate) fn environment() -> Result<impl Fn(&str) -> Option<String> + Copy, CliError> {
    let of_nsxt = |name: &str| ProviderConfig::NSXT_ENV.iter().any(|(_, known)| *known == name);
    for (name, value) in env::vars_os() {
        let text = name.to_string_lossy();
        if (text.starts_with("NETMGR_") || of_nsxt(&text))
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
    /// The settings of the file outside of profiles, and the settings of the profile, although others may take
    /// precedence.
    file: [Map<String, Value>; 2],
    /// The source of the password, unless a setting contains it.
    pub(crate) password: Option<(PasswordSource, SettingOrigin)>,
}

impl MergedSettings {
    /// Reads the settings of flags, environment and file. Runs no command and prompts for nothing.
    pub(crate) fn read(
        options: &ConnectionOptions,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, CliError> {
        let selected = select(options, &environment)?.unwrap_or_default();
        let origin = |profile: Option<String>| SettingOrigin::File {
            path: selected.path.clone(),
            profile,
        };
        let (shared, own) = (selected.shared, selected.own);
        let mut settings = Self {
            file: [shared.clone(), own.clone()],
            ..Self::default()
        };
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
        settings.add_flags(&options.settings);
        if options.password_stdin {
            let origin = SettingOrigin::Flag("password-stdin".to_owned());
            settings.set_source(PasswordSource::Stdin, origin);
        } else if let Some(file) = options.password_file.clone() {
            let origin = SettingOrigin::Flag("password-file".to_owned());
            settings.set_source(PasswordSource::File(file), origin);
        }
        settings.add_nsxt_environment(&environment);
        let text = |property: &str| settings.text(property).unwrap_or_default();
        let entry = KeyringEntry::new(
            text("host"),
            text("username"),
            selected.profile.as_deref().unwrap_or(USUAL),
        );
        if let Some((PasswordSource::Keyring(used), _)) = &mut settings.password {
            *used = entry;
        }
        Ok(settings)
    }

    /// The settings of a file and a profile in it with new ones, without those that are `replaced` outside of profiles and
    /// in the profile.
    ///
    /// # Errors
    ///
    /// Credentials that stay in the file belong to another host or user.
    pub(crate) fn with_changes(
        file: Option<&ConfigFile>,
        profile: Option<&str>,
        new: &Map<String, Value>,
        replaced: [&[&str]; 2],
    ) -> Result<Self, CliError> {
        let mut settings = Self::default();
        if let Some(file) = file {
            let own = profile.and_then(|profile| file.profiles.get(profile)?.as_object());
            settings.file = [file.shared.clone(), own.cloned().unwrap_or_default()];
            let profiles = [None, Some(profile.unwrap_or_default().to_owned())];
            let places = settings.file.clone().into_iter().zip(profiles);
            for ((mut values, profile), replaced) in places.zip(replaced) {
                values.retain(|property, _| !replaced.contains(&&**property));
                let path = file.path.clone();
                settings.add(values, &SettingOrigin::File { path, profile })?;
            }
        }
        settings.add_flags(new);
        settings.check_destinations()?;
        Ok(settings)
    }

    fn add_flags(&mut self, flags: &Map<String, Value>) {
        for (property, value) in flags {
            let flag = heck::AsKebabCase(property).to_string();
            self.set(property, value.clone(), SettingOrigin::Flag(flag));
        }
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

    /// Adds the variables of the Terraform provider `vmware/nsxt` to what is absent. Those are for its manager, so that
    /// a configuration file with a host, and any other host, hide all of them.
    fn add_nsxt_environment(&mut self, environment: &impl Fn(&str) -> Option<String>) {
        let variables = ProviderConfig::NSXT_ENV.iter().filter_map(|(property, name)| {
            let text = environment(name).filter(|text| !text.is_empty())?;
            Some((*property, *name, Value::from(text)))
        });
        let variables: Vec<_> = variables.collect();
        let own = |wanted: &str| variables.iter().find(|(property, ..)| *property == wanted);
        let fits = |name: &str| {
            let used = self.values.get(name);
            used.is_none_or(|used| is_for(name, own(name).map(|(.., value)| value), &used.value))
        };
        let has_host = self.file.iter().any(|file| file.contains_key("host"));
        if has_host || !fits("host") {
            return;
        }
        let is_usable = |(property, ..): &&(&'static str, &'static str, Value)| {
            let is_set =
                self.values.contains_key(*property) || *property == "password" && self.password.is_some();
            let is_credential = CREDENTIALS.contains(property);
            !is_set && (!is_credential || destinations(property).all(|(name, _)| fits(name)))
        };
        let usable: Vec<_> = variables.iter().filter(is_usable).cloned().collect();
        for (property, name, value) in usable {
            self.set(property, value, SettingOrigin::Variable(name));
        }
    }

    /// Adds the settings of a file, in which `passwordFile` and others name the source of the password.
    fn add(&mut self, mut values: Map<String, Value>, origin: &SettingOrigin) -> Result<(), CliError> {
        let sources = PasswordSource::take(&mut values, origin.file().unwrap_or(Path::new("")))?;
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
        has("username") && !has("password") && !OTHER_LOGINS.into_iter().any(has)
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
        deadline: Option<Duration>,
    ) -> Result<ProviderConfig, CliError> {
        self.check_destinations()?;
        let origins = self.origins();
        let password = match self.password.take() {
            Some((source, origin)) => Some(source.read(Some(&origin), deadline).await?),
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
        let config = ProviderConfig::from_json(Value::Object(values))
            .map_err(|errors| CliError::Configuration(errors).of_settings(&origins))?;
        // These errors name the variable beside the setting.
        let filled = config
            .with_env(environment)
            .and_then(|config| config.with_nsxt_env(environment));
        filled.map_err(|errors| CliError::Configuration(errors).of_settings(&Origins::new()))
    }

    /// The warning about a file with credentials that other users can access, if there is one.
    pub(crate) fn exposure(&self) -> Option<String> {
        let (elsewhere, is_elsewhere) = match &self.password {
            Some((PasswordSource::File(path), _)) => (Some(&**path), true),
            Some((source, _)) => (None, matches!(source, PasswordSource::Keyring(_))),
            None => (None, false),
        };
        let files = self.credentials().filter_map(|(name, origin)| {
            let is_secret = ProviderConfig::SECRET.contains(&name) && !(name == "password" && is_elsewhere);
            Some((origin.file()?, is_secret))
        });
        files
            .chain(elsewhere.map(|path| (path, true)))
            .find_map(|(path, is_secret)| {
                let access = files::access_of_others(path)?;
                // A change of the host can send credentials that are not in the file to another one.
                let matters = is_secret || !access.starts_with("read");
                let path = path.display();
                matters.then(|| format!("warning: {path} has credentials, and other users can {access}"))
            })
    }

    /// The origin of each setting, by property.
    pub(crate) fn origins(&self) -> Origins {
        let password = self.password.iter().map(|(_, origin)| ("password", origin));
        let values = self
            .values
            .iter()
            .map(|(name, setting)| (name.as_str(), &setting.origin));
        let all = values.chain(password);
        all.map(|(name, origin)| (name.to_owned(), origin.clone()))
            .collect()
    }

    /// The property of the source of the password, if it is not set itself.
    pub(crate) fn password_property(&self) -> Option<&'static str> {
        self.password.as_ref().map(|(source, _)| source.property())
    }

    fn text(&self, property: &str) -> Option<&str> {
        self.values.get(property)?.value.as_str()
    }

    /// Prompts for the password on a terminal.
    async fn prompt(&self) -> Result<Option<String>, CliError> {
        let (Some(user), Some(host)) = (self.text("username"), self.text("host")) else {
            return Ok(None);
        };
        prompt::password(&format!("Password of {user} on {host}: ")).await
    }

    /// Every setting with its value as text, secrets masked, and its origin. Defaults come last.
    pub(crate) fn shown(&self) -> Vec<(String, Value, SettingOrigin)> {
        let schema = schema_for!(ProviderConfig);
        let properties = schema.get("properties").and_then(Value::as_object);
        let is_known = |property: &str| properties.is_some_and(|known| known.contains_key(property));
        let masked = |property: &str, value: &Value| match property {
            "host" | "cloudAuthHost" => without_userinfo(value),
            // The value of an unknown setting may be meant for a secret one.
            _ if ProviderConfig::SECRET.contains(&property) || !is_known(property) => MASKED.into(),
            // Certificates can be in one text with their key.
            _ => {
                let mut value = value.clone();
                sensitive::redact(&mut value);
                value
            }
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
        for (property, description) in properties.into_iter().flatten() {
            let is_set = shown.iter().any(|(known, ..)| known == property);
            // A command always connects.
            let default = description
                .get("default")
                .filter(|_| !is_set && property != ON_DEMAND);
            if let Some(default) = default {
                shown.push((property.clone(), default.clone(), SettingOrigin::Default));
            }
        }
        shown
    }
}

#[cfg(test)]
mod tests;
