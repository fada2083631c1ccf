//! Prompts for a password and for other lines.

use std::io::{self, ErrorKind, IsTerminal as _};

use super::password::blocking;
use crate::exit::Exit;
use crate::failure::CliError;
use crate::output::standard_error_text;

/// Reads a line from the terminal; `None` without a terminal, and if the line is empty.
pub(crate) async fn line(prompt: &str) -> Result<Option<String>, CliError> {
    if !io::stderr().is_terminal() || !io::stdin().is_terminal() {
        return Ok(None);
    }
    standard_error_text(prompt);
    let read = blocking(Box::new(|| {
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|_| line)
    }));
    let line = read.await.unwrap_or_default();
    let line = line.trim();
    Ok((!line.is_empty()).then(|| line.to_owned()))
}

/// Reads a password from the terminal without showing it; `None` without a terminal. Ctrl-C interrupts.
pub(crate) async fn password(prompt: &str) -> Result<Option<String>, CliError> {
    if !io::stderr().is_terminal() {
        return Ok(None);
    }
    // Before the prompt, so that a program that waits for it can answer immediately; until the end, even if the prompt
    // is interrupted.
    let _silent = echo::off();
    let prompt = netmgr_types::foreign::one_line(prompt);
    match blocking(Box::new(|| rpassword::prompt_password(prompt))).await {
        Ok(password) if password.is_empty() => Ok(None),
        Ok(password) => Ok(Some(password)),
        Err(error) if error.kind() == ErrorKind::Interrupted => Err(CliError::Interrupted(Exit::Interrupted)),
        // No terminal to read from, or its end: the configuration reports that there is no password.
        Err(_) => Ok(None),
    }
}

#[cfg(unix)]
mod echo {
    use std::fs::File;

    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    /// Restores the terminal when dropped.
    pub(super) struct Silent {
        terminal: File,
        before: Termios,
    }

    /// Stops the terminal from showing what is typed.
    pub(super) fn off() -> Option<Silent> {
        let terminal = File::options().read(true).write(true).open("/dev/tty").ok()?;
        let before = tcgetattr(&terminal).ok()?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&terminal, OptionalActions::Now, &silent).ok()?;
        Some(Silent { terminal, before })
    }

    impl Drop for Silent {
        fn drop(&mut self) {
            let _ = tcsetattr(&self.terminal, OptionalActions::Now, &self.before);
        }
    }
}

#[cfg(not(unix))]
mod echo {
    /// Does nothing: `rpassword` turns the echo off.
    pub(super) fn off() {}
}
