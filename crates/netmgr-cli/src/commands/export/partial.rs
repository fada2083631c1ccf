//! The file of an unfinished export. It has another name, so that a partial recording is not mistaken for a complete
//! one, and a mark after each type, so that an export resumes after the last mark.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use netmgr_lookups::{Recording, Redaction, recorded_path};
use serde_json::{Value, json};

use crate::failure::CliError;
use crate::recording::{Document, END, documents};

/// Mark after the objects of a type.
const COMPLETE: &str = "complete";

/// A file that is being written.
pub(super) struct PartialFile {
    /// Name of the finished file.
    target: PathBuf,
    path: PathBuf,
    file: BufWriter<File>,
    /// Whether it contains types that an earlier run wrote.
    is_resumed: bool,
}

impl PartialFile {
    /// Opens the unfinished file of `target`, or begins one with this header.
    ///
    /// # Errors
    ///
    /// An unfinished file of another manager or with other objects, and files that cannot be written.
    pub(super) fn open(target: &Path, header: &Value) -> Result<Self, CliError> {
        // The finished file replaces an existing file.
        if target.exists() && !target.is_file() {
            return Err(CliError::usage(
                format!("cannot write {}", target.display()),
                "use a regular file, because it is read again when the export resumes",
            ));
        }
        let mut name = target.as_os_str().to_owned();
        name.push(OsString::from(".partial"));
        let path = PathBuf::from(name);
        let unwritable = |error| CliError::unwritable(path.display(), error);
        let mut options = File::options();
        // Objects of a manager are confidential.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let open = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path);
        let mut file = open.map_err(unwritable)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(CliError::usage(
                format!("cannot write {}: another process is writing it", path.display()),
                "wait until that export ends, or set another file name",
            ));
        }
        let is_resumed = match begun(&file).map_err(|error| other_export(&path, error))? {
            Some(begun) if begun == *header => true,
            Some(_) => {
                let reason =
                    io::Error::other("it is from another manager, or records other types or another project");
                return Err(other_export(&path, reason));
            }
            None => {
                let header = format!("{}\n", json!({ "inventory": [header] }));
                file.set_len(0)
                    .and_then(|()| file.rewind())
                    .and_then(|()| file.write_all(header.as_bytes()))
                    .map_err(unwritable)?;
                false
            }
        };
        Ok(Self {
            target: target.to_owned(),
            file: BufWriter::new(file),
            path,
            is_resumed,
        })
    }

    /// Excludes the types that an earlier run finished from `recording`, and removes those that it did not finish from
    /// the file. Returns the number of objects in the file.
    pub(super) fn resume(&mut self, recording: &mut Recording<'_>) -> Result<u64, CliError> {
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
        let target = &self.target;
        let finished = self.file.flush().and_then(|()| {
            if redact {
                let file = self.file.get_mut();
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
    let redaction = Redaction::new();
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let new = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    let mut writer = BufWriter::new(new);
    documents(recording, |document, _| {
        for (path, bodies) in document {
            let bodies: Result<Vec<Value>, _> = bodies
                .iter()
                .map(|body| serde_json::from_str(body.get()))
                .collect();
            let (path, bodies) = redaction.list(&path, bodies?);
            writeln!(writer, "{}", json!({ path: bodies }))?;
        }
        Ok(())
    })?;
    writer.into_inner()?.persist(target)?;
    Ok(())
}

/// The header of an unfinished export. `None` if the file is empty or ends within it.
fn begun(file: &File) -> io::Result<Option<Value>> {
    let mut documents = serde_json::Deserializer::from_reader(BufReader::new(file)).into_iter::<Value>();
    match documents.next() {
        Some(Ok(mut first)) => Ok(Some(
            first
                .pointer_mut("/inventory/0")
                .map(Value::take)
                .unwrap_or_default(),
        )),
        Some(Err(error)) if !error.is_eof() => Err(error.into()),
        _ => Ok(None),
    }
}

fn other_export(path: &Path, cause: io::Error) -> CliError {
    CliError::usage_because(
        format!("cannot continue the export in {}", path.display()),
        cause,
        "remove the file to start again, or set another file name",
    )
}
