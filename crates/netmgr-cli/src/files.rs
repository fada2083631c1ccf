//! Files of users: read within bounds, and replaced as a whole.
//!
//! Everything that a user names is read here: a file has a maximum size, a pipe has to deliver in time, and devices
//! without an end are refused.

use std::fs;
use std::io::{self, Cursor, Read, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};

use netmgr_types::object::BYTE_ORDER_MARK;

use crate::signals::end_at_last;

/// `text` in two parts: its byte-order mark or nothing, and the rest.
pub(crate) fn split_mark(text: &str) -> (&str, &str) {
    let rest = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    text.split_at(text.len() - rest.len())
}

/// Maximum size of a configuration or an input.
pub(crate) const LONGEST_TEXT: u64 = 16 << 20;

/// Maximum size of an inventory or a recording: the size of about two million objects.
pub(crate) const LONGEST_RECORDING: u64 = 1 << 30;

/// Maximum time for which a pipe has no writer, or its writer writes nothing.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes that are read from a pipe at once.
const CHUNK: usize = 64 << 10;

/// Reads a file as text.
///
/// # Errors
///
/// The errors of [`bytes`], and text that is not UTF-8.
pub(crate) fn text(path: &Path, longest: u64) -> io::Result<String> {
    let mut text = String::new();
    reader(path, longest)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Reads a file.
///
/// # Errors
///
/// The errors of [`open`], more than `longest` bytes, and a pipe that delivers nothing for 30 seconds.
pub(crate) fn bytes(path: &Path, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader(path, longest)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The contents of a file, which fail as [`bytes`] does.
///
/// # Errors
///
/// The errors of [`open`].
pub(crate) fn reader(path: &Path, longest: u64) -> io::Result<Bounded<Box<dyn Read + Send>>> {
    let file = open(path)?;
    let metadata = file.metadata()?;
    if metadata.len() > longest {
        return Err(too_large(longest));
    }
    let source: Box<dyn Read + Send> = match metadata.is_file() {
        true => Box::new(file),
        false => Box::new(Pipe::new(file, PATIENCE)?),
    };
    Ok(Bounded::new(source, longest))
}

/// Opens a file for reading. Ctrl-C ends the process while it waits for a pipe.
///
/// # Errors
///
/// The file cannot be opened, is a pipe to which no process writes for 30 seconds, or a device without an end, such as
/// `/dev/zero`.
pub(crate) fn open(path: &Path) -> io::Result<fs::File> {
    open_within(path, PATIENCE)
}

fn open_within(path: &Path, patience: Duration) -> io::Result<fs::File> {
    if !path.is_file() {
        end_at_last();
    }
    let path = path.to_owned();
    let (sender, opened) = sync_channel(1);
    thread::Builder::new().spawn(move || sender.send(open_with_end(&path)))?;
    next(&opened, patience)?.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// Opens a file that is neither a folder, nor a socket, nor a device that is neither a terminal nor empty.
fn open_with_end(path: &Path) -> io::Result<fs::File> {
    let kind = fs::metadata(path)?.file_type();
    let opened = fs::File::open(path);
    let has_end = match name_of(kind) {
        "a file" | "a pipe" => return opened,
        "a device" => opened
            .as_ref()
            .is_ok_and(|mut file| io::IsTerminal::is_terminal(file) || matches!(file.read(&mut [0]), Ok(0))),
        _ => false,
    };
    match has_end {
        true => opened,
        false => Err(not_wanted(kind, "a file or a pipe")),
    }
}

/// The error for a file of another kind than the `wanted` one.
pub(crate) fn not_wanted(kind: fs::FileType, wanted: &str) -> io::Error {
    io::Error::other(format!("it is {}, not {wanted}", name_of(kind)))
}

fn name_of(kind: fs::FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;

        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    match (kind.is_dir(), kind.is_symlink()) {
        (true, _) => "a folder",
        (_, true) => "a link",
        _ => "a file",
    }
}

/// The next message of a thread that reads, and `None` after the last one.
fn next<T>(messages: &Receiver<io::Result<T>>, patience: Duration) -> io::Result<Option<T>> {
    match messages.recv_timeout(patience) {
        Ok(message) => message.map(Some),
        Err(RecvTimeoutError::Disconnected) => Ok(None),
        Err(RecvTimeoutError::Timeout) => {
            let problem = format!("no process wrote to the pipe for {} seconds", patience.as_secs());
            Err(io::Error::new(io::ErrorKind::TimedOut, problem))
        }
    }
}

/// A pipe that is read in a thread, because reading blocks until its writer writes.
struct Pipe {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
    patience: Duration,
}

impl Pipe {
    fn new(mut file: fs::File, patience: Duration) -> io::Result<Self> {
        let (sender, chunks) = sync_channel(1);
        let read = move || {
            loop {
                let mut chunk = vec![0; CHUNK];
                let read = file.read(&mut chunk).map(|length| chunk.truncate(length));
                let is_last = chunk.is_empty() || read.is_err();
                if sender.send(read.map(|()| chunk)).is_err() || is_last {
                    break;
                }
            }
        };
        thread::Builder::new().spawn(read)?;
        Ok(Self {
            chunks,
            chunk: Cursor::default(),
            patience,
        })
    }
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.chunk.position() == self.chunk.get_ref().len() as u64 {
            self.chunk = Cursor::new(next(&self.chunks, self.patience)?.unwrap_or_default());
        }
        self.chunk.read(buffer)
    }
}

/// A source that fails after its maximum length.
pub(crate) struct Bounded<R> {
    source: R,
    longest: u64,
    length: u64,
}

impl<R> Bounded<R> {
    pub(crate) fn new(source: R, longest: u64) -> Self {
        Self {
            source,
            longest,
            length: 0,
        }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(buffer)?;
        self.length += length as u64;
        match self.length > self.longest {
            true => Err(too_large(self.longest)),
            false => Ok(length),
        }
    }
}

fn too_large(longest: u64) -> io::Error {
    let size = match longest >> 20 {
        0 => format!("{} KiB", longest >> 10),
        mebibytes => format!("{mebibytes} MiB"),
    };
    io::Error::other(format!("it is larger than {size}"))
}

/// Opens a file that this user has written before, or creates it, for its owner only.
///
/// # Errors
///
/// The file cannot be opened, is a link or not a regular file, or other users can have written it.
pub(crate) fn open_own(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::File::options();
    options.read(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;

        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(flags.bits().cast_signed());
    }
    match options.clone().create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        outcome => return outcome,
    }
    let kind = fs::symlink_metadata(path)?.file_type();
    if !kind.is_file() {
        return Err(not_wanted(kind, "a regular file"));
    }
    let file = options.open(path)?;
    let old = file.metadata()?;
    let new = tempfile::tempfile_in(folder_of(path))?.metadata()?;
    if !is_replaceable(&old, &new) || !old.is_file() {
        return Err(io::Error::other(
            "it belongs to another user, or has several names",
        ));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;

        if old.permissions().mode() & 0o022 != 0 {
            return Err(io::Error::other("other users can change it"));
        }
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

/// Whether `path` still leads to an opened file, and to no link.
#[cfg(unix)]
pub(crate) fn is_at(file: &fs::File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;

    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    Ok(place(file.metadata()?) == place(fs::symlink_metadata(path)?))
}

#[cfg(not(unix))]
pub(crate) fn is_at(_: &fs::File, path: &Path) -> io::Result<bool> {
    Ok(fs::symlink_metadata(path)?.is_file())
}

/// The folder in which a file is or will be.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The access of other users to a file. `None` if they have none.
#[cfg(unix)]
pub(crate) fn access_of_others(path: &Path) -> Option<&'static str> {
    use std::os::unix::fs::PermissionsExt as _;

    let mode = |path: &Path| Some(fs::metadata(path).ok()?.permissions().mode());
    let file = mode(path).filter(|_| path.is_file())?;
    let folder = mode(path.canonicalize().ok()?.parent()?)?;
    match (file & 0o066, folder & 0o1022) {
        (0, 0 | 0o1000..) => None,
        (0, _) => Some("replace it, because they can write to its folder"),
        (access, _) if access & 0o022 != 0 => Some("change it; `chmod 600` prevents that"),
        _ => Some("read it; `chmod 600` prevents that"),
    }
}

#[cfg(not(unix))]
pub(crate) fn access_of_others(_: &Path) -> Option<&'static str> {
    None
}

/// Beginning and end of the names of temporary files, which remain if the process is killed.
const TEMPORARY: (&str, &str) = (".netmgr-", ".tmp");

/// Whether a file is one that a killed process can have left.
pub(crate) fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1)
}

/// A temporary file beside `path`, which replaces it later.
fn beside(path: &Path, builder: &mut Builder<'_, 'static>) -> io::Result<NamedTempFile> {
    let builder = builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    builder.tempfile_in(folder_of(path))
}

/// Replaces the contents of an existing file, so that a process that is killed leaves either the old or the new
/// contents. Links, the owner and permissions are kept: a file with hard links or of another user is overwritten in
/// place. A killed process can then leave part of the new contents, but a full disk keeps the old ones.
///
/// # Errors
///
/// The file cannot be written, for example because it is read-only.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = path.canonicalize()?;
    let old = writable(&path)?;
    let permissions = old.permissions();
    let write = || {
        let mut new = beside(&path, &mut Builder::new())?;
        // Errors of the temporary file itself would contain its name.
        new.as_file_mut().write_all(text.as_bytes())?;
        new.as_file().set_permissions(permissions)?;
        new.as_file().sync_all()?;
        if !is_replaceable(&old, &new.as_file().metadata()?) {
            new.close()?;
            return overwrite(&path, text.as_bytes());
        }
        new.persist(&path)?;
        io::Result::Ok(())
    };
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    match write() {
        // The folder may be read-only, or the file a mount point.
        Err(error) if matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | ResourceBusy) => {
            overwrite(&path, text.as_bytes())
        }
        outcome => outcome,
    }
}

/// The metadata of a file that can be written. A folder may be writable although the file itself is not.
///
/// # Errors
///
/// The file cannot be written.
pub(crate) fn writable(path: &Path) -> io::Result<fs::Metadata> {
    let metadata = fs::File::options().write(true).open(path)?.metadata()?;
    match metadata.permissions().readonly() {
        true => Err(io::ErrorKind::PermissionDenied.into()),
        false => Ok(metadata),
    }
}

/// Overwrites the contents of a file. If the disk is full, the old contents are kept.
fn overwrite(path: &Path, contents: &[u8]) -> io::Result<()> {
    let old = fs::read(path)?;
    let mut file = fs::File::options().write(true).open(path)?;
    let written = write_over(&mut file, old.len(), contents);
    if written.is_err() {
        // The old contents need no more space than they have.
        write_over(&mut file, old.len(), &old)?;
    }
    written
}

/// Overwrites a file of `length` bytes. The part that needs more space is written first.
fn write_over(file: &mut fs::File, length: usize, contents: &[u8]) -> io::Result<()> {
    let (over, beyond) = contents.split_at(length.min(contents.len()));
    file.seek(SeekFrom::Start(over.len() as u64))?;
    file.write_all(beyond)?;
    file.rewind()?;
    file.write_all(over)?;
    file.set_len(contents.len() as u64)?;
    file.sync_all()
}

/// Whether a new file can replace an old one: with the same owner, and without hard links that would keep the old
/// contents.
#[cfg(unix)]
fn is_replaceable(old: &fs::Metadata, new: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    old.uid() == new.uid() && old.nlink() <= 1
}

#[cfg(not(unix))]
fn is_replaceable(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// Creates or replaces a file, so that a process that is killed leaves no partial file.
///
/// # Errors
///
/// The file cannot be written.
pub(crate) fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    if path.exists() && !path.is_file() {
        // A device or a pipe.
        return fs::write(path, contents);
    }
    #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has these permissions"))]
    let mut new = Builder::new();
    #[cfg(unix)]
    new.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut new = beside(path, &mut new)?;
    new.as_file_mut().write_all(contents)?;
    new.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests;
