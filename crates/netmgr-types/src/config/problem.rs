//! Problems of a configuration.

use std::fmt;

use crate::InvalidProperty;

/// All problems of a configuration. Never empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigErrors(Vec<InvalidProperty>);

impl ConfigErrors {
    /// The problems; never empty.
    #[must_use]
    pub fn problems(&self) -> &[InvalidProperty] {
        &self.0
    }

    /// Returns an error if there are problems.
    pub(super) fn none_of(problems: impl IntoIterator<Item = InvalidProperty>) -> Result<(), Self> {
        let problems: Vec<_> = problems.into_iter().collect();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Self(problems))
        }
    }
}

impl From<InvalidProperty> for ConfigErrors {
    fn from(problem: InvalidProperty) -> Self {
        Self(vec![problem])
    }
}

impl IntoIterator for ConfigErrors {
    type Item = InvalidProperty;
    type IntoIter = std::vec::IntoIter<InvalidProperty>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid configuration: ")?;
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}
