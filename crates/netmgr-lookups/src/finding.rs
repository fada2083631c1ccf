//! How objects are found: what a lookup reads, and which of the objects it selects.

pub(crate) mod collect;
pub(crate) mod find;
pub(crate) mod listing;
pub(crate) mod matching;
pub(crate) mod names;
pub(crate) mod object_kind;
pub(crate) mod object_types;
pub(crate) mod place;
pub(crate) mod plan;
pub(crate) mod project;
pub(crate) mod query;
pub(crate) mod read;
pub(crate) mod requests;
pub(crate) mod rows;
pub(crate) mod selection;
pub(crate) mod tag_filter;
pub(crate) mod tree;
