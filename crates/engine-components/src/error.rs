//! Errors of constructing a component. Errors of the engine are in `registrar`.

use std::collections::BTreeSet;
use std::fmt;

use crate::registrar::RegistrarError;

/// Errors of constructing a component. Cheap to clone, because everything that waits for a failed
/// registration returns the same error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The inputs are invalid. Nothing was registered.
    #[error("{0}")]
    InvalidInput(Problems),
    /// A resource could not be registered.
    #[error("could not register {token} \"{name}\"")]
    Registration {
        /// Type token of the resource.
        token: String,
        /// Its logical name.
        name: String,
        /// Error of the engine.
        #[source]
        source: RegistrarError,
    },
    /// A function could not be called.
    #[error("could not call {token}")]
    Call {
        /// Token of the function.
        token: String,
        /// Error of the engine.
        #[source]
        source: RegistrarError,
    },
    /// The result of a resource or function violates its schema.
    #[error("unexpected response of {origin}: {problems}")]
    UnexpectedAnswer {
        /// Token, and name if it has one, of the resource or function.
        origin: String,
        /// Problems of the result.
        problems: Problems,
    },
    /// Resources failed or were skipped while the deployment goes on, and other resources or outputs are made
    /// from them. Those were not registered; everything else was.
    #[error("resources failed that others are made from: {0}")]
    Incomplete(Failed),
    /// The component's outputs could not be stored.
    #[error("could not store the outputs of {urn}")]
    Outputs {
        /// The component.
        urn: String,
        /// Error of the engine.
        #[source]
        source: RegistrarError,
    },
}

/// Resources that failed, by type token and name. The engine has reported why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failed(BTreeSet<String>);

impl Failed {
    /// One resource.
    pub(crate) fn of(token: &str, name: &str) -> Self {
        Self([format!("{token} \"{name}\"")].into())
    }

    /// Adds others.
    pub(crate) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, resource) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{resource}")?;
        }
        Ok(())
    }
}

/// A problem with a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Path of the property: `requirements[0].operator`; empty for the inputs as a whole.
    pub path: String,
    /// Description of the problem, without the value.
    pub reason: String,
}

/// All problems of a set of inputs, in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem.
    pub fn add(&mut self, path: impl fmt::Display, reason: impl Into<String>) {
        self.0.push(Problem {
            path: path.to_string(),
            reason: reason.into(),
        });
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The problems.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Problem { path, reason }) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            match path.as_str() {
                "" => write!(f, "{separator}{reason}")?,
                path => write!(f, "{separator}{path}: {reason}")?,
            }
        }
        Ok(())
    }
}
