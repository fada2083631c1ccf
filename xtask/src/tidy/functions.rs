//! Compares the folder of functions with the registry: a function in a separate file is registered under its name.

use heck::ToLowerCamelCase as _;

use super::TextFile;

/// The folder of the functions.
const FOLDER: &str = "crates/netmgr-lookups/src/functions/";

/// Names of the registered functions.
pub(super) fn registered() -> Vec<&'static str> {
    netmgr_lookups::ALL.iter().map(|entry| entry.spec.name).collect()
}

/// Files whose function is not registered, and files that name another function. Other files declare the functions of
/// a subject.
pub(super) fn findings(files: &[TextFile], registered: &[&str]) -> Vec<String> {
    let mut findings = Vec::new();
    for TextFile { path, text } in files {
        let Some(stem) = path
            .strip_prefix(FOLDER)
            .and_then(|name| name.strip_suffix(".rs"))
            .filter(|stem| stem.starts_with("get_"))
        else {
            continue;
        };
        let function = stem.to_lower_camel_case();
        if !registered.contains(&function.as_str()) {
            findings.push(format!(
                "{path}: {function} is not registered; add its `mod` line to functions.rs and its entry to the list of its subject"
            ));
        }
        if !text.contains(&format!("\"{function}\"")) {
            findings.push(format!("{path} does not define \"{function}\""));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    fn file(stem: &str, text: &str) -> TextFile {
        source(&format!("{FOLDER}{stem}.rs"), text)
    }

    #[test]
    fn a_file_and_its_registration_match() {
        let files = [file("get_mac_pool", "name: \"getMacPool\""), file("system", "")];
        assert_eq!(findings(&files, &["getMacPool"]), [""; 0]);
    }

    #[test]
    fn a_file_that_is_not_registered_is_found() {
        let found = findings(&[file("get_mac_pool", "\"getMacPool\"")], &[]);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("getMacPool is not registered"), "{found:?}");
    }

    #[test]
    fn a_file_with_another_function_is_found() {
        let found = findings(&[file("get_mac_pool", "\"getIpPool\"")], &["getMacPool"]);
        assert_eq!(found.len(), 1);
        assert!(found[0].ends_with("does not define \"getMacPool\""), "{found:?}");
    }
}
