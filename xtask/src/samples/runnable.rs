//! Samples in Go and Java as projects that the engine runs, and the language hosts that run them: a lookup and a
//! component in each language. `tests/it/engine/languages.rs` runs them where they are.

use std::fs;
use std::path::{Path, PathBuf};

use crate::engine::Engine;
use crate::{Error, process};

/// The last SDK module with the language hosts in it, and the package of the one for Go.
const GO_HOST: &str = "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go";
const GO_HOST_VERSION: &str = "v3.60.0";
const GO_MODULE: &str = "module netmgr.dev/go-host\n\ngo 1.25\n";
const GO_USE: &str = "//go:build tools\n\npackage tools\n\nimport _ \"github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go\"\n";

/// The host for Java, in the module that the generator of SDKs uses.
const JAVA_HOST: &str = "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java";

/// The samples that are run: a function and a component, by the names of their folders.
const SAMPLES: [(&str, &str); 2] = [
    ("lookup", "getpolicyedgecluster"),
    ("component", "iamserviceaccountrole"),
];

/// Prepares the samples in Go, which their host compiles.
pub(super) fn go(engine: &Engine, samples: &Path) -> Result<(), Error> {
    let folder = engine.folder.join("go-host");
    let host = engine.bin().join("pulumi-language-go");
    if !host.exists() {
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("go.mod"), GO_MODULE)?;
        fs::write(folder.join("tools.go"), GO_USE)?;
        let package = format!("{GO_HOST}@{GO_HOST_VERSION}");
        process::run(process::command("go", &folder).args(["get", &package]))?;
        build(&folder, &host, GO_HOST)?;
    }
    for (name, sample) in SAMPLES {
        let project = project(engine, name, "go", "name: go")?;
        fs::copy(samples.join(sample).join("main.go"), project.join("main.go"))?;
        for file in ["go.mod", "go.sum"] {
            fs::copy(samples.join(file), project.join(file))?;
        }
    }
    Ok(())
}

/// Prepares the compiled samples in Java as archives that name the libraries which they need.
pub(super) fn java(
    root: &Path,
    engine: &Engine,
    classes: &Path,
    class_path: &[PathBuf],
) -> Result<(), Error> {
    let host = engine.bin().join("pulumi-language-java");
    if !host.exists() {
        build(&root.join("tests/engine/sdkgen"), &host, JAVA_HOST)?;
    }
    for (name, sample) in SAMPLES {
        let project = project(
            engine,
            name,
            "java",
            "name: java\n  options:\n    binary: app.jar",
        )?;
        let manifest = project.join("manifest");
        fs::write(&manifest, java_manifest(sample, class_path)?)?;
        let mut jar = process::command("jar", classes);
        jar.args(["--create", "--file"]).arg(project.join("app.jar"));
        process::run(jar.arg("--manifest").arg(&manifest).arg(sample))?;
    }
    Ok(())
}

fn build(module: &Path, host: &Path, package: &str) -> Result<(), Error> {
    println!("== engine: {package}");
    let mut build = process::command("go", module);
    build
        .args(["build", "-mod=readonly", "-ldflags", "-s -w", "-o"])
        .arg(host);
    process::run(build.arg(package))
}

/// A new folder with the file of a project.
fn project(engine: &Engine, name: &str, language: &str, runtime: &str) -> Result<PathBuf, Error> {
    let folder = engine.folder.join("programs").join(format!("{name}-{language}"));
    fs::create_dir_all(&folder)?;
    let text = format!("name: {name}-{language}\nruntime:\n  {runtime}\n");
    fs::write(folder.join("Pulumi.yaml"), text)?;
    Ok(folder)
}

/// Lines of a manifest have 72 bytes at most; a blank continues the line before.
fn java_manifest(package: &str, class_path: &[PathBuf]) -> Result<String, Error> {
    let mut jars = Vec::new();
    for entry in class_path {
        if entry.ends_with("*") {
            for file in fs::read_dir(entry.with_file_name(""))? {
                jars.push(file?.path());
            }
        } else {
            jars.push(entry.clone());
        }
    }
    jars.sort();
    let urls: Vec<String> = jars
        .iter()
        .map(|jar| format!("file://{}", jar.display()))
        .collect();
    let line = format!("Class-Path: {}", urls.join(" "));
    let bytes: Vec<char> = line.chars().collect();
    let lines: Vec<String> = bytes.chunks(70).map(|part| part.iter().collect()).collect();
    Ok(format!("Main-Class: {package}.App\n{}\n", lines.join("\n ")))
}
