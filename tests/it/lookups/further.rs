//! The functions beyond the specification, against their own table: `tests/data/further-lookups.tsv`.
//!
//! The table states the inputs and outputs of each function, the contexts that it accepts, and, from the VMware NSX
//! REST API reference, the collection and the type of its objects, so that a function that requests anything else
//! fails. Facts that do not fit in a line (members of objects, filters) are in `further-lookups.json`. A plain function
//! only needs its line.

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
