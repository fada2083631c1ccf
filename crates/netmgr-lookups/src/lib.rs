#![doc = include_str!("../README.md")]

mod call;
mod context;
mod describe;
mod error;
mod executor;
mod failures;
pub mod functions;
mod input;
mod logical_router;
mod lookup;
mod lookups;
mod name_map;
mod plan;
mod query;
mod read;
mod registry;
mod select;
mod spec;
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
pub use read::{By, CollectionPath, ObjectKind, Place, Query, Read, Scope, Tree};
pub use registry::Entry;
pub use select::{Choose, Chosen, Excluded, Filter, NameRule};
pub use spec::{Answer, Availability, LookupSpec, Since, deployment_name};
pub use upgrade_group::{UpgradeGroup, UpgradeGroupInput};

/// Keeps the example of the README compiling.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
