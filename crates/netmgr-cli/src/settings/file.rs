//! The configuration file: settings, and named profiles of settings.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::format::parse;
use super::password::PASSWORD_PROPERTIES;
use crate::failure::CliError;
use crate::files;
use crate::options::ConnectionOptions;
use crate::suggest;

/// Names of the file in the folder of the configuration.
const NAMES: [&str; 3] = ["config.toml", "config.yaml", "config.json"];
/// The profile that is used if the file names none.
pub(crate) const USUAL: &str = "default";

/// A configuration file.
#[derive(Debug, Default)]
pub(crate) struct ConfigFile {
    /// Its path.
    pub(crate) path: PathBuf,
    /// The profile that it selects: its member `profile`.
    pub(crate) selected: Option<String>,
    /// Named profiles: its member `profiles`.
    pub(crate) profiles: Map<String, Value>,
    /// Settings outside profiles, which all profiles share.
    pub(crate) shared: Map<String, Value>,
}

/// The settings of a file that are used.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct SelectedProfile {
    pub(crate) path: PathBuf,
    pub(crate) profile: Option<String>,
    pub(crate) shared: Map<String, Value>,
    pub(crate) own: Map<String, Value>,
}

/// The path of a file that is named by the flag or by NETMGR_CONFIG.
fn named_path(options: &ConnectionOptions, environment: &impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let variable = || environment("NETMGR_CONFIG").filter(|text| !text.is_empty());
    options.config.clone().or_else(|| variable().map(PathBuf::from))
}

/// The path of an existing file in the usual folder.
fn usual_path(environment: &impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let folder = default_folder(environment)?;
    let mut paths = NAMES.iter().map(|name| folder.join(name));
    paths.find(|path| path.exists())
}

/// The path of the settings file, which may not exist.
pub(crate) fn default_path(
    options: &ConnectionOptions,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<PathBuf, CliError> {
    named_path(options, environment)
        .or_else(|| usual_path(environment))
        .or_else(|| Some(default_folder(environment)?.join(NAMES[0])))
        .ok_or_else(|| {
            CliError::usage(
                "this platform has no default folder for the configuration file",
                "set the file with --config or NETMGR_CONFIG",
            )
        })
}

/// Whether no file is named, so that none has to exist.
pub(crate) fn is_usual(options: &ConnectionOptions, environment: &impl Fn(&str) -> Option<String>) -> bool {
    named_path(options, environment).is_none()
}

pub(super) fn default_folder(environment: &impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let set = |name: &str| {
        environment(name)
            .filter(|text| !text.is_empty())
            .map(PathBuf::from)
    };
    let base = set("XDG_CONFIG_HOME")
        .or_else(|| set("APPDATA").filter(|_| cfg!(windows)))
        .or_else(|| Some(set("HOME")?.join(".config")))?;
    Some(base.join("netmgr"))
}

/// The value of a setting. If it names a file, it is relative to `folder`, which is that of the configuration file, or the
/// current one if a user types the value.
pub(crate) fn absolute(property: &str, value: Value, folder: &Path) -> Value {
    let name = value
        .as_str()
        .filter(|name| property.ends_with("File") && !name.is_empty());
    match name.and_then(|name| std::path::absolute(folder.join(name)).ok()) {
        Some(path) => path.to_string_lossy().into(),
        None => value,
    }
}

/// The error of a profile without a file.
pub(crate) fn no_file(profile: &str) -> CliError {
    CliError::usage(
        format!("there is no configuration file with a profile {profile:?}"),
        "`netmgr config path` prints where it is expected",
    )
}

/// The settings of the file and of the profile that flags and environment choose.
pub(super) fn select(
    options: &ConnectionOptions,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<Option<SelectedProfile>, CliError> {
    let wanted = options
        .profile
        .clone()
        .or_else(|| environment("NETMGR_PROFILE").filter(|text| !text.is_empty()));
    let Some(path) = named_path(options, environment).or_else(|| usual_path(environment)) else {
        return match wanted {
            None => Ok(None),
            Some(profile) => Err(no_file(&profile)),
        };
    };
    let file = ConfigFile::read(&path)?;
    file.select(wanted).map(Some)
}

impl ConfigFile {
    /// Reads the file.
    pub(crate) fn read(path: &Path) -> Result<Self, CliError> {
        let text = files::text(path, files::LONGEST_TEXT)
            .map_err(|error| CliError::unreadable(path.display(), error))?;
        let wrong = |problem: String| CliError::usage(format!("{}: {problem}", path.display()), EXAMPLE);
        let value = parse(path, &text).map_err(|(format, error)| {
            CliError::usage_because(
                format!("{} is not valid {format}", path.display()),
                error,
                EXAMPLE,
            )
        })?;
        let Value::Object(mut shared) = value else {
            return Err(wrong(
                "the file does not contain an object with settings".to_owned(),
            ));
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let absolute = |settings: &mut Map<String, Value>| {
            for (property, value) in settings.iter_mut() {
                *value = absolute(property, value.take(), folder);
            }
        };
        absolute(&mut shared);
        let selected = match shared.remove("profile") {
            None => None,
            Some(Value::String(name)) => Some(name),
            Some(_) => return Err(wrong("`profile` must be a profile name".to_owned())),
        };
        let mut profiles = match shared.remove("profiles") {
            None => Map::new(),
            Some(Value::Object(profiles)) => profiles,
            Some(_) => return Err(wrong("`profiles` must be a table of profiles".to_owned())),
        };
        if let Some((name, _)) = profiles.iter().find(|(_, settings)| !settings.is_object()) {
            return Err(wrong(format!("the profile `{name}` must be a table of settings")));
        }
        profiles
            .values_mut()
            .filter_map(Value::as_object_mut)
            .for_each(absolute);
        Ok(Self {
            path: path.to_owned(),
            selected,
            profiles,
            shared,
        })
    }

    /// Names of the profiles.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.profiles.keys().map(String::as_str).collect()
    }

    /// The settings of a profile, with the shared ones that it does not replace.
    pub(crate) fn settings(&self, profile: Option<&str>) -> Map<String, Value> {
        let own = profile.and_then(|profile| self.profiles.get(profile)?.as_object());
        let mut settings = self.shared.clone();
        settings.extend(own.cloned().unwrap_or_default());
        settings
    }

    /// The profile that is used if none is requested.
    pub(crate) fn usual(&self) -> Option<&str> {
        let usual = || self.profiles.contains_key(USUAL).then_some(USUAL);
        self.selected.as_deref().or_else(usual)
    }

    /// The error for a profile that the file does not have.
    pub(crate) fn unknown(&self, profile: &str) -> CliError {
        let names = self.names();
        let known = match names.as_slice() {
            [] => "the file has no profiles".to_owned(),
            names => format!("the profiles are {}", names.join(", ")),
        };
        CliError::usage(
            format!("{} has no profile {profile:?}", self.path.display()),
            suggest::hint(profile, &names, &known),
        )
    }

    fn select(mut self, wanted: Option<String>) -> Result<SelectedProfile, CliError> {
        let profile = wanted.or_else(|| self.usual().map(str::to_owned));
        let own = match &profile {
            None => Map::new(),
            Some(name) => match self.profiles.remove(name) {
                Some(Value::Object(own)) => own,
                _ => return Err(self.unknown(name)),
            },
        };
        if PASSWORD_PROPERTIES
            .iter()
            .any(|property| own.contains_key(*property))
        {
            // The profile replaces the source of the password, whichever setting names it.
            PASSWORD_PROPERTIES
                .iter()
                .for_each(|property| drop(self.shared.remove(*property)));
        }
        Ok(SelectedProfile {
            path: self.path,
            profile,
            shared: self.shared,
            own,
        })
    }
}

const EXAMPLE: &str = "a file in TOML has lines such as `host = \"manager.example.com\"`, or tables such as \
                       `[profiles.lab]`";

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn file(value: Value) -> ConfigFile {
        let member = |name: &str| value[name].as_object().cloned().unwrap_or_default();
        ConfigFile {
            path: "c.toml".into(),
            selected: value["profile"].as_str().map(str::to_owned),
            profiles: member("profiles"),
            shared: member("shared"),
        }
    }

    #[test]
    fn a_profile_replaces_where_the_shared_password_is() {
        let value = json!({
            "shared": { "passwordCommand": "pass x", "username": "admin" },
            "profiles": { "default": { "passwordFile": "f" } },
        });
        let chosen = file(value).select(None).unwrap();
        assert_eq!(chosen.shared.keys().collect::<Vec<_>>(), ["username"]);
    }

    #[test]
    fn every_setting_that_names_a_file_is_known() {
        let schema = schemars::schema_for!(netmgr_types::ProviderConfig);
        let properties = schema.get("properties").and_then(Value::as_object).unwrap();
        for (property, described) in properties {
            let description = described["description"].as_str().unwrap();
            let changed = absolute(property, json!("x"), Path::new("/c")) == json!("/c/x");
            assert_eq!(changed, description.starts_with("Path of a file"), "{property}");
        }
    }
}
