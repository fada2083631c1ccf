//! The events of a stand-in with their times, one JSON object per line in a file that all stand-ins of a test share.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use pulumi_plugin::rpc::Error;
use serde_json::json;

/// The file.
pub(crate) const FILE: &str = "STAND_IN_JOURNAL";

/// The journal, if one is kept.
pub(crate) struct Journal {
    file: Option<PathBuf>,
    package: &'static str,
}

impl Journal {
    pub(crate) fn from_environment(package: &'static str) -> Self {
        Self {
            file: std::env::var_os(FILE).map(PathBuf::from),
            package,
        }
    }

    /// Records that an event of a resource happened, or that a function was called.
    pub(crate) fn note(&self, what: &str, subject: &str) -> Result<(), Error> {
        let Some(file) = &self.file else { return Ok(()) };
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let entry = json!({
            "at": at.as_secs_f64(), "package": self.package, "what": what, "subject": subject,
        });
        // One write, so that lines of several processes do not mix.
        let written = OpenOptions::new()
            .create(true)
            .append(true)
            .open(file)
            .and_then(|mut file| file.write_all(format!("{entry}\n").as_bytes()));
        written.map_err(|error| Error::failed(&error))
    }
}
