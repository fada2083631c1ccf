//! The plugin as a process, driven as the engine drives it, with other people's bindings and a monitor
//! in this process.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bags;
mod components;
mod graph;
mod monitor;
mod plugin;
