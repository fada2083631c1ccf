//! HTTP client for a network virtualization manager.

mod client;
mod error;
mod get;
mod paging;
#[cfg(test)]
mod testing;

pub use client::{Client, Stack};
pub use error::{BoxError, Error, Exchange, Failure};
pub use get::{Get, Reply};
pub use paging::{Ending, Extent, Pager, Row};
