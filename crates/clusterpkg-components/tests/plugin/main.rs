//! The plugin as a process, driven as the engine drives it, with other people's bindings and a monitor
//! in this process.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod components;
mod deployment;
mod graph;
mod help;
mod process;
mod traces;
