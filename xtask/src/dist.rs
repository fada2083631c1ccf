//! What users install: the plugin as the engine takes it from a file or a download address, and the
//! SDKs as package managers take them.
//!
//! Source of the archive's name and content: engine-plugin 1.1.

use std::env::consts;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, Header};

use crate::engine::{CLUSTERPKG, Engine, NETMGR, Package, Sdks};
use crate::{Error, process};

/// A plugin and the package it is for.
struct Plugin {
    /// Crate that builds it.
    krate: &'static str,
    package: &'static Package,
}

const PLUGINS: &[Plugin] = &[
    Plugin {
        krate: "netmgr-plugin",
        package: &NETMGR,
    },
    Plugin {
        krate: "clusterpkg-plugin",
        package: &CLUSTERPKG,
    },
];

/// Writes archives, checksums and SDKs of every plugin to `out`. Builds the plugins unless there is a folder of them.
pub(crate) fn run(root: &Path, programs: Option<&Path>, out: &Path) -> Result<(), Error> {
    fs::create_dir_all(out)?;
    let out = out.canonicalize()?;
    let built = root.join("target/dist");
    if programs.is_none() {
        let mut build = process::command("cargo", root);
        build.args(["build", "--quiet", "--locked", "--profile", "dist", "--bins"]);
        for plugin in PLUGINS {
            build.args(["--package", plugin.krate]);
        }
        process::run(&mut build)?;
    }
    let engine = Engine::of(root);
    engine.sdk_generator()?;
    engine.node()?;
    engine.python()?;
    for plugin in PLUGINS {
        let sdks = engine.sdks(plugin.package)?;
        let archive = plugin.archive(root, programs.unwrap_or(&built), &sdks, &out)?;
        node_package(&sdks.nodejs, &out)?;
        engine.python_package(&sdks.python, &out)?;
        let Sdks { name, version, .. } = &sdks;
        go_module(&sdks.go, &out.join(format!("{name}-sdk-go-v{version}.tar.gz")))?;
        println!("wrote {}", archive.display());
    }
    Ok(())
}

impl Plugin {
    /// Archives the plugin, with a checksum beside the archive.
    fn archive(&self, root: &Path, programs: &Path, package: &Sdks, out: &Path) -> Result<PathBuf, Error> {
        let Sdks { name, version, .. } = package;
        let plugin = format!("pulumi-resource-{name}");
        let program = format!("{plugin}{}", consts::EXE_SUFFIX);
        let binary = fs::read(programs.join(&program))?;

        let name = format!("{plugin}-v{version}-{}-{}.tar.gz", os(), architecture());
        let archive = out.join(&name);
        let mut tar = gzipped(&archive)?;
        append(&mut tar, &program, 0o755, &binary)?;
        append(&mut tar, "LICENSE", 0o644, &fs::read(root.join("LICENSE"))?)?;
        tar.into_inner()?.finish()?;
        let checksum = format!("{}  {name}\n", sha256(&fs::read(&archive)?));
        fs::write(out.join(format!("{name}.sha256")), checksum)?;
        Ok(archive)
    }
}

impl Engine {
    /// A wheel of a generated Python SDK.
    fn python_package(&self, sdk: &Path, out: &Path) -> Result<(), Error> {
        process::run(
            process::command(self.folder.join("python/bin/python"), sdk)
                .args(["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"])
                .arg(out)
                .arg("."),
        )
    }
}

/// A tarball of a generated Node.js SDK.
fn node_package(sdk: &Path, out: &Path) -> Result<(), Error> {
    process::run(
        process::command("npm", sdk)
            .args(["pack", "--silent", "--pack-destination"])
            .arg(out),
    )
}

/// An archive of a generated Go SDK, for a `replace` directive.
fn go_module(sdk: &Path, archive: &Path) -> Result<(), Error> {
    let mut tar = gzipped(archive)?;
    let mut files = Vec::new();
    list(sdk, &mut files)?;
    files.sort();
    for file in files {
        let name = file.strip_prefix(sdk)?.display().to_string();
        append(&mut tar, &name, 0o644, &fs::read(&file)?)?;
    }
    tar.into_inner()?.finish()?;
    Ok(())
}

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

fn gzipped(path: &Path) -> Result<Builder<GzEncoder<File>>, Error> {
    Ok(Builder::new(GzEncoder::new(
        File::create(path)?,
        Compression::best(),
    )))
}

/// Adds a file without owner or time, so that equal contents make equal archives.
fn append(tar: &mut Builder<GzEncoder<File>>, name: &str, mode: u32, content: &[u8]) -> Result<(), Error> {
    let mut header = Header::new_gnu();
    header.set_size(content.len().try_into()?);
    header.set_mode(mode);
    Ok(tar.append_data(&mut header, name, content)?)
}

fn sha256(content: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, content);
    digest.as_ref().iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string");
        text
    })
}

/// The platform as the engine names it.
fn os() -> &'static str {
    match consts::OS {
        "macos" => "darwin",
        other => other,
    }
}

fn architecture() -> &'static str {
    match consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}
