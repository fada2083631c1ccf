//! The functions beyond the specification, against a table of their own: `tests/data/further-lookups.tsv`.
//!
//! The table states the inputs and outputs of each function, the contexts that it takes, and, from the VMware NSX REST
//! API reference, the collection and the type of its objects, so that a function that requests anything else fails. What
//! a table of one line cannot state (members of objects, filters) is in `further-lookups.json`. A plain function needs
//! only its line.

mod contexts;
mod filters;
mod interface;
mod inventory;
mod lists;
mod objects;
mod place;
pub(crate) mod rows;
mod single_objects;
mod waits;
