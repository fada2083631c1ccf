//! The archives of programs: the command line with completions and manual pages, the plugins as the engine takes them from
//! a file or an address, and the provider as registries and mirrors of Terraform take it.
//!
//! Each is made from a folder, which stays, because `cargo deb` packs the files of the command line.

use std::fs;
use std::path::{Path, PathBuf};

use super::VERSION;
use super::archive;
use super::platform::Platform;
use crate::Error;
use crate::process;

/// Crate of the command line.
pub(super) const COMMAND_LINE: &str = "netmgr-cli";
/// Crate of the provider, and its program.
pub(super) const PROVIDER: &str = "terraform-provider-netmgr";

/// A plugin of the engine.
pub(super) struct Plugin {
    pub(super) krate: &'static str,
    /// Name of its package.
    package: &'static str,
}

pub(super) const PLUGINS: &[Plugin] = &[
    Plugin {
        krate: "netmgr-plugin",
        package: "netmgr",
    },
    Plugin {
        krate: "clusterpkg-components",
        package: "clusterpkg",
    },
];

/// Shells with completions, each with the name of its file.
const SHELLS: [(&str, &str); 4] = [
    ("bash", "netmgr.bash"),
    ("zsh", "_netmgr"),
    ("fish", "netmgr.fish"),
    ("powershell", "_netmgr.ps1"),
];

/// Name of the archive of the command line.
pub(super) fn command_line_archive(platform: &str) -> String {
    format!("netmgr-v{VERSION}-{platform}.tar.gz")
}

/// Name of the archive of the provider. `platform` has an underscore.
fn provider_archive(platform: &str) -> String {
    format!("{PROVIDER}_{VERSION}_{platform}.zip")
}

/// The inputs of archives.
pub(super) struct Packages<'a> {
    pub(super) root: &'a Path,
    /// Folder of the programs.
    pub(super) programs: PathBuf,
    pub(super) platform: Platform,
    /// Whether archives contain the licences of dependencies.
    pub(super) licences: bool,
    /// Folder to write to.
    pub(super) out: &'a Path,
}

impl Packages<'_> {
    /// The command line, with its completions and manual pages.
    pub(super) fn command_line(&self) -> Result<(), Error> {
        let readme = fs::read_to_string(self.root.join("crates/netmgr-cli/README.md"))?;
        let program = self.platform.file("netmgr");
        let folder = self.folder("netmgr", COMMAND_LINE, [&program, &program], &readme)?;
        let netmgr = || process::command(folder.join(&program), self.root);
        let (completions, pages) = (folder.join("completions"), folder.join("man/man1"));
        fs::create_dir_all(&completions)?;
        fs::create_dir_all(&pages)?;
        for (shell, file) in SHELLS {
            let script = process::output(netmgr().args(["completions", shell]))?;
            fs::write(completions.join(file), script)?;
        }
        process::output(netmgr().args(["man", "--dir"]).arg(&pages))?;
        self.tar(&folder, &command_line_archive(&self.platform.name('-')))
    }

    /// A plugin, with what `pulumi package publish` and the public registry look for: README, schema, pages.
    pub(super) fn plugin(&self, Plugin { krate, package }: &Plugin) -> Result<(), Error> {
        let pages = self.root.join("docs/registry").join(package);
        let name = format!("pulumi-resource-{package}");
        let program = self.platform.file(&name);
        let readme = readme(&fs::read_to_string(pages.join("_index.md"))?);
        let folder = self.folder(&name, krate, [&program, &program], &readme)?;
        fs::create_dir(folder.join("docs"))?;
        for page in ["_index.md", "installation-configuration.md"] {
            fs::copy(pages.join(page), folder.join("docs").join(page))?;
        }
        let schema = self.root.join(format!("schema/{package}.package.json"));
        fs::copy(schema, folder.join("schema.json"))?;
        self.tar(
            &folder,
            &format!("{name}-v{VERSION}-{}.tar.gz", self.platform.name('-')),
        )
    }

    /// The provider, whose checksum is in its index.
    pub(super) fn provider(&self) -> Result<PathBuf, Error> {
        let readme = fs::read_to_string(self.root.join("crates/terraform-provider-netmgr/README.md"))?;
        let program = [PROVIDER, &format!("{PROVIDER}_v{VERSION}")].map(|name| self.platform.file(name));
        let folder = self.folder(
            "terraform/provider",
            PROVIDER,
            program.each_ref().map(String::as_str),
            &readme,
        )?;
        let archive = self
            .out
            .join("terraform")
            .join(provider_archive(&self.platform.name('_')));
        archive::write(&folder, &archive)?;
        Ok(archive)
    }

    /// The folder `name` with a program, which has another name there than where it was built, and its licences.
    fn folder(&self, name: &str, krate: &str, program: [&str; 2], readme: &str) -> Result<PathBuf, Error> {
        let folder = self.out.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let [built, packed] = program;
        fs::copy(self.programs.join(built), folder.join(packed))?;
        fs::copy(self.root.join("LICENSE"), folder.join("LICENSE"))?;
        fs::write(folder.join("README.md"), readme)?;
        if self.licences {
            // No template of codegen: it is for the tool.
            let mut about = process::command("cargo", self.root);
            about.args([
                "about",
                "generate",
                "--locked",
                "--offline",
                "--config",
                "xtask/about/about.toml",
            ]);
            about.args(["--target", &self.platform.target, "--manifest-path"]);
            about
                .arg(format!("crates/{krate}/Cargo.toml"))
                .arg("--output-file");
            about
                .arg(folder.join("THIRD-PARTY-LICENSES.txt"))
                .arg("xtask/about/licences.hbs");
            process::run(&mut about).map_err(|error| {
                format!(
                    "{error}; release.yml installs cargo-about, and --without-licences leaves licences out"
                )
            })?;
        }
        Ok(folder)
    }

    /// An archive with its checksum next to it.
    fn tar(&self, folder: &Path, name: &str) -> Result<(), Error> {
        let archive = self.out.join(name);
        archive::write(folder, &archive)?;
        let checksum = archive::checksum_line(&archive)?;
        Ok(fs::write(self.out.join(format!("{name}.sha256")), checksum)?)
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
    use super::super::platform::TARGETS;
    use super::*;
    use crate::workspace;

    #[test]
    fn the_readme_is_the_index_page_without_the_registrys_own_marks() {
        let index = "---\n# Generated\ntitle: \"A: B\"\nlayout: package\n---\n\nText.\n\n{{< chooser >}}\n\n\
                     {{% choosable language go %}}\n\n```go\n{}\n```\n\n{{% /choosable %}}\n\n{{< /chooser >}}\n";
        assert_eq!(readme(index), "# A: B\n\nText.\n\n```go\n{}\n```\n\n");
    }

    /// cargo-binstall downloads what the metadata of a crate names.
    #[test]
    fn binstall_finds_the_archives() {
        let crates = workspace::read(workspace::root()).unwrap().packages;
        for (krate, separator, archive, program) in [
            (
                COMMAND_LINE,
                '-',
                command_line_archive as fn(&str) -> String,
                "{ bin }{ binary-ext }",
            ),
            (
                PROVIDER,
                '_',
                provider_archive,
                "{ bin }_v{ version }{ binary-ext }",
            ),
        ] {
            let package = crates.iter().find(|package| *package.name == krate).unwrap();
            let metadata = &package.metadata["binstall"];
            assert_eq!(metadata["bin-dir"], program, "{krate}");
            for target in TARGETS {
                let platform = Platform::of(target).unwrap().name(separator);
                let address = format!(
                    "{{ repo }}/releases/download/v{{ version }}/{}",
                    archive(&platform)
                );
                let address = address.replace(VERSION, "{ version }");
                assert_eq!(metadata["overrides"][target]["pkg-url"], address, "{krate}");
            }
        }
    }
}
