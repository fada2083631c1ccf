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
    /// The platform of `target`, or of this machine.
    pub(super) fn of(target: Option<&str>) -> Result<Self, Error> {
        let target = target.map_or_else(host, |target| Ok(target.to_owned()))?;
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
                target,
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

/// The target triple of this machine.
fn host() -> Result<String, Error> {
    let rustc = process::output(process::command("rustc", root()).arg("-vV"))?;
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("rustc names no host")?.to_owned())
}

/// The variable that sets cargo's linker for the Linux target `target`, and its value: the cross compiler of Debian.
pub(super) fn cross_linker(target: &str) -> Option<(String, String)> {
    let architecture = target.strip_suffix("-unknown-linux-gnu")?;
    let variable = format!("CARGO_TARGET_{}_LINKER", target.to_uppercase().replace('-', "_"));
    Some((variable, format!("{architecture}-linux-gnu-gcc")))
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
        let names = TARGETS.map(|target| Platform::of(Some(target)).unwrap().name('-'));
        assert_eq!(names, expected);
        assert_eq!(
            Platform::of(Some(TARGETS[4])).unwrap().file("netmgr"),
            "netmgr.exe"
        );
        let (variable, linker) = cross_linker(TARGETS[1]).unwrap();
        assert_eq!(variable, "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER");
        assert_eq!(linker, "aarch64-linux-gnu-gcc");
        for target in ["", "riscv64gc-unknown-linux-gnu", "wasm32-unknown-unknown"] {
            assert!(Platform::of(Some(target)).is_err(), "{target}");
        }
    }
}
