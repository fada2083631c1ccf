//! Files of users: read as text, and replaced as a whole.

use std::fs;
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// Byte-order mark, which some editors write at the beginning of a file.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// `text` in two parts: its byte-order mark or nothing, and the rest.
pub(crate) fn split_mark(text: &str) -> (&str, &str) {
    let rest = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    text.split_at(text.len() - rest.len())
}

/// Maximum size of a configuration or an input.
pub(crate) const LONGEST_TEXT: u64 = 16 << 20;

/// Reads a file or a stream as text. Devices such as `/dev/zero` have no end.
///
/// # Errors
///
/// Text that is longer than `longest` bytes, or not UTF-8.
pub(crate) fn read(source: impl Read, longest: u64) -> io::Result<String> {
    let mut text = String::new();
    let length = source.take(longest + 1).read_to_string(&mut text)?;
    if length as u64 > longest {
        return Err(io::Error::other(format!(
            "it is larger than {} MiB",
            longest >> 20
        )));
    }
    Ok(text)
}

/// Creates a file, or replaces the contents of an existing one as [`replace`] does.
///
/// # Errors
///
/// The file cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    match fs::File::create_new(path) {
        Ok(mut new) => new.write_all(text.as_bytes()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => replace(path, text),
        Err(error) => Err(error),
    }
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
    // A folder may be writable although the file itself is not.
    let old = fs::File::options().write(true).open(&path)?.metadata()?;
    let permissions = old.permissions();
    if permissions.readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let beside = || {
        let mut new = NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
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
    match beside() {
        // The folder may be read-only, or the file a mount point.
        Err(error) if matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | ResourceBusy) => {
            overwrite(&path, text.as_bytes())
        }
        outcome => outcome,
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
    let mut new = new.tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
    new.as_file_mut().write_all(contents)?;
    new.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_split_off() {
        assert_eq!(split_mark("\u{feff}a\u{feff}"), ("\u{feff}", "a\u{feff}"));
        assert_eq!(split_mark("a"), ("", "a"));
    }

    #[test]
    fn text_without_an_end_is_read_up_to_a_limit() {
        let longest = 1 << 20;
        assert_eq!(
            read(io::repeat(b'a').take(longest), longest).unwrap().len(),
            1 << 20
        );
        let error = read(io::repeat(b'a'), longest).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than 1 MiB");
    }

    /// A file with a text, and the path of a link next to it.
    #[cfg(unix)]
    fn file(text: &str) -> (tempfile::TempDir, [std::path::PathBuf; 2]) {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&paths[0], text).unwrap();
        (folder, paths)
    }

    #[track_caller]
    fn assert_contents(path: &Path, text: &str) {
        assert_eq!(fs::read_to_string(path).unwrap(), text);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_replaced_behind_its_link_with_its_permissions() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

        let (folder, [file, link]) = file("old");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        let before = fs::metadata(&file).unwrap().ino();
        replace(&link, "new").unwrap();
        assert!(link.is_symlink());
        assert_contents(&file, "new");
        let after = fs::metadata(&file).unwrap();
        assert_eq!(after.permissions().mode() & 0o777, 0o640);
        assert_ne!(after.ino(), before, "the old contents were overwritten in place");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);

        fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).unwrap();
        assert!(replace(&link, "newer").is_err());
        assert_contents(&file, "new");
        assert!(replace(&folder.path().join("absent"), "").is_err());
    }

    #[test]
    fn contents_are_written_over_longer_and_shorter_ones() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        for (old, new) in [
            ("old", "new and longer"),
            ("old and longer", "new"),
            ("", "new"),
            ("old", ""),
        ] {
            fs::write(&file, old).unwrap();
            overwrite(&file, new.as_bytes()).unwrap();
            assert_contents(&file, new);
        }
    }

    #[cfg(unix)]
    #[test]
    fn hard_links_and_owners_stay() {
        use std::os::unix::fs::{MetadataExt as _, chown};

        let (folder, [file, link]) = file("old and longer");
        fs::hard_link(&file, &link).unwrap();
        replace(&file, "new").unwrap();
        assert_contents(&link, "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);

        fs::remove_file(&link).unwrap();
        // Only the superuser can change the owner of files.
        let another = 65_534;
        if chown(&file, Some(another), None).is_ok() {
            replace(&file, "newer").unwrap();
            assert_contents(&file, "newer");
            assert_eq!(fs::metadata(&file).unwrap().uid(), another);
        }
    }
}
