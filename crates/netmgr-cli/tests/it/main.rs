//! Tests of the binary `netmgr` as a process, with a simulated manager in another process.

// Signals are sent with `kill`, lines are read by `sh`.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod adoptions;
mod batches;
mod checks;
mod collections;
mod completions;
mod configuration;
mod conversions;
mod diffs;
mod doctor;
mod every_function;
mod exit_codes;
mod exports;
mod inputs;
mod interactive;
mod listing;
mod login;
mod login_record;
mod lookups;
mod names;
mod objects;
mod profiles;
mod readme;
mod requests;
mod screens;
mod simulate;
mod support;
mod terminal;
mod traces;
mod waits;
mod whos;
