//! The lookup functions against the simulated manager: one table per function over the whole registry, and tests of
//! everything that a table cannot express (faults, waits, properties).
//!
//! Most run without a socket, on a paused clock: the simulated manager replaces the network below the client's own
//! stack. Not here: real connections, which only `requests` uses.

mod any_objects;
mod choices;
mod fixed_texts;
pub(super) mod further;
pub(super) mod harness;
mod management_cluster;
mod maps;
mod names;
mod order;
mod projects;
mod realizations;
mod recordings;
mod requests;
mod search_and_list;
mod sparse_objects;
mod strong_reads;
mod table;
mod tables;
