//! Suites that run the products from the outside.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod canaries;
mod engine;
mod law;
mod lookups;
mod manager;
mod matrix;
mod processes;
mod programs;
mod released;
mod requirements;
mod schema;
mod sharing;
mod terraform;
