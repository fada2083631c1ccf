//! What users install: the plugin as the engine takes it from a file or a download address, and the
//! SDKs as package managers take them.
//!
//! Source of the archive's name and content: engine-plugin 1.1. What `pulumi package publish` and the
//! public registry look for lies beside the plugin: README, schema, pages (0245).

use std::env::consts;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, Header};

use crate::engine::{CLUSTERPKG, Engine, NETMGR, Package, Sdks, java_missing};
use crate::release::Release;
use crate::{Error, process};

/// Languages of SDKs.
pub(crate) const LANGUAGES: [&str; 5] = ["nodejs", "python", "go", "dotnet", "java"];

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

/// Writes archives, checksums and SDKs of every plugin to `out`; the SDKs of all languages when none are
/// named. Builds the plugins unless there is a folder of them. Lists what is left out and why, and which
/// addresses are placeholders.
pub(crate) fn run(
    root: &Path,
    programs: Option<&Path>,
    out: &Path,
    languages: &[String],
) -> Result<(), Error> {
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
    let wanted = |language: &str| languages.is_empty() || languages.iter().any(|one| one == language);
    for plugin in PLUGINS {
        let sdks = engine.sdks(plugin.package)?;
        let archive = plugin.archive(root, programs.unwrap_or(&built), &sdks, &out)?;
        for language in LANGUAGES.into_iter().filter(|language| wanted(language)) {
            sdk(&engine, plugin.package, &sdks, language, &out)?;
        }
        println!("wrote {}", archive.display());
    }
    for placeholder in Release::read(root)?.placeholders() {
        println!("placeholder: {placeholder}");
    }
    Ok(())
}

/// Writes the SDK of a package for one language.
fn sdk(engine: &Engine, package: &Package, sdks: &Sdks, language: &str, out: &Path) -> Result<(), Error> {
    let Sdks { name, version, .. } = sdks;
    let sources = |folder: &Path| {
        let archive = out.join(format!("{name}-sdk-{language}-v{version}.tar.gz"));
        folder_archive(folder, &archive)
    };
    match language {
        "nodejs" => node_package(&sdks.nodejs, out),
        "python" => engine.python_package(&sdks.python, out),
        // For a `replace` directive.
        "go" => sources(&sdks.go),
        "dotnet" => {
            sources(&sdks.dotnet)?;
            if !process::is_on_path("dotnet") {
                println!("skipped the NuGet package of {name}: there is no dotnet");
                return Ok(());
            }
            process::run(
                process::command("dotnet", &sdks.dotnet)
                    .args(["pack", "--nologo", "--configuration", "Release", "--output"])
                    .arg(out),
            )
        }
        "java" => {
            sources(&sdks.java)?;
            if let Some(missing) = java_missing() {
                println!("skipped the jar of {name}: {missing}");
                return Ok(());
            }
            let jar = engine.java_package(package)?;
            fs::copy(&jar, out.join(jar.file_name().expect("a jar has a name")))?;
            Ok(())
        }
        other => Err(format!("there are no SDKs for {other}").into()),
    }
}

impl Plugin {
    /// Archives the plugin, with a checksum beside the archive.
    fn archive(&self, root: &Path, programs: &Path, package: &Sdks, out: &Path) -> Result<PathBuf, Error> {
        let Sdks { name, version, .. } = package;
        let plugin = format!("pulumi-resource-{name}");
        let program = format!("{plugin}{}", consts::EXE_SUFFIX);
        let binary = fs::read(programs.join(&program))?;
        let pages = root.join("docs/registry").join(name);
        let index = fs::read_to_string(pages.join("_index.md"))?;

        let name = format!("{plugin}-v{version}-{}-{}.tar.gz", os(), architecture());
        let archive = out.join(&name);
        let mut tar = gzipped(&archive)?;
        append(&mut tar, &program, 0o755, &binary)?;
        append(&mut tar, "LICENSE", 0o644, &fs::read(root.join("LICENSE"))?)?;
        append(&mut tar, "README.md", 0o644, readme(&index).as_bytes())?;
        append(&mut tar, "docs/_index.md", 0o644, index.as_bytes())?;
        let installation = "installation-configuration.md";
        let page = fs::read(pages.join(installation))?;
        append(&mut tar, &format!("docs/{installation}"), 0o644, &page)?;
        let schema = fs::read(root.join(self.package.schema))?;
        append(&mut tar, "schema.json", 0o644, &schema)?;
        tar.into_inner()?.finish()?;
        let checksum = format!("{}  {name}\n", sha256(&fs::read(&archive)?));
        fs::write(out.join(format!("{name}.sha256")), checksum)?;
        Ok(archive)
    }
}

/// The index page of the registry as a README: without front matter and shortcodes, with its title.
fn readme(index: &str) -> String {
    let (front, body) = index
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .unwrap_or(("", index));
    let title = front.lines().find_map(|line| line.strip_prefix("title: "));
    let title = title.unwrap_or_default().trim_matches('"');
    let mut text = format!("# {title}\n");
    let mut was_empty = false;
    for line in body.lines().filter(|line| !line.starts_with("{{")) {
        // Lines of shortcodes leave empty ones around them.
        if !(line.is_empty() && was_empty) {
            text.push_str(line);
            text.push('\n');
        }
        was_empty = line.is_empty();
    }
    text
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

/// An archive of all files of a folder.
fn folder_archive(folder: &Path, archive: &Path) -> Result<(), Error> {
    let mut tar = gzipped(archive)?;
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    for file in files {
        let name = file.strip_prefix(folder)?.display().to_string();
        append(&mut tar, &name, 0o644, &fs::read(&file)?)?;
    }
    tar.into_inner()?.finish()?;
    Ok(())
}

/// Adds every file below `folder` to `files`.
pub(crate) fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn publishing_the_readme_is_the_index_page_without_the_registrys_own_marks() {
        let index = "---\n# Generated\ntitle: \"A: B\"\nlayout: package\n---\n\nText.\n\n{{< chooser >}}\n\n\
                     {{% choosable language go %}}\n\n```go\n{}\n```\n\n{{% /choosable %}}\n\n{{< /chooser >}}\n";
        assert_eq!(readme(index), "# A: B\n\nText.\n\n```go\n{}\n```\n\n");
    }
}
