//! Tests over TCP with third-party bindings.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod building;
mod components;
mod configuration;
mod engine;
mod functions;
mod lifecycle;
mod log;
mod package;
mod process;
mod sample;
mod slots;
mod store;
