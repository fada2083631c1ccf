//! Files about the archives of all platforms: the Homebrew formula, and the manifest, checksums and pages of the provider.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::VERSION;
use super::archive::{self, checksum_line, sha256};
use super::packages::{PROVIDER, command_line_archive};
use crate::Error;
use crate::release::Release;
use crate::templates::Templates;

/// Platforms of Homebrew: the blocks of a formula, and the names of platforms in archives.
const PLATFORMS: [[&str; 3]; 4] = [
    ["on_macos", "on_arm", "darwin-arm64"],
    ["on_macos", "on_intel", "darwin-amd64"],
    ["on_linux", "on_arm", "linux-arm64"],
    ["on_linux", "on_intel", "linux-amd64"],
];

/// Writes the formula for all archives of the command line in `out`. Without a published release, it takes them from its
/// own folder.
pub(super) fn formula(release: &Release, out: &Path) -> Result<(), Error> {
    let mut archives = Vec::new();
    for [system, processor, platform] in PLATFORMS {
        let name = command_line_archive(platform);
        if let Ok(archive) = fs::read(out.join(&name)) {
            let checksum = sha256(&archive);
            archives.push(
                json!({ "system": system, "processor": processor, "name": name, "checksum": checksum }),
            );
        }
    }
    let view = json!({
        "version": VERSION, "licence": env!("CARGO_PKG_LICENSE"), "repository": release.repository(), "archives": archives,
    });
    Ok(fs::write(
        out.join("netmgr.rb"),
        Templates::new()?.render("dist/netmgr.rb", view)?,
    )?)
}

/// Writes what registries of Terraform read beside the archives in `out/terraform`. They also want a signature of the
/// checksums, which `docs/terraform.md` describes.
pub(super) fn terraform(root: &Path, out: &Path) -> Result<(), Error> {
    let folder = out.join("terraform");
    let name = |end: &str| format!("{PROVIDER}_{VERSION}_{end}");
    // Registries assume protocol 5 without the manifest.
    let manifest = root.join("crates/terraform-provider-netmgr/terraform-registry-manifest.json");
    fs::create_dir_all(&folder)?;
    fs::copy(manifest, folder.join(name("manifest.json")))?;
    let (from, mut pages) = (root.join("docs/registry/terraform"), Vec::new());
    archive::list(&from, &mut pages)?;
    for page in pages {
        let copy = folder.join("docs").join(page.strip_prefix(&from)?);
        fs::create_dir_all(copy.parent().ok_or("a page lies in a folder")?)?;
        fs::copy(&page, copy)?;
    }
    let mut sums = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let file = entry?.path();
        let listed = file
            .file_name()
            .and_then(|file| file.to_str())
            .unwrap_or_default();
        if listed.starts_with(&name("")) && (listed.ends_with(".zip") || listed.ends_with("manifest.json")) {
            sums.push((listed.to_owned(), checksum_line(&file)?));
        }
    }
    sums.sort();
    let sums: String = sums.into_iter().map(|(_, line)| line).collect();
    Ok(fs::write(folder.join(name("SHA256SUMS")), sums)?)
}

#[cfg(test)]
mod tests {
    use super::super::packages::Packages;
    use super::super::platform::Platform;
    use super::*;
    use crate::release::sample;
    use crate::workspace::root;

    #[test]
    fn the_formula_has_the_archives_that_there_are() {
        let folder = tempfile::tempdir().unwrap();
        for platform in ["linux-amd64", "darwin-arm64"] {
            fs::write(folder.path().join(command_line_archive(platform)), platform).unwrap();
        }
        for (published, address) in [
            (
                true,
                format!(
                    "https://github.com/acme/tools/releases/download/v{VERSION}/netmgr-v{VERSION}-linux-amd64.tar.gz"
                ),
            ),
            (
                false,
                format!("file://#{{__dir__}}/netmgr-v{VERSION}-linux-amd64.tar.gz"),
            ),
        ] {
            formula(&sample(published), folder.path()).unwrap();
            let text = fs::read_to_string(folder.path().join("netmgr.rb")).unwrap();
            let block = format!("  on_linux do\n    on_intel do\n      url \"{address}\"\n");
            assert!(text.contains(&block), "{text}");
            assert!(
                text.contains(&format!("sha256 \"{}\"", sha256(b"darwin-arm64"))),
                "{text}"
            );
            assert_eq!(text.matches("sha256 ").count(), 2);
            assert_eq!(
                text.contains("homepage \"https://github.com/acme/tools\""),
                published,
                "{text}"
            );
        }
    }

    #[test]
    fn a_release_has_the_names_and_the_layout_that_registries_want() {
        let folder = tempfile::tempdir().unwrap();
        let platform = Platform::of_this_machine().unwrap();
        fs::write(folder.path().join(platform.file(PROVIDER)), "program").unwrap();
        let packages = Packages {
            root: root(),
            programs: folder.path().to_owned(),
            platform,
            licences: false,
            out: folder.path(),
        };
        let archive = packages.provider().unwrap();
        let zip = zip::ZipArchive::new(fs::File::open(&archive).unwrap()).unwrap();
        let program = packages.platform.file(&format!("{PROVIDER}_v{VERSION}"));
        assert_eq!(
            zip.file_names()
                .map(|name| name.unwrap().into_owned())
                .collect::<Vec<_>>(),
            ["LICENSE", "README.md", &program]
        );

        let terraform_folder = folder.path().join("terraform");
        // The archive of another machine.
        let other = format!("{PROVIDER}_{VERSION}_plan9_amd64.zip");
        fs::write(terraform_folder.join(&other), "other").unwrap();
        terraform(root(), folder.path()).unwrap();
        let read = |name: &str| fs::read_to_string(terraform_folder.join(name)).unwrap();
        let sums = read(&format!("{PROVIDER}_{VERSION}_SHA256SUMS"));
        let names: Vec<_> = sums
            .lines()
            .map(|line| line.split_once("  ").unwrap().1)
            .collect();
        let manifest = format!("{PROVIDER}_{VERSION}_manifest.json");
        assert_eq!(
            names,
            [archive.file_name().unwrap().to_str().unwrap(), &manifest, &other]
        );
        let manifest: serde_json::Value = serde_json::from_str(&read(&manifest)).unwrap();
        assert_eq!(manifest["metadata"]["protocol_versions"][0], "6.0");
        assert!(read("docs/index.md").contains("# netmgr Provider"));
        assert!(read("docs/data-sources/ip_pool.md").contains("page_title"));
    }
}
