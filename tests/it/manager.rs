//! Tests of the client with the simulated manager, over TLS in one process: requests and errors. Selection
//! and outputs of lookup functions are tested elsewhere.

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
