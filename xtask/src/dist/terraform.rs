//! The provider of Terraform and OpenTofu as registries and mirrors take it: a zip archive for each platform, the
//! manifest with the protocol, the checksums, and the pages.
//!
//! Registries also want a signature of the checksums, which `docs/terraform.md` describes.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipWriter};

use super::archive::{list, sha256};
use super::notices;
use super::platform::Platform;
use crate::Error;

/// The crate that builds the program, and the program.
pub(super) const CRATE: &str = "terraform-provider-netmgr";

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The protocol of the provider. Registries assume protocol 5 without it.
const MANIFEST: &str =
    include_str!("../../../crates/terraform-provider-netmgr/terraform-registry-manifest.json");

/// Writes the archive for `platform` to the folder `terraform` in `out`.
pub(super) fn write(root: &Path, programs: &Path, platform: &Platform, out: &Path) -> Result<PathBuf, Error> {
    let folder = out.join("terraform");
    fs::create_dir_all(&folder)?;
    let release = format!("{CRATE}_{VERSION}");
    let archive = folder.join(format!("{release}_{}.zip", platform.name('_')));
    let program = fs::read(programs.join(platform.file(CRATE)))?;
    let name = platform.file(&format!("{CRATE}_v{VERSION}"));
    let notices = notices::text(root, CRATE, platform)?;
    zip(root, &name, &program, &notices, &archive)?;
    Ok(archive)
}

/// Writes the manifest, the pages and the checksums, which cover the archives of all platforms in the folder. Returns the
/// path of the checksums.
pub(super) fn write_index(root: &Path, out: &Path) -> Result<PathBuf, Error> {
    let folder = out.join("terraform");
    fs::create_dir_all(&folder)?;
    let release = format!("{CRATE}_{VERSION}");
    fs::write(folder.join(format!("{release}_manifest.json")), MANIFEST)?;
    pages(&root.join("docs/registry/terraform"), &folder.join("docs"))?;
    let sums = folder.join(format!("{release}_SHA256SUMS"));
    fs::write(&sums, checksums(&folder, &release)?)?;
    Ok(sums)
}

/// Equal contents make equal archives: without times, in a fixed order.
fn zip(root: &Path, name: &str, program: &[u8], notices: &str, archive: &Path) -> Result<(), Error> {
    let mut zip = ZipWriter::new(File::create(archive)?);
    let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
    zip.start_file(name, options.unix_permissions(0o755))?;
    zip.write_all(program)?;
    for (name, file) in [
        ("LICENSE", "LICENSE"),
        ("README.md", "crates/terraform-provider-netmgr/README.md"),
    ] {
        zip.start_file(name, options.unix_permissions(0o644))?;
        zip.write_all(&fs::read(root.join(file))?)?;
    }
    zip.start_file(notices::FILE, options.unix_permissions(0o644))?;
    zip.write_all(notices.as_bytes())?;
    zip.finish()?;
    Ok(())
}

/// Checksums of the archives and the manifest, as `sha256sum --check` reads them.
fn checksums(folder: &Path, release: &str) -> Result<String, Error> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_archive = name.ends_with(".zip") || name.ends_with("_manifest.json");
        if name.starts_with(&format!("{release}_")) && is_archive {
            names.push(name);
        }
    }
    names.sort();
    let mut text = String::new();
    for name in names {
        text.push_str(&format!("{}  {name}\n", sha256(&fs::read(folder.join(&name))?)));
    }
    Ok(text)
}

/// Copies the pages, in the layout that registries read.
fn pages(from: &Path, to: &Path) -> Result<(), Error> {
    let mut files = Vec::new();
    list(from, &mut files)?;
    for file in files {
        let copy = to.join(file.strip_prefix(from)?);
        fs::create_dir_all(copy.parent().ok_or("a page lies in a folder")?)?;
        fs::copy(&file, copy)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn a_release_has_the_names_and_the_layout_that_registries_want() {
        let folder = tempfile::tempdir().unwrap();
        let platform = Platform::of(None).unwrap();
        fs::write(folder.path().join(platform.file(CRATE)), "program").unwrap();
        let archive = write(crate::workspace::root(), folder.path(), &platform, folder.path()).unwrap();
        let once = fs::read(&archive).unwrap();
        write(crate::workspace::root(), folder.path(), &platform, folder.path()).unwrap();
        assert!(
            once == fs::read(&archive).unwrap(),
            "the archive differs from run to run"
        );

        let mut zip = zip::ZipArchive::new(File::open(&archive).unwrap()).unwrap();
        let mut entry = zip.by_index(0).unwrap();
        assert!(
            entry
                .name()
                .unwrap()
                .starts_with(&format!("terraform-provider-netmgr_v{VERSION}"))
        );
        assert_eq!(entry.unix_mode().map(|mode| mode & 0o777), Some(0o755));
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        assert_eq!(text, "program");

        let terraform = folder.path().join("terraform");
        // The archive of another machine.
        let other = format!("{CRATE}_{VERSION}_plan9_amd64.zip");
        fs::write(terraform.join(&other), "other").unwrap();
        write_index(crate::workspace::root(), folder.path()).unwrap();
        let read = |name: String| fs::read_to_string(terraform.join(name)).unwrap();
        let sums = read(format!("{CRATE}_{VERSION}_SHA256SUMS"));
        let names: Vec<_> = sums
            .lines()
            .map(|line| line.split_once("  ").unwrap().1)
            .collect();
        let zip = archive.file_name().unwrap().to_str().unwrap();
        let manifest = format!("{CRATE}_{VERSION}_manifest.json");
        assert_eq!(names, [zip, &manifest, &other]);
        let manifest = read(format!("{CRATE}_{VERSION}_manifest.json"));
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(manifest["metadata"]["protocol_versions"][0], "6.0");
        assert!(read("docs/index.md".to_owned()).contains("# netmgr Provider"));
        assert!(read("docs/data-sources/ip_pool.md".to_owned()).contains("page_title"));
    }
}
