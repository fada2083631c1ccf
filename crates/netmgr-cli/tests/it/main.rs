//! The program `netmgr` as its users meet it: a process with arguments, environment, streams and
//! an exit code, asking a simulated manager that another process serves.

// Signals are sent with `kill`, lines are read by `sh`.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod configuration;
mod every_function;
mod exit_codes;
mod inputs;
mod listing;
mod lookups;
mod simulate;
mod support;
mod traces;
mod waits;
