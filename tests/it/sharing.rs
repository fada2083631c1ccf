//! A lookup that shares requests is never worse off than the same lookup alone.
//!
//! The manager is a function from a request to a reply, behind the client's own stack and on a paused clock. It knows
//! nothing of the lookups: what it sends, and what it withholds, is written in each test.

mod failures;
mod objects;
mod outages;
mod runtimes;
mod script;
mod secrets;
mod together;
mod waits;
