//! Every lookup function under every fault of the simulated manager: the outcome, the number of requests, and the time
//! (decision failures). The client's whole stack runs over the simulator's request handler, on a paused clock and
//! without a socket; `wire` checks over real sockets that the outcomes are the same.
//!
//! The rules are in `faults`, one per fault, and are compared with the results. The results are also written to
//! `docs/failures.md`.

mod bench;
mod faults;
mod outcome;
mod page;
mod rules;
mod suite;
mod wire;
