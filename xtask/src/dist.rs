//! Builds what users install: one module for each part.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::engine::Engine;
use crate::process;
use crate::release::Release;

mod archive;
mod command_line;
mod homebrew;
mod notices;
mod platform;
mod plugins;
mod sdks;
mod terraform;

use platform::Platform;
use plugins::PLUGINS;
pub(crate) use sdks::LANGUAGES;

/// Parts that can be built separately.
pub(crate) const PARTS: [&str; 5] = ["command-line", "plugins", "sdks", "terraform", "index"];

/// The parts to build, and the folder to write to.
pub(crate) struct Options {
    /// Parts; all if empty.
    pub(crate) parts: Vec<String>,
    /// Languages of SDKs; all if empty.
    pub(crate) languages: Vec<String>,
    /// Target triple of the programs; by default, the target of this program.
    pub(crate) target: Option<String>,
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
///
/// The part `index` covers the archives of all platforms in the folder. A release collects them from several machines,
/// and then writes it.
pub(crate) fn run(root: &Path, options: &Options) -> Result<(), Error> {
    fs::create_dir_all(&options.out)?;
    let out = options.out.canonicalize()?;
    let platform = Platform::of(options.target.as_deref())?;
    let built = root
        .join("target")
        .join(options.target.as_deref().unwrap_or_default());
    let built = built.join("release");
    let programs = options.programs.as_deref().unwrap_or(&built);
    if options.programs.is_none() {
        build(root, options)?;
    }
    let release = Release::read(root)?;
    if options.wants("command-line") {
        let packed = programs.canonicalize()?;
        let running = match options.target {
            Some(_) => program_of_this_machine(root)?,
            None => packed.join(platform.file(command_line::PROGRAM)),
        };
        let programs = command_line::Programs {
            packed: &packed,
            platform: &platform,
            running: &running,
        };
        command_line::write(root, &programs, &out)?;
    }
    if options.wants("plugins") {
        for plugin in PLUGINS {
            let archive = plugin.archive(root, programs, &platform, &out)?;
            println!("wrote {}", archive.display());
        }
    }
    if options.wants("sdks") {
        sdks(root, &out, &options.languages)?;
    }
    if options.wants("terraform") {
        let archive = terraform::write(root, programs, &platform, &out)?;
        println!("wrote {}", archive.display());
    }
    if options.wants("index") || options.wants("command-line") {
        let formula = homebrew::write(env!("CARGO_PKG_VERSION"), &release, &out)?;
        println!("wrote {}", formula.display());
    }
    if options.wants("index") || options.wants("terraform") {
        let checksums = terraform::write_index(root, &out)?;
        println!("wrote {}", checksums.display());
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
    let crates: Vec<_> = command_line.into_iter().chain(plugins).chain(terraform).collect();
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
    if let Some(target) = &options.target {
        build.args(["--target", target]);
        // Without it, cargo links with the compiler of this machine.
        if let Some((variable, linker)) = platform::cross_linker(target)
            && env::var_os(&variable).is_none()
            && process::is_on_path(&linker)
        {
            build.env(variable, linker);
        }
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

/// Builds the command line for this machine, because a command line for another target cannot write its completions
/// here.
fn program_of_this_machine(root: &Path) -> Result<PathBuf, Error> {
    let mut build = process::command("cargo", root);
    build.args(["build", "--quiet", "--locked", "--package", command_line::CRATE]);
    build.arg("--target-dir").arg(root.join("target"));
    process::run(&mut build)?;
    let platform = Platform::of(None)?;
    Ok(root
        .join("target/debug")
        .join(platform.file(command_line::PROGRAM)))
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
    for plugin in PLUGINS {
        let package = engine.sdks(plugin.package)?;
        for language in LANGUAGES.into_iter().filter(|language| wanted(language)) {
            sdks::write(&engine, &package, language, out)?;
        }
        println!("wrote the SDKs of {} to {}", package.name, out.display());
    }
    Ok(())
}
