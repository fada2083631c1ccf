//! A lookup that shares requests is never worse off than the same lookup alone.
//!
//! The manager is a function from a request to a reply, below the client's own stack and on a paused clock. It does not
//! depend on the lookups: each test defines what it sends and omits.

mod failures;
mod objects;
mod outages;
mod runtimes;
mod script;
mod secrets;
mod together;
mod waits;
