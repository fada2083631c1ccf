//! Certificate files, which are read again when they are renewed while a program runs. Our choice (decision trust).

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::SystemTime;

use netmgr_types::{Pem, PemSource};

use crate::Error;
use crate::lock::lock;

/// Time of the last change and length of a file.
type Stamp = Option<(SystemTime, u64)>;

/// A value that was read from files and is read again when they change.
pub(super) struct Renewed<T> {
    /// The properties of the files, for messages.
    properties: String,
    files: Vec<PathBuf>,
    read: Box<dyn Fn() -> Result<T, Error> + Send + Sync>,
    current: Mutex<Current<T>>,
}

struct Current<T> {
    value: Arc<T>,
    stamps: Vec<Stamp>,
}

impl<T> Renewed<T> {
    /// Reads the contents of `sources` with `read`.
    ///
    /// # Errors
    ///
    /// The errors of `read`.
    pub(super) fn read(
        sources: &[&Pem],
        read: impl Fn() -> Result<T, Error> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let mut files = Vec::new();
        let mut properties = Vec::new();
        for source in sources {
            if let PemSource::File(path) = &source.source {
                files.push(path.clone());
                properties.push(source.property);
            }
        }
        // Before the contents, so that a change in between is noticed.
        let stamps = stamps(&files);
        Ok(Self {
            properties: properties.join(", "),
            files,
            current: Mutex::new(Current {
                value: Arc::new(read()?),
                stamps,
            }),
            read: Box::new(read),
        })
    }

    /// Returns the value that was read last.
    pub(super) fn last(&self) -> Arc<T> {
        Arc::clone(&self.state().value)
    }

    /// The current contents of the files, or the previous contents while the files are invalid, for example because
    /// only one of two has been replaced.
    pub(super) fn current(&self) -> Arc<T> {
        let stamps = stamps(&self.files);
        if self.state().stamps == stamps {
            return self.last();
        }
        match (self.read)() {
            Ok(value) => {
                tracing::debug!(properties = self.properties, "certificates were renewed");
                let value = Arc::new(value);
                *self.state() = Current {
                    value: Arc::clone(&value),
                    stamps,
                };
                value
            }
            Err(error) => {
                tracing::warn!(%error, "the renewed certificates are invalid; continuing with the previous ones");
                self.last()
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, Current<T>> {
        lock(&self.current)
    }
}

fn stamps(files: &[PathBuf]) -> Vec<Stamp> {
    let stamp = |file: &PathBuf| {
        let metadata = std::fs::metadata(file).ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    };
    files.iter().map(stamp).collect()
}

impl<T> fmt::Debug for Renewed<T> {
    /// Prints no key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renewed")
            .field("properties", &self.properties)
            .finish_non_exhaustive()
    }
}
