//! Plugins of the Pulumi engine, written in Rust.
//!
//! The crate contains property values ([`values`]), components that register children ([`components`]), schemas of
//! packages ([`schema`]), and the protocol of the engine ([`rpc`], with the feature of this name).
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

/// Compiles the example in the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/first-component.md")]
struct FirstComponentExample;

// The macros use the external name of the crate.
#[cfg(test)]
extern crate self as pulumi_plugin;

pub mod components;
#[cfg(feature = "rpc")]
pub mod rpc;
pub mod schema;
#[cfg(feature = "traces")]
mod traces;
pub mod values;
