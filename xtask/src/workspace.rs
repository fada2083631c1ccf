//! The workspace as cargo describes it.

use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Node, NodeDep, Package};

use crate::Error;
use crate::process;

/// The folder of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the crate lies in the workspace's folder")
}

/// The crates of the workspace, without other packages.
pub(crate) fn read(root: &Path) -> Result<Metadata, Error> {
    Ok(command(root).no_deps().exec()?)
}

/// The packages that are linked into the program of a crate on the platform `target`, or on this one.
pub(crate) fn linked(root: &Path, krate: &str, target: Option<&str>) -> Result<Vec<Package>, Error> {
    let target = match target {
        Some(target) => target.to_owned(),
        None => host(root)?,
    };
    let mut options = OPTIONS.map(str::to_owned).to_vec();
    options.extend(["--filter-platform".to_owned(), target]);
    let metadata = command(root).other_options(options).exec()?;
    let resolve = metadata.resolve.as_ref().ok_or("cargo resolves no packages")?;
    let member = metadata
        .workspace_packages()
        .into_iter()
        .find(|package| *package.name == krate);
    let mut open = vec![&member.ok_or_else(|| format!("there is no crate {krate}"))?.id];
    let mut linked: Vec<&Node> = Vec::new();
    while let Some(id) = open.pop() {
        if linked.iter().all(|node| node.id != *id) {
            linked.push(&resolve[id]);
            let below = resolve[id].deps.iter().filter(|dependency| is_linked(dependency));
            open.extend(below.map(|dependency| &dependency.pkg));
        }
    }
    Ok(linked
        .into_iter()
        .map(|node| metadata[&node.id].clone())
        .collect())
}

/// The target triple of this machine.
fn host(root: &Path) -> Result<String, Error> {
    let rustc = process::output(process::command("rustc", root).arg("-vV"))?;
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("rustc names no host")?.to_owned())
}

/// Whether a dependency is linked, and not only used by tests or build scripts.
fn is_linked(dependency: &NodeDep) -> bool {
    dependency
        .dep_kinds
        .iter()
        .any(|kind| kind.kind == DependencyKind::Normal)
}

const OPTIONS: [&str; 2] = ["--locked", "--offline"];

fn command(root: &Path) -> MetadataCommand {
    let mut command = MetadataCommand::new();
    command
        .current_dir(root)
        .other_options(OPTIONS.map(str::to_owned));
    command
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A workspace of its own, because nothing has downloaded the packages that ours links elsewhere.
    #[test]
    fn the_packages_of_another_platform_are_those_that_it_links() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let everywhere = "[dependencies]\nshared = { path = \"shared\" }\n";
        let elsewhere = "[target.'cfg(windows)'.dependencies]\nwindows = { path = \"windows\" }\n";
        let tests = "[dev-dependencies]\ntests = { path = \"tests\" }\n";
        let members = ["program", "shared", "windows", "tests"];
        let mut lock = "version = 4\n".to_owned();
        for name in members {
            let (path, dependencies) = match name {
                "program" => (
                    root.to_owned(),
                    format!("{everywhere}{elsewhere}{tests}[workspace]\n"),
                ),
                _ => (root.join(name), String::new()),
            };
            fs::create_dir_all(path.join("src")).unwrap();
            fs::write(path.join("src/lib.rs"), "").unwrap();
            let package = format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"2024\"\n");
            fs::write(path.join("Cargo.toml"), package + &dependencies).unwrap();
            lock += &format!("[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n");
            if name == "program" {
                lock += "dependencies = [\"shared\", \"tests\", \"windows\"]\n";
            }
        }
        fs::write(root.join("Cargo.lock"), lock).unwrap();
        let names = |target| {
            let linked = linked(root, "program", Some(target)).unwrap();
            let mut names: Vec<String> = linked.iter().map(|package| package.name.to_string()).collect();
            names.sort();
            names
        };
        assert_eq!(names("x86_64-unknown-linux-gnu"), ["program", "shared"]);
        assert_eq!(names("x86_64-pc-windows-gnu"), ["program", "shared", "windows"]);
    }
}
