//! Recordings of managers: files that `export` writes, `simulate` serves and `diff` compares, and the options that
//! select their contents.
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

use crate::catalog::recorded_type;
use crate::completion::words::recorded_types;

/// The format that is written, and the newest one that is read.
const FORMAT: u64 = 1;

/// Mark at the end of a recording.
pub(crate) const END: &str = "end";

/// A document of a recording: lists by path.
pub(crate) type Document = BTreeMap<String, Vec<Box<RawValue>>>;

/// Types and project of a recording.
#[derive(Debug, Clone, PartialEq, Args)]
pub(crate) struct RecordSelection {
    /// Type of objects, such as Group or policy-group. Can be repeated. Default: all
    #[arg(long = "type", value_name = "TYPE", value_parser = recorded_type, add = recorded_types())]
    pub(crate) types: Vec<String>,
    /// Id of a project; nothing outside it is read
    #[arg(long, value_name = "ID", visible_alias = "context-project-id")]
    pub(crate) project: Option<String>,
}

impl RecordSelection {
    /// The options of a recording.
    pub(crate) fn options(&self) -> RecordOptions {
        let mut options = RecordOptions::default();
        options.types.clone_from(&self.types);
        options.project.clone_from(&self.project);
        options
    }

    /// Narrows the selection to that of a recording with this header.
    ///
    /// # Errors
    ///
    /// They have nothing in common.
    pub(crate) fn narrow(&mut self, header: &Value) -> Result<(), String> {
        let types: Vec<String> = serde_json::from_value(header["types"].clone()).unwrap_or_default();
        let project = header["project"].as_str();
        let is_wanted = |name: &String| self.types.is_empty() || self.types.contains(name);
        let both: Vec<String> = types.iter().filter(|name| is_wanted(name)).cloned().collect();
        let is_elsewhere = self
            .project
            .as_deref()
            .zip(project)
            .is_some_and(|(own, other)| own != other);
        if is_elsewhere || both.is_empty() && !types.is_empty() {
            let recorded = Self {
                types,
                project: project.map(str::to_owned),
            };
            return Err(format!("it only contains {}", recorded.described()));
        }
        if !types.is_empty() {
            self.types = both;
        }
        self.project = self.project.take().or(project.map(str::to_owned));
        Ok(())
    }

    /// The selection in words.
    pub(crate) fn described(&self) -> String {
        let types = (!self.types.is_empty()).then(|| format!("objects of {}", self.types.join(", ")));
        let project = self.project.as_ref().map(|project| format!("project {project}"));
        let parts: Vec<String> = types.into_iter().chain(project).collect();
        parts.join(" in ")
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

/// Passes each document of a recording to `take`, with the offset after it.
///
/// # Errors
///
/// The file cannot be read or has another or a newer format, or `take` failed.
pub(crate) fn documents(
    mut file: impl BufRead,
    mut take: impl FnMut(Document, u64) -> io::Result<()>,
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut offset = 0;
    loop {
        line.clear();
        let length = file.read_until(b'\n', &mut line)?;
        match serde_json::from_slice(&line) {
            _ if length == 0 => return Ok(()),
            Ok(document) => take(known(document)?, offset + line.trim_ascii_end().len() as u64)?,
            Err(_) => {
                // Files that are written manually have documents of several lines.
                file.read_to_end(&mut line)?;
                let mut documents = Deserializer::from_slice(&line).into_iter();
                while let Some(document) = documents.next() {
                    let end = offset + documents.byte_offset() as u64;
                    let document = document.map_err(|error| after(end, error.into()))?;
                    take(known(document)?, end)?;
                }
                return Ok(());
            }
        }
        offset += length as u64;
    }
}

/// Passes each document of a finished recording to `take`. Files that are written manually have no header, and no mark
/// at their end.
///
/// # Errors
///
/// The errors of [`documents`], and a recording without its last line.
pub(crate) fn whole_documents(
    file: impl BufRead,
    mut take: impl FnMut(Document) -> io::Result<()>,
) -> io::Result<()> {
    let (mut is_empty, mut is_recording, mut is_whole) = (true, false, false);
    documents(file, |document, _| {
        is_empty = false;
        is_recording |= document.contains_key("inventory");
        is_whole |= document.contains_key(END);
        take(document)
    })?;
    match is_empty || is_recording && !is_whole {
        true => Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "its last line is missing, so recording or copying it was interrupted",
        )),
        false => Ok(()),
    }
}

/// The error in the document that begins after `offset` bytes.
fn after(offset: u64, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("after byte {offset}: {error}"))
}

/// The document, unless its format is newer than the known formats.
fn known(document: Document) -> io::Result<Document> {
    let header = document.get("inventory").and_then(|headers| headers.first());
    let header: Option<Value> = header.and_then(|header| serde_json::from_str(header.get()).ok());
    match header.and_then(|header| header["version"].as_u64()) {
        Some(format) if format > FORMAT => Err(io::Error::other(format!(
            "it has format {format}, but only formats up to {FORMAT} are supported"
        ))),
        _ => Ok(document),
    }
}

#[cfg(test)]
mod tests;
