//! Errors of constructing a component. Errors of the engine are in `registrar`.

use std::collections::BTreeSet;
use std::error::Error;
use std::{fmt, iter};

use crate::values::PropertyPath;

use crate::components::registrar::RegistrarError;

/// Errors of constructing a component. Cheap to clone, because everything that depends on a failed registration returns
/// the same error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConstructError {
    /// The inputs are invalid. If a check found the problems, nothing was registered.
    #[error("{0}")]
    InvalidInput(InputProblems),
    /// A resource could not be registered.
    #[error("could not register {token} \"{name}\"")]
    #[non_exhaustive]
    Registration {
        /// Type token of the resource.
        token: String,
        /// Its logical name.
        name: String,
        /// Error of the engine.
        #[source]
        source: RegistrarError,
    },
    /// An existing resource could not be read.
    #[error("could not read {token} \"{name}\"")]
    #[non_exhaustive]
    Read {
        /// Type token of the resource.
        token: String,
        /// Its logical name.
        name: String,
        /// Error of the engine.
        #[source]
        source: RegistrarError,
    },
    /// A function or method could not be called.
    #[error("could not call {token}")]
    #[non_exhaustive]
    Call {
        /// Its token.
        token: String,
        /// Error of the engine.
        #[source]
        source: RegistrarError,
    },
    /// The result of a resource or function violates its schema.
    #[error("unexpected response of {origin}: {problems}")]
    #[non_exhaustive]
    UnexpectedAnswer {
        /// Token, and name if it has one, of the resource or function.
        origin: String,
        /// Problems of the result.
        problems: InputProblems,
    },
    /// Resources failed or were skipped while the deployment continues, and other resources or outputs depend on them.
    /// The dependent resources were not registered; all others were.
    #[error("resources failed that others depend on: {0}")]
    Incomplete(FailedResources),
    /// The component reported an error of its own.
    #[error("{0}")]
    Failed(String),
    /// The component's outputs could not be stored.
    #[error("could not store the outputs of {urn}")]
    #[non_exhaustive]
    Outputs {
        /// The component.
        urn: String,
        /// Error of the engine.
        #[source]
        source: RegistrarError,
    },
}

impl ConstructError {
    /// Creates an error of the component itself, with the whole chain of causes of `error`, which may also be a string.
    pub fn failed(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let error = error.into();
        let causes = iter::successors(error.source(), |cause| (*cause).source());
        let chain = iter::once(error.to_string()).chain(causes.map(ToString::to_string));
        Self::Failed(chain.collect::<Vec<_>>().join(": "))
    }
}

impl From<InputProblems> for ConstructError {
    fn from(problems: InputProblems) -> Self {
        Self::InvalidInput(problems)
    }
}

/// Resources that failed, by type token and name. The engine has reported the reasons.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FailedResources(BTreeSet<String>);

impl FailedResources {
    /// Creates a set of one resource.
    pub(crate) fn of(token: &str, name: &str) -> Self {
        Self([format!("{token} \"{name}\"")].into())
    }

    /// Adds other resources.
    pub(crate) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Whether the set is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for FailedResources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, resource) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{resource}")?;
        }
        Ok(())
    }
}

/// An input that cannot be used, and the reason. `Display` writes both.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputFailure {
    /// Path of the input. The empty path refers to the inputs as a whole.
    pub property: PropertyPath,
    /// Description and remedy, without the value.
    pub reason: String,
    /// Whether the value may be secret. The engine prints the values of reported properties, so for a
    /// sensitive one only the reason is reported, which then names the property.
    pub sensitive: bool,
}

impl InputFailure {
    /// Creates a failure of an input that is not secret.
    pub fn new(property: impl Into<PropertyPath>, reason: impl Into<String>) -> Self {
        Self {
            property: property.into(),
            reason: reason.into(),
            sensitive: false,
        }
    }

    /// Creates a failure of the input whose path is written as `rules[1].times`.
    pub fn at(path: String, reason: impl Into<String>) -> Self {
        let property = path.parse().unwrap_or_else(|_| PropertyPath::from(path));
        Self::new(property, reason)
    }

    /// Marks the input as possibly secret.
    #[must_use]
    pub fn sensitive(self) -> Self {
        Self {
            sensitive: true,
            ..self
        }
    }
}

impl fmt::Display for InputFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.property.is_empty() {
            true => f.write_str(&self.reason),
            false => write!(f, "{}: {}", self.property, self.reason),
        }
    }
}

/// All problems of a set of inputs, in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputProblems(Vec<InputFailure>);

impl InputProblems {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem of the input at `path`, such as `rules[1].times`.
    pub fn add(&mut self, path: impl fmt::Display, reason: impl Into<String>) {
        self.0.push(InputFailure::at(path.to_string(), reason));
    }

    /// Adds other problems.
    pub(crate) fn append(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Removes the problems of inputs that also have one of the others.
    pub(crate) fn remove(&mut self, others: &Self) {
        self.0
            .retain(|one| others.iter().all(|other| other.property != one.property));
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The problems.
    pub fn iter(&self) -> impl Iterator<Item = &InputFailure> {
        self.0.iter()
    }
}

impl IntoIterator for InputProblems {
    type Item = InputFailure;
    type IntoIter = std::vec::IntoIter<InputFailure>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Display for InputProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{problem}")?;
        }
        Ok(())
    }
}
