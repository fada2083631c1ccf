//! Platforms: what programs are built for, and how archives name it.

use std::env::consts;

use crate::Error;

/// A platform that programs are built for.
pub(super) struct Platform {
    /// Its target triple, unless it is the platform of this program.
    target: Option<String>,
    os: String,
    architecture: String,
}

impl Platform {
    /// The platform of `target`, or of this program.
    pub(super) fn of(target: Option<&str>) -> Result<Self, Error> {
        let Some(triple) = target else {
            return Ok(Self::named(None, consts::OS, consts::ARCH));
        };
        let unknown = || format!("{triple} is not a target that the programs are built for");
        let architecture = triple.split('-').next().ok_or_else(unknown)?;
        let os = ["linux", "darwin", "windows"];
        let os = os
            .into_iter()
            .find(|os| triple.contains(os))
            .ok_or_else(unknown)?;
        if !["x86_64", "aarch64"].contains(&architecture) {
            return Err(unknown().into());
        }
        Ok(Self::named(Some(triple), os, architecture))
    }

    /// The platform with these names of Rust.
    fn named(target: Option<&str>, os: &str, architecture: &str) -> Self {
        let os = if os == "macos" { "darwin" } else { os };
        let architecture = match architecture {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => other,
        };
        Self {
            target: target.map(str::to_owned),
            os: os.to_owned(),
            architecture: architecture.to_owned(),
        }
    }

    /// Its target triple, unless it is the platform of this program.
    pub(super) fn target(&self) -> Option<&str> {
        self.target.as_deref()
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
        for (target, name, file) in [
            ("x86_64-unknown-linux-gnu", "linux-amd64", "netmgr"),
            ("aarch64-unknown-linux-gnu", "linux-arm64", "netmgr"),
            ("aarch64-apple-darwin", "darwin-arm64", "netmgr"),
            ("x86_64-pc-windows-msvc", "windows-amd64", "netmgr.exe"),
        ] {
            let platform = Platform::of(Some(target)).unwrap();
            assert_eq!(
                (platform.name('-').as_str(), platform.file("netmgr").as_str()),
                (name, file)
            );
        }
        let linker = (
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER",
            "aarch64-linux-gnu-gcc",
        );
        let found = cross_linker("aarch64-unknown-linux-gnu").unwrap();
        assert_eq!((found.0.as_str(), found.1.as_str()), linker);
        for target in ["", "riscv64gc-unknown-linux-gnu", "wasm32-unknown-unknown"] {
            assert!(Platform::of(Some(target)).is_err(), "{target}");
        }
    }
}
