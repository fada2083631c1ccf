//! A simulated network virtualization manager for tests and demonstrations.

mod api;

pub use api::{Answer, Call};
