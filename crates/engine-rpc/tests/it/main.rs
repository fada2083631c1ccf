//! Everything over TCP, with other people's bindings on the other side.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod engine;
mod log;
mod monitor;
mod process;
mod provider;
