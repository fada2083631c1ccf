//! What the manager sends, as far as the lookups read it.
//!
//! Tolerant by design: unknown fields are ignored and `null` means absent. Not here: paths and
//! rules.

mod error;

pub use error::{ApiError, RelatedError};
