//! Passwords that no setting contains: they are read from a file, a command, the keyring, or standard input.

use std::fmt;
use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use heck::ToKebabCase as _;
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::time::timeout;

use super::keyring::{self, KeyringEntry};
use crate::failure::CliError;
use crate::files::{self, split_mark};
use crate::origins::SettingOrigin;
use crate::suggest::did_you_mean;

/// The properties for a password that is stored elsewhere and that text describes.
pub(crate) const PASSWORD_PLACES: [&str; 2] = ["passwordFile", "passwordCommand"];

/// All properties for a password, of which only one can be set.
pub(crate) const PASSWORD_PROPERTIES: [&str; 4] =
    ["password", "passwordFile", "passwordCommand", "passwordKeyring"];

/// Maximum length of the first line, and of the output of a program, in bytes.
const LONGEST: usize = 64 << 10;
/// Time in which a program that has printed a line can end with a failure.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time in which the output of a program that has ended is read.
const REST: Duration = Duration::from_millis(100);

/// The source of a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PasswordSource {
    /// The first line of a file.
    File(PathBuf),
    /// The first line that a program prints.
    Command(PasswordCommand),
    /// An entry of the system's keyring.
    Keyring(KeyringEntry),
    /// The first line of standard input.
    Stdin,
}

/// A program that prints a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PasswordCommand {
    /// The program as it is configured, without arguments, which may be secret.
    name: String,
    /// The program that is run, and its arguments.
    words: Vec<String>,
    /// The folder in which it runs: the folder of the configuration file.
    folder: Option<PathBuf>,
}

impl PasswordCommand {
    /// A program with its arguments.
    pub(super) fn of(words: Vec<String>) -> Self {
        Self {
            name: words.first().cloned().unwrap_or_default(),
            words,
            folder: None,
        }
    }

    /// A line for the shell of the system.
    fn line(line: &str) -> Self {
        let program = line.split_whitespace().next().unwrap_or_default();
        // Anything else may be an assignment or a quoted part of an argument.
        let is_name = program
            .chars()
            .all(|c| c.is_alphanumeric() || r"/\:._-".contains(c));
        let shell = if cfg!(windows) {
            ["cmd", "/C"]
        } else {
            ["sh", "-c"]
        };
        Self {
            name: if is_name { program } else { "a shell command" }.to_owned(),
            words: shell.into_iter().chain([line]).map(str::to_owned).collect(),
            folder: None,
        }
    }

    /// The command, run in the folder of a configuration file.
    fn beside(mut self, file: &Path) -> Self {
        self.folder = file.parent().filter(|folder| folder.is_dir()).map(Path::to_owned);
        self
    }
}

/// An environment variable, and the source that its value describes.
type Variable = (&'static str, fn(String) -> PasswordSource);

impl fmt::Display for PasswordSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "(first line of {})", path.display()),
            Self::Command(command) => write!(f, "(output of {})", command.name),
            Self::Keyring(entry) => write!(f, "(keyring entry of {entry})"),
            Self::Stdin => f.write_str("(standard input)"),
        }
    }
}

impl PasswordSource {
    /// The property of a configuration file for such a source.
    pub(crate) fn property(&self) -> &'static str {
        match self {
            Self::File(_) => "passwordFile",
            Self::Command(_) => "passwordCommand",
            Self::Keyring(_) => "passwordKeyring",
            Self::Stdin => "password",
        }
    }

    /// The environment variables.
    pub(crate) const VARIABLES: [Variable; 2] = [
        ("NETMGR_PASSWORD_FILE", |text| Self::File(text.into())),
        ("NETMGR_PASSWORD_COMMAND", |text| {
            Self::Command(PasswordCommand::line(&text))
        }),
    ];

    /// Takes the source out of the settings of a file.
    pub(crate) fn take(settings: &mut Map<String, Value>, file: &Path) -> Result<Option<Self>, CliError> {
        for name in settings.keys() {
            let is_wanted = |known: &&str| known != name && known.to_kebab_case() == name.to_kebab_case();
            if let Some(meant) = PASSWORD_PROPERTIES.into_iter().find(is_wanted) {
                return Err(CliError::usage(
                    format!("there is no setting `{name}` in a configuration file"),
                    did_you_mean(&[meant]),
                ));
            }
        }
        let sources = ["passwordFile", "passwordCommand", "passwordKeyring"];
        let [path, command, keyring] = sources.map(|property| settings.remove(property));
        let given = [&path, &command, &keyring, &settings.get("password").cloned()];
        if given.into_iter().flatten().count() > 1 {
            return Err(CliError::usage(
                format!(
                    "`{}` cannot be combined in a configuration file",
                    PASSWORD_PROPERTIES.join("`, `")
                ),
                "keep only one of them",
            ));
        }
        let wrong = |property: &str, wanted: &str| {
            Err(CliError::usage(
                format!("`{property}` in the configuration file must be {wanted}"),
                "example: passwordCommand = [\"pass\", \"show\", \"netmgr\"]",
            ))
        };
        let command = match (path, command, keyring) {
            (Some(Value::String(path)), ..) => return Ok(Some(Self::File(path.into()))),
            (Some(_), ..) => return wrong("passwordFile", "a file name"),
            (_, Some(Value::String(line)), _) if !line.is_empty() => PasswordCommand::line(&line),
            (_, Some(Value::Array(words)), _) if !words.is_empty() => {
                match serde_json::from_value(Value::Array(words)) {
                    Ok(words) => PasswordCommand::of(words),
                    Err(_) => return wrong("passwordCommand", "a list of strings"),
                }
            }
            (_, Some(_), _) => return wrong("passwordCommand", "a command line or a list of arguments"),
            (_, _, Some(Value::Bool(true))) => return Ok(Some(Self::Keyring(KeyringEntry::default()))),
            (_, _, Some(_)) => return wrong("passwordKeyring", "true"),
            (None, None, None) => return Ok(None),
        };
        Ok(Some(Self::Command(command.beside(file))))
    }

    /// The command line of a configuration file.
    pub(crate) fn command(line: &str, file: &Path) -> Self {
        Self::Command(PasswordCommand::line(line).beside(file))
    }

    /// Stores a password in the keyring, and checks that the keyring returns it.
    pub(crate) async fn store(
        entry: KeyringEntry,
        password: &str,
        deadline: Option<Duration>,
    ) -> Result<(), CliError> {
        let late = || "the result of storing the password in the keyring".to_owned();
        CliError::unless_late(deadline, late, entry.store(password)).await??;
        match Self::Keyring(entry).read(None, deadline).await {
            Ok(stored) if stored == password => Ok(()),
            Ok(_) => Err(keyring::unusable("the keyring returns another password".into())),
            Err(error) => Err(keyring::unusable(error.into())),
        }
    }

    /// Reads the password, which the setting with this origin describes.
    pub(crate) async fn read(
        self,
        origin: Option<&SettingOrigin>,
        deadline: Option<Duration>,
    ) -> Result<String, CliError> {
        let what = self.to_string();
        // A user takes any time to type it.
        let deadline = deadline.filter(|_| self != Self::Stdin || !io::stdin().is_terminal());
        let hint = match self {
            Self::Keyring(_) => {
                "`netmgr login --keyring` stores the password for this host, user and profile"
            }
            _ => "check the file or command; it must print the password on its first line",
        };
        let read = async {
            match self {
                Self::Command(command) => output_of(&command).await,
                Self::Keyring(entry) => output_of(&PasswordCommand::of(entry.reading())).await,
                Self::File(path) => {
                    let read = move || first_line(io::BufReader::new(files::reader(&path, LONGEST as u64)?));
                    blocking(Box::new(read)).await
                }
                Self::Stdin => blocking(Box::new(|| first_line(io::stdin().lock()))).await,
            }
        };
        let place = origin.map_or_else(String::new, |origin| format!(" from {origin}"));
        let late = || format!("the password {what}{place}");
        match CliError::unless_late(deadline, late, read).await? {
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

fn first_line(reader: impl io::BufRead) -> io::Result<String> {
    let mut line = String::new();
    let length = reader.take(LONGEST as u64).read_line(&mut line)?;
    // The line of a file such as /dev/zero has no end.
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
async fn output_of(command: &PasswordCommand) -> io::Result<String> {
    let [program, arguments @ ..] = &*command.words else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let mut child = Command::new(program);
    child.args(arguments);
    if let Some(folder) = &command.folder {
        child.current_dir(folder);
    }
    let mut child = child
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

/// The output of a program up to its first line, and its status if it ends soon after that line. Processes that it
/// leaves behind may keep the output open.
async fn output_and_status(
    mut stdout: impl AsyncRead + Unpin,
    end: impl Future<Output = io::Result<ExitStatus>>,
) -> io::Result<(Vec<u8>, Option<ExitStatus>)> {
    let mut output = Vec::new();
    let mut end = pin!(end);
    let status = {
        let mut line = pin!(async {
            while !output.contains(&b'\n') && output.len() <= LONGEST {
                if stdout.read_buf(&mut output).await? == 0 {
                    break;
                }
            }
            io::Result::Ok(())
        });
        tokio::select! {
            biased;
            read = &mut line => {
                read?;
                timeout(PATIENCE, end).await.ok().transpose()?
            }
            ended = &mut end => {
                timeout(REST, line).await.unwrap_or(Ok(()))?;
                Some(ended?)
            }
        }
    };
    Ok((output, status))
}

#[cfg(test)]
mod tests;
