//! The engine's messages and services as Rust, written by `cargo xtask codegen` from `proto/`.
//!
//! Nothing outside this crate sees them: their `Debug` shows secrets, and they are another project's
//! names.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    reason = "generated; documented in the .proto files, and narrowed by the visibility of this module"
)]

#[rustfmt::skip]
pub(crate) mod google_rpc;
#[rustfmt::skip]
pub(crate) mod pulumirpc;
