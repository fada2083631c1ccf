//! Changes of a configuration file in TOML. Comments, spaces and the order of lines are kept. A change excludes the
//! changes of other processes until it is written.

use std::env;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike};

use super::file::default_folder;
use crate::failure::CliError;
use crate::files;

/// Number of attempts to lock the folder, 10 ms apart.
const LOCK_ATTEMPTS: u32 = 500;

/// A configuration file that is being changed.
pub(crate) struct ConfigEdit {
    path: PathBuf,
    document: DocumentMut,
    is_new: bool,
    /// The locked folder; `None` if it cannot be locked.
    _folder: Option<File>,
}

impl ConfigEdit {
    /// Reads the file, which may not exist yet.
    pub(crate) fn open(path: &Path) -> Result<Self, CliError> {
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        create_folder(folder).map_err(|error| CliError::unwritable(folder.display(), error))?;
        let locked = lock(folder).map_err(|error| CliError::unwritable(path.display(), error))?;
        let (document, is_new) = read(path)?;
        Ok(Self {
            path: path.to_owned(),
            document,
            is_new,
            _folder: locked,
        })
    }

    /// Checks that the file can be changed, if it exists.
    pub(crate) fn check(path: &Path) -> Result<(), CliError> {
        read(path).map(drop)
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

/// The content of the file, and whether it does not exist yet.
fn read(path: &Path) -> Result<(DocumentMut, bool), CliError> {
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
    Ok((document, is_new))
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

/// Creates a file that only its owner may read.
fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

/// Creates a folder for its owner, unless it exists.
fn create_folder(path: &Path) -> io::Result<()> {
    let mut folder = DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.create(path)
}

/// Locks a folder, as far as the platform can, for as long as the result exists.
fn lock(folder: &Path) -> io::Result<Option<File>> {
    let Ok(folder) = File::open(folder) else {
        return Ok(None);
    };
    for _ in 0..LOCK_ATTEMPTS {
        match folder.try_lock() {
            Ok(()) => return Ok(Some(folder)),
            Err(TryLockError::Error(_)) => return Ok(None),
            Err(TryLockError::WouldBlock) => {
                #[expect(clippy::disallowed_methods, reason = "a change takes milliseconds")]
                thread::sleep(Duration::from_millis(10));
            }
        }
    }
    Err(io::Error::other(
        "another process is changing a file in its folder",
    ))
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
