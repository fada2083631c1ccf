//! The binaries under test, which are built first if necessary.

use std::path::PathBuf;
use std::sync::Once;

use super::sources::root;
use crate::engine::support::{are_built, cargo, target};

/// A binary of a package of the workspace.
pub(super) fn program(package: &str, name: &str) -> PathBuf {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        if are_built() {
            return;
        }
        let packages = [
            "netmgr-cli",
            "netmgr-plugin",
            "clusterpkg-components",
            "terraform-provider-netmgr",
        ];
        assert!(
            packages.contains(&package),
            "{package} is not in the list of packages"
        );
        let packages = packages.iter().flat_map(|package| ["--package", package]);
        let built = cargo(&root())
            .args(["build", "--quiet", "--bins"])
            .args(packages)
            .status();
        assert!(built.unwrap().success(), "the binaries cannot be built");
    });
    target().join(name)
}
