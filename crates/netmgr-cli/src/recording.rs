//! Recordings of managers: files that `export` writes, `simulate` serves and `diff` compares, and the options that select
//! what they have.
//!
//! A file is a sequence of JSON documents, each with a list for a path: `{"/infra/segments":[{"id":"web"}]}`. The first
//! one is a header.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use clap::Args;
use netmgr_lookups::{Lookups, RecordOptions};
use netmgr_types::Deployment;
use serde_json::value::RawValue;
use serde_json::{Deserializer, Value, json};

use crate::failure::CliError;
use crate::suggest;

/// The format that this program writes, and the newest one that it reads.
const FORMAT: u64 = 1;

/// A document of a recording: lists by path.
pub(crate) type Document = BTreeMap<String, Vec<Box<RawValue>>>;

/// Types and project of a recording.
#[derive(Debug, Clone, Args)]
pub(crate) struct RecordSelection {
    /// Type of objects, such as Group. Can be repeated. Default: all
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// Id of a project, outside of which nothing is read
    #[arg(long, value_name = "ID")]
    pub(crate) project: Option<String>,
}

impl RecordSelection {
    /// The options of a recording.
    ///
    /// # Errors
    ///
    /// A type that no function reads.
    pub(crate) fn options(&self) -> Result<RecordOptions, CliError> {
        self.check_types()?;
        let mut options = RecordOptions::default();
        options.types.clone_from(&self.types);
        options.project.clone_from(&self.project);
        Ok(options)
    }

    /// Rejects types that no function reads.
    fn check_types(&self) -> Result<(), CliError> {
        let known = &Lookups::recorded_types();
        match self.types.iter().find(|name| !known.contains(name)) {
            None => Ok(()),
            Some(unknown) => Err(CliError::usage(
                format!("there is no type {unknown:?}"),
                suggest::hint(unknown, known, &format!("the types are {}", known.join(", "))),
            )),
        }
    }
}

/// The header of a recording of this manager, with what was selected.
pub(crate) fn header(lookups: &Lookups, selection: &RecordSelection) -> Value {
    let connection = lookups.client().connection();
    let manager = match connection.deployment {
        Deployment::PolicyManager => "policy",
        Deployment::GlobalManager => "global",
        Deployment::HostedCloud => "cloud",
    };
    json!({
        "version": FORMAT, "manager": manager, "host": connection.host.base_url(),
        "types": selection.types, "project": selection.project,
    })
}

/// Passes each document of a recording to `take`, with the offset behind it.
///
/// # Errors
///
/// Those of reading, of a file that is no recording or of a newer format, and those of `take`.
pub(crate) fn documents(
    file: impl BufRead,
    mut take: impl FnMut(Document, u64) -> io::Result<()>,
) -> io::Result<()> {
    let mut documents = Deserializer::from_reader(file).into_iter::<Document>();
    while let Some(document) = documents.next() {
        let document = document?;
        let header = document.get("inventory").and_then(|headers| headers.first());
        let header: Option<Value> = header.and_then(|header| serde_json::from_str(header.get()).ok());
        let format = header.and_then(|header| header["version"].as_u64());
        if format.is_some_and(|format| format > FORMAT) {
            return Err(io::Error::other(format!(
                "it has format {}, but this program reads formats up to {FORMAT}",
                format.unwrap_or_default()
            )));
        }
        take(document, documents.byte_offset() as u64)?;
    }
    Ok(())
}
