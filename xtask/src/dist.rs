//! Builds what users install: archives of the programs with checksums, a formula, and the SDKs.
//!
//! cargo-dist packs the programs of a crate. It cannot pack plugins with their schema and pages, a provider in the form of
//! its registries, or SDKs, and it needs a published repository, so it would come on top of these files.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::engine::{CLUSTERPKG, Engine, NETMGR};
use crate::process;
use crate::release::Release;

mod archive;
mod index;
mod packages;
mod platform;
mod sdks;

use packages::{COMMAND_LINE, PLUGINS, PROVIDER, Packages};
use platform::Platform;
pub(crate) use sdks::LANGUAGES;

/// Version of everything.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Parts that can be built separately.
pub(crate) const PARTS: [&str; 5] = ["command-line", "plugins", "sdks", "terraform", "index"];

/// The parts to build, and the folder to write to.
pub(crate) struct Options {
    /// Parts; all if empty.
    pub(crate) parts: Vec<String>,
    /// Languages of SDKs; all if empty.
    pub(crate) languages: Vec<String>,
    /// Folder of programs that are built already.
    pub(crate) programs: Option<PathBuf>,
    /// Whether archives contain the licences of dependencies.
    pub(crate) licences: bool,
    /// Folder to write to.
    pub(crate) out: PathBuf,
}

impl Options {
    fn wants(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
    }
}

/// Writes what users install of each part. Builds the programs unless there is a folder of them. Lists what is left out and
/// why, and which addresses are placeholders.
///
/// The part `index` covers the archives of all platforms in the folder. A release collects them from several machines,
/// and then writes it.
pub(crate) fn run(root: &Path, options: &Options) -> Result<(), Error> {
    fs::create_dir_all(&options.out)?;
    let out = options.out.canonicalize()?;
    if options.programs.is_none() {
        build(root, options)?;
    }
    let packages = Packages {
        root,
        programs: options
            .programs
            .clone()
            .unwrap_or_else(|| root.join("target/release")),
        platform: Platform::of_this_machine()?,
        licences: options.licences,
        out: &out,
    };
    let release = Release::read(root)?;
    if options.wants("command-line") {
        packages.command_line()?;
    }
    if options.wants("plugins") {
        for plugin in PLUGINS {
            packages.plugin(plugin)?;
        }
    }
    if options.wants("sdks") {
        sdks(root, &out, &options.languages)?;
    }
    if options.wants("terraform") {
        packages.provider()?;
    }
    if options.wants("index") || options.wants("command-line") {
        index::formula(&release, &out)?;
    }
    if options.wants("index") || options.wants("terraform") {
        index::terraform(root, &out)?;
    }
    for placeholder in release.placeholders() {
        println!("placeholder: {placeholder}");
    }
    Ok(())
}

/// Builds the programs of the wanted parts, together, so that what they share is compiled once.
fn build(root: &Path, options: &Options) -> Result<(), Error> {
    let mut crates = Vec::new();
    crates.extend(options.wants("command-line").then_some(COMMAND_LINE));
    crates.extend(
        PLUGINS
            .iter()
            .map(|plugin| plugin.krate)
            .filter(|_| options.wants("plugins")),
    );
    crates.extend(options.wants("terraform").then_some(PROVIDER));
    if crates.is_empty() {
        return Ok(());
    }
    let mut build = process::command("cargo", root);
    build.args(["build", "--quiet", "--locked", "--release", "--bins"]);
    build.arg("--target-dir").arg(root.join("target"));
    build.env("CARGO_ENCODED_RUSTFLAGS", without_paths(root)?);
    for krate in crates {
        build.args(["--package", krate]);
    }
    // `getProviderInfo` returns them. The date of the commit keeps builds reproducible.
    for (variable, format) in [
        ("NETMGR_COMMIT", "--format=%H"),
        ("NETMGR_BUILD_DATE", "--format=%cs"),
    ] {
        let fact = process::output(process::command("git", root).args(["log", "-1", format]))?;
        build.env(variable, fact.trim());
    }
    process::run(&mut build)
}

/// Flags with which programs contain no path of the machine that built them, in panic messages for example.
fn without_paths(root: &Path) -> Result<String, Error> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    let cargo = cargo.ok_or("neither CARGO_HOME nor HOME is set")?;
    let replaced = [(cargo.as_path(), "/cargo"), (root, "/netmgr")];
    let flags = replaced.map(|(path, by)| format!("--remap-path-prefix={}={by}", path.display()));
    Ok(flags.join("\x1f"))
}

/// Writes the SDKs of the plugins, which are the same on all platforms.
fn sdks(root: &Path, out: &Path, languages: &[String]) -> Result<(), Error> {
    let engine = Engine::of(root);
    engine.sdk_generator()?;
    engine.node()?;
    engine.python()?;
    let wanted = |language: &str| languages.is_empty() || languages.iter().any(|one| one == language);
    for package in [&NETMGR, &CLUSTERPKG] {
        let package = engine.sdks(package)?;
        for language in LANGUAGES.into_iter().filter(|language| wanted(language)) {
            sdks::write(&engine, &package, language, out)?;
        }
        println!("wrote the SDKs of {} to {}", package.name, out.display());
    }
    Ok(())
}
