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

impl From<Output> for Value {
    fn from(output: Output) -> Self {
        match output {
            Output::Json(value) => value,
            Output::Names(names) => names.into(),
        }
    }
}
