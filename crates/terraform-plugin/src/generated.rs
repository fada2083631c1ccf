//! The protocol's messages and services as Rust, written by `cargo xtask codegen` from `proto/`.
//!
//! They are not public: their `Debug` shows secrets, and their names are another project's.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    dead_code,
    reason = "generated; documented in the .proto files, and narrowed by the visibility of this module"
)]

#[rustfmt::skip]
pub(crate) mod plugin;
#[rustfmt::skip]
pub(crate) mod tfplugin6;
