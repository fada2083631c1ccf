//! Suites.

mod schema;
