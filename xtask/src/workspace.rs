//! The workspace as cargo describes it.

use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Node, NodeDep, Package};

use crate::error::Error;
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
