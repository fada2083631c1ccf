//! Errors of provider calls. [`crate::rpc::status`] converts them for the engine.

use std::fmt::Write as _;

use crate::components::InputFailure;
use crate::values::PropertyPath;

/// Errors of provider calls.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The provider does not implement this call. The engine has a fallback for some calls ("engine-plugin"
    /// 2.8).
    #[error("not implemented by this plugin")]
    Unimplemented,
    /// The inputs are invalid. Contains all problems. Configuration, function arguments and component inputs
    /// are each reported in the engine's format.
    #[error("{}", describe_inputs(.0))]
    InvalidInput(Vec<InputFailure>),
    /// Required configuration is missing. The engine prints one line for each key, with a hint.
    #[error("{}", describe_keys(.0))]
    MissingConfig(Vec<MissingKey>),
    /// The engine cancelled the operation.
    #[error("the operation was cancelled")]
    Cancelled,
    /// The operation failed. The text is for the user.
    #[error("{0}")]
    Failed(String),
    /// A bug in the plugin. The message requests a bug report.
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

/// A configuration key that must be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingKey {
    /// The key as the user types it, with its namespace: `netmgr:host`.
    pub name: String,
    /// Description.
    pub description: String,
}

fn describe_inputs(failures: &[InputFailure]) -> String {
    let sentences: Vec<_> = failures.iter().map(InputFailure::to_string).collect();
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
    struct ConnectionReadError(#[source] ConnectionRefused);

    #[derive(Debug, thiserror::Error)]
    #[error("connection refused")]
    struct ConnectionRefused;

    #[test]
    fn a_failure_reports_the_whole_chain() {
        assert_eq!(
            Error::failed(&ConnectionReadError(ConnectionRefused)),
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
