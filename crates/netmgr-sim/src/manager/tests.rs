//! The manager as a whole, through `respond` alone.

mod support;
mod urls;
