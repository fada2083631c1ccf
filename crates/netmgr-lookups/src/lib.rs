#![doc = include_str!("../README.md")]

mod any_object;
mod call;
mod collect;
mod context;
mod declared;
mod describe;
mod edge_clusters;
mod error;
mod failures;
mod fetch;
mod functions;
mod gateway_security;
mod group_associations;
mod listing;
mod lookup;
mod lookups;
mod messages;
mod name_map;
mod names;
mod object_types;
mod objects;
mod place;
mod plan;
mod project;
mod properties;
mod query;
mod read;
mod reads;
mod realization;
mod reasons;
mod recording;
mod redaction;
mod registry;
mod requests;
mod rows;
mod select;
mod selection;
mod sensitive;
mod sentences;
mod shared_objects;
mod similar_names;
mod spec;
mod stats;
mod tag_filter;
#[cfg(test)]
mod tests;
mod type_names;
mod virtual_machines;
mod wait;
mod whole;

pub use call::{Call, Observer, Progress, Waits};
pub use describe::{Description, MinimumVersion};
pub use error::{Candidate, Error, ErrorKind};
pub use failures::ErrorDescription;
pub use functions::{ALL, typed};
pub use listing::{ListOptions, ListedPage, Listing};
pub use lookup::Lookup;
pub use lookups::Lookups;
pub use messages::{CallInputs, Clues, Remedy, Words, advice, causes, in_one_clause};
pub use netmgr_types::InvalidProperty;
pub use properties::{Property, Shape, properties};
pub use recording::{RecordOptions, Recorded, RecordedObject, Recording, recorded_path};
pub use redaction::Redaction;
pub use registry::Entry;
pub use sensitive::redact;
pub use similar_names::similar;
pub use spec::{Availability, FunctionGroup, LookupSpec, ResultKind, Since, deployment_name};
pub use stats::Stats;
pub use tag_filter::{TagCondition, TagFilter};
pub use type_names::function_words;
pub use whole::WholeAnswer;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
