//! The file of a recording: a sequence of JSON documents, each with a list for a path:
//! `{"/infra/segments":[{"id":"web"}]}`. The first one is a header.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use netmgr_types::object::BYTE_ORDER_MARK;
use netmgr_types::{Connection, Deployment};
use serde_json::value::RawValue;
use serde_json::{Deserializer, Value, json};

use crate::recording::options::RecordOptions;

/// The format that is written, and the newest one that is read.
const FORMAT: u64 = 1;

/// Mark after the objects of a type, whose name it contains.
pub const COMPLETE: &str = "complete";
/// Mark at the end of a recording.
pub const END: &str = "end";

/// A document of a recording: lists by path.
pub type Document = BTreeMap<String, Vec<Box<RawValue>>>;

/// The header of a recording of a manager, with what was selected.
#[must_use]
pub fn header(connection: &Connection, options: &RecordOptions) -> Value {
    let manager = match connection.deployment {
        Deployment::PolicyManager => "policy",
        Deployment::GlobalManager => "global",
        Deployment::HostedCloud => "cloud",
    };
    json!({
        "version": FORMAT, "manager": manager, "host": connection.host.base_url(),
        "types": options.types, "project": options.project,
    })
}

/// Passes each document of a recording to `take`, with the offset after it.
///
/// # Errors
///
/// The file cannot be read or has another or a newer format, or `take` failed.
pub fn documents(
    mut file: impl BufRead,
    mut take: impl FnMut(Document, u64) -> io::Result<()>,
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut offset = 0;
    loop {
        line.clear();
        let length = file.read_until(b'\n', &mut line)?;
        let mark = BYTE_ORDER_MARK.as_bytes();
        if offset == 0 && line.starts_with(mark) {
            line[..mark.len()].fill(b' ');
        }
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
pub fn whole_documents(
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
mod tests {
    use super::*;

    #[test]
    fn documents_are_read_with_their_offsets_however_they_are_laid_out() {
        let read = |text: &str| {
            let mut found = Vec::new();
            let outcome = documents(text.as_bytes(), |document, offset| {
                found.push((
                    document.into_keys().next().unwrap(),
                    text[..offset as usize].to_owned(),
                ));
                Ok(())
            });
            (found, outcome.map_err(|error| error.kind()))
        };
        let found =
            |keys: [(&str, &str); 2]| keys.map(|(key, text)| (key.to_owned(), text.to_owned())).to_vec();
        let lines = found([("/a", r#"{"/a":[]}"#), ("/b", "{\"/a\":[]}\n{\"/b\":[7]}")]);
        assert_eq!(read("{\"/a\":[]}\n{\"/b\":[7]}\n"), (lines, Ok(())));
        let marked = found([
            ("/a", "\u{feff}{\"/a\":[]}"),
            ("/b", "\u{feff}{\"/a\":[]}\n{\"/b\":[7]}"),
        ]);
        assert_eq!(read("\u{feff}{\"/a\":[]}\n{\"/b\":[7]}\n"), (marked, Ok(())));
        let laid_out = found([("/a", "{\"/a\":\n[]}"), ("/b", "{\"/a\":\n[]} {\"/b\":[7]}")]);
        assert_eq!(read("{\"/a\":\n[]} {\"/b\":[7]}"), (laid_out, Ok(())));
        let (found, outcome) = read("{\"/a\":[]}\n{\"/b\":[7");
        assert_eq!((found.len(), outcome), (1, Err(io::ErrorKind::UnexpectedEof)));
    }
}
