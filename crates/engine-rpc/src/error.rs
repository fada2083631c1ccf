//! Why a call failed, as a provider says it. How that is told to the engine is in [`crate::status`].

use std::fmt::Write as _;

use engine_values::PropertyPath;

/// Why a provider's call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The provider does not have this call. The engine has a fallback for some ("engine-plugin" 2.8).
    #[error("not implemented by this plugin")]
    Unimplemented,
    /// Inputs are wrong; all of them at once. Configuration, function arguments and component inputs
    /// are each reported in the form that the engine has for them.
    #[error("{}", describe_inputs(.0))]
    InvalidInput(Vec<InputFailure>),
    /// Configuration that must be set is not. The engine prints one line per key, with a hint how to
    /// set it.
    #[error("{}", describe_keys(.0))]
    MissingConfig(Vec<MissingKey>),
    /// The engine cancelled the operation.
    #[error("the operation was cancelled")]
    Cancelled,
    /// What was asked for could not be done. The text is for the user.
    #[error("{0}")]
    Failed(String),
    /// The plugin itself is at fault. The user is told so and asked to report it.
    #[error("{0}")]
    Internal(String),
}

impl Error {
    /// [`Error::Failed`] with the whole chain of causes of `error`.
    pub fn failed(error: &(dyn std::error::Error + 'static)) -> Self {
        let mut text = error.to_string();
        let causes = std::iter::successors(error.source(), |cause| cause.source());
        for cause in causes {
            write!(text, ": {cause}").expect("writing to a string");
        }
        Self::Failed(text)
    }

    /// [`Error::InvalidInput`] with one failure.
    pub fn invalid(property: impl Into<PropertyPath>, reason: impl Into<String>) -> Self {
        Self::InvalidInput(vec![InputFailure::new(property, reason)])
    }
}

/// One input that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFailure {
    /// Where it is. The empty path stands for the inputs as a whole.
    pub property: PropertyPath,
    /// What is wrong, and how to put it right.
    pub reason: String,
    /// Whether the value may be secret. The engine prints the values of the properties it is told
    /// about; of a sensitive one it is told the reason alone, which then names the property.
    pub sensitive: bool,
}

impl InputFailure {
    /// A failure of an input that may be shown.
    pub fn new(property: impl Into<PropertyPath>, reason: impl Into<String>) -> Self {
        Self {
            property: property.into(),
            reason: reason.into(),
            sensitive: false,
        }
    }

    /// The same failure of an input that may be secret.
    #[must_use]
    pub fn sensitive(self) -> Self {
        Self {
            sensitive: true,
            ..self
        }
    }

    /// Property and reason in one sentence.
    pub(crate) fn sentence(&self) -> String {
        if self.property.is_empty() {
            self.reason.clone()
        } else {
            format!("{}: {}", self.property, self.reason)
        }
    }
}

/// A configuration key that must be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingKey {
    /// The key as the user types it, with its namespace: `netmgr:host`.
    pub name: String,
    /// What it is for.
    pub description: String,
}

fn describe_inputs(failures: &[InputFailure]) -> String {
    let sentences: Vec<_> = failures.iter().map(InputFailure::sentence).collect();
    format!("invalid input: {}", sentences.join("; "))
}

fn describe_keys(keys: &[MissingKey]) -> String {
    let names: Vec<_> = keys.iter().map(|key| key.name.as_str()).collect();
    format!("required configuration is missing: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("reading the pool failed")]
    struct Outer(#[source] Inner);

    #[derive(Debug, thiserror::Error)]
    #[error("connection refused")]
    struct Inner;

    #[test]
    fn a_failure_tells_the_whole_chain() {
        assert_eq!(
            Error::failed(&Outer(Inner)),
            Error::Failed("reading the pool failed: connection refused".into())
        );
    }

    #[test]
    fn wrong_inputs_and_missing_keys_are_all_named() {
        let error = Error::InvalidInput(vec![
            InputFailure::new("count", "must be at least 1"),
            InputFailure::new(PropertyPath::default(), "one of id and name is needed"),
        ]);
        assert_eq!(
            error.to_string(),
            "invalid input: count: must be at least 1; one of id and name is needed"
        );
        let key = |name: &str| MissingKey {
            name: name.into(),
            description: String::new(),
        };
        assert_eq!(
            Error::MissingConfig(vec![key("netmgr:host"), key("netmgr:user")]).to_string(),
            "required configuration is missing: netmgr:host, netmgr:user"
        );
    }
}
