//! The binaries under test, and the chores.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// The packages of the binaries.
const PACKAGES: [&str; 5] = [
    "netmgr-cli",
    "netmgr-plugin",
    "clusterpkg-components",
    "pulumi-resource-events",
    "terraform-provider-netmgr",
];
/// The binaries; the last one is an example of another package.
const BINARIES: [&str; 6] = [
    "netmgr",
    "pulumi-resource-netmgr",
    "pulumi-resource-clusterpkg",
    "pulumi-resource-events",
    "terraform-provider-netmgr",
    "examples/terraform-provider-example",
];

/// The files and folders of the workspace that the binaries depend on.
const SOURCES: [&str; 5] = ["Cargo.toml", "Cargo.lock", "crates", "examples", "schema"];

/// A binary under test.
pub(crate) fn program(name: &str) -> PathBuf {
    programs().join(name)
}

/// The folder of the binaries under test. They are built first, unless `cargo test --workspace` has built them.
pub(crate) fn programs() -> &'static Path {
    static PROGRAMS: OnceLock<PathBuf> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let folder = target();
        if !BINARIES
            .iter()
            .all(|name| is_current(&folder.join(name), &SOURCES))
        {
            let packages = PACKAGES.iter().flat_map(|package| ["--package", package]);
            build(packages.chain(["--bins"]));
            build(["--package", "terraform-plugin", "--examples"].into_iter());
        }
        folder
    })
}

/// A chore of the workspace.
pub(crate) fn xtask() -> Command {
    let built = target().join("xtask");
    if is_current(&built, &[&SOURCES[..], &["xtask"]].concat()) {
        let mut xtask = Command::new(built);
        xtask.current_dir(root());
        return xtask;
    }
    let mut xtask = cargo();
    xtask.arg("xtask");
    xtask
}

/// The workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn build<'a>(what: impl Iterator<Item = &'a str>) {
    let built = cargo().args(["build", "--quiet"]).args(what).status();
    assert!(built.unwrap().success(), "the binaries cannot be built");
}

/// Cargo, in the workspace.
fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    // The variables that cargo sets for tests of this crate would make build scripts that look at it run again.
    let own = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars().filter(|(name, _)| own(name)) {
        cargo.env_remove(name);
    }
    cargo
}

/// The folder of cargo's output, above the folder of this test's executable.
fn target() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    tests.ancestors().nth(2).unwrap().to_path_buf()
}

/// Whether a binary is newer than every file in `places`. Then it is not built again, because that would resolve the
/// features of dependencies for fewer packages and compile them once more.
fn is_current(binary: &Path, places: &[&str]) -> bool {
    let newest = places.iter().map(|place| newest(&root().join(place))).max();
    binary
        .metadata()
        .is_ok_and(|metadata| metadata.modified().ok() > newest)
}

/// When the newest file below `place` was changed, without tests.
fn newest(place: &Path) -> SystemTime {
    if !place.is_dir() {
        return place.metadata().unwrap().modified().unwrap();
    }
    let entries = place.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let entries = entries.filter(|path| !path.ends_with("tests") && !path.ends_with("benches"));
    entries
        .map(|path| newest(&path))
        .max()
        .unwrap_or(SystemTime::UNIX_EPOCH)
}
