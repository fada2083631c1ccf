//! The minimum Rust version that the manifests promise.
//!
//! Clippy compares our own code with it (`incompatible_msrv`); here are the dependencies.

use super::metadata::Locked;

/// Packages of the lock file that need a later Rust than `promised`.
pub(super) fn findings(promised: &str, packages: &[Locked]) -> Vec<String> {
    let too_new = packages.iter().filter_map(|package| {
        let needed = package.rust_version.as_deref()?;
        (numbers(needed) > numbers(promised)).then(|| {
            let Locked { name, version, .. } = package;
            format!("{name} {version} needs Rust {needed}, but rust-version is {promised}")
        })
    });
    too_new.collect()
}

/// The parts of a version, so that 1.9 is below 1.88 and 1.88 equals 1.88.0.
fn numbers(version: &str) -> [u64; 3] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locked(rust_version: Option<&str>) -> Locked {
        Locked {
            name: "a".to_owned(),
            version: "2.0.0".to_owned(),
            rust_version: rust_version.map(str::to_owned),
        }
    }

    #[test]
    fn a_dependency_that_needs_a_later_rust_is_found() {
        let found = |needed| findings("1.88", &[locked(needed)]);
        for needed in [None, Some("1.9"), Some("1.88"), Some("1.88.0")] {
            assert!(found(needed).is_empty(), "{needed:?}");
        }
        for needed in ["1.88.1", "1.89", "2.0"] {
            let expected = format!("a 2.0.0 needs Rust {needed}, but rust-version is 1.88");
            assert_eq!(found(Some(needed)), [expected]);
        }
    }
}
