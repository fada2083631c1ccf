//! The command line: an archive with the program, its completions and manual pages.
//!
//! Completions and manual pages are written by the program itself (decision schemas). The folder of which the archive is
//! made stays, because `cargo deb` packs the same files.

use std::fs;
use std::path::Path;

use super::archive::{folder_archive, write_checksum};
use super::notices;
use super::platform::Platform;
use crate::Error;
use crate::process;

/// Crate that builds the program.
pub(super) const CRATE: &str = "netmgr-cli";
/// Name of the program and of its packages.
pub(super) const PROGRAM: &str = "netmgr";

/// Shells with completions, each with the name of its file.
const SHELLS: [(&str, &str); 4] = [
    ("bash", "netmgr.bash"),
    ("zsh", "_netmgr"),
    ("fish", "netmgr.fish"),
    ("powershell", "_netmgr.ps1"),
];

/// The program: to pack, and to run.
pub(super) struct Programs<'a> {
    /// Folder with the program for `platform`.
    pub(super) packed: &'a Path,
    /// The platform that it is for.
    pub(super) platform: &'a Platform,
    /// Program that runs here, and that writes the completions and the pages.
    pub(super) running: &'a Path,
}

/// Writes the archive and its checksum to `out`.
pub(super) fn write(root: &Path, programs: &Programs<'_>, out: &Path) -> Result<(), Error> {
    let version = env!("CARGO_PKG_VERSION");
    let folder = out.join(PROGRAM);
    collect(root, programs, &folder)?;
    let archive = out.join(format!(
        "{PROGRAM}-v{version}-{}.tar.gz",
        programs.platform.name('-')
    ));
    folder_archive(&folder, &archive)?;
    write_checksum(&archive)?;
    println!("wrote {}", archive.display());
    Ok(())
}

/// Collects the files that users install in `folder`.
fn collect(root: &Path, programs: &Programs<'_>, folder: &Path) -> Result<(), Error> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let (completions, pages) = (folder.join("completions"), folder.join("man/man1"));
    fs::create_dir_all(&completions)?;
    fs::create_dir_all(&pages)?;
    for (shell, file) in SHELLS {
        let script = process::output(process::command(programs.running, root).args(["completions", shell]))?;
        fs::write(completions.join(file), script)?;
    }
    process::output(
        process::command(programs.running, root)
            .args(["man", "--dir"])
            .arg(&pages),
    )?;
    let name = programs.platform.file(PROGRAM);
    fs::copy(programs.packed.join(&name), folder.join(name))?;
    fs::copy(root.join("LICENSE"), folder.join("LICENSE"))?;
    fs::copy(root.join("crates/netmgr-cli/README.md"), folder.join("README.md"))?;
    Ok(fs::write(
        folder.join(notices::FILE),
        notices::text(root, CRATE, programs.platform)?,
    )?)
}
