//! The function folder against the registry: one file per function, and each is registered.

use heck::ToLowerCamelCase as _;

use super::Source;

/// Where the functions live.
const FOLDER: &str = "crates/netmgr-lookups/src/functions/";

/// Names of the registered functions.
pub(super) fn registered() -> Vec<&'static str> {
    netmgr_lookups::ALL.iter().map(|entry| entry.spec.name).collect()
}

/// Files without a function, functions without a file, and files that name another function.
///
/// A file that is not a module cannot register its function, so that the registry contains both.
pub(super) fn findings(files: &[Source], registered: &[&str]) -> Vec<String> {
    let mut findings = Vec::new();
    let mut filed = Vec::new();
    for Source { path, text } in files {
        let Some(stem) = path
            .strip_prefix(FOLDER)
            .and_then(|name| name.strip_suffix(".rs"))
        else {
            continue;
        };
        if stem == "tests" {
            continue;
        }
        let function = stem.to_lower_camel_case();
        if !registered.contains(&function.as_str()) {
            findings.push(format!(
                "{path}: {function} is not registered; add its `mod` and `Entry::of` lines to functions.rs"
            ));
        }
        if !text.contains(&format!("\"{function}\"")) {
            findings.push(format!("{path} does not define \"{function}\""));
        }
        filed.push(function);
    }
    for name in registered {
        if !filed.iter().any(|function| function == name) {
            findings.push(format!(
                "{name} is registered but has no file of its name in {FOLDER}"
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    fn file(stem: &str, text: &str) -> Source {
        source(&format!("{FOLDER}{stem}.rs"), text)
    }

    #[test]
    fn a_file_and_its_registration_match() {
        let files = [file("get_mac_pool", "name: \"getMacPool\""), file("tests", "")];
        assert_eq!(findings(&files, &["getMacPool"]), [""; 0]);
    }

    #[test]
    fn a_file_that_nobody_registered_is_found() {
        let found = findings(&[file("get_mac_pool", "\"getMacPool\"")], &[]);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("getMacPool is not registered"), "{found:?}");
    }

    #[test]
    fn a_function_without_a_file_of_its_name_is_found() {
        let found = findings(&[file("get_mac_pool", "\"getIpPool\"")], &["getIpPool"]);
        assert_eq!(found.len(), 3);
        assert!(found[1].ends_with("does not define \"getMacPool\""), "{found:?}");
        assert!(
            found[2].starts_with("getIpPool is registered but has no file"),
            "{found:?}"
        );
    }
}
