//! Tests of all functions, and code that tests of this crate share.

mod bad_answers;
mod foreign_text;
mod fuzz;
pub(crate) mod manager;
