//! Errors of lookups.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use derive_setters::Setters;
use netmgr_types::wire::ManagedObject;
use netmgr_types::{ConfigErrors, InvalidProperty, foreign};

use crate::finding::names;
use crate::wording::nouns::counted;

/// Errors of lookups.
///
/// Variants are named for what the caller can do. `Display` describes only this level; the cause is the
/// `source`. The alternate form (`{:#}`) leaves out the function.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No function has this name.
    #[non_exhaustive]
    UnknownFunction {
        /// Description of the request.
        name: String,
        /// Functions with similar names.
        similar: Vec<String>,
    },
    /// The input is invalid. No request was sent.
    #[non_exhaustive]
    InvalidInput {
        /// The function.
        function: &'static str,
        /// All problems.
        problems: Vec<InvalidProperty>,
    },
    /// The settings of a client cannot be used.
    #[non_exhaustive]
    InvalidSettings {
        /// All problems.
        problems: Vec<InvalidProperty>,
        /// Cause, if a file that the settings name cannot be used.
        source: Option<Arc<dyn std::error::Error + Send + Sync>>,
    },
    /// The function does not exist on this kind or version of manager.
    #[non_exhaustive]
    Unsupported {
        /// The function.
        function: &'static str,
        /// Reason: where the function is available, or what the manager lacks.
        reason: String,
        /// Response of the manager, if a request was sent.
        #[source]
        source: Option<netmgr_transport::Error>,
    },
    /// No object matches.
    #[non_exhaustive]
    NotFound {
        /// The function.
        function: &'static str,
        /// Description: `no IP pool has display name "blue"`.
        what: String,
        /// Reason why an object may have been missed, if any.
        incomplete: Option<String>,
        /// Clues to what was meant. The message does not contain them, because a name that is similar to a secret input
        /// discloses it.
        clues: Box<Clues>,
        /// Error response of the manager, if any.
        #[source]
        source: Option<netmgr_transport::Error>,
    },
    /// Several objects match.
    #[non_exhaustive]
    Ambiguous {
        /// The function.
        function: &'static str,
        /// Description: `several IP pools have display name "blue"`.
        what: String,
        /// The first ten objects.
        found: Vec<Candidate>,
        /// Total number of objects.
        total: usize,
        /// Reason why more objects may match, if any.
        incomplete: Option<String>,
        /// The input that selects the objects, if one does.
        selector: Option<String>,
    },
    /// A request failed.
    #[non_exhaustive]
    Manager {
        /// The function.
        function: &'static str,
        /// Description of the request.
        what: String,
        /// Cause.
        source: netmgr_transport::Error,
    },
    /// The object was found, but its realization failed.
    #[non_exhaustive]
    RealizationFailed {
        /// The function.
        function: &'static str,
        /// Description of the object.
        what: String,
        /// Final state.
        state: String,
        /// Reason that the manager gives.
        reason: String,
    },
    /// The timeout of a wait expired.
    #[non_exhaustive]
    WaitExceeded {
        /// The function.
        function: &'static str,
        /// Description of the object.
        what: String,
        /// Time since the wait began.
        waited: Duration,
        /// Number of requests of the state.
        polls: u32,
        /// Last state that was read.
        last_state: String,
        /// Whether there are states, but none that the inputs select.
        is_unselected: bool,
        /// Error of the last request, if it failed.
        source: Option<netmgr_transport::Error>,
    },
    /// The caller cancelled the lookup.
    #[non_exhaustive]
    Cancelled {
        /// The function.
        function: &'static str,
    },
    /// A message that the specification defines.
    #[non_exhaustive]
    Fixed {
        /// `Cluster not found` or `API not supported`.
        text: &'static str,
        /// Kind of the failure.
        kind: ErrorKind,
        /// Cause and remedy.
        source: Arc<Error>,
    },
    /// A bug in the function. Please report it.
    #[non_exhaustive]
    Internal {
        /// The function.
        function: &'static str,
        /// Description of the bug.
        reason: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = self.function().filter(|_| !f.alternate()) {
            write!(f, "{function}: ")?;
        }
        let (sentence, quoted) = self.parts();
        write!(f, "{sentence}{quoted}")
    }
}

impl Error {
    /// The beginning of the message, which consists of our words, and the rest, which may quote the manager.
    pub(crate) fn parts(&self) -> (String, String) {
        let sentence = match self {
            Self::UnknownFunction { name, .. } => format!("there is no function {name:?}"),
            Self::InvalidInput { problems, .. } => list(problems),
            Self::InvalidSettings { problems, .. } => format!("invalid settings: {}", list(problems)),
            Self::Unsupported { reason, .. } => format!("not supported by this manager: {reason}"),
            Self::NotFound { what, incomplete, .. } => return (what.clone(), note(incomplete.as_ref())),
            Self::Ambiguous {
                what,
                found,
                total,
                incomplete,
                ..
            } => {
                let found = candidates(found, *total);
                return (what.clone(), format!(": {found}{}", note(incomplete.as_ref())));
            }
            Self::Manager { what, .. } => format!("could not read {what}"),
            Self::RealizationFailed {
                what, state, reason, ..
            } => {
                let sentence = format!("realization of {what} failed with state ");
                return (sentence, format!("{state}: {reason}"));
            }
            Self::WaitExceeded {
                what,
                waited,
                polls,
                last_state,
                source,
                ..
            } => {
                let (waited, polls) = (waited.as_secs_f64(), counted(*polls, "poll"));
                let end = source
                    .as_ref()
                    .map_or("", |_| "; the manager did not answer the last request");
                let sentence = format!("waited {waited:.0} s ({polls}) for {what}; last state ");
                return (sentence, format!("{last_state}{end}"));
            }
            Self::Cancelled { .. } => "interrupted".to_owned(),
            Self::Fixed { text, .. } => (*text).to_owned(),
            Self::Internal { reason, .. } => format!("internal error, please report it: {reason}"),
        };
        (sentence, String::new())
    }
}

/// Facts about an object that was not found, from which the remedy follows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clues {
    /// The input that selects the object.
    pub selector: Option<String>,
    /// Display names that are similar to the wanted one, nearest first.
    pub similar: Vec<String>,
    /// Display name of the object whose id was given as a name.
    pub name_of_id: Option<String>,
    /// Whether the object is outside of the project that was given.
    pub is_outside: bool,
    /// The place of the object, if it does not exist.
    pub missing: Option<Place>,
}

impl Clues {
    /// The clues if `place` does not exist.
    pub(crate) fn missing(place: Place) -> Self {
        Self {
            missing: Some(place),
            ..Self::default()
        }
    }
}

/// A place of objects that an input names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A collection: the manager has no API at the path.
    Collection,
    /// A project.
    Project,
    /// A VPC.
    Vpc,
    /// The parent of the object in the policy tree, or the object at a given path.
    Parent,
}

/// Kind of an [`Error`], for exit codes and status codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Correct the input or the configuration.
    InvalidInput,
    /// No object matches. Select another object.
    NotFound,
    /// Several objects match. Select one by id.
    Ambiguous,
    /// Correct the credentials.
    Unauthenticated,
    /// Obtain the permission or the licence.
    PermissionDenied,
    /// Check host, network and certificates.
    Network,
    /// Send fewer requests.
    Throttled,
    /// Increase the deadline or timeout.
    DeadlineExceeded,
    /// Use another function or manager.
    Unsupported,
    /// Check the object on the manager.
    RealizationFailed,
    /// The caller cancelled the lookup.
    Cancelled,
    /// Any other error.
    Other,
}

/// An object that matches. Candidates are ordered by name and id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Setters)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct Candidate {
    /// Display name.
    pub name: String,
    /// Id.
    pub id: String,
    /// Policy path, for policy objects.
    pub path: Option<String>,
}

impl Candidate {
    /// An object with this name and id. Policy objects also have a [path](Self::path).
    pub fn new(name: impl Into<String>, id: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            id: id.into(),
            path: None,
        }
    }

    /// Whether the display name is `name`. Letters with accents may be composed or decomposed.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        names::is_same(&self.name, name)
    }

    /// Whether its display name begins with `prefix`, in any Unicode normalization form.
    #[must_use]
    pub fn begins_with(&self, prefix: &str) -> bool {
        names::begins(&self.name, prefix)
    }

    pub(crate) fn of(object: &ManagedObject) -> Self {
        Self {
            name: object.name().to_owned(),
            id: object.id().to_owned(),
            path: object.path().map(str::to_owned),
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = foreign::sanitized(&format!("{:?}", self.name));
        write!(f, "{name} (id {}", foreign::sanitized(&self.id))?;
        match &self.path {
            Some(path) => write!(f, ", path {})", foreign::sanitized(path)),
            None => f.write_str(")"),
        }
    }
}

/// Maximum number of candidates that an error lists.
pub(crate) const LISTED: usize = 10;

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

/// Joins the strings in `shown` and adds how many of the `total` are not shown.
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
        let failure = error.failure();
        let problem = match (failure.property, &failure.reason) {
            (Some(property), Some(reason)) => InvalidProperty::new(property, reason),
            _ => InvalidProperty::new("", error.to_string()),
        };
        Self::InvalidSettings {
            problems: vec![problem],
            source: failure.source.clone().map(Arc::from),
        }
    }

    /// The error of `function` for an invalid input.
    pub fn invalid_input(function: &'static str, problems: impl Into<Vec<InvalidProperty>>) -> Self {
        Self::InvalidInput {
            function,
            problems: problems.into(),
        }
    }

    /// The error of `function` for an object that does not exist, as `what` says.
    pub fn not_found(function: &'static str, what: &str) -> Self {
        Self::NotFound {
            function,
            what: foreign::sanitized(what),
            incomplete: None,
            clues: Box::default(),
            source: None,
        }
    }

    /// The error of `function` for `total` objects that match although only one is wanted. `found` lists the
    /// first of them.
    pub fn ambiguous(
        function: &'static str,
        what: impl Into<String>,
        found: impl Into<Vec<Candidate>>,
        total: usize,
    ) -> Self {
        Self::Ambiguous {
            function,
            what: what.into(),
            found: found.into(),
            total,
            incomplete: None,
            selector: None,
        }
    }

    /// The error of `function` for a request that failed. `what` describes the object that could not be read.
    pub fn request_failed(
        function: &'static str,
        what: impl Into<String>,
        source: netmgr_transport::Error,
    ) -> Self {
        Self::Manager {
            function,
            what: what.into(),
            source,
        }
    }

    /// The function that failed, if one was called.
    #[must_use]
    pub fn function(&self) -> Option<&'static str> {
        match self {
            Self::UnknownFunction { .. } | Self::InvalidSettings { .. } | Self::Fixed { .. } => None,
            Self::InvalidInput { function, .. }
            | Self::Unsupported { function, .. }
            | Self::NotFound { function, .. }
            | Self::Ambiguous { function, .. }
            | Self::Manager { function, .. }
            | Self::RealizationFailed { function, .. }
            | Self::WaitExceeded { function, .. }
            | Self::Cancelled { function }
            | Self::Internal { function, .. } => Some(function),
        }
    }

    /// The error with clues, if nothing was found.
    pub(crate) fn with_clues(mut self, found: Clues) -> Self {
        if let Self::NotFound { clues, .. } = &mut self {
            **clues = found;
        }
        self
    }

    /// The kind of this error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::UnknownFunction { .. } | Self::InvalidInput { .. } | Self::InvalidSettings { .. } => {
                ErrorKind::InvalidInput
            }
            Self::Unsupported { .. } => ErrorKind::Unsupported,
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::Ambiguous { .. } => ErrorKind::Ambiguous,
            Self::Manager { source, .. } => source.kind().into(),
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

/// The kind of a lookup whose request failed with an error of this kind.
impl From<netmgr_transport::ErrorKind> for ErrorKind {
    fn from(kind: netmgr_transport::ErrorKind) -> Self {
        use netmgr_transport::ErrorKind as K;
        match kind {
            K::Config | K::InvalidRequest => Self::InvalidInput,
            K::Unauthenticated => Self::Unauthenticated,
            K::PermissionDenied | K::Unlicensed => Self::PermissionDenied,
            K::NotFound => Self::NotFound,
            K::Throttled => Self::Throttled,
            K::Connect | K::Tls => Self::Network,
            K::Deadline => Self::DeadlineExceeded,
            _ => Self::Other,
        }
    }
}
