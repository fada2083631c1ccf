//! Suites.

mod manager;
