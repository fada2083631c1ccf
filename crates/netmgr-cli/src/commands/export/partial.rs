//! The file of an unfinished export. It has another name, so that a partial recording is not mistaken for a complete
//! one, and a mark after each type, so that an export resumes after the last mark.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use netmgr_recording::{COMPLETE, Document, END, Recording, Redaction, documents, recorded_path};
use serde_json::{Value, json};

use crate::failure::CliError;
use crate::files;
use crate::output::Format;

/// End of the name of an unfinished file.
const PARTIAL: &str = ".partial";

/// A file that is being written.
pub(super) struct PartialFile {
    target: TargetFile,
    path: PathBuf,
    file: BufWriter<File>,
    /// Whether it contains types that an earlier run wrote.
    is_resumed: bool,
}

/// The name of the finished file.
pub(super) struct TargetFile {
    path: PathBuf,
    /// Whether an existing file is replaced.
    is_replaced: bool,
}

impl TargetFile {
    /// The file of this name, if it can be written.
    ///
    /// # Errors
    ///
    /// The name is a format of the output, `-`, or that of an existing file that is not replaced.
    pub(super) fn new(path: &Path, is_replaced: bool) -> Result<Self, CliError> {
        let name = path.to_string_lossy();
        let (meant, example) = match &*name {
            "-" => (Some("standard output"), "objects"),
            name => (Format::from_str(name, true).ok().map(|_| "a format"), name),
        };
        if let Some(meant) = meant {
            return Err(CliError::usage(
                format!("{name} is {meant}, but export writes a file"),
                format!("set a file name, such as `-o {example}.json` or `-o ./{name}`"),
            ));
        }
        if let Some(name) = name.strip_suffix(PARTIAL) {
            return Err(CliError::usage(
                format!("{} is the name of an unfinished file of {name}", path.display()),
                "set another name",
            ));
        }
        let target = Self {
            path: path.to_owned(),
            is_replaced,
        };
        target.check()?;
        Ok(target)
    }

    fn check(&self) -> Result<(), CliError> {
        let path = &self.path;
        let refused = |hint| Err(CliError::usage(format!("cannot write {}", path.display()), hint));
        match fs::symlink_metadata(path) {
            Err(_) => Ok(()),
            Ok(_) if path.exists() && !path.is_file() => {
                refused("use a regular file, because it is read again when the export resumes")
            }
            Ok(_) if !self.is_replaced => {
                refused("the file exists already; replace it with --force, or set another name")
            }
            Ok(_) => Ok(()),
        }
    }
}

impl PartialFile {
    /// Opens the unfinished file of `target`, or begins one with this header.
    ///
    /// # Errors
    ///
    /// An unfinished file of another manager or with other objects, files that this user has not written, and files that
    /// cannot be written.
    pub(super) fn open(target: TargetFile, header: &Value) -> Result<Self, CliError> {
        let mut path = target.path.clone().into_os_string();
        path.push(PARTIAL);
        let path = PathBuf::from(path);
        // Objects of a manager are confidential.
        let mut file = files::open_own(&path).map_err(|error| match error.kind() {
            io::ErrorKind::Other => other_export(&path, error),
            _ => CliError::unwritable(path.display(), error),
        })?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(CliError::usage(
                format!("cannot write {}: another process is writing it", path.display()),
                "wait until that export ends, or set another file name",
            ));
        }
        let header = format!("{}\n", json!({ "inventory": [header] }));
        let mut begun = Vec::new();
        let read = (&file).take(header.len() as u64).read_to_end(&mut begun);
        read.map_err(|error| other_export(&path, error))?;
        let is_resumed = begun == header.as_bytes();
        if !is_resumed {
            // An export that was killed can leave a part of the header.
            if !header.as_bytes().starts_with(&begun) {
                let reason = "it is from another manager, or records other types or another project";
                return Err(other_export(&path, io::Error::other(reason)));
            }
            file.set_len(0)
                .and_then(|()| file.rewind())
                .and_then(|()| file.write_all(header.as_bytes()))
                .map_err(|error| CliError::unwritable(path.display(), error))?;
        }
        Ok(Self {
            target,
            file: BufWriter::new(file),
            path,
            is_resumed,
        })
    }

    /// Excludes the types that an earlier run finished from `recording`, and removes those that it did not finish from
    /// the file. Returns the number of objects in the file.
    pub(super) fn resume(&mut self, recording: &mut Recording) -> Result<u64, CliError> {
        if !self.is_resumed {
            return Ok(0);
        }
        let (mut objects, mut of_type, mut end) = (0, 0, 0);
        let mut paths = Vec::new();
        let take = |document: Document, offset: u64| {
            // The first one is the header.
            end = if end == 0 { offset } else { end };
            for (collection, bodies) in document {
                match collection.as_str() {
                    COMPLETE => {
                        for name in bodies {
                            recording.skip(&serde_json::from_str::<String>(name.get())?);
                        }
                        paths.drain(..).for_each(|path: String| recording.known(&path));
                        (objects, of_type, end) = (objects + of_type, 0, offset);
                    }
                    path if path.starts_with('/') => {
                        of_type += bodies.len() as u64;
                        let places = bodies
                            .iter()
                            .map(|body| recorded_path(path, body.get().as_bytes()));
                        paths.extend(places);
                    }
                    _ => {}
                }
            }
            Ok(())
        };
        let file = self.file.get_mut();
        let read = file
            .rewind()
            .and_then(|()| documents(BufReader::new(&*file), take));
        // An export that was killed can leave a part of a document.
        if let Err(error) = read
            && error.kind() != io::ErrorKind::UnexpectedEof
        {
            return Err(other_export(&self.path, error));
        }
        file.set_len(end)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .and_then(|_| file.write_all(b"\n"))
            .map_err(|error| CliError::unwritable(self.path.display(), error))?;
        Ok(objects)
    }

    /// Writes a document.
    pub(super) fn write(&mut self, document: &str) -> Result<(), CliError> {
        let written = self.file.write_all(document.as_bytes());
        written.map_err(|error| CliError::unwritable(self.path.display(), error))
    }

    /// Marks a type as complete.
    pub(super) fn complete(&mut self, name: &str) -> Result<(), CliError> {
        self.write(&format!("{}\n", json!({ COMPLETE: [name] })))?;
        let flushed = self.file.flush();
        flushed.map_err(|error| CliError::unwritable(self.path.display(), error))
    }

    /// Gives the file its final name, after replacing names and addresses if requested.
    pub(super) fn finish(mut self, redact: bool) -> Result<(), CliError> {
        self.write(&format!("{}\n", json!({ END: [] })))?;
        self.target.check()?;
        let target = &self.target.path;
        let finished = self.file.flush().and_then(|()| {
            let file = self.file.get_mut();
            if !files::is_at(file, &self.path)? {
                Err(io::Error::other(format!("{} was replaced", self.path.display())))
            } else if redact {
                file.rewind()?;
                write_redacted(BufReader::new(&*file), target)?;
                fs::remove_file(&self.path)
            } else {
                fs::rename(&self.path, target)
            }
        });
        finished.map_err(|error| CliError::unwritable(target.display(), error))
    }
}

/// Writes the redacted `recording` to `target`.
fn write_redacted(recording: BufReader<&File>, target: &Path) -> io::Result<()> {
    let new = tempfile::NamedTempFile::new_in(files::folder_of(target))?;
    let mut writer = BufWriter::new(new);
    Redaction::new().copy(recording, &mut writer)?;
    writer.into_inner()?.persist(target)?;
    Ok(())
}

fn other_export(path: &Path, cause: io::Error) -> CliError {
    CliError::usage_because(
        format!("cannot continue the export in {}", path.display()),
        cause,
        "remove the file to start again, or set another file name",
    )
}
