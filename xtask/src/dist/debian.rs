//! A Debian package of the command line: an `ar` archive of two tar archives (deb(5)).

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use ar::{Builder, Header};
use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use tar::EntryType;

use super::archive::{architecture, md5};
use super::command_line::{Files, PROGRAM};
use super::notices;
use crate::Error;
use crate::release::Release;

/// A file of the package: its path below the root, its mode and its content.
type Installed = (String, u32, Vec<u8>);

/// Writes the package to `out` and returns its path.
pub(super) fn write(files: &Files, version: &str, release: &Release, out: &Path) -> Result<PathBuf, Error> {
    let installed = installed(files)?;
    let package = out.join(format!("{PROGRAM}_{version}_{}.deb", architecture()));
    let mut archive = Builder::new(File::create(&package)?);
    let mut add = |name: &str, content: &[u8]| -> Result<(), Error> {
        let mut header = Header::new(name.as_bytes().to_vec(), content.len().try_into()?);
        header.set_mode(0o100_644);
        Ok(archive.append(&header, content)?)
    };
    add("debian-binary", b"2.0\n")?;
    let control = vec![
        (
            "control".to_owned(),
            0o644,
            control(files, &installed, version, release).into_bytes(),
        ),
        ("md5sums".to_owned(), 0o644, md5sums(&installed).into_bytes()),
    ];
    add("control.tar.gz", &tarball(&control)?)?;
    add("data.tar.gz", &tarball(&installed)?)?;
    Ok(package)
}

/// The files at the places of Debian's policy.
fn installed(files: &Files) -> Result<Vec<Installed>, Error> {
    let mut installed = vec![
        (format!("usr/bin/{PROGRAM}"), 0o755, files.program.clone()),
        (
            format!("usr/share/bash-completion/completions/{PROGRAM}"),
            0o644,
            files.completion("bash").to_vec(),
        ),
        (
            format!("usr/share/doc/{PROGRAM}/copyright"),
            0o644,
            files.license.clone(),
        ),
        (
            format!("usr/share/doc/{PROGRAM}/{}", notices::FILE),
            0o644,
            files.notices.clone(),
        ),
        (
            format!("usr/share/fish/vendor_completions.d/{PROGRAM}.fish"),
            0o644,
            files.completion("fish").to_vec(),
        ),
    ];
    for (name, page) in &files.pages {
        installed.push((format!("usr/share/man/man1/{name}.gz"), 0o644, compressed(page)?));
    }
    installed.push((
        format!("usr/share/zsh/vendor-completions/_{PROGRAM}"),
        0o644,
        files.completion("zsh").to_vec(),
    ));
    Ok(installed)
}

fn control(files: &Files, installed: &[Installed], version: &str, release: &Release) -> String {
    let bytes: usize = installed.iter().map(|(_, _, content)| content.len()).sum();
    let homepage = release
        .repository()
        .map_or_else(String::new, |repository| format!("Homepage: {repository}\n"));
    format!(
        "Package: {PROGRAM}\nVersion: {version}\nSection: admin\nPriority: optional\n\
         Architecture: {}\nDepends: {}\nInstalled-Size: {}\n\
         Maintainer: {}\n{homepage}\
         Description: Looks up objects of a network virtualization manager\n \
         Finds objects of a manager by id or name, lists them, checks the\n \
         connection, and serves a simulated manager for tests.\n",
        architecture(),
        depends(&files.program),
        bytes.div_ceil(1024),
        env!("CARGO_PKG_AUTHORS"),
    )
}

/// The libraries that the program needs. The version of the C library is that of the newest symbol it uses.
fn depends(program: &[u8]) -> String {
    const SYMBOL: &[u8] = b"GLIBC_2.";
    let minor = |rest: &[u8]| {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        std::str::from_utf8(&rest[..digits]).ok()?.parse::<u32>().ok()
    };
    let newest = program
        .windows(SYMBOL.len())
        .enumerate()
        .filter(|(_, window)| *window == SYMBOL)
        .filter_map(|(at, _)| minor(&program[at + SYMBOL.len()..]))
        .max();
    let libc = newest.map_or_else(|| "libc6".to_owned(), |minor| format!("libc6 (>= 2.{minor})"));
    format!("{libc}, libgcc-s1")
}

fn md5sums(installed: &[Installed]) -> String {
    let lines = installed
        .iter()
        .map(|(path, _, content)| format!("{}  {path}\n", md5(content)));
    lines.collect()
}

/// A compressed tar archive, with entries for the folders, without owners and times.
fn tarball(files: &[Installed]) -> Result<Vec<u8>, Error> {
    let mut tar = tar::Builder::new(encoder());
    let mut known = Vec::new();
    for (path, mode, content) in files {
        let folders: Vec<&str> = path.split('/').collect();
        for depth in 1..folders.len() {
            let folder = format!("./{}/", folders[..depth].join("/"));
            if !known.contains(&folder) {
                let mut header = tar::Header::new_gnu();
                header.set_entry_type(EntryType::Directory);
                header.set_mode(0o755);
                header.set_size(0);
                append(&mut tar, &mut header, &folder, &[])?;
                known.push(folder);
            }
        }
        let mut header = tar::Header::new_gnu();
        header.set_mode(*mode);
        header.set_size(content.len().try_into()?);
        append(&mut tar, &mut header, &format!("./{path}"), content)?;
    }
    Ok(tar.into_inner()?.finish()?)
}

/// Adds an entry. Packages of Debian name their files with a leading `./`, which `append_data` removes.
fn append(
    tar: &mut tar::Builder<GzEncoder<Vec<u8>>>,
    header: &mut tar::Header,
    path: &str,
    content: &[u8],
) -> Result<(), Error> {
    let field = &mut header.as_old_mut().name;
    let bytes = path.as_bytes();
    if bytes.len() >= field.len() {
        return Err(format!("{path} is too long for a package").into());
    }
    field[..bytes.len()].copy_from_slice(bytes);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_cksum();
    Ok(tar.append(header, content)?)
}

fn compressed(content: &[u8]) -> Result<Vec<u8>, Error> {
    let mut encoder = encoder();
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}

/// Without a time, so that equal contents make equal packages.
fn encoder() -> GzEncoder<Vec<u8>> {
    GzBuilder::new().mtime(0).write(Vec::new(), Compression::best())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::super::command_line::sample;
    use super::*;

    /// The members of a package, in their order.
    fn members(package: &Path) -> Vec<(String, Vec<u8>)> {
        let mut archive = ar::Archive::new(File::open(package).unwrap());
        let mut members = Vec::new();
        while let Some(member) = archive.next_entry() {
            let mut member = member.unwrap();
            let name = String::from_utf8(member.header().identifier().to_vec()).unwrap();
            let mut content = Vec::new();
            member.read_to_end(&mut content).unwrap();
            members.push((name, content));
        }
        members
    }

    fn untar(tarball: &[u8]) -> Vec<(String, u32, Vec<u8>)> {
        let mut tar = tar::Archive::new(GzDecoder::new(tarball));
        let entries = tar.entries().unwrap().map(|entry| {
            let mut entry = entry.unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            let path = String::from_utf8(entry.path_bytes().into_owned()).unwrap();
            (path, entry.header().mode().unwrap(), content)
        });
        entries.collect()
    }

    #[test]
    fn a_package_has_the_members_that_dpkg_expects() {
        let folder = tempfile::tempdir().unwrap();
        let release = crate::release::sample(true);
        let package = write(&sample(), "1.2.3", &release, folder.path()).unwrap();
        let [binary, control, data] = &members(&package)[..] else {
            panic!("three members");
        };
        assert_eq!(
            (binary.0.as_str(), &binary.1[..]),
            ("debian-binary", &b"2.0\n"[..])
        );
        assert_eq!(
            (control.0.as_str(), data.0.as_str()),
            ("control.tar.gz", "data.tar.gz")
        );
        let files = untar(&data.1);
        let program = files
            .iter()
            .find(|(path, ..)| path == "./usr/bin/netmgr")
            .unwrap();
        assert_eq!(program.1, 0o755);
        let first: Vec<&str> = files.iter().take(3).map(|(path, ..)| path.as_str()).collect();
        assert_eq!(first, ["./usr/", "./usr/bin/", "./usr/bin/netmgr"]);
        let control = untar(&control.1);
        let text = |name: &str| {
            let found = control.iter().find(|(path, ..)| path == name).unwrap();
            String::from_utf8(found.2.clone()).unwrap()
        };
        let fields = text("./control");
        assert!(
            fields.starts_with("Package: netmgr\nVersion: 1.2.3\n"),
            "{fields}"
        );
        assert!(
            fields.contains("Depends: libc6 (>= 2.34), libgcc-s1\n"),
            "{fields}"
        );
        assert!(
            fields.contains("Homepage: https://github.com/acme/tools\n"),
            "{fields}"
        );
        let sums = text("./md5sums");
        // md5sum of "zsh".
        assert!(
            sums.contains("  usr/share/zsh/vendor-completions/_netmgr\n"),
            "{sums}"
        );
        assert_eq!(sums.lines().count(), 8);
        for line in sums.lines() {
            let (sum, path) = line.split_once("  ").unwrap();
            let file = files
                .iter()
                .find(|(known, ..)| *known == format!("./{path}"))
                .unwrap();
            assert_eq!(sum, md5(&file.2));
        }
    }

    #[test]
    fn a_package_that_is_not_published_names_no_address() {
        let control = control(&sample(), &[], "1.2.3", &crate::release::sample(false));
        assert!(!control.contains("https://"), "{control}");
    }

    #[test]
    fn dpkg_reads_the_package_where_there_is_one() {
        if !crate::process::is_on_path("dpkg-deb") {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let release = crate::release::sample(false);
        let package = write(&sample(), "1.2.3", &release, folder.path()).unwrap();
        let shown = |option: &str| {
            let mut dpkg = crate::process::command("dpkg-deb", folder.path());
            crate::process::output(dpkg.arg(option).arg(&package)).unwrap()
        };
        assert!(shown("--field").contains("Installed-Size: 1\n"));
        assert!(shown("--contents").contains("./usr/share/man/man1/netmgr.1.gz"));
    }
}
