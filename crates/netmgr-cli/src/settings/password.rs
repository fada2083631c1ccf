//! Passwords that no setting contains: they are read from a file, a command, or standard input.

use std::fmt;
use std::io::{self, BufRead as _};
use std::path::PathBuf;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::time::{Instant, sleep, timeout};

use crate::failure::CliError;
use crate::files::{self, split_mark};

/// The properties for a password that is stored elsewhere.
pub(crate) const PASSWORD_PLACES: [&str; 2] = ["passwordFile", "passwordCommand"];

/// All properties for a password, of which only one can be set.
pub(crate) const PASSWORD_PROPERTIES: [&str; 3] = ["password", "passwordFile", "passwordCommand"];

/// Maximum length of the first line, and of the output of a program, in bytes.
const LONGEST: usize = 64 << 10;
/// Time in which a program that has printed a line can end with a failure.
const PATIENCE: Duration = Duration::from_secs(1);

/// The source of a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PasswordSource {
    /// The first line of a file.
    File(PathBuf),
    /// The first line that a program prints; the program, and its arguments.
    Command(Vec<String>),
    /// The first line of standard input.
    Stdin,
}

/// An environment variable, and the source that its value describes.
type Variable = (&'static str, fn(String) -> PasswordSource);

/// Only the program is shown: its arguments may be secret.
impl fmt::Display for PasswordSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "(first line of {})", path.display()),
            Self::Command(words) => write!(f, "(output of {})", words.first().map_or("", String::as_str)),
            Self::Stdin => f.write_str("(standard input)"),
        }
    }
}

impl PasswordSource {
    /// The environment variables.
    pub(crate) const VARIABLES: [Variable; 2] = [
        ("NETMGR_PASSWORD_FILE", |text| Self::File(text.into())),
        ("NETMGR_PASSWORD_COMMAND", |text| Self::Command(in_shell(text))),
    ];

    /// Takes the source out of the settings of a file.
    pub(crate) fn take(settings: &mut Map<String, Value>) -> Result<Option<Self>, CliError> {
        let [file, command] = PASSWORD_PLACES.map(|property| settings.remove(property));
        let given = [&file, &command, &settings.get("password").cloned()];
        if given.into_iter().flatten().count() > 1 {
            return Err(CliError::usage(
                "`password`, `passwordFile` and `passwordCommand` cannot be combined in a configuration file",
                "keep only one of them",
            ));
        }
        let wrong = |property: &str, wanted: &str| {
            Err(CliError::usage(
                format!("`{property}` in the configuration file must be {wanted}"),
                "example: passwordCommand = [\"pass\", \"show\", \"netmgr\"]",
            ))
        };
        match (file, command) {
            (Some(Value::String(path)), _) => Ok(Some(Self::File(path.into()))),
            (Some(_), _) => wrong("passwordFile", "a file name"),
            (None, Some(Value::String(line))) if !line.is_empty() => Ok(Some(Self::Command(in_shell(line)))),
            (None, Some(Value::Array(words))) if !words.is_empty() => {
                let words: Option<Vec<String>> = words
                    .iter()
                    .map(|word| word.as_str().map(str::to_owned))
                    .collect();
                match words {
                    Some(words) => Ok(Some(Self::Command(words))),
                    None => wrong("passwordCommand", "a list of strings"),
                }
            }
            (None, Some(_)) => wrong("passwordCommand", "a command line or a list of arguments"),
            (None, None) => Ok(None),
        }
    }

    /// The program that a command line for the shell describes.
    pub(crate) fn command(line: &str) -> Self {
        Self::Command(in_shell(line.to_owned()))
    }

    /// Reads the password.
    pub(crate) async fn read(self) -> Result<String, CliError> {
        let what = self.to_string();
        let read = match self {
            Self::Command(words) => output_of(&words).await,
            Self::File(path) => {
                let read = move || first_line(io::BufReader::new(files::reader(&path, LONGEST as u64)?));
                blocking(Box::new(read)).await
            }
            Self::Stdin => blocking(Box::new(|| first_line(io::stdin().lock()))).await,
        };
        let hint = "check the file or command; it must print the password on its first line";
        match read {
            Ok(password) if password.is_empty() => {
                Err(CliError::usage(format!("the password {what} is empty"), hint))
            }
            Ok(password) => Ok(password),
            Err(error) => Err(CliError::usage_because(
                format!("cannot read the password {what}"),
                error,
                hint,
            )),
        }
    }
}

/// A command line in words that run it in the shell of the system.
fn in_shell(line: String) -> Vec<String> {
    let shell = if cfg!(windows) {
        ["cmd", "/C"]
    } else {
        ["sh", "-c"]
    };
    shell
        .iter()
        .map(|word| (*word).to_owned())
        .chain([line])
        .collect()
}

fn first_line(reader: impl io::BufRead) -> io::Result<String> {
    let mut line = String::new();
    let length = reader.take(LONGEST as u64).read_line(&mut line)?;
    // Such as that of /dev/zero, which has no end.
    if length == LONGEST && !line.ends_with('\n') {
        return Err(io::Error::other("the first line is too long"));
    }
    let (_, line) = split_mark(&line);
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Reads a text on a thread that may wait.
pub(super) async fn blocking(read: Box<dyn FnOnce() -> io::Result<String> + Send>) -> io::Result<String> {
    let read = tokio::task::spawn_blocking(read).await;
    read.unwrap_or_else(|panicked| Err(io::Error::other(panicked)))
}

/// The first line that a program prints. It may prompt on the terminal. It is killed when the future is dropped.
async fn output_of(words: &[String]) -> io::Result<String> {
    let [program, arguments @ ..] = words else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::inherit())
        .stderr(Stdio::inherit())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let stdout = child.stdout.take().expect("it is piped");
    match output_and_status(stdout, child.wait()).await? {
        (_, Some(status)) if !status.success() => {
            Err(io::Error::other(format!("{program} failed with {status}")))
        }
        (output, _) => first_line(output.as_slice()),
    }
}

/// The output of a program, at least its first line, and its status if it ends soon after that line.
async fn output_and_status(
    mut stdout: impl AsyncRead + Unpin,
    end: impl Future<Output = io::Result<ExitStatus>>,
) -> io::Result<(Vec<u8>, Option<ExitStatus>)> {
    let mut output = Vec::new();
    let mut status = None;
    let mut end = pin!(end);
    let mut patience = pin!(sleep(PATIENCE));
    loop {
        let has_line = output.contains(&b'\n');
        if has_line && status.is_some() {
            break;
        }
        tokio::select! {
            biased;
            read = stdout.read_buf(&mut output) => match read? {
                0 => {
                    if status.is_none() {
                        status = timeout(PATIENCE, end).await.ok().transpose()?;
                    }
                    break;
                }
                _ if output.len() > LONGEST => return Err(io::Error::other("the output is longer than 64 KiB")),
                _ if !has_line => patience.as_mut().reset(Instant::now() + PATIENCE),
                _ => {}
            },
            // Its end may be seen before its output. Processes that it leaves behind may keep the output open.
            ended = &mut end, if status.is_none() => {
                status = Some(ended?);
                patience.as_mut().reset(Instant::now() + PATIENCE);
            }
            () = &mut patience, if has_line || status.is_some() => break,
        }
    }
    Ok((output, status))
}

#[cfg(test)]
mod tests;
