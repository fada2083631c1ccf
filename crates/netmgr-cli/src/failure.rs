//! Failures of netmgr and their report: the chain of causes, followed by a hint.

use std::error::Error;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use netmgr_lookups::{CallInputs, ErrorKind, Words};
use netmgr_transport::ErrorKind as RequestErrorKind;

use crate::exit::Exit;
use crate::origins::{Origins, names};
use crate::setting_flags;

/// Hint for a setting that cannot be used.
const SETTINGS: &str = "settings are read from flags, from NETMGR_* variables, from the configuration file and from \
                        NSXT_* variables; `netmgr config show --origin` lists them";

/// Whether the interruption was reported.
static REPORTED: AtomicBool = AtomicBool::new(false);

/// Whether the caller is the first that reports the interruption, so that it is reported once.
pub(crate) fn is_first_report() -> bool {
    !REPORTED.swap(true, Ordering::Relaxed)
}

/// Errors of netmgr.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// Invalid usage.
    #[error("{what}")]
    Usage {
        what: String,
        source: Option<Box<dyn Error + Send + Sync>>,
        hint: String,
    },
    /// A command with a missing part; the screen lists the possible ones.
    #[error("{0}")]
    Incomplete(String),
    /// The command reported its failures itself.
    #[error("failed")]
    Reported(Exit),
    /// The reader of the output has closed its pipe, which is not a failure.
    #[error("the reader closed the output")]
    ReaderGone,
    /// Invalid configuration of the connection. The report lists the problems.
    #[error("invalid configuration")]
    Configuration(netmgr_types::ConfigErrors),
    /// Error of the client.
    #[error(transparent)]
    Client(netmgr_transport::Error),
    /// The lookup failed.
    #[error(transparent)]
    Lookup(#[from] netmgr_lookups::Error),
    /// A failure of a lookup whose inputs were given as flags.
    #[error("{failure}")]
    ByFlags {
        failure: Box<CliError>,
        /// The words for inputs.
        words: Words,
        /// Inputs that the command has, and those that were given.
        inputs: Box<CallInputs>,
        /// The command: `find`.
        command: String,
    },
    /// A failure of a command whose exit code for other errors has another meaning.
    #[error("{0}")]
    OfComparison(Box<CliError>),
    /// What the command is about does not exist.
    #[error("{what}")]
    NotFound { what: String, hint: String },
    /// A filter ended with an exit code, and has written its message.
    #[error("the filter ended with exit code {0}")]
    Halted(u8),
    /// The simulated manager did not start.
    #[cfg(feature = "simulator")]
    #[error("the simulated manager failed to start")]
    Simulator(#[from] netmgr_sim::StartError),
    /// The runtime did not start.
    #[error("netmgr failed to start")]
    Runtime(#[source] io::Error),
    /// Writing to standard output failed.
    #[error("the output could not be written")]
    Output(#[source] io::Error),
    /// A waiting lookup exceeded the deadline.
    #[error("the deadline of {} s expired", .0.as_secs_f64())]
    Deadline(std::time::Duration),
    /// Settings could not be read before the deadline.
    #[error("{what} could not be read before the deadline of {} s", .deadline.as_secs_f64())]
    Unread {
        /// What was read: `the password (first line of FILE) from flag --password-file`.
        what: String,
        deadline: std::time::Duration,
    },
    /// A signal, with the exit code that it leads to.
    #[error("interrupted")]
    Interrupted(Exit),
}

impl CliError {
    /// Creates a usage error without a cause.
    pub(crate) fn usage(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage {
            what: what.into(),
            source: None,
            hint: hint.into(),
        }
    }

    /// Creates a usage error with a cause.
    pub(crate) fn usage_because(
        what: impl Into<String>,
        cause: impl Into<Box<dyn Error + Send + Sync>>,
        hint: impl Into<String>,
    ) -> Self {
        Self::Usage {
            what: what.into(),
            source: Some(cause.into()),
            hint: hint.into(),
        }
    }

    /// Limits the reading of settings to the deadline of the command, if there is one.
    pub(crate) async fn unless_late<T>(
        deadline: Option<std::time::Duration>,
        what: impl FnOnce() -> String,
        read: impl Future<Output = T>,
    ) -> Result<T, Self> {
        let Some(deadline) = deadline else {
            return Ok(read.await);
        };
        let read = tokio::time::timeout(deadline, read).await;
        read.map_err(|_| Self::Unread {
            what: what(),
            deadline,
        })
    }

    /// Creates the error for a file that cannot be read.
    pub(crate) fn unreadable(name: impl std::fmt::Display, cause: io::Error) -> Self {
        Self::usage_because(
            format!("cannot read {name}"),
            cause,
            "check the file name and its permissions",
        )
    }

    /// Creates the error for a file that cannot be written.
    pub(crate) fn unwritable(name: impl std::fmt::Display, cause: io::Error) -> Self {
        Self::usage_because(
            format!("cannot write {name}"),
            cause,
            "check that its folder exists, its permissions, and the free disk space",
        )
    }

    /// The error without its causes and its advice, in these words.
    fn sentence(&self, words: &Words) -> String {
        match self {
            Self::Client(error) => words.error(error),
            Self::Lookup(error) => {
                let function = error.function().map(|function| format!("{function}: "));
                function.unwrap_or_default() + &words.error(error)
            }
            _ => words.text(&self.to_string()),
        }
    }

    /// The error of a call with these inputs, its causes and its remedy on one line, in these words.
    pub(crate) fn in_one_line(&self, inputs: &CallInputs, words: &Words) -> String {
        match self.and_remedy(inputs, words) {
            (text, Some(remedy)) => format!("{text}; {remedy}"),
            (text, None) => text,
        }
    }

    /// The error with its causes on one line, and its remedy.
    pub(crate) fn and_remedy(&self, inputs: &CallInputs, words: &Words) -> (String, Option<String>) {
        let texts = std::iter::once(self.sentence(words)).chain(netmgr_lookups::causes(self, words));
        let text = texts.collect::<Vec<_>>().join(": ");
        let remedy = match self {
            Self::Lookup(error) => error.remedy(inputs).map(|remedy| remedy.to_string()),
            _ => netmgr_lookups::advice(self),
        };
        (text, remedy.map(|remedy| words.text(&remedy)))
    }

    /// The kind of a failed lookup.
    pub(crate) fn lookup_kind(&self) -> Option<ErrorKind> {
        match self {
            Self::Lookup(error) => Some(error.kind()),
            _ => None,
        }
    }

    /// Whether this concerns one lookup, and not the connection.
    pub(crate) fn is_about_one(&self) -> bool {
        use Exit::{Ambiguous, NotFound, Other, PermissionDenied, Unsupported, Usage};
        let is_of_one =
            [Ambiguous, NotFound, Other, PermissionDenied, Unsupported, Usage].contains(&self.exit());
        self.lookup_kind().is_some() && is_of_one
    }

    /// A failed lookup as the failure of a command with these inputs; other failures are unchanged.
    pub(crate) fn of_call(self, words: Words, inputs: CallInputs, command: impl Into<String>) -> Self {
        match self {
            Self::Lookup(_) => Self::ByFlags {
                failure: Box::new(self),
                words,
                inputs: Box::new(inputs),
                command: command.into(),
            },
            _ => self,
        }
    }

    /// The failure with the names that settings have where they were set.
    pub(crate) fn of_settings(self, origins: &Origins) -> Self {
        let names = names(origins);
        match self {
            Self::ByFlags {
                failure,
                words,
                inputs,
                command,
            } => Self::ByFlags {
                failure,
                words: words.with(names),
                inputs,
                command,
            },
            // Inputs of functions can have names of settings.
            Self::Lookup(netmgr_lookups::Error::InvalidInput { .. }) => self,
            Self::Lookup(_) | Self::Client(_) | Self::Configuration(_) => Self::ByFlags {
                failure: Box::new(self),
                words: setting_flags::words(names),
                inputs: Box::default(),
                command: "options".to_owned(),
            },
            _ => self,
        }
    }

    /// The report for standard error, unless there is nothing more to report.
    pub(crate) fn shown(&self) -> Option<String> {
        match self {
            Self::ReaderGone | Self::Reported(_) | Self::Halted(_) => None,
            Self::OfComparison(failure) => failure.shown(),
            Self::Interrupted(_) if !is_first_report() => None,
            Self::Incomplete(screen) => Some(screen.clone()),
            _ => Some(self.report()),
        }
    }

    /// Exit code of the process: the exit code of a filter, or [`Self::exit`].
    pub(crate) fn code(&self) -> ExitCode {
        match self {
            Self::Halted(code) => (*code).into(),
            Self::OfComparison(failure) if matches!(**failure, Self::Halted(_)) => failure.code(),
            _ => self.exit().into(),
        }
    }

    /// Kind of the exit code of the process.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::ReaderGone => Exit::Success,
            Self::Reported(exit) | Self::Interrupted(exit) => *exit,
            Self::Usage { .. } | Self::Incomplete(_) | Self::Configuration(_) => Exit::Usage,
            Self::Client(error) if error.kind() == RequestErrorKind::Config => Exit::Usage,
            Self::Client(_) | Self::Runtime(_) | Self::Output(_) | Self::Halted(_) => Exit::Other,
            #[cfg(feature = "simulator")]
            Self::Simulator(_) => Exit::Other,
            Self::Lookup(error) => match error.kind() {
                ErrorKind::Other if is_unavailable(self) => Exit::Unavailable,
                kind => kind.into(),
            },
            Self::ByFlags { failure, .. } => failure.exit(),
            Self::OfComparison(failure) => match failure.exit() {
                Exit::Other => Exit::NotCompared,
                exit => exit,
            },
            Self::NotFound { .. } => Exit::NotFound,
            Self::Deadline(_) | Self::Unread { .. } => Exit::DeadlineExceeded,
        }
    }

    /// The advice of the request that failed, or that for the kind of failure.
    fn hint(&self) -> Option<String> {
        match self {
            Self::Usage { hint, .. } | Self::NotFound { hint, .. } => Some(hint.clone()),
            Self::Configuration(_) => Some(SETTINGS.to_owned()),
            Self::Client(error) if error.kind() == RequestErrorKind::Config => {
                netmgr_lookups::advice(error).or_else(|| Some(SETTINGS.to_owned()))
            }
            Self::Lookup(error) => remedy(error, &CallInputs::default()),
            Self::ByFlags {
                failure,
                command,
                inputs,
                ..
            } => match &**failure {
                Self::Lookup(netmgr_lookups::Error::InvalidInput { .. }) => Some(help_of(command)),
                Self::Lookup(error) => remedy(error, inputs),
                failure => failure.hint(),
            },
            Self::OfComparison(failure) => failure.hint(),
            Self::Client(error) => netmgr_lookups::advice(error),
            #[cfg(feature = "simulator")]
            Self::Simulator(netmgr_sim::StartError::Listen { .. }) => {
                Some("set another address with --listen".to_owned())
            }
            #[cfg(feature = "simulator")]
            Self::Simulator(netmgr_sim::StartError::WriteCa { .. }) => {
                Some("set a writable file with --write-ca".to_owned())
            }
            #[cfg(feature = "simulator")]
            Self::Simulator(_) => None,
            Self::Deadline(_) => Some("increase --deadline".to_owned()),
            Self::Unread { .. } => Some("check what writes it, or increase --deadline".to_owned()),
            Self::Output(_) => {
                Some("check the destination of the output, such as the free disk space".to_owned())
            }
            Self::Runtime(_) => Some("check the process and thread limits".to_owned()),
            Self::Incomplete(_)
            | Self::Reported(_)
            | Self::ReaderGone
            | Self::Halted(_)
            | Self::Interrupted(_) => None,
        }
    }

    /// The error report for standard error.
    pub(crate) fn report(&self) -> String {
        let hint = self.hint();
        match self {
            Self::ByFlags { failure, words, .. } => failure.report_with(hint, words),
            Self::OfComparison(failure) => failure.report(),
            _ => self.report_with(hint, &Words::default()),
        }
    }

    fn report_with(&self, hint: Option<String>, words: &Words) -> String {
        let mut report = match self {
            Self::Lookup(netmgr_lookups::Error::Ambiguous {
                function,
                what,
                found,
                total,
                incomplete,
                ..
            }) => {
                let candidates = found.iter().map(|candidate| format!("\n  {candidate}"));
                let mut report = format!(
                    "error: {function}: {}{}",
                    words.text(what),
                    candidates.collect::<String>()
                );
                if *total > found.len() {
                    report.push_str(&format!("\n  and {} more", total - found.len()));
                }
                if let Some(why) = incomplete {
                    report.push_str(&format!("\n  (the answer may be incomplete: {why})"));
                }
                report
            }
            Self::Configuration(errors) => {
                let problems = errors.problems().iter();
                let problems = problems.map(|problem| format!("\n  {}", words.text(&problem.to_string())));
                format!("error: {self}{}", problems.collect::<String>())
            }
            _ => format!("error: {}", self.sentence(words)),
        };
        for cause in netmgr_lookups::causes(self, words) {
            report.push_str(&format!("\n  caused by: {cause}"));
        }
        if let Some(hint) = hint {
            report.push_str(&format!("\n  hint: {}", words.text(&hint)));
        }
        report
    }
}

/// Whether a request failed because the manager is overloaded, restarting or not ready.
fn is_unavailable(error: &CliError) -> bool {
    let mut chain = std::iter::successors(Some(error as &(dyn Error + 'static)), |&error| error.source());
    chain.any(|cause| {
        let request = cause.downcast_ref::<netmgr_transport::Error>();
        request.is_some_and(|request| request.kind() == RequestErrorKind::Unavailable)
    })
}

/// The advice for wrong inputs of a command.
fn help_of(command: &str) -> String {
    format!("`netmgr {command} --help` lists the inputs")
}

/// The advice for a lookup with these inputs that failed.
fn remedy(error: &netmgr_lookups::Error, inputs: &CallInputs) -> Option<String> {
    if let netmgr_lookups::Error::InvalidInput { function, .. } = error {
        let function = crate::flags::command_name(function);
        return Some(help_of(&format!("get {function}")));
    }
    if let Some(remedy) = error.remedy(inputs) {
        return Some(remedy.to_string());
    }
    let advice = match error.kind() {
        ErrorKind::Ambiguous => return None,
        ErrorKind::DeadlineExceeded => "increase --deadline",
        ErrorKind::Unsupported => "`netmgr types -o wide` shows where each function is available",
        _ => "run the command again with `-v` to see its requests",
    };
    Some(advice.to_owned())
}

#[cfg(test)]
mod tests;
