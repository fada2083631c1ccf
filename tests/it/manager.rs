//! The client against the simulated manager, over TLS in one process: what the manager saw, and what the caller was
//! told. Not here: what each lookup function selects and returns.

mod addresses;
mod cost;
mod credentials;
mod faults;
mod licenses;
mod load;
mod lockout;
mod pages;
mod renewal;
mod secrets;
mod support;

use futures_util::future::join_all;
use netmgr_lookups::{Call, ErrorKind, Lookups};
use netmgr_sim::Simulator;
use serde_json::{Value, json};
