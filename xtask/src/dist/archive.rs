//! Archives of folders, and checksums. Equal files make equal archives: without owners and times, in a fixed order.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, Header, HeaderMode};
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipWriter};

use crate::Error;

/// Writes all files of a folder to an archive, a zip file or a compressed tar file, and its checksum beside it, as
/// `sha256sum --check` reads it.
pub(super) fn write(folder: &Path, archive: &Path) -> Result<(), Error> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    let created = File::create(archive)?;
    if archive.extension().is_some_and(|extension| extension == "zip") {
        let mut zip = ZipWriter::new(created);
        for file in files {
            // The same permissions as in the other format: programs stay executable.
            let mut header = Header::new_gnu();
            header.set_metadata_in_mode(&file.metadata()?, HeaderMode::Deterministic);
            let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
            zip.start_file_from_path(
                file.strip_prefix(folder)?,
                options.unix_permissions(header.mode()?),
            )?;
            io::copy(&mut File::open(file)?, &mut zip)?;
        }
        zip.finish()?;
    } else {
        let mut tar = Builder::new(GzEncoder::new(created, Compression::best()));
        tar.mode(HeaderMode::Deterministic);
        for file in files {
            tar.append_path_with_name(&file, file.strip_prefix(folder)?)?;
        }
        tar.into_inner()?.finish()?;
    }
    println!("wrote {}", archive.display());
    let name = archive.file_name().ok_or("an archive has a name")?.display();
    let line = format!("{}  {name}\n", sha256(archive)?);
    Ok(fs::write(archive.with_file_name(format!("{name}.sha256")), line)?)
}

/// Adds every file below `folder` to `files`.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
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

pub(super) fn sha256(file: &Path) -> Result<String, Error> {
    let digest = ring::digest::digest(&ring::digest::SHA256, &fs::read(file)?);
    Ok(digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect())
}
