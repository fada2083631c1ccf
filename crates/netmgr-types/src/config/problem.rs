//! What is wrong with a configuration.

use std::fmt;

/// One problem of a configuration: where it is and what it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigProblem {
    /// The property, such as `host` or `licenseKeys[1]`; empty when it is the whole configuration.
    pub property: String,
    /// What is wrong and what helps. Never repeats the value of a secret.
    pub reason: String,
}

impl ConfigProblem {
    pub(super) fn new(property: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            property: property.into(),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.property.is_empty() {
            write!(f, "{}: ", self.property)?;
        }
        f.write_str(&self.reason)
    }
}

/// Everything that is wrong with a configuration; at least one problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigErrors(Vec<ConfigProblem>);

impl ConfigErrors {
    /// The problems; never empty.
    #[must_use]
    pub fn problems(&self) -> &[ConfigProblem] {
        &self.0
    }

    /// Fails when there are problems.
    pub(super) fn none_of(problems: impl IntoIterator<Item = ConfigProblem>) -> Result<(), Self> {
        let problems: Vec<_> = problems.into_iter().collect();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Self(problems))
        }
    }
}

impl From<ConfigProblem> for ConfigErrors {
    fn from(problem: ConfigProblem) -> Self {
        Self(vec![problem])
    }
}

impl IntoIterator for ConfigErrors {
    type Item = ConfigProblem;
    type IntoIter = std::vec::IntoIter<ConfigProblem>;

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
