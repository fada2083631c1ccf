//! The lookup functions against the simulated manager: a table of all functions (`table.rs`), what holds for each of them,
//! and tests of everything that a table cannot express (faults, waits, properties).
//!
//! Most run without a socket, on a paused clock: the simulated manager replaces the network below the client's own
//! stack. Not here: real connections, which only `requests` uses.

mod any_objects;
mod cases;
mod choices;
mod contexts;
mod filters;
mod findings;
mod fixed_texts;
pub(super) mod harness;
mod interface;
mod inventory;
mod lists;
mod management_cluster;
mod maps;
mod memberships;
mod names;
mod objects;
mod order;
mod place;
mod projects;
mod realizations;
mod recordings;
mod requests;
mod search_and_list;
mod single_objects;
mod strong_reads;
pub(super) mod table;
mod waits;
