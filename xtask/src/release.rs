//! The place where the project is published. Two settings of the workspace's Cargo.toml decide: `repository`, and
//! `[workspace.metadata.release]`, which states whether the repository is public yet.
//!
//! Everything else follows from it: names of SDKs, download addresses, links (decision schemas).

use std::path::Path;

use serde::Serialize;

use crate::Error;
use crate::workspace;

/// The place where the project is published.
#[derive(Debug, Clone)]
pub(crate) struct Release {
    /// Address of the repository, without a slash at its end.
    repository: String,
    /// Whether the repository exists, with releases that hold what `cargo xtask dist` builds.
    published: bool,
}

impl Release {
    /// The settings of the workspace in `root`.
    ///
    /// # Errors
    ///
    /// A setting is missing, or the repository is not of the form `https://host/owner/name`.
    pub(crate) fn read(root: &Path) -> Result<Self, Error> {
        let metadata = workspace::read(root)?.workspace_metadata;
        let published = metadata["release"]["published"].as_bool();
        let published = published.ok_or("Cargo.toml does not state whether the project is published")?;
        // Cargo gives every crate the repository of the workspace.
        Self::new(env!("CARGO_PKG_REPOSITORY"), published)
    }

    /// A release of the project in `repository`.
    ///
    /// # Errors
    ///
    /// The repository is not of the form `https://host/owner/name`.
    pub(crate) fn new(repository: &str, published: bool) -> Result<Self, Error> {
        let release = Self {
            repository: repository.trim_end_matches('/').to_owned(),
            published,
        };
        let parts: Vec<_> = release.path().split('/').collect();
        let is_slug = |part: &str| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        match parts[..] {
            [host, owner, name] if host.contains('.') && is_slug(owner) && is_slug(name) => Ok(release),
            _ => {
                Err(format!("the repository {repository} is not of the form https://host/owner/name").into())
            }
        }
    }

    /// The repository without its scheme, as Go imports it.
    pub(crate) fn path(&self) -> &str {
        self.repository.trim_start_matches("https://")
    }

    /// The publisher in addresses of registries: the owner of the repository.
    pub(crate) fn publisher(&self) -> &str {
        self.path().split('/').nth(1).unwrap_or_default()
    }

    /// Address of the repository, once it is published.
    pub(crate) fn repository(&self) -> Option<&str> {
        self.published.then_some(self.repository.as_str())
    }

    /// The address from which the engine downloads published plugins: the releases of the repository.
    pub(crate) fn downloads(&self) -> Option<String> {
        let repository = self.repository()?;
        Some(match self.path().strip_prefix("github.com/") {
            Some(slug) => format!("github://api.github.com/{slug}"),
            None => format!("{repository}/releases/download/v${{VERSION}}"),
        })
    }

    /// Root of the Go modules of SDKs.
    pub(crate) fn go_root(&self) -> String {
        format!("{}/sdk/go", self.path())
    }

    /// Root of the namespaces of .NET SDKs. No package is called so: a namespace that repeats the one
    /// around it hides that one.
    pub(crate) fn dotnet_root(&self) -> String {
        let (first, rest) = self.publisher().split_at(1);
        format!("{}{}Pulumi", first.to_uppercase(), rest.replace('-', ""))
    }

    /// Root of the packages of Java SDKs, in the form that Maven Central accepts for the host.
    pub(crate) fn java_root(&self) -> String {
        let host = self.path().split('/').next().unwrap_or_default();
        let domain = match host {
            "github.com" => "github.io",
            other => other,
        };
        let reversed: Vec<_> = domain.rsplit('.').collect();
        format!("{}.{}", reversed.join("."), self.publisher().replace('-', "_"))
    }
}

/// Names and addresses of what is published.
#[derive(Serialize)]
pub(crate) struct ReleaseFacts {
    version: &'static str,
    publisher: String,
    /// The address of plugins, once they are published.
    downloads: Option<String>,
    go_root: String,
    dotnet_root: String,
    java_root: String,
}

impl ReleaseFacts {
    pub(crate) fn of(release: &Release) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            publisher: release.publisher().to_owned(),
            downloads: release.downloads(),
            go_root: release.go_root(),
            dotnet_root: release.dotnet_root(),
            java_root: release.java_root(),
        }
    }
}

/// A release before or after it is published, for tests of the generators.
#[cfg(test)]
pub(crate) fn sample(published: bool) -> Release {
    Release::new("https://github.com/acme/tools", published).expect("the address is of the right form")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_follows_from_the_repository() {
        let release = sample(true);
        assert_eq!(release.publisher(), "acme");
        assert_eq!(release.repository(), Some("https://github.com/acme/tools"));
        assert_eq!(
            release.downloads().as_deref(),
            Some("github://api.github.com/acme/tools")
        );
        assert_eq!(release.dotnet_root(), "AcmePulumi");
        assert_eq!(release.java_root(), "io.github.acme");

        let elsewhere = Release::new("https://git.acme.net/big-team/tools/", true).unwrap();
        assert_eq!(
            elsewhere.downloads().as_deref(),
            Some("https://git.acme.net/big-team/tools/releases/download/v${VERSION}")
        );
        assert_eq!(elsewhere.dotnet_root(), "BigteamPulumi");
        assert_eq!(elsewhere.java_root(), "net.acme.git.big_team");
    }

    #[test]
    fn a_placeholder_gives_no_address() {
        let release = sample(false);
        assert_eq!((release.repository(), release.downloads()), (None, None));
    }

    #[test]
    fn a_repository_of_another_form_is_refused() {
        for wrong in [
            "https://github.com/acme",
            "https://github.com/Acme Inc/tools",
            "acme/tools/x",
            "",
        ] {
            assert!(Release::new(wrong, true).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_workspace_has_the_settings() {
        let release = Release::read(crate::workspace::root()).unwrap();
        assert_eq!(release.publisher(), "netmgr");
    }
}
