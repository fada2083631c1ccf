//! Results of functions without their types.

use serde_json::Value;

use crate::name_map::Names;

/// The result of a function.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Output {
    /// An object as JSON.
    Json(Value),
    /// A map, which can be large. As JSON it would take several times its size.
    Names(Names),
}

impl Output {
    /// The result as JSON.
    #[must_use]
    pub fn into_json(self) -> Value {
        match self {
            Self::Json(value) => value,
            Self::Names(names) => names.into_json(),
        }
    }
}
