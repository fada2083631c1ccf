//! The plugin as a process, driven as the engine drives it, with other people's bindings, against a
//! simulated manager.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod attached;
mod config;
mod invoke;
mod lifecycle;
mod log;
mod plugin;
mod traces;
mod waits;
