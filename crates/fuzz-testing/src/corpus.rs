//! The inputs of a target, in the repository.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The inputs of a target.
#[derive(Clone)]
pub(crate) struct Corpus {
    name: String,
    /// `None` in tests of this crate.
    folder: Option<PathBuf>,
    pub(crate) inputs: Vec<Vec<u8>>,
}

impl Corpus {
    /// The files of `tests/data/fuzz/<name>`, in the order of their names.
    pub(crate) fn read(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/data/fuzz")
            .join(name);
        let files = fs::read_dir(&folder);
        let files = files.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut files: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
        files.sort_unstable();
        let read =
            |file: &PathBuf| fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Self {
            name: name.to_owned(),
            inputs: files.iter().map(read).collect(),
            folder: Some(folder),
        }
    }

    #[cfg(test)]
    pub(crate) fn of(inputs: Vec<Vec<u8>>) -> Self {
        Self {
            name: "test".to_owned(),
            folder: None,
            inputs,
        }
    }

    /// Adds an input that failed, and prints how to repeat it.
    pub(crate) fn keep(&self, input: &[u8]) {
        let Some(folder) = &self.folder else {
            return;
        };
        let file = folder.join(format!("failed-{:016x}", digest(input)));
        if !self.inputs.iter().any(|known| known == input) {
            let written = fs::write(&file, input);
            written.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        }
        // Past the capture of the test harness.
        let _ = writeln!(
            std::io::stderr(),
            "fuzz {}: an input fails, and is in {}\n    repeat it with: cargo test --package PACKAGE fuzz_, of the target {}",
            self.name,
            file.display(),
            self.name
        );
    }
}

/// FNV-1a, which is the same in every build.
pub(crate) fn digest(input: &[u8]) -> u64 {
    input.iter().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
