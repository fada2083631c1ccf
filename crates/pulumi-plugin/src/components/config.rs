//! Configuration of a stack.

use std::collections::BTreeMap;
use std::fmt;

/// Configuration of a stack. `Debug` prints the values of keys that are not secret.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// Text by `namespace:key`. Secrets are in plain text.
    pub values: BTreeMap<String, String>,
    /// Keys whose values are secret.
    pub secret_keys: Vec<String>,
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.values.iter().map(|(key, value)| {
            let is_secret = self.secret_keys.contains(key);
            (key, if is_secret { "[secret]" } else { value.as_str() })
        });
        f.debug_map().entries(shown).finish()
    }
}
