//! HTTP client for VMware NSX managers.
//!
//! A [`Client`] is created from a validated [`Connection`] and shared by all lookups. It sends [`Get`]s.
//! Results other than a 200 are [`Error`]s, whose kinds are named for what the caller can do. Requests
//! pass a stack of layers: trace, deadline, retry, authentication, rate and concurrency limits, attempt
//! timeout, base URI. Building a client reads certificate files and sends nothing.
//!
//! The crate does not interpret requests and replies, except for the login and the version.
//!
//! # Example
//!
//! In this example, a function replaces the leaf, which otherwise sends requests over the network.
//!
//! ```
//! use bytes::Bytes;
//! use netmgr_transport::{Client, Error, Get, Stack};
//! use netmgr_types::{Connection, Credentials, Host};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! let host = Host::parse("mgr.example.com").expect("a valid host");
//! let connection = Connection::new(host, Credentials::Certificate).on_demand(true);
//! let leaf = Stack::new(tower::service_fn(async |request: http::Request<Bytes>| {
//!     assert_eq!(request.uri().host(), Some("mgr.example.com"));
//!     Ok(http::Response::new(Bytes::from(r#"{"id": "pool-1"}"#)))
//! }));
//! let client = Client::builder(connection).leaf(leaf).build()?;
//!
//! let get = Get::new("/api/v1/pools/ip-pools").segment("pool-1");
//! let pool: serde_json::Value = client.get(&get).await?.json()?;
//! assert_eq!(pool["id"], "pool-1");
//! # Ok(())
//! # }
//! ```
//!
//! [`Connection`]: netmgr_types::Connection

#![cfg_attr(docsrs, feature(doc_cfg))]

mod auth;
mod body;
mod builder;
mod call_context;
mod classify;
mod client;
mod error;
mod get;
mod known_secrets;
mod layers;
mod leaf;
mod licenses;
mod lock;
mod login_record;
mod paging;
mod service;
mod shared_task;
mod stack;
#[cfg(test)]
mod testing;
mod traffic;
mod version;

pub use builder::ClientBuilder;
pub use call_context::Reservation;
pub use client::{Client, Stack};
pub use error::{Cause, Error, ErrorKind, Failure, RequestLine};
pub use get::{Get, Reply};
pub use leaf::probe::{Certificate, Connected, Handshake, Probe};
pub use login_record::LoginRecord;
pub use paging::{Ending, Pager, ReadSummary, Row};
pub use traffic::{Clocks, Traffic};
