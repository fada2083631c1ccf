//! The command line: an archive with the program, its completions and manual pages, and packages made of the same
//! files.
//!
//! Completions and manual pages are written by the program itself (decision schemas).

use std::env::consts;
use std::fs;
use std::path::Path;

use super::archive::{append, architecture, gzipped, os, write_checksum};
use super::{debian, homebrew, notices, sbom};
use crate::release::Release;
use crate::{Error, process};

/// Crate that builds the program.
pub(super) const CRATE: &str = "netmgr-cli";
/// Name of the program and of its packages.
pub(super) const PROGRAM: &str = "netmgr";

/// Shells with completions, each with the name of its file in archives.
const SHELLS: [(&str, &str); 4] = [
    ("bash", "netmgr.bash"),
    ("zsh", "_netmgr"),
    ("fish", "netmgr.fish"),
    ("powershell", "_netmgr.ps1"),
];

/// The files that users install.
pub(super) struct Files {
    /// The program itself.
    pub(super) program: Vec<u8>,
    /// Completions by shell.
    pub(super) completions: Vec<(&'static str, Vec<u8>)>,
    /// Manual pages by file name.
    pub(super) pages: Vec<(String, Vec<u8>)>,
    pub(super) license: Vec<u8>,
    /// The licences of what is linked into the program.
    pub(super) notices: Vec<u8>,
    pub(super) readme: Vec<u8>,
}

impl Files {
    /// Collects the files, with the program in the folder `programs`.
    fn collect(root: &Path, programs: &Path, scratch: &Path) -> Result<Self, Error> {
        let path = programs.join(format!("{PROGRAM}{}", consts::EXE_SUFFIX));
        let mut completions = Vec::new();
        for (shell, _) in SHELLS {
            let script = process::output(process::command(&path, root).args(["completions", shell]))?;
            completions.push((shell, script.into_bytes()));
        }
        let folder = scratch.join("man");
        fs::create_dir_all(&folder)?;
        process::output(process::command(&path, root).args(["man", "--dir"]).arg(&folder))?;
        let mut pages = Vec::new();
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            pages.push((entry.file_name().display().to_string(), fs::read(entry.path())?));
        }
        pages.sort();
        fs::remove_dir_all(&folder)?;
        Ok(Self {
            program: fs::read(&path)?,
            completions,
            pages,
            license: fs::read(root.join("LICENSE"))?,
            notices: notices::text(root, CRATE)?.into_bytes(),
            readme: fs::read(root.join("crates/netmgr-cli/README.md"))?,
        })
    }

    /// The completions for a shell.
    pub(super) fn completion(&self, shell: &str) -> &[u8] {
        let found = self.completions.iter().find(|(name, _)| *name == shell);
        found.map_or(&[], |(_, script)| script)
    }

    /// Writes the archive of the files.
    fn archive(&self, archive: &Path) -> Result<(), Error> {
        let mut tar = gzipped(archive)?;
        append(
            &mut tar,
            &format!("{PROGRAM}{}", consts::EXE_SUFFIX),
            0o755,
            &self.program,
        )?;
        append(&mut tar, "LICENSE", 0o644, &self.license)?;
        append(&mut tar, notices::FILE, 0o644, &self.notices)?;
        append(&mut tar, "README.md", 0o644, &self.readme)?;
        for (shell, name) in SHELLS {
            append(
                &mut tar,
                &format!("completions/{name}"),
                0o644,
                self.completion(shell),
            )?;
        }
        for (name, page) in &self.pages {
            append(&mut tar, &format!("man/man1/{name}"), 0o644, page)?;
        }
        tar.into_inner()?.finish()?;
        Ok(())
    }
}

/// Writes archive, packages, bill of materials and checksums to `out`, with the program in the folder `programs`.
pub(super) fn write(root: &Path, programs: &Path, out: &Path, release: &Release) -> Result<(), Error> {
    let version = env!("CARGO_PKG_VERSION");
    let files = Files::collect(root, programs, out)?;
    let archive = out.join(format!("{PROGRAM}-v{version}-{}-{}.tar.gz", os(), architecture()));
    files.archive(&archive)?;
    write_checksum(&archive)?;
    println!("wrote {}", archive.display());
    let bill = sbom::write_beside(root, CRATE, &archive)?;
    println!("wrote {}", bill.display());
    if consts::OS == "linux" {
        let package = debian::write(&files, version, release, out)?;
        write_checksum(&package)?;
        println!("wrote {}", package.display());
    }
    let formula = homebrew::write(version, release, out)?;
    println!("wrote {}", formula.display());
    Ok(())
}

#[cfg(test)]
pub(super) fn sample() -> Files {
    Files {
        program: b"program GLIBC_2.34 GLIBC_2.9 end".to_vec(),
        completions: SHELLS
            .map(|(shell, _)| (shell, shell.as_bytes().to_vec()))
            .to_vec(),
        pages: vec![
            ("netmgr-get.1".to_owned(), b"get".to_vec()),
            ("netmgr.1".to_owned(), b"main".to_vec()),
        ],
        license: b"licence".to_vec(),
        notices: b"notices".to_vec(),
        readme: b"readme".to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn the_archive_of_the_command_line_holds_program_licence_completions_and_pages() {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("a.tar.gz");
        sample().archive(&archive).unwrap();
        let mut tar = tar::Archive::new(GzDecoder::new(fs::File::open(&archive).unwrap()));
        let mut contents = Vec::new();
        for entry in tar.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            let path = entry.path().unwrap().display().to_string();
            contents.push((path, entry.header().mode().unwrap(), text));
        }
        let named = |name: &str| contents.iter().find(|(path, ..)| path == name).unwrap();
        assert_eq!(named("netmgr").1, 0o755);
        assert_eq!(named("completions/_netmgr").2, "zsh");
        assert_eq!(named("completions/_netmgr.ps1").2, "powershell");
        assert_eq!(named("man/man1/netmgr-get.1").2, "get");
        assert_eq!(
            (named("LICENSE").1, named("LICENSE").2.as_str()),
            (0o644, "licence")
        );
        assert_eq!(named(notices::FILE).2, "notices");
        assert_eq!(contents.len(), 10);
    }

    #[test]
    fn equal_files_make_equal_archives() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = |name: &str| {
            let archive = folder.path().join(name);
            sample().archive(&archive).unwrap();
            fs::read(archive).unwrap()
        };
        assert_eq!(bytes("a.tar.gz"), bytes("b.tar.gz"));
    }
}
