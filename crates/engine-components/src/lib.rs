//! Components for the Pulumi engine, written in Rust. The readme below shows one.
//!
//! Lives here: deferred values ([`Output`]), what can be a property ([`IntoProperty`], [`record!`]), how
//! children are registered ([`Scope`], [`Options`]), the engine as plain types ([`Registrar`]) and an engine for
//! tests ([`recording`]). Not here: any transport. A plugin implements [`Registrar`] over the engine's monitor
//! and hands it to [`construct`].
//!
#![doc = include_str!("../README.md")]

/// The component that is shown to readers of the whole.
#[cfg(doctest)]
#[doc = include_str!("../../../ARCHITECTURE.md")]
struct Architecture;

// The macros name the crate from outside.
#[cfg(test)]
extern crate self as engine_components;

mod combine;
mod component;
mod construct;
mod decode;
mod error;
mod options;
mod output;
mod property;
mod record;
pub mod recording;
mod registrar;
mod resource;
mod scope;

pub use combine::{Combine, all, all_of};
pub use component::{ChildPackage, Component, Constructor, Entry, Nested};
pub use construct::{ConstructRequest, Constructed, construct};
pub use decode::{Decode, Plain};
pub use error::{Error, Failed, Problem, Problems};
pub use options::{Dependency, Options};
pub use output::{Data, Deferrable, Output};
pub use property::{IntoProperty, List, Map, Properties, json_text};
pub use registrar::{
    Alias, Asked, Call, Called, Message, Registered, Registrar, RegistrarError, Registration, Settings,
    Severity, Timeouts,
};
pub use resource::{CallResult, Resource};
pub use scope::Scope;

pub use engine_values as values;
pub use schemars;

/// What the macros expand to.
#[doc(hidden)]
pub mod __private {
    pub use crate::__wire_name as wire_name;
    pub use crate::record::{Members, camel_case, without_null};
}
