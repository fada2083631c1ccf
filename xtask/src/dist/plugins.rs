//! The plugins: archives as the engine takes them from a file or a download address.
//!
//! The archive's name and content are those of the engine's plugins. What `pulumi package publish` and the
//! public registry look for is in the archive too: README, schema, pages (decision schemas).

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::archive::{append, gzipped, write_checksum};
use super::notices;
use super::platform::Platform;
use crate::Error;
use crate::engine::{CLUSTERPKG, NETMGR, Package};

/// A plugin and the package it is for.
pub(super) struct Plugin {
    /// Crate that builds it.
    pub(super) krate: &'static str,
    pub(super) package: &'static Package,
}

pub(super) const PLUGINS: &[Plugin] = &[
    Plugin {
        krate: "netmgr-plugin",
        package: &NETMGR,
    },
    Plugin {
        krate: "clusterpkg-components",
        package: &CLUSTERPKG,
    },
];

/// The members of a package schema that name the archive.
#[derive(Deserialize)]
struct Manifest {
    name: String,
    version: String,
}

impl Plugin {
    /// Archives the plugin, with a checksum next to the archive.
    pub(super) fn archive(
        &self,
        root: &Path,
        programs: &Path,
        platform: &Platform,
        out: &Path,
    ) -> Result<PathBuf, Error> {
        let schema = fs::read(root.join(self.package.schema))?;
        let Manifest { name, version } = serde_json::from_slice(&schema)?;
        let plugin = format!("pulumi-resource-{name}");
        let program = platform.file(&plugin);
        let binary = fs::read(programs.join(&program))?;
        let pages = root.join("docs/registry").join(&name);
        let index = fs::read_to_string(pages.join("_index.md"))?;

        let name = format!("{plugin}-v{version}-{}.tar.gz", platform.name('-'));
        let archive = out.join(&name);
        let mut tar = gzipped(&archive)?;
        append(&mut tar, &program, 0o755, &binary)?;
        append(&mut tar, "LICENSE", 0o644, &fs::read(root.join("LICENSE"))?)?;
        append(
            &mut tar,
            notices::FILE,
            0o644,
            notices::text(root, self.krate, platform)?.as_bytes(),
        )?;
        append(&mut tar, "README.md", 0o644, readme(&index).as_bytes())?;
        append(&mut tar, "docs/_index.md", 0o644, index.as_bytes())?;
        let installation = "installation-configuration.md";
        let page = fs::read(pages.join(installation))?;
        append(&mut tar, &format!("docs/{installation}"), 0o644, &page)?;
        append(&mut tar, "schema.json", 0o644, &schema)?;
        tar.into_inner()?.finish()?;
        write_checksum(&archive)?;
        Ok(archive)
    }
}

/// The index page of the registry as a README: without front matter and shortcodes, with its title.
fn readme(index: &str) -> String {
    let (front, body) = index
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .unwrap_or(("", index));
    let title = front.lines().find_map(|line| line.strip_prefix("title: "));
    let title = title.unwrap_or_default().trim_matches('"');
    let mut text = format!("# {title}\n");
    let mut was_empty = false;
    for line in body.lines().filter(|line| !line.starts_with("{{")) {
        // Lines of shortcodes leave empty ones around them.
        if !(line.is_empty() && was_empty) {
            text.push_str(line);
            text.push('\n');
        }
        was_empty = line.is_empty();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn publishing_the_readme_is_the_index_page_without_the_registrys_own_marks() {
        let index = "---\n# Generated\ntitle: \"A: B\"\nlayout: package\n---\n\nText.\n\n{{< chooser >}}\n\n\
                     {{% choosable language go %}}\n\n```go\n{}\n```\n\n{{% /choosable %}}\n\n{{< /chooser >}}\n";
        assert_eq!(readme(index), "# A: B\n\nText.\n\n```go\n{}\n```\n\n");
    }
}
