//! Tests of a provider as a process.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
