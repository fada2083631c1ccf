//! The host's command line, or the reason why it is missing.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::requirements;

/// `required` makes a missing host a failure; `skip` skips the suite.
const WISH: &str = "NETMGR_TERRAFORM_TESTS";
/// The binary of the host. Default: `terraform` on the path.
const PROGRAM: &str = "NETMGR_TERRAFORM";

/// The host.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) program: PathBuf,
    /// Whether it is OpenTofu, which starts fewer processes.
    pub(crate) is_opentofu: bool,
}

impl Host {
    /// The host; `None`, with a message, if the test `name` is skipped.
    ///
    /// # Panics
    ///
    /// If it is missing and required.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        static HOST: OnceLock<Result<Host, String>> = OnceLock::new();
        requirements::find(&HOST, look, WISH, name)
    }

    /// The name of the registry that addresses without one belong to.
    pub(crate) fn registry(&self) -> &'static str {
        match self.is_opentofu {
            true => "registry.opentofu.org",
            false => "registry.terraform.io",
        }
    }
}

fn look() -> Result<Host, String> {
    let program = match std::env::var_os(PROGRAM) {
        Some(program) => PathBuf::from(program),
        None => on_path("terraform").ok_or("there is no terraform on the path")?,
    };
    let version = Command::new(&program).arg("version").output();
    let version = version.map_err(|error| format!("{} does not start: {error}", program.display()))?;
    Ok(Host {
        is_opentofu: String::from_utf8_lossy(&version.stdout).contains("OpenTofu"),
        program,
    })
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}
