//! The samples of functions and components, compiled with the SDKs that `cargo xtask dist` writes. By hand, since
//! it takes minutes: `cargo xtask samples`.
//!
//! Go and Java have compilers on most machines that build this project; samples in C# are written to a folder
//! and compiled where there is `dotnet`. A lookup and a component in Go and in Java are prepared for the engine as well;
//! the engine suite runs them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::codegen::{Program, programs};
use crate::engine::{CLUSTERPKG, Engine, NETMGR, compile_java, java_missing};
use crate::{Error, process};

mod runnable;

/// Writes and compiles every sample.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let engine = Engine::of(root);
    engine.sdk_generator()?;
    engine.node()?;
    engine.python()?;
    let folder = engine.folder.join("samples");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let programs = programs()?;
    let write = |language: &str, file: &str| write(&folder.join(language), &programs, language, file);
    go(&engine, &write("go", "main.go")?)?;
    java(root, &engine, &write("java", "App.java")?)?;
    let written = write("csharp", "Program.cs")?;
    println!("skipped C#: its samples are in {}", written.display());
    Ok(())
}

/// One folder per sample of a language.
fn write(folder: &Path, programs: &[Program], language: &str, file: &str) -> Result<PathBuf, Error> {
    for Program { name, text, .. } in programs.iter().filter(|program| program.fence == language) {
        let package = name.to_lowercase();
        let own = folder.join(&package);
        fs::create_dir_all(&own)?;
        // Packages of their own, so that they compile together.
        fs::write(
            own.join(file),
            text.replace("package program;", &format!("package {package};")),
        )?;
    }
    Ok(folder.to_path_buf())
}

/// Formatted as gofmt does, and accepted by the compiler and `go vet`.
fn go(engine: &Engine, folder: &Path) -> Result<(), Error> {
    let unformatted = process::output(process::command("gofmt", folder).args(["-l", "."]))?;
    if !unformatted.is_empty() {
        return Err(format!("samples that gofmt would change:\n{unformatted}").into());
    }
    let mut manifest = "module samples\n\ngo 1.25.11\n".to_owned();
    for (path, version, folder) in engine.go_modules(&[&NETMGR, &CLUSTERPKG])? {
        writeln!(
            manifest,
            "\nrequire {path} v{version}\nreplace {path} => {}",
            folder.display()
        )?;
    }
    fs::write(folder.join("go.mod"), manifest)?;
    process::run(process::command("go", folder).args(["vet", "-mod=mod", "./..."]))?;
    println!("compiled the samples in Go");
    runnable::go(engine, folder)?;
    Ok(())
}

fn java(root: &Path, engine: &Engine, folder: &Path) -> Result<(), Error> {
    if let Some(missing) = java_missing() {
        println!("skipped Java: {missing}");
        return Ok(());
    }
    let mut class_path = vec![engine.java_libraries()?.join("*")];
    for package in [&NETMGR, &CLUSTERPKG] {
        class_path.extend(engine.java_packages(package)?);
    }
    let classes = folder.with_extension("classes");
    compile_java(folder, &classes, &class_path)?;
    println!("compiled the samples in Java");
    runnable::java(root, engine, &classes, &class_path)?;
    Ok(())
}
