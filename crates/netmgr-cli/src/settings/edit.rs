//! Changes of a configuration file in TOML. Comments, spaces and the order of lines are kept.

use std::env;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike};

use super::file::default_folder;
use crate::failure::CliError;
use crate::files;

/// A configuration file that is being changed.
pub(crate) struct ConfigEdit {
    path: PathBuf,
    document: DocumentMut,
    is_new: bool,
}

impl ConfigEdit {
    /// Reads the file, which may not exist yet.
    pub(crate) fn open(path: &Path) -> Result<Self, CliError> {
        // A link to nothing is not a new file.
        let is_new = fs::symlink_metadata(path).is_err();
        let text = match is_new {
            true => Ok(String::new()),
            false => fs::metadata(path).and_then(|metadata| match metadata.is_file() {
                true => files::text(path, files::LONGEST_TEXT),
                false => Err(files::not_wanted(metadata.file_type(), "a regular file")),
            }),
        };
        let text = text.map_err(|error| CliError::unreadable(path.display(), error))?;
        let is_other = path
            .extension()
            .is_some_and(|extension| ["yaml", "yml", "json"].iter().any(|other| extension == *other));
        let document = text.parse().ok().filter(|_| !is_other);
        let document = document.ok_or_else(|| not_toml(path))?;
        Ok(Self {
            path: path.to_owned(),
            document,
            is_new,
        })
    }

    /// Selects the profile that is used if none is named.
    pub(crate) fn select(&mut self, profile: &str) {
        put(self.document.as_table_mut(), "profile", profile.into());
    }

    /// Sets a setting of a profile, which is created if it does not exist, or one outside of profiles.
    pub(crate) fn set(
        &mut self,
        profile: Option<&str>,
        setting: &str,
        value: &Value,
    ) -> Result<(), CliError> {
        let value = toml(value);
        put(self.table(profile)?, setting, value);
        Ok(())
    }

    /// Removes a setting of a profile, or one outside of profiles, and returns whether it was set.
    pub(crate) fn remove(&mut self, profile: Option<&str>, setting: &str) -> Result<bool, CliError> {
        Ok(self.table(profile)?.remove(setting).is_some())
    }

    /// Writes the file. Only its owner may read a new one.
    pub(crate) fn save(self) -> Result<(), CliError> {
        let text = self.document.to_string();
        let written = match self.is_new {
            true => create(&self.path, &text),
            false => files::replace(&self.path, &text),
        };
        close(&self.path);
        written.map_err(|error| CliError::unwritable(self.path.display(), error))
    }

    fn table(&mut self, profile: Option<&str>) -> Result<&mut dyn TableLike, CliError> {
        let Some(profile) = profile else {
            return Ok(self.document.as_table_mut());
        };
        let unusable = || not_toml(&self.path);
        let profiles = self.document.entry("profiles").or_insert_with(|| {
            let mut profiles = Table::new();
            // There is no line `[profiles]` above `[profiles.lab]`.
            profiles.set_implicit(true);
            Item::Table(profiles)
        });
        let new = match profiles.is_table() {
            true => Item::Table(Table::new()),
            false => Item::Value(InlineTable::new().into()),
        };
        let profiles = profiles.as_table_like_mut().ok_or_else(unusable)?;
        let settings = profiles.entry(profile).or_insert(new);
        settings.as_table_like_mut().ok_or_else(unusable)
    }
}

/// Sets a member. Its line keeps its spaces and comments.
fn put(table: &mut dyn TableLike, name: &str, mut value: toml_edit::Value) {
    match table.get_mut(name) {
        Some(item) => {
            if let Some(old) = item.as_value() {
                *value.decor_mut() = old.decor().clone();
            }
            *item = Item::Value(value);
        }
        None => drop(table.insert(name, Item::Value(value))),
    }
}

fn toml(value: &Value) -> toml_edit::Value {
    match value {
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64().unwrap_or_default().into(),
        },
        Value::Array(items) => items.iter().map(toml).collect::<Array>().into(),
        Value::String(text) => text.into(),
        other => other.to_string().into(),
    }
}

fn not_toml(path: &Path) -> CliError {
    CliError::usage_because(
        format!("cannot change {}", path.display()),
        "the file is not TOML",
        "only TOML files can be changed; use an editor instead",
    )
}

/// Creates a file that only its owner may read, in a folder for its owner.
fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut folder = DirBuilder::new();
    folder.recursive(true);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    if let Some(parent) = path.parent() {
        folder.create(parent)?;
    }
    options.open(path)?.write_all(text.as_bytes())
}

/// Excludes other users from the usual folder of the configuration, if that is possible.
fn close(path: &Path) {
    #[cfg(unix)]
    if let Some(folder) = path.parent()
        && default_folder(&|name| env::var(name).ok()).as_deref() == Some(folder)
    {
        let _ = fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700));
    }
}
