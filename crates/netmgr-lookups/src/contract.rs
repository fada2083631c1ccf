//! The contract of a function: how it is described, registered and called, and how it fails.

pub(crate) mod answer;
pub(crate) mod call;
pub(crate) mod context;
pub(crate) mod describe;
pub(crate) mod error;
pub(crate) mod failures;
pub(crate) mod function;
pub(crate) mod lookups;
pub(crate) mod properties;
pub(crate) mod registry;
pub(crate) mod spec;
pub(crate) mod stats;
