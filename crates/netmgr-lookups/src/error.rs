//! Why a lookup did not end with an object.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use netmgr_types::wire::ManagedObject;
use netmgr_types::{ConfigErrors, InvalidProperty};

/// Why a lookup did not end with an object.
///
/// Variants are named for what the caller can do about them. `Display` tells this level only; the
/// cause is the `source`.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no function of this name.
    #[error("there is no function {name:?}")]
    UnknownFunction {
        /// What was asked for.
        name: String,
    },
    /// The input cannot be used; nothing was asked.
    #[error("{}: {}", function, list(problems))]
    InvalidInput {
        /// The function.
        function: &'static str,
        /// Every problem found.
        problems: Vec<InvalidProperty>,
    },
    /// The settings of a client cannot be used.
    #[error("invalid settings: {}", list(problems))]
    InvalidSettings {
        /// Every problem found.
        problems: Vec<InvalidProperty>,
        /// Why a file that they name cannot be used.
        source: Option<Arc<dyn std::error::Error + Send + Sync>>,
    },
    /// The function does not exist on this kind or version of manager.
    #[error("{function}: not supported by this manager: {reason}")]
    Unsupported {
        /// The function.
        function: &'static str,
        /// Where it is available, or what is missing.
        reason: String,
        /// The manager's answer, when it was asked.
        #[source]
        source: Option<Arc<netmgr_transport::Error>>,
    },
    /// No object fits.
    #[error("{function}: {what}{}", note(incomplete.as_ref()))]
    NotFound {
        /// The function.
        function: &'static str,
        /// What was looked for: `no IP pool has display name "blue"`.
        what: String,
        /// Why an object may have been missed, when one may have been.
        incomplete: Option<String>,
        /// The manager's answer, when it was an error.
        #[source]
        source: Option<Arc<netmgr_transport::Error>>,
    },
    /// Several objects fit.
    #[error("{function}: {what}: {}{}", candidates(found, *total), note(incomplete.as_ref()))]
    Ambiguous {
        /// The function.
        function: &'static str,
        /// What was looked for: `several IP pools have display name "blue"`.
        what: String,
        /// The first ten of them.
        found: Vec<Candidate>,
        /// How many there are.
        total: usize,
        /// Why more may fit, when more may.
        incomplete: Option<String>,
    },
    /// The manager could not be asked or did not answer the question.
    #[error("{function}: could not read {what}")]
    Manager {
        /// The function.
        function: &'static str,
        /// What was asked for.
        what: String,
        /// What happened.
        source: Arc<netmgr_transport::Error>,
    },
    /// The object was found, but its realization failed.
    #[error("{function}: realization of {what} failed with state {state}: {reason}")]
    RealizationFailed {
        /// The function.
        function: &'static str,
        /// The object waited for.
        what: String,
        /// The state that ended the wait.
        state: String,
        /// The manager's reason.
        reason: String,
    },
    /// The time for a wait is over.
    #[error(
        "{function}: waited {:.0} s ({}) for {what}; last state {last_state}{}; raise `timeout` to wait longer",
        waited.as_secs_f64(),
        count(*polls),
        if source.is_some() { "; the manager did not answer the last request" } else { "" }
    )]
    WaitExceeded {
        /// The function.
        function: &'static str,
        /// The object waited for.
        what: String,
        /// Time since the wait began.
        waited: Duration,
        /// Times the state was requested.
        polls: u32,
        /// The state last read.
        last_state: String,
        /// The failure of the last request, when it failed.
        source: Option<Arc<netmgr_transport::Error>>,
    },
    /// The caller ended the lookup.
    #[error("{function}: interrupted")]
    Cancelled {
        /// The function.
        function: &'static str,
    },
    /// A text fixed by the specification, word for word. Source: lookup-provider section 7.
    #[error("{text}")]
    Fixed {
        /// `Cluster not found` or `API not supported`.
        text: &'static str,
        /// Which kind of failure it is.
        kind: ErrorKind,
        /// What led to it and what to do.
        source: Arc<Error>,
    },
    /// The function broke one of its own promises. Please report it.
    #[error("{function}: internal error, please report it: {reason}")]
    Internal {
        /// The function.
        function: &'static str,
        /// Which promise.
        reason: String,
    },
}

/// What a caller can do about an [`Error`], for exit codes and status codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Correct the input or the configuration.
    InvalidInput,
    /// Name another object.
    NotFound,
    /// Select more narrowly.
    Ambiguous,
    /// Correct the credentials.
    Unauthenticated,
    /// Ask for the permission or the licence.
    PermissionDenied,
    /// Check host, network and certificates.
    Network,
    /// Ask less often.
    Throttled,
    /// Allow more time.
    DeadlineExceeded,
    /// Use another function or manager.
    Unsupported,
    /// See what the manager says of the object.
    RealizationFailed,
    /// Nothing: the caller wanted it.
    Cancelled,
    /// See what the manager says.
    Other,
}

/// An object that could have been meant. Candidates sort by name, then id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// Display name.
    pub name: String,
    /// Id.
    pub id: String,
    /// Policy path, for policy objects.
    pub path: Option<String>,
}

impl Candidate {
    /// What identifies `object`.
    pub(crate) fn of<T: ManagedObject>(object: &T) -> Self {
        Self {
            name: object.name().to_owned(),
            id: object.id().to_owned(),
            path: object.path().map(str::to_owned),
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} (id {}", self.name, self.id)?;
        match &self.path {
            Some(path) => write!(f, ", path {path})"),
            None => f.write_str(")"),
        }
    }
}

/// How many candidates an error lists.
pub(crate) const LISTED: usize = 10;

fn count(polls: u32) -> String {
    if polls == 1 {
        "1 poll".to_owned()
    } else {
        format!("{polls} polls")
    }
}

fn list(problems: &[InvalidProperty]) -> String {
    problems
        .iter()
        .map(InvalidProperty::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}

fn candidates(found: &[Candidate], total: usize) -> String {
    let shown: Vec<String> = found.iter().map(Candidate::to_string).collect();
    and_more(&shown, ", ", total)
}

/// The texts `shown`, and how many of the `total` are not among them.
pub(crate) fn and_more(shown: &[String], separator: &str, total: usize) -> String {
    let mut text = shown.join(separator);
    if total > shown.len() {
        text.push_str(&format!(" and {} more", total - shown.len()));
    }
    text
}

fn note(incomplete: Option<&String>) -> String {
    incomplete
        .map(|why| format!(" (the answer may be incomplete: {why})"))
        .unwrap_or_default()
}

impl Error {
    /// The failure of a client that cannot be built from its settings.
    #[must_use]
    pub fn invalid_settings(error: netmgr_transport::Error) -> Self {
        let (problem, source) = match error {
            netmgr_transport::Error::Config {
                property,
                reason,
                source,
            } => (InvalidProperty::new(property, reason), source.map(Arc::from)),
            other => (InvalidProperty::new("", other.to_string()), None),
        };
        Self::InvalidSettings {
            problems: vec![problem],
            source,
        }
    }

    /// What the caller can do about it.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::UnknownFunction { .. } | Self::InvalidInput { .. } | Self::InvalidSettings { .. } => {
                ErrorKind::InvalidInput
            }
            Self::Unsupported { .. } => ErrorKind::Unsupported,
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::Ambiguous { .. } => ErrorKind::Ambiguous,
            Self::Manager { source, .. } => kind_of(source),
            Self::RealizationFailed { .. } => ErrorKind::RealizationFailed,
            Self::WaitExceeded { .. } => ErrorKind::DeadlineExceeded,
            Self::Cancelled { .. } => ErrorKind::Cancelled,
            Self::Fixed { kind, .. } => *kind,
            Self::Internal { .. } => ErrorKind::Other,
        }
    }
}

impl From<ConfigErrors> for Error {
    fn from(errors: ConfigErrors) -> Self {
        Self::InvalidSettings {
            problems: errors.into_iter().collect(),
            source: None,
        }
    }
}

/// The kind of a failed request.
fn kind_of(error: &netmgr_transport::Error) -> ErrorKind {
    use netmgr_transport::Error as E;
    match error {
        E::Config { .. } | E::InvalidRequest(_) => ErrorKind::InvalidInput,
        E::Unauthenticated(_) => ErrorKind::Unauthenticated,
        E::PermissionDenied(_) | E::Unlicensed(_) => ErrorKind::PermissionDenied,
        E::NotFound(_) => ErrorKind::NotFound,
        E::Throttled(_) => ErrorKind::Throttled,
        E::Connect(_) | E::Tls(_) => ErrorKind::Network,
        E::Deadline(_) => ErrorKind::DeadlineExceeded,
        _ => ErrorKind::Other,
    }
}
