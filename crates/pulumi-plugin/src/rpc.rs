//! Plugins of the Pulumi engine.
//!
//! The module contains a plain [`Provider`] trait, [`main`], which serves a provider as the engine expects (start-up,
//! cancellation, shutdown, errors with details), [`EngineLog`] for messages to users, and [`serve_components`], which
//! serves components that are written with [`crate::components`].
//!
//! The public interface contains no gRPC types: requests and results are structs with [`crate::values`], and
//! errors are an enum. `proto/` contains the engine's messages, reduced to the used fields, and
//! `src/rpc/generated/` the Rust code generated from them.

mod arguments;
mod channel;
mod component;
mod connection;
mod context;
mod convert;
mod erased;
mod error;
#[cfg(test)]
mod bindings {
    mod tests;
}
mod bags;
mod generated;
mod log;
mod messages;
mod monitor;
mod package;
mod program;
mod provider;
mod requests;
mod serve;
mod service;
mod session;
mod shutdown;
mod slot;
mod status;
mod stderr;
mod traced;

pub use crate::components::{ConstructRequest, Constructed, InputFailure, LogMessage, Severity};
pub use component::{call_component_method, construct_component};
pub use context::{CallerId, Context};
pub use error::{Error, MissingKey};
pub use log::{EngineLog, head_start};
pub use messages::{
    Capabilities, Changes, CheckRequest, ConfigureRequest, CreateRequest, Created, DeleteRequest, Diff,
    DiffRequest, HandshakeRequest, InvokeRequest, Mapping, ReadRequest, ReadState, UpdateRequest,
};
pub use monitor::Monitor;
pub use package::{ComponentPackage, serve_components};
pub use program::{About, arguments, main};
pub use provider::Provider;
pub use serve::{ServeError, run, serve_on};
