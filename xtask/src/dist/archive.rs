//! Archives and checksums.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, Header};

use crate::Error;

/// An archive of all files of a folder. Programs stay executable; equal files make equal archives.
pub(super) fn folder_archive(folder: &Path, archive: &Path) -> Result<(), Error> {
    let mut tar = gzipped(archive)?;
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    for file in files {
        let name = file.strip_prefix(folder)?.display().to_string();
        let mode = if is_executable(&file)? { 0o755 } else { 0o644 };
        append(&mut tar, &name, mode, &fs::read(&file)?)?;
    }
    tar.into_inner()?.finish()?;
    Ok(())
}

fn is_executable(file: &Path) -> Result<bool, Error> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        Ok(fs::metadata(file)?.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    Ok(file.extension().is_some_and(|extension| extension == "exe"))
}

/// Adds every file below `folder` to `files`.
pub(super) fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?
        } else {
            files.push(path)
        }
    }
    Ok(())
}

pub(super) fn gzipped(path: &Path) -> Result<Builder<GzEncoder<File>>, Error> {
    Ok(Builder::new(GzEncoder::new(
        File::create(path)?,
        Compression::best(),
    )))
}

/// Adds a file without owner or time, so that equal contents make equal archives.
pub(super) fn append(
    tar: &mut Builder<GzEncoder<File>>,
    name: &str,
    mode: u32,
    content: &[u8],
) -> Result<(), Error> {
    let mut header = Header::new_gnu();
    header.set_size(content.len().try_into()?);
    header.set_mode(mode);
    Ok(tar.append_data(&mut header, name, content)?)
}

/// Writes the checksum of a file next to it, as `sha256sum --check` reads it.
pub(super) fn write_checksum(file: &Path) -> Result<(), Error> {
    let name = file.file_name().ok_or("a file has a name")?.display().to_string();
    let checksum = format!("{}  {name}\n", sha256(&fs::read(file)?));
    Ok(fs::write(
        file.with_file_name(format!("{name}.sha256")),
        checksum,
    )?)
}

pub(super) fn sha256(content: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, content);
    digest.as_ref().iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string");
        text
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn an_archive_of_a_folder_is_the_same_each_time_and_keeps_programs_executable() {
        let folder = tempfile::tempdir().unwrap();
        let files = folder.path().join("files");
        fs::create_dir_all(files.join("man")).unwrap();
        fs::write(files.join("program"), "program").unwrap();
        crate::process::make_executable(&files.join("program")).unwrap();
        fs::write(files.join("man/page.1"), "page").unwrap();
        let [once, again] = ["a", "b"].map(|name| {
            let archive = folder.path().join(name);
            folder_archive(&files, &archive).unwrap();
            fs::read(archive).unwrap()
        });
        assert_eq!(once, again);
        let mut tar = tar::Archive::new(GzDecoder::new(&once[..]));
        let entries = tar.entries().unwrap().map(|entry| {
            let mut entry = entry.unwrap();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            let path = entry.path().unwrap().display().to_string();
            (path, entry.header().mode().unwrap(), text)
        });
        let expected = [("man/page.1", 0o644, "page"), ("program", 0o755, "program")];
        let expected = expected.map(|(path, mode, text)| (path.to_owned(), mode, text.to_owned()));
        assert_eq!(entries.collect::<Vec<_>>(), expected);
    }
}
