//! HTTP client for a network virtualization manager.

mod auth;
mod body;
mod builder;
mod classify;
mod client;
mod error;
mod flight;
mod get;
mod layers;
mod leaf;
mod licenses;
mod paging;
mod shared_error;
mod stack;
#[cfg(test)]
mod testing;
mod version;

pub use builder::ClientBuilder;
pub use client::{Client, Stack};
pub use error::{BoxError, Error, Exchange, Failure};
pub use get::{Get, Reply};
pub use paging::{Ending, Extent, Pager, Row};
