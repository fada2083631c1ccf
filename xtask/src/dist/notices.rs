//! The licences of everything that is linked into a program, as one text for its archive.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use cargo_metadata::Package;

use super::platform::Platform;
use crate::Error;
use crate::workspace;

/// Name of the text in archives.
pub(super) const FILE: &str = "THIRD-PARTY-LICENSES.txt";

/// First letters of the files that contain licences and notices, in capitals.
const NAMES: [&str; 6] = [
    "LICENSE",
    "LICENCE",
    "COPYING",
    "COPYRIGHT",
    "NOTICE",
    "UNLICENSE",
];

/// The text of the MIT licence, for packages that do not contain it.
const MIT: &str = "\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.";

/// The licences of the packages that are linked into the program of a crate on `platform`, each text once, and of Rust
/// itself.
pub(super) fn text(root: &Path, krate: &str, platform: &Platform) -> Result<String, Error> {
    let mut linked = workspace::linked(root, krate, platform.target())?;
    linked.retain(|package| package.source.is_some());
    linked.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    let mut overview = String::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in &linked {
        let Package {
            name,
            version,
            license,
            ..
        } = package;
        let license = license
            .as_deref()
            .ok_or_else(|| format!("{name} names no licence"))?;
        writeln!(overview, "{name} {version}: {license}{}", authors(package))?;
        let mut found = files(package)?;
        if found.is_empty() {
            found.push(standard(root, package)?);
        }
        for text in found {
            texts.entry(text).or_default().push(format!("{name} {version}"));
        }
    }
    let rust = format!("Copyright (c) The Rust Project Contributors\n\n{MIT}");
    texts
        .entry(rust)
        .or_default()
        .push("the standard library of Rust".to_owned());
    let mut whole = format!(
        "This binary contains the following packages. Their licences are listed with them, and the texts of the licences follow.\n\n{overview}"
    );
    let mut sections: Vec<_> = texts
        .into_iter()
        .map(|(text, packages)| (packages.join(", "), text))
        .collect();
    sections.sort();
    for (packages, text) in sections {
        write!(whole, "\n{}\n{packages}\n\n{text}\n", "-".repeat(80))?;
    }
    Ok(whole)
}

/// The authors, who hold the copyright where no file names anyone.
fn authors(package: &Package) -> String {
    if package.authors.is_empty() {
        return String::new();
    }
    format!(" ({})", package.authors.join(", "))
}

/// The text of the licence of a package that contains none.
fn standard(root: &Path, package: &Package) -> Result<String, Error> {
    let Package { name, authors, .. } = package;
    let license = package.license.as_deref().unwrap_or_default();
    if license.contains("MIT") {
        let holders = match authors.is_empty() {
            true => format!("the authors of {name}"),
            false => authors.join(", "),
        };
        return Ok(format!("Copyright (c) {holders}\n\n{MIT}"));
    }
    if license.contains("Apache-2.0") {
        // The licence of this project.
        return Ok(fs::read_to_string(root.join("LICENSE"))?.trim().to_owned());
    }
    Err(format!("{name} contains no text of its licence {license}").into())
}

/// The licence files of a package, without blank lines at their ends.
fn files(package: &Package) -> Result<Vec<String>, Error> {
    let folder = package
        .manifest_path
        .parent()
        .ok_or("a manifest lies in a folder")?;
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if entry.file_type()?.is_file() && NAMES.iter().any(|start| name.starts_with(start)) {
            let text = String::from_utf8_lossy(&fs::read(entry.path())?).replace("\r\n", "\n");
            texts.push(text.trim_matches('\n').trim_end().to_owned());
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn an_archive_names_the_licence_of_every_package_and_has_each_text_once() {
        let platform = Platform::of(None).unwrap();
        let text = text(crate::workspace::root(), "netmgr-plugin", &platform).unwrap();
        let (overview, texts) = text.split_once("----\n").unwrap();
        for package in ["serde 1.", "ring 0.", "tokio 1."] {
            let line = overview.lines().find(|line| line.starts_with(package)).unwrap();
            assert!(line.contains("MIT") || line.contains("Apache-2.0"), "{line}");
            assert!(texts.contains(package), "{package} has no text");
        }
        assert!(!overview.contains("netmgr-lookups"));
        let sections: Vec<_> = texts.split(&"-".repeat(80)).collect();
        let bodies = sections.iter().map(|section| {
            section
                .trim_start_matches(['-', '\n'])
                .split_once("\n\n")
                .unwrap()
                .1
        });
        let distinct: BTreeSet<_> = bodies.collect();
        assert_eq!(distinct.len(), sections.len());
    }
}
