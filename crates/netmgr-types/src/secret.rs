//! Text that must not be shown: passwords, keys, tokens.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use zeroize::Zeroizing;

/// Secret text that cannot be printed and is wiped from memory when dropped.
///
/// It has no `Display` and no `Serialize`; `Debug` prints `[redacted]`. [`Secret::expose`] returns the text.
#[derive(Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(from = "String")]
#[schemars(with = "String", inline, description = "Secret text.")]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Wraps `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(Zeroizing::new(text.into()))
    }

    /// The text itself. For building a credential, never for a message or a log.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_never_shows_the_text() {
        assert_eq!(format!("{:?}", Secret::new("hunter2")), "[redacted]");
    }
}
