//! Writes to the standard streams.

use std::io::{self, ErrorKind, IsTerminal as _, Write};

use netmgr_types::foreign;

use crate::failure::CliError;

/// Writes to standard output. Only terminals receive escape sequences of styles.
///
/// # Errors
///
/// [`CliError::ReaderGone`] if the reader has closed the pipe, which ends the process quietly.
pub(crate) fn standard_output(text: &str) -> Result<(), CliError> {
    write(anstream::stdout().lock(), text)
}

/// Writes names and other text of the manager to standard output. Other programs receive them unchanged; control
/// characters do not reach a terminal.
pub(super) fn names_output(text: &str) -> Result<(), CliError> {
    let output = io::stdout().lock();
    match output.is_terminal() {
        true => write(output, &foreign::lines(text)),
        false => write(output, text),
    }
}

fn write(mut output: impl Write, text: &str) -> Result<(), CliError> {
    // On a terminal, the text would continue the status line.
    if io::stdout().is_terminal() {
        super::terminal::status("");
    }
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(CliError::ReaderGone),
        outcome => outcome.map_err(CliError::Output),
    }
}

/// Writes text to standard error without a line end, for a prompt.
pub(crate) fn standard_error_text(text: &str) {
    let mut output = io::stderr().lock();
    let _ = output.write_all(foreign::one_line(text).as_bytes());
    let _ = output.flush();
}

/// Writes lines to standard error without terminal escape sequences. Errors are ignored.
pub(crate) fn standard_error(line: &str) {
    super::terminal::above_status(|| {
        let _ = writeln!(io::stderr().lock(), "{}", foreign::lines(line));
    });
}
