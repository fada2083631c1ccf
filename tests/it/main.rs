//! Suites.

mod engine;
