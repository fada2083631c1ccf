#![doc = include_str!("../README.md")]

#[cfg(test)]
mod bad_answers;
mod batch;
mod call;
mod context;
mod describe;
mod error;
mod executor;
mod failures;
#[cfg(test)]
mod foreign_text;
pub mod functions;
mod input;
mod logical_router;
mod lookup;
mod lookups;
mod name_map;
mod plan;
mod project;
mod query;
mod read;
mod reasons;
mod registry;
mod requests;
mod select;
mod sentences;
mod sharing;
mod spec;
mod stats;
#[cfg(test)]
mod testing;
mod upgrade_group;
mod wait;

pub use call::{Call, Observer, Progress, Waits};
pub use context::Context;
pub use describe::{Description, MinimumVersion, Property, Shape, properties};
pub use error::{Candidate, Error, ErrorKind, Problem};
pub use failures::Failure;
pub use functions::ALL;
pub use lookup::{Lookup, ObjectLookup, Plan};
pub use lookups::Lookups;
pub use read::{By, CollectionPath, KeyField, ObjectKind, Parent, Place, Query, Read, Scope, Tree};
pub use registry::Entry;
pub use select::{Choose, Chosen, Excluded, Filter, Misfit, NameRule};
pub use spec::{Answer, Availability, LookupSpec, Since, deployment_name};
pub use stats::Stats;
pub use upgrade_group::{UpgradeGroup, UpgradeGroupInput};

/// Keeps the example of the README compiling.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
