//! The manager as a whole, through `respond` alone.

mod edits;
mod lists;
mod realizations;
mod scopes;
mod searches;
mod shapes;
mod support;
