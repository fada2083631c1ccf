//! Archives of folders, and checksums. Equal files make equal archives: without owners and times, in a fixed order.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, Header};
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipWriter};

use crate::Error;

/// Writes all files of a folder to an archive, a zip file or a compressed tar file. Programs stay executable.
pub(super) fn write(folder: &Path, archive: &Path) -> Result<(), Error> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    let files = files.into_iter().map(|file| {
        let name = file.strip_prefix(folder)?.components();
        let name: Vec<_> = name.map(|part| part.as_os_str().to_string_lossy()).collect();
        let mode = if is_executable(&file)? { 0o755 } else { 0o644 };
        Ok((name.join("/"), mode, fs::read(&file)?))
    });
    let created = File::create(archive)?;
    if archive.extension().is_some_and(|extension| extension == "zip") {
        let mut zip = ZipWriter::new(created);
        for file in files {
            let (name, mode, content) = file.map_err(|error: Error| error)?;
            let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
            zip.start_file(name, options.unix_permissions(mode))?;
            zip.write_all(&content)?;
        }
        zip.finish()?;
    } else {
        let mut tar = Builder::new(GzEncoder::new(created, Compression::best()));
        for file in files {
            let (name, mode, content) = file.map_err(|error: Error| error)?;
            let mut header = Header::new_gnu();
            header.set_size(content.len().try_into()?);
            header.set_mode(mode);
            tar.append_data(&mut header, name, &content[..])?;
        }
        tar.into_inner()?.finish()?;
    }
    println!("wrote {}", archive.display());
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

/// A line with the checksum of a file, as `sha256sum --check` reads it.
pub(super) fn checksum_line(file: &Path) -> Result<String, Error> {
    let name = file.file_name().ok_or("a file has a name")?.display();
    Ok(format!("{}  {name}\n", sha256(&fs::read(file)?)))
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

    /// Name, permissions and content of a file.
    type Entry = (String, u32, String);
    type Read = fn(&[u8]) -> Vec<Entry>;

    #[test]
    fn archives_are_the_same_each_time_and_keep_programs_executable() {
        let folder = tempfile::tempdir().unwrap();
        let files = folder.path().join("files");
        fs::create_dir_all(files.join("man")).unwrap();
        fs::write(files.join("program"), "program").unwrap();
        crate::process::make_executable(&files.join("program")).unwrap();
        fs::write(files.join("man/page.1"), "page").unwrap();
        let expected = [("man/page.1", 0o644, "page"), ("program", 0o755, "program")];
        let expected = expected.map(|(path, mode, text)| (path.to_owned(), mode, text.to_owned()));
        for (extension, entries) in [("tar.gz", entries_of_tar as Read), ("zip", entries_of_zip)] {
            let [once, again] = ["a", "b"].map(|name| {
                let archive = folder.path().join(format!("{name}.{extension}"));
                write(&files, &archive).unwrap();
                fs::read(archive).unwrap()
            });
            assert!(once == again, "{extension}");
            assert_eq!(entries(&once), expected);
        }
    }

    fn entries_of_tar(archive: &[u8]) -> Vec<Entry> {
        let mut tar = tar::Archive::new(GzDecoder::new(archive));
        let entries = tar.entries().unwrap().map(|entry| {
            let mut entry = entry.unwrap();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            let path = entry.path().unwrap().display().to_string();
            (path, entry.header().mode().unwrap(), text)
        });
        entries.collect()
    }

    fn entries_of_zip(archive: &[u8]) -> Vec<Entry> {
        let mut zip = zip::ZipArchive::new(std::io::Cursor::new(archive)).unwrap();
        let entries = (0..zip.len()).map(|index| {
            let mut entry = zip.by_index(index).unwrap();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            (
                entry.name().unwrap().to_string(),
                entry.unix_mode().unwrap() & 0o777,
                text,
            )
        });
        entries.collect()
    }
}
