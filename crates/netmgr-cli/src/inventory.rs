//! The objects of simulated managers, from the files that users name.

use std::error::Error;
use std::path::{Path, PathBuf};

use netmgr_sim::Inventory;
use netmgr_types::object;

use crate::failure::CliError;
use crate::files;

/// The objects of all files, with the demo inventory and this number of generated objects, if wanted.
pub(crate) fn inventory(files: &[PathBuf], objects: Option<usize>, seed: u64) -> Result<Inventory, CliError> {
    let texts = files
        .iter()
        .map(|file| read(file))
        .collect::<Result<Vec<_>, _>>()?;
    let with_files = |inventory| {
        let mut texts = files.iter().zip(&texts);
        texts.try_fold(inventory, |inventory, (file, text)| add(inventory, file, text))
    };
    let given = with_files(Inventory::empty())?;
    // A recorded manager has no other objects.
    match objects.filter(|_| !given.is_recording()) {
        Some(objects) => with_files(Inventory::generated(objects, seed)),
        None => Ok(given),
    }
}

fn unusable(file: &Path, source: impl Into<Box<dyn Error + Send + Sync>>) -> CliError {
    CliError::usage_because(
        format!("cannot use the inventory file {}", file.display()),
        source,
        "`netmgr simulate --help` shows an example of such a file",
    )
}

/// The text of a file, which is read once: a pipe cannot be read again.
fn read(file: &Path) -> Result<String, CliError> {
    files::text(file, files::LONGEST_RECORDING).map_err(|error| unusable(file, error))
}

fn add(mut inventory: Inventory, file: &Path, text: &str) -> Result<Inventory, CliError> {
    let text = files::split_mark(text).1;
    let added = inventory.add_document(text);
    added.map_err(|error| unusable(file, error))?;
    // Readers of YAML reject equal keys themselves, and recordings are not written by hand.
    if text.trim_start().starts_with('{') && !inventory.is_recording() {
        object::check_keys(text.as_bytes()).map_err(|error| unusable(file, error))?;
    }
    Ok(inventory)
}
