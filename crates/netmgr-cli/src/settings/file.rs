//! The configuration file: settings, and named profiles of settings, in TOML, YAML or JSON.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::failure::CliError;
use crate::files::split_mark;
use crate::options::ConnectionOptions;
use crate::suggest;

/// Names of the file in the folder of the configuration.
const NAMES: [&str; 3] = ["config.toml", "config.yaml", "config.json"];
/// The profile that is used if the file names none.
const USUAL: &str = "default";

/// A configuration file.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    /// Its path.
    pub(crate) path: PathBuf,
    /// The profile that it selects: its member `profile`.
    pub(crate) selected: Option<String>,
    /// Named profiles: its member `profiles`.
    pub(crate) profiles: Map<String, Value>,
    /// MergedSettings outside of profiles, which all profiles share.
    pub(crate) shared: Map<String, Value>,
}

/// The settings of a file that are used.
#[derive(Debug, PartialEq)]
pub(crate) struct SelectedProfile {
    pub(crate) path: PathBuf,
    pub(crate) profile: Option<String>,
    pub(crate) shared: Map<String, Value>,
    pub(crate) own: Map<String, Value>,
}

/// The path of the file: of the flag, of NETMGR_CONFIG, or the usual one, and whether it must exist.
fn path(
    options: &ConnectionOptions,
    environment: &impl Fn(&str) -> Option<String>,
) -> Option<(PathBuf, bool)> {
    let variable = || environment("NETMGR_CONFIG").filter(|text| !text.is_empty());
    let given = options.config.clone().or_else(|| variable().map(PathBuf::from));
    given.map(|path| (path, true)).or_else(|| {
        let folder = default_folder(environment)?;
        let paths = NAMES.map(|name| folder.join(name));
        Some((paths.into_iter().find(|path| path.exists())?, false))
    })
}

/// Where a file is read from if nothing names one.
pub(crate) fn default_path(
    options: &ConnectionOptions,
    environment: &impl Fn(&str) -> Option<String>,
) -> Option<PathBuf> {
    let found = path(options, environment).map(|(path, _)| path);
    found.or_else(|| Some(default_folder(environment)?.join(NAMES[0])))
}

fn default_folder(environment: &impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
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

/// The settings of the file and of the profile that flags and environment choose.
pub(crate) fn choose(
    options: &ConnectionOptions,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<Option<SelectedProfile>, CliError> {
    let wanted = options
        .profile
        .clone()
        .or_else(|| environment("NETMGR_PROFILE").filter(|text| !text.is_empty()));
    let Some((path, _)) = path(options, environment) else {
        return match wanted {
            None => Ok(None),
            Some(profile) => Err(CliError::usage(
                format!("there is no configuration file with a profile {profile:?}"),
                "`netmgr config path` prints where it is expected",
            )),
        };
    };
    let file = ConfigFile::read(&path)?;
    file.choose(wanted).map(Some)
}

impl ConfigFile {
    /// Reads the file.
    pub(crate) fn read(path: &Path) -> Result<Self, CliError> {
        let text =
            std::fs::read_to_string(path).map_err(|error| CliError::unreadable(path.display(), error))?;
        let wrong = |problem: String| CliError::usage(format!("{}: {problem}", path.display()), EXAMPLE);
        let value = parse(path, &text).map_err(|(format, error)| {
            CliError::usage_because(
                format!("{} cannot be read as {format}", path.display()),
                error,
                EXAMPLE,
            )
        })?;
        let Value::Object(mut shared) = value else {
            return Err(wrong(
                "the file does not contain an object with settings".to_owned(),
            ));
        };
        let selected = match shared.remove("profile") {
            None => None,
            Some(Value::String(name)) => Some(name),
            Some(_) => return Err(wrong("`profile` must be the name of a profile".to_owned())),
        };
        let profiles = match shared.remove("profiles") {
            None => Map::new(),
            Some(Value::Object(profiles)) => profiles,
            Some(_) => return Err(wrong("`profiles` must be a table of profiles".to_owned())),
        };
        if let Some((name, _)) = profiles.iter().find(|(_, settings)| !settings.is_object()) {
            return Err(wrong(format!("the profile `{name}` must be a table of settings")));
        }
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

    /// The profile that is used if none is wanted.
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

    fn choose(mut self, wanted: Option<String>) -> Result<SelectedProfile, CliError> {
        let profile = wanted.or_else(|| self.usual().map(str::to_owned));
        let own = match &profile {
            None => Map::new(),
            Some(name) => match self.profiles.remove(name) {
                Some(Value::Object(own)) => own,
                _ => return Err(self.unknown(name)),
            },
        };
        let password = ["password", "passwordFile", "passwordCommand"];
        if password.iter().any(|property| own.contains_key(*property)) {
            // The profile replaces where the password is, and not one of several places.
            password
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

type Reason = Box<dyn std::error::Error + Send + Sync>;

/// A format, and why the file is not in it.
type Unparsed = (&'static str, Reason);

/// The deepest nesting of a file in any format: the limit of the library for YAML.
const DEEPEST: usize = 64;

/// Errors contain the position but not the text, which may contain secrets.
fn parse(path: &Path, text: &str) -> Result<Value, Unparsed> {
    let (_, text) = split_mark(text);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let json = || match serde_json::from_str(text) {
        Ok(value) => shallow(value).map_err(|error| ("JSON", error)),
        Err(error) => Err(("JSON", error.into())),
    };
    let toml = |text| toml(text).and_then(shallow);
    match extension {
        Some("toml") => toml(text).map_err(|error| ("TOML", error)),
        Some("json") => json(),
        Some("yaml" | "yml") => yaml(text),
        _ if text.trim_start().starts_with('{') => json(),
        // Both have lines; only TOML has equals signs after names.
        _ => toml(text).or_else(|_| yaml(text)),
    }
}

#[cfg(feature = "yaml")]
fn yaml(text: &str) -> Result<Value, Unparsed> {
    let options = serde_saphyr::options! { with_snippet: false };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| match error {
        // The text of the library quotes the name, which may be a secret in a wrong place.
        serde_saphyr::Error::DuplicateMappingKey { location, .. } => {
            let (line, column) = (location.line(), location.column());
            let text = format!("a name occurs twice in a mapping, at line {line}, column {column}");
            ("YAML", text.into())
        }
        serde_saphyr::Error::Budget { breach, .. } => match breach {
            serde_saphyr::budget::BudgetBreach::Depth { .. } => ("YAML", too_deep()),
            _ => (
                "YAML",
                "it has more values, aliases or anchors than a configuration needs".into(),
            ),
        },
        error => ("YAML", error.into()),
    })
}

#[cfg(not(feature = "yaml"))]
fn yaml(_: &str) -> Result<Value, Unparsed> {
    Err(("JSON or TOML", "this program was built without YAML".into()))
}

/// The value, unless it is nested too deeply.
fn shallow(value: Value) -> Result<Value, Reason> {
    fn depth(value: &Value) -> usize {
        match value {
            Value::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
            Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
            _ => 0,
        }
    }
    if depth(&value) > DEEPEST {
        return Err(too_deep());
    }
    Ok(value)
}

fn too_deep() -> Reason {
    format!("it is nested more than {DEEPEST} levels deep").into()
}

fn toml(text: &str) -> Result<Value, Reason> {
    toml_edit::de::from_str(text).map_err(|error| {
        let line = error
            .span()
            .map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        match line {
            Some(line) => format!("{} at line {line}", error.message()).into(),
            None => error.message().to_owned().into(),
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(name: &str, text: &str) -> Value {
        parse(Path::new(name), text).unwrap()
    }

    /// Any file is settings or an error that quotes nothing of it, and YAML that is printed is read as the same.
    #[test]
    #[cfg(feature = "yaml")]
    fn fuzz_yaml() {
        let words = [
            "hunter2",
            ": ",
            "- ",
            "&a ",
            "*a",
            "<<: ",
            "!!str ",
            "---\n",
            "|\n",
            ">-\n",
            "\n  ",
            "? ",
            "[",
            "{",
            "'",
            "\"",
            "#",
            "%YAML 1.2\n",
            " = ",
            "[[",
            "profiles",
        ];
        fuzz_testing::fuzz("yaml", &words, |input| {
            let text = String::from_utf8_lossy(input);
            let (extension, text) = text.split_once('\n').unwrap_or(("", &text));
            let extension = ["yaml", "toml", "json"]
                .into_iter()
                .find(|known| *known == extension);
            let path = PathBuf::from(format!("config.{}", extension.unwrap_or("any")));
            match parse(&path, text) {
                Ok(value) => {
                    let printed = crate::output::yaml(&value);
                    let read = parse(Path::new("config.yaml"), &printed);
                    let read = read.unwrap_or_else(|(_, error)| panic!("{error} in {printed:?} of {value}"));
                    assert_eq!(read, value, "{printed:?}");
                    let lines = text.lines().count();
                    format!("{} {}", value.is_object(), lines.min(5))
                }
                Err((format, error)) => {
                    let report = format!("{format} {error}");
                    assert!(!report.contains("hunter2"), "the file is quoted: {report}");
                    report
                }
            }
        });
    }

    #[test]
    fn every_format_can_be_nested_as_deeply() {
        let json = |levels| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
        let toml = |levels| format!("a{} = 1", ".a".repeat(levels - 1));
        for levels in [DEEPEST, DEEPEST + 1] {
            for (name, text) in [
                ("c.json", json(levels)),
                ("c.toml", toml(levels)),
                #[cfg(feature = "yaml")]
                ("c.yaml", json(levels)),
            ] {
                let error = parse(Path::new(name), &text).err();
                let reason = error.map(|(_, reason)| reason.to_string());
                let expected = (levels > DEEPEST).then(|| too_deep().to_string());
                assert_eq!(reason, expected, "{name}");
            }
        }
    }

    #[test]
    fn a_file_is_toml_yaml_or_json() {
        let expected =
            json!({ "host": "m", "maxRetries": 2, "profiles": { "lab": { "username": "admin" } } });
        let toml = "host = \"m\"\nmaxRetries = 2\n[profiles.lab]\nusername = \"admin\"\n";
        let yaml = "host: m\nmaxRetries: 2\nprofiles:\n  lab:\n    username: admin\n";
        for name in ["config.toml", "config"] {
            assert_eq!(parsed(name, toml), expected);
        }
        for name in ["config.yaml", "config.yml", "config"]
            .iter()
            .filter(|_| cfg!(feature = "yaml"))
        {
            assert_eq!(parsed(name, yaml), expected);
        }
        for name in ["config.json", "config"] {
            for mark in ["", "\u{feff}"] {
                assert_eq!(parsed(name, &format!("{mark}{expected}")), expected);
            }
        }
    }

    #[test]
    fn a_file_that_cannot_be_parsed_is_not_quoted() {
        for (name, text) in [
            ("c.json", "{ \"password\": \"hunter2\" \"x\" }"),
            ("c.yaml", "password: \"hunter2\nhost: ["),
            ("c.yaml", "password: hunter2\n  a: b: c\n"),
            ("c.toml", "password = \"hunter2\nhost = 1"),
            ("c.toml", "password = hunter2"),
        ] {
            let (_, error) = parse(Path::new(name), text).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{name}: {error}");
        }
    }

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
    fn the_wanted_profile_comes_before_the_selected_one() {
        let two =
            || json!({ "profile": "lab", "profiles": { "lab": { "host": "l" }, "prod": { "host": "p" } } });
        let host = |wanted: Option<&str>| {
            let chosen = file(two()).choose(wanted.map(str::to_owned)).unwrap();
            (chosen.profile.unwrap(), chosen.own["host"].clone())
        };
        assert_eq!(host(None), ("lab".to_owned(), json!("l")));
        assert_eq!(host(Some("prod")), ("prod".to_owned(), json!("p")));
        let error = file(two()).choose(Some("prd".to_owned())).unwrap_err().report();
        assert_eq!(
            error,
            "error: c.toml has no profile \"prd\"\n  hint: did you mean `prod`?"
        );
    }

    #[test]
    fn a_profile_replaces_where_the_shared_password_is() {
        let value = json!({
            "shared": { "passwordCommand": "pass x", "username": "admin" },
            "profiles": { "default": { "passwordFile": "f" } },
        });
        let chosen = file(value).choose(None).unwrap();
        assert_eq!(chosen.shared.keys().collect::<Vec<_>>(), ["username"]);
    }
}
