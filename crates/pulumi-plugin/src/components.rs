//! Components for the Pulumi engine, written in Rust (decision components).
//!
//! The module provides deferred values ([`Output`]), properties ([`IntoProperty`], [`record!`]), the
//! registration of children ([`Scope`], [`ChildOptions`]), the engine as plain types ([`Registrar`]) and an engine
//! for tests ([`recording`]). It has no transport. A plugin implements [`Registrar`] with the engine's
//! resource monitor and passes it to [`construct()`].

mod children;
mod choice;
mod combine;
mod component;
mod config;
mod construct;
mod decode;
mod entry;
mod error;
mod inherited;
mod method;
mod method_call;
mod options;
mod output;
mod property;
mod record;
pub mod recording;
mod registrar;
mod registration;
mod renames;
mod requests;
mod resource;
mod rules;
mod scope;
mod tasks;
mod transform;

pub use children::{Child, ChildKind, ChildValues, Own};
pub use combine::{Combine, all, all_of};
pub use component::{Component, Nested};
pub use config::Config;
pub use construct::{ConstructRequest, Constructed, construct};
pub use decode::{Decode, Plain};
pub use entry::{ComponentEntry, Constructor};
pub use error::{ConstructError, FailedResources, InputFailure, InputProblems};
pub use method::{MethodCaller, MethodEntry, MethodRequest};
pub use method_call::{Method, call_method};
pub use options::{ChildOptions, Dependency};
pub use output::{Deferrable, Output, OutputData};
pub use property::{IntoProperty, List, Map, Properties, json_text};
pub use registrar::{
    FunctionCall, FunctionResult, LogMessage, MethodCall, MethodResult, Pending, Registrar, RegistrarError,
    Severity,
};
pub use registration::{
    Alias, AliasParent, ChildPackage, CustomTimeouts, Registered, Registration, ResourceHooks,
    ResourceOptions,
};
pub use resource::{CallResult, Resource};
pub use rules::TextRule;
pub use scope::Scope;
pub use transform::Transformed;

pub use crate::{choice, format_output, object, properties, record};
pub use schemars;

/// Items for the expansion of macros.
#[doc(hidden)]
pub mod __private {
    pub use super::choice::choose;
    pub use super::record::{ObjectMembers, Optional, camel_case, declared, json};
    pub use crate::{__absent as absent, __wire_name as wire_name};
    pub use serde_json::Value as Json;
}
