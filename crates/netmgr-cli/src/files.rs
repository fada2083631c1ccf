//! Files of users: read as text, and written over.

use std::fs;
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// Mark that some editors put at the beginning of a text.
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
            "it has more than {} MiB",
            longest >> 20
        )));
    }
    Ok(text)
}

/// Writes over the contents of an existing file, so that links, the owner and permissions stay. If the disk is full, the
/// old contents stay.
///
/// # Errors
///
/// The file cannot be written, for example because it is read-only.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::File::options().write(true).open(path)?;
    // The superuser could write it.
    if file.metadata()?.permissions().readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let old = fs::read(path)?;
    let written = write_over(&mut file, old.len(), text.as_bytes());
    if written.is_err() {
        // The old contents need no more space than they have.
        write_over(&mut file, old.len(), &old)?;
    }
    written
}

/// Writes over a file of `length` bytes, beginning with the part that needs more space.
fn write_over(file: &mut fs::File, length: usize, contents: &[u8]) -> io::Result<()> {
    let (over, beyond) = contents.split_at(length.min(contents.len()));
    file.seek(SeekFrom::Start(over.len() as u64))?;
    file.write_all(beyond)?;
    file.rewind()?;
    file.write_all(over)?;
    file.set_len(contents.len() as u64)?;
    file.sync_all()
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
        assert_eq!(error.to_string(), "it has more than 1 MiB");
    }

    #[test]
    fn contents_are_written_over_longer_and_shorter_ones() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        assert!(replace(&file, "").is_err());
        for (old, new) in [
            ("old", "new and longer"),
            ("old and longer", "new"),
            ("", "new"),
            ("old", ""),
        ] {
            fs::write(&file, old).unwrap();
            replace(&file, new).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), new);
        }
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).unwrap();
        assert!(replace(&file, "new").is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let [file, link, hard_link] = ["file", "link", "hard"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        fs::hard_link(&file, &hard_link).unwrap();
        replace(&link, "new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&hard_link).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o640);
    }
}
