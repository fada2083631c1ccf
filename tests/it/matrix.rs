//! Every lookup function under every fault that the simulated manager can make: the outcome, the number of requests,
//! and the time (decision failures). The client's whole stack runs over the simulator's request handler, on a paused clock and without a
//! socket; `wire` checks over real sockets that both give the same outcomes.
//!
//! The rules stand in `faults`, one per fault, and are compared with what happens. What happens is also written to
//! `docs/failures.md`.

mod bench;
mod deviations;
mod faults;
mod outcome;
mod page;
mod rules;
mod suite;
mod wire;
