//! What users install: one module for each part.

use std::fs;
use std::path::Path;

use crate::engine::Engine;
use crate::release::Release;
use crate::{Error, process};

mod archive;
mod plugins;
mod sdks;

pub(crate) use archive::list;
use plugins::PLUGINS;
pub(crate) use sdks::LANGUAGES;

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
        let package = engine.sdks(plugin.package)?;
        let archive = plugin.archive(root, programs.unwrap_or(&built), &package, &out)?;
        for language in LANGUAGES.into_iter().filter(|language| wanted(language)) {
            sdks::write(&engine, plugin.package, &package, language, &out)?;
        }
        println!("wrote {}", archive.display());
    }
    for placeholder in Release::read(root)?.placeholders() {
        println!("placeholder: {placeholder}");
    }
    Ok(())
}
