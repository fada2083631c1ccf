//! Other programs: started in a folder, with errors that name what was started.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::Error;

/// `program`, to be run in `folder`.
pub(crate) fn command(program: impl AsRef<OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs a command to its end; its output is not captured.
pub(crate) fn run(command: &mut Command) -> Result<(), Error> {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{} failed: {status}", line(command)).into())
}

/// Runs a command to its end and returns what it wrote.
pub(crate) fn output(command: &mut Command) -> Result<String, Error> {
    command.stderr(Stdio::inherit());
    let Output { status, stdout, .. } = command.output().map_err(|error| not_started(command, &error))?;
    if !status.success() {
        return Err(format!("{} failed: {status}", line(command)).into());
    }
    Ok(String::from_utf8(stdout)?)
}

/// Makes a file executable for all users.
pub(crate) fn make_executable(file: &Path) -> Result<(), Error> {
    #[cfg(unix)]
    {
        use std::fs::{Permissions, set_permissions};
        use std::os::unix::fs::PermissionsExt as _;
        set_permissions(file, Permissions::from_mode(0o755))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

fn not_started(command: &Command, error: &std::io::Error) -> Error {
    format!("{} cannot be started: {error}", command.get_program().display()).into()
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
