//! Configurations of the provider `nsxt` that `netmgr convert-terraform` converts and reverts. They have the structure of
//! public configurations: which objects are looked up, and how they refer to each other.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::support::{Host, Module, host};

/// The files of a folder, by their names below it.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                files.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    files
}

/// A configuration in a module.
struct Converted {
    module: Module,
    before: BTreeMap<String, String>,
}

impl Converted {
    /// Converts the configuration `name`.
    fn new(host: &'static Host, name: &str) -> Self {
        let module = Module::new(host, "");
        fs::remove_dir_all(module.path("module")).unwrap();
        let before = files(
            &Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("data/terraform")
                .join(name),
        );
        for (name, text) in &before {
            module.write(name, text);
        }
        let converted = Self { module, before };
        converted.convert(&[]);
        converted
    }

    fn convert(&self, options: &[&str]) {
        let mut command = Command::new(self.module.host.built("netmgr"));
        let command = command.arg("convert-terraform").args(options);
        let output = command.arg(self.module.path("module")).output().unwrap();
        let report = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success() && !report.contains("Manual steps"),
            "{report}"
        );
    }

    /// Reverts the conversion, after which the configuration is as before.
    fn revert(&self) {
        let after = files(&self.module.path("module"));
        assert!(
            after.values().any(|text| text.contains("provider = netmgr")),
            "{after:?}"
        );
        self.convert(&["--revert"]);
        assert_eq!(files(&self.module.path("module")), self.before);
    }
}

#[test]
fn configurations_are_converted_and_reverted() {
    let host = host!("configurations_are_converted_and_reverted");
    for name in ["tagged-machines", "supervisor", "federation", "routers"] {
        Converted::new(host, name).revert();
    }
}
