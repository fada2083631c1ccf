//! Platforms: what programs are built for, and how archives name it.

use crate::Error;
use crate::process;
use crate::workspace::root;

/// The targets of a release, each built on a machine of its own.
#[cfg(test)]
pub(super) const TARGETS: [&str; 5] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
];

/// A platform that programs are built for.
pub(super) struct Platform {
    /// Its target triple.
    pub(super) target: String,
    os: &'static str,
    architecture: &'static str,
}

impl Platform {
    /// The platform of this machine.
    pub(super) fn of_this_machine() -> Result<Self, Error> {
        let rustc = process::output(process::command("rustc", root()).arg("-vV"))?;
        let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
        Self::of(host.ok_or("rustc names no host")?)
    }

    /// The platform of `target`.
    pub(super) fn of(target: &str) -> Result<Self, Error> {
        let os = ["linux", "darwin", "windows"]
            .into_iter()
            .find(|os| target.contains(os));
        let architecture = match target.split('-').next() {
            Some("x86_64") => Some("amd64"),
            Some("aarch64") => Some("arm64"),
            _ => None,
        };
        match (os, architecture) {
            (Some(os), Some(architecture)) => Ok(Self {
                target: target.to_owned(),
                os,
                architecture,
            }),
            _ => Err(format!("{target} is not a target that the programs are built for").into()),
        }
    }

    /// The names of the system and the processor, as the engine, Terraform and Go write them, with `separator`.
    pub(super) fn name(&self, separator: char) -> String {
        format!("{}{separator}{}", self.os, self.architecture)
    }

    /// The file of the program `name`.
    pub(super) fn file(&self, name: &str) -> String {
        let suffix = if self.os == "windows" { ".exe" } else { "" };
        format!("{name}{suffix}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_have_the_names_of_archives() {
        let expected = [
            "linux-amd64",
            "linux-arm64",
            "darwin-amd64",
            "darwin-arm64",
            "windows-amd64",
        ];
        let names = TARGETS.map(|target| Platform::of(target).unwrap().name('-'));
        assert_eq!(names, expected);
        assert_eq!(Platform::of(TARGETS[4]).unwrap().file("netmgr"), "netmgr.exe");
        for target in ["", "riscv64gc-unknown-linux-gnu", "wasm32-unknown-unknown"] {
            assert!(Platform::of(target).is_err(), "{target}");
        }
    }
}
