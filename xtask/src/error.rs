//! The error of chores.

/// The error of a chore. Printed once, unchanged.
pub(crate) type Error = Box<dyn std::error::Error>;
