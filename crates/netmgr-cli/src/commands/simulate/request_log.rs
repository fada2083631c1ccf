//! The request log of `simulate`: a line of JSON for each request.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use netmgr_sim::ServedRequest;
use serde_json::json;

use crate::failure::CliError;
use crate::output::{json_line, standard_error};

/// A log of requests.
pub(super) struct RequestLog(Mutex<Log>);

enum Log {
    StandardError,
    File {
        file: File,
        name: String,
        /// Length of all complete lines.
        length: u64,
        /// Whether a failure was reported.
        has_failed: bool,
    },
}

impl RequestLog {
    /// Creates the file, or takes standard error for `-`.
    pub(super) fn open(file: &Path) -> Result<Self, CliError> {
        if file == Path::new("-") {
            return Ok(Self(Mutex::new(Log::StandardError)));
        }
        let created = File::create(file).map_err(|error| CliError::Usage {
            what: format!("cannot write the request log {}", file.display()),
            source: Some(error.into()),
            hint: Some("choose a file that is writable, or - for standard error".to_owned()),
        })?;
        Ok(Self(Mutex::new(Log::File {
            file: created,
            name: file.display().to_string(),
            length: 0,
            has_failed: false,
        })))
    }

    /// Writes the line of a request at once, so that it can be followed. The first failure is reported, and no part of a
    /// line is left.
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
        match &mut *log {
            Log::StandardError => {
                let _ = io::stderr().write_all(line.as_bytes());
            }
            Log::File {
                file,
                name,
                length,
                has_failed,
            } => match file.write_all(line.as_bytes()) {
                Ok(()) => *length += line.len() as u64,
                Err(error) => {
                    // Fails for a device or a pipe.
                    let _ = file.set_len(*length);
                    let _ = file.seek(SeekFrom::Start(*length));
                    if !std::mem::replace(has_failed, true) {
                        standard_error(&format!("warning: cannot write the request log {name}: {error}"));
                    }
                }
            },
        }
    }
}
