//! The plugin inside the real engine: programs in TypeScript and Python, through the generated SDKs,
//! against a simulated manager that is reached over TLS.
//!
//! Needs the output of `cargo xtask engine`. Without it, each test reports that it is skipped; the variable
//! `NETMGR_ENGINE_TESTS=required` makes that a failure.

mod attached;
pub(crate) mod cluster;
mod configuration;
mod direct;
mod events;
mod failures;
mod imported;
mod installed;
mod logged;
mod lookups;
mod schema;
mod state;
pub(crate) mod support;
mod traced;
mod waits;
