//! The lines of a batch: read one by one, and checked.

use std::io;
use std::path::Path;

use futures_util::{Stream, stream};
use netmgr_types::object::{self, BYTE_ORDER_MARK};
use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};

use crate::failure::CliError;
use crate::files;

/// Maximum length of a line in bytes. An input has a few hundred.
const LONGEST: u64 = 1 << 20;
/// Maximum number of bytes of a longer line that are skipped to find the next one.
const LONGEST_SKIPPED: usize = 64 << 20;
/// Bytes that are read at once: the lines of a window, so that they begin together.
const BUFFER: usize = 512 << 10;

/// One line of a batch.
#[derive(Debug, PartialEq)]
pub(super) struct BatchLine {
    /// Its number in the file, from 1.
    pub(super) number: u64,
    /// Its number without the empty lines before it, from 1.
    pub(super) ordinal: u64,
    /// The member `function`.
    pub(super) function: Value,
    /// The member `input`.
    pub(super) input: Value,
    /// Problem, if the line is not a lookup.
    pub(super) problem: Option<String>,
}

/// The lines of `file` or of standard input.
pub(super) async fn read(
    file: Option<&Path>,
) -> Result<impl Stream<Item = Result<BatchLine, CliError>>, CliError> {
    let (name, source): (String, Box<dyn AsyncRead + Unpin>) = match file {
        None => ("standard input".to_owned(), Box::new(tokio::io::stdin())),
        Some(path) => {
            let (name, path) = (path.display().to_string(), path.to_owned());
            let opened = tokio::task::spawn_blocking(move || files::open(&path)).await;
            match opened.unwrap_or_else(|panicked| Err(io::Error::other(panicked))) {
                // Its lines may come as slowly as those of standard input.
                Ok(file) => (name, Box::new(tokio::fs::File::from_std(file))),
                Err(error) => return Err(CliError::unreadable(name, error)),
            }
        }
    };
    let reader = LineReader {
        source: BufReader::with_capacity(BUFFER, source),
        name,
        number: 0,
        ordinal: 0,
    };
    Ok(stream::try_unfold(reader, async |mut reader| {
        Ok(reader.next().await?.map(|line| (line, reader)))
    }))
}

/// Reads lines one by one.
struct LineReader {
    source: BufReader<Box<dyn AsyncRead + Unpin>>,
    name: String,
    number: u64,
    ordinal: u64,
}

impl LineReader {
    /// The next line that is not empty.
    async fn next(&mut self) -> Result<Option<BatchLine>, CliError> {
        loop {
            let mut text = Vec::new();
            let mut limited = (&mut self.source).take(LONGEST);
            let read = limited.read_until(b'\n', &mut text).await;
            read.map_err(|error| CliError::unreadable(&self.name, error))?;
            if text.is_empty() {
                return Ok(None);
            }
            self.number += 1;
            if text.len() as u64 == LONGEST && text.last() != Some(&b'\n') {
                self.skip_line()
                    .await
                    .map_err(|error| CliError::unreadable(&self.name, error))?;
                self.ordinal += 1;
                let problem = "the line is longer than 1 MiB; each lookup is one line";
                return Ok(Some(BatchLine::wrong(self.number, self.ordinal, problem)));
            }
            let text = match self.number {
                1 => text.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(&text),
                _ => &text,
            };
            if text.trim_ascii().is_empty() {
                continue;
            }
            self.ordinal += 1;
            return Ok(Some(BatchLine::new(self.number, self.ordinal, text)));
        }
    }

    /// Skips the rest of a line. Devices such as `/dev/zero` have no end.
    async fn skip_line(&mut self) -> io::Result<()> {
        let mut skipped = 0;
        while skipped < LONGEST_SKIPPED {
            let buffer = self.source.fill_buf().await?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(buffer.len(), |end| end + 1);
            let is_over = end.is_some() || buffer.is_empty();
            self.source.consume(length);
            skipped += length;
            if is_over {
                return Ok(());
            }
        }
        Err(io::Error::other("a line is longer than 64 MiB"))
    }
}

impl BatchLine {
    /// A line that contains no function.
    fn wrong(number: u64, ordinal: u64, problem: impl Into<String>) -> Self {
        Self {
            number,
            ordinal,
            function: Value::Null,
            input: Value::Null,
            problem: Some(problem.into()),
        }
    }

    fn new(number: u64, ordinal: u64, text: &[u8]) -> Self {
        let wrong = |problem: String| Self::wrong(number, ordinal, problem);
        let mut members = match object::with_unique_keys(text) {
            Ok(Value::Object(members)) => members,
            Ok(_) => return wrong("the line is not a JSON object".to_owned()),
            Err(error) if error.is_data() => return wrong(error.to_string()),
            Err(error) => return wrong(format!("the line is not JSON: {error}")),
        };
        let function = members.remove("function").unwrap_or_default();
        let input = members
            .remove("input")
            .unwrap_or_else(|| Value::Object(Map::new()));
        let problem = if !function.is_string() {
            Some("`function` must be a function name".to_owned())
        } else if !input.is_object() {
            Some("`input` must be an object".to_owned())
        } else {
            members
                .keys()
                .next()
                .map(|name| format!("`{name}` is unknown; the members of a line are `function` and `input`"))
        };
        Self {
            number,
            ordinal,
            function,
            input,
            problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_line_is_a_function_with_its_input() {
        let line = |text: &str| BatchLine::new(3, 2, text.as_bytes());
        let good = line(r#"{"function": "getIpPool", "input": {"id": "x"}}"#);
        assert_eq!((good.problem, good.input), (None, json!({ "id": "x" })));
        assert_eq!(line(r#"{"function": "getManagerInfo"}"#).input, json!({}));
        for (text, problem) in [
            ("{", "the line is not JSON"),
            ("[]", "the line is not a JSON object"),
            ("{}", "`function` must be a function name"),
            (r#"{"function": 1}"#, "`function` must be a function name"),
            (r#"{"function": "f", "input": []}"#, "`input` must be an object"),
            (r#"{"function": "f", "inputs": {}}"#, "`inputs` is unknown"),
            (
                r#"{"function": "f", "input": {"a": 1, "a": 2}}"#,
                "the key \"a\" appears twice at line 1 column 39",
            ),
        ] {
            let found = line(text).problem.unwrap();
            assert!(found.starts_with(problem), "{text}: {found}");
        }
    }
}
