#![doc = include_str!("../README.md")]

mod contract;
mod declared;
mod fetch;
mod finding;
mod functions;
mod lock;
#[cfg(test)]
mod tests;
mod wait;
mod wording;

pub use contract::answer::Answer;
pub use contract::call::{Call, Observer, Progress, Waits};
pub use contract::describe::{Description, MinimumVersion};
pub use contract::error::{Candidate, Clues, Error, ErrorKind, Place};
pub use contract::failures::ErrorDescription;
pub use contract::function::Lookup;
pub use contract::lookups::Lookups;
pub use contract::properties::{Property, Shape, properties};
pub use contract::registry::FunctionEntry;
pub use contract::spec::{Availability, FunctionGroup, LookupSpec, ResultKind, Since, deployment_name};
pub use contract::stats::Stats;
pub use finding::listing::{ListOptions, ListedPage, Listing};
pub use finding::names::composed as composed_name;
pub use finding::object_kind::{CollectionPlace, ObjectKind};
pub use finding::query::{is_refused_query, scope_term};
pub use finding::read::KeyField;
pub use finding::tag_filter::{TagCondition, TagFilter};
pub use finding::tree::Tree;
pub use functions::{ALL, typed};
pub use netmgr_types::{InvalidProperty, similar};
pub use wording::messages::{CallInputs, Remedy, Words, advice, causes, in_one_clause};
pub use wording::nouns::{any_of, counted};
pub use wording::type_names::{function_words, type_named};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
