//! The request log of `simulate`: a line of JSON for each request.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use netmgr_sim::ServedRequest;
use serde_json::json;

use crate::failure::CliError;
use crate::output::{json_line, standard_error};

/// A log of requests.
pub(super) struct RequestLog(Mutex<LogTarget>);

struct LogTarget {
    writer: Box<dyn Write + Send>,
    name: String,
    /// Whether a failure was reported.
    has_failed: bool,
}

impl RequestLog {
    /// Creates the file, or uses standard error for `-`.
    pub(super) fn open(file: &Path) -> Result<Self, CliError> {
        let name = file.display().to_string();
        let writer: Box<dyn Write + Send> = match name.as_str() {
            "-" => Box::new(io::stderr()),
            _ => Box::new(File::create(file).map_err(|error| {
                CliError::usage_because(
                    format!("cannot write the request log {name}"),
                    error,
                    "choose a file that is writable, or - for standard error",
                )
            })?),
        };
        Ok(Self(Mutex::new(LogTarget {
            writer,
            name,
            has_failed: false,
        })))
    }

    /// Writes the line of a request immediately, so that the log can be followed. Only the first failure is reported.
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
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = log.writer.write_all(line.as_bytes())
            && !std::mem::replace(&mut log.has_failed, true)
        {
            standard_error(&format!(
                "warning: cannot write the request log {}: {error}",
                log.name
            ));
        }
    }
}
