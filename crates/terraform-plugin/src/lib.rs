#![doc = include_str!("../README.md")]

mod codec;
mod connection;
mod control;
mod convert;
mod diagnostic;
mod generated;
mod handshake;
mod log;
mod panics;
mod program;
mod provider;
mod schema;
mod serve;
mod service;
mod services;
mod signals;
mod socket;
mod tls;
mod value;

pub use diagnostic::{AttributeStep, Diagnostic, DiagnosticSeverity, Path};
pub use program::{ProviderProgram, main};
pub use provider::{DataSourceProvider, ReadOutcome};
pub use schema::{Attribute, AttributeUsage, Block, BlockNesting, NestedBlock, Schema, Type};
pub use value::{AttributeValue, Number, Object};
