//! The origins of settings: flags, variables, files and defaults.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

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

impl SettingOrigin {
    /// The name of a setting where it was set: `--ca-file`, `NETMGR_CA_FILE`, or `caFile` in a file.
    pub(crate) fn name_of(&self, property: &str) -> String {
        match self {
            Self::Flag(flag) => format!("--{flag}"),
            Self::Variable(name) => (*name).to_owned(),
            Self::File { .. } | Self::Default => property.to_owned(),
        }
    }

    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } => Some(path),
            _ => None,
        }
    }
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

/// The origins of settings, by property.
pub(crate) type Origins = BTreeMap<String, SettingOrigin>;

/// The settings of `origins` with their names there.
pub(crate) fn names(origins: &Origins) -> impl Iterator<Item = (String, String)> {
    origins
        .iter()
        .map(|(property, origin)| (property.clone(), origin.name_of(property)))
}
