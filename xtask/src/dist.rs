//! Builds what users install: one module for each part.

use std::fs;
use std::path::{Path, PathBuf};

use crate::engine::Engine;
use crate::release::Release;
use crate::{Error, process};

mod archive;
mod command_line;
mod homebrew;
mod notices;
mod plugins;
mod sdks;
mod terraform;

use plugins::PLUGINS;
pub(crate) use sdks::LANGUAGES;

/// Parts that can be built separately.
pub(crate) const PARTS: [&str; 3] = ["command-line", "plugins", "terraform"];

/// The parts to build, and the folder to write to.
pub(crate) struct Options {
    /// Parts; all if empty.
    pub(crate) parts: Vec<String>,
    /// Languages of SDKs; all if empty.
    pub(crate) languages: Vec<String>,
    /// Folder of programs that are built already.
    pub(crate) programs: Option<PathBuf>,
    /// Folder to write to.
    pub(crate) out: PathBuf,
}

impl Options {
    fn wants(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
    }
}

/// Writes what users install of each part, with checksums. Builds the programs unless there is a folder of them. Lists
/// what is left out and why, and which addresses are placeholders.
pub(crate) fn run(root: &Path, options: &Options) -> Result<(), Error> {
    fs::create_dir_all(&options.out)?;
    let out = options.out.canonicalize()?;
    let built = root.join("target/release");
    let programs = options.programs.as_deref().unwrap_or(&built);
    if options.programs.is_none() {
        build(root, options)?;
    }
    let release = Release::read(root)?;
    if options.wants("command-line") {
        command_line::write(root, &programs.canonicalize()?, &out, &release)?;
    }
    if options.wants("plugins") {
        plugins(root, programs, &out, &options.languages)?;
    }
    if options.wants("terraform") {
        let archive = terraform::write(root, programs, &out)?;
        println!("wrote {}", archive.display());
    }
    for placeholder in release.placeholders() {
        println!("placeholder: {placeholder}");
    }
    Ok(())
}

/// Builds the programs of the wanted parts, together, so that what they share is compiled once.
fn build(root: &Path, options: &Options) -> Result<(), Error> {
    let command_line = Some(command_line::CRATE).filter(|_| options.wants("command-line"));
    let plugins = PLUGINS.iter().map(|plugin| plugin.krate);
    let plugins = plugins.filter(|_| options.wants("plugins"));
    let terraform = Some(terraform::CRATE).filter(|_| options.wants("terraform"));
    let mut build = process::command("cargo", root);
    build.args(["build", "--quiet", "--locked", "--release", "--bins"]);
    build.arg("--target-dir").arg(root.join("target"));
    build.env("CARGO_ENCODED_RUSTFLAGS", without_paths(root)?);
    for krate in command_line.into_iter().chain(plugins).chain(terraform) {
        build.args(["--package", krate]);
    }
    process::run(&mut build)
}

/// Flags with which programs contain no path of the machine that built them, in panic messages for example.
fn without_paths(root: &Path) -> Result<String, Error> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let cargo = cargo.ok_or("neither CARGO_HOME nor HOME is set")?;
    let replaced = [(cargo.as_path(), "/cargo"), (root, "/netmgr")];
    let flags = replaced.map(|(path, by)| format!("--remap-path-prefix={}={by}", path.display()));
    Ok(flags.join("\x1f"))
}

/// Writes the archives of the plugins and their SDKs.
fn plugins(root: &Path, programs: &Path, out: &Path, languages: &[String]) -> Result<(), Error> {
    let engine = Engine::of(root);
    engine.sdk_generator()?;
    engine.node()?;
    engine.python()?;
    let wanted = |language: &str| languages.is_empty() || languages.iter().any(|one| one == language);
    for plugin in PLUGINS {
        let package = engine.sdks(plugin.package)?;
        let archive = plugin.archive(root, programs, &package, out)?;
        for language in LANGUAGES.into_iter().filter(|language| wanted(language)) {
            sdks::write(&engine, &package, language, out)?;
        }
        println!("wrote {}", archive.display());
    }
    Ok(())
}
