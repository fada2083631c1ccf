//! The request log of `simulate`: a line of JSON for each request.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use netmgr_sim::ServedRequest;
use serde_json::json;

use crate::failure::CliError;
use crate::output::json_line;

/// A log of requests.
pub(super) struct RequestLog(Mutex<Box<dyn Write + Send>>);

impl RequestLog {
    /// Creates the file, or takes standard error for `-`.
    pub(super) fn open(file: &Path) -> Result<Self, CliError> {
        if file == Path::new("-") {
            return Ok(Self(Mutex::new(Box::new(io::stderr()))));
        }
        let created = File::create(file).map_err(|error| CliError::Usage {
            what: format!("cannot write the request log {}", file.display()),
            source: Some(error.into()),
            hint: Some("choose a file that is writable, or - for standard error".to_owned()),
        })?;
        Ok(Self(Mutex::new(Box::new(created))))
    }

    /// Writes the line of a request at once, so that it can be followed. Errors are ignored.
    pub(super) fn write(&self, request: &ServedRequest) {
        let line = json_line(&json!({
            "method": request.method.as_str(),
            "path": request.path,
            "query": request.query,
            "status": request.status.map(|status| status.as_u16()),
            "bytes": request.bytes,
            "milliseconds": (request.elapsed.as_secs_f64() * 1e6).round() / 1e3,
            "fault": request.fault,
        }));
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = file.write_all(line.as_bytes()).and_then(|()| file.flush());
    }
}
