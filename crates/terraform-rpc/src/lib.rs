//! Providers of Terraform and OpenTofu.
//!
//! Contains a plain [`Provider`] trait for providers with data sources, and [`main`], which serves it as hosts expect:
//! the handshake, mutual TLS, values in MessagePack, the log on stderr, the end of the process, and processes started
//! by hand. What a provider does is not here.
//!
//! The public interface contains no types of gRPC, TLS or MessagePack. `proto/` contains the messages of protocol 6
//! that are used, and `src/generated/` the Rust code generated from them.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod codec;
mod control;
mod convert;
mod diagnostic;
mod generated;
mod handshake;
mod listener;
mod log;
mod panics;
mod program;
mod provider;
mod route;
mod schema;
mod serve;
mod service;
mod tls;
mod value;

pub use diagnostic::{Diagnostic, Path, Severity, Step};
pub use program::{About, main};
pub use provider::{Answer, Provider};
pub use schema::{Attribute, Block, Schema, Type, Usage};
pub use value::{Number, Object, Value};
