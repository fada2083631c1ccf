//! HTTP client for a network virtualization manager.

mod body;
mod builder;
mod classify;
mod client;
mod error;
mod get;
mod layers;
mod leaf;
mod paging;
mod stack;
#[cfg(test)]
mod testing;

pub use builder::ClientBuilder;
pub use client::{Client, Stack};
pub use error::{BoxError, Error, Exchange, Failure};
pub use get::{Get, Reply};
pub use paging::{Ending, Extent, Pager, Row};
