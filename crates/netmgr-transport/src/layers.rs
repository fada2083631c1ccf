//! The layers of the stack, one file each. Their order is in `stack.rs`.

pub(crate) mod attempt_timeout;
mod backoff;
pub(crate) mod base_uri;
pub(crate) mod deadline;
pub(crate) mod governor;
pub(crate) mod meant_status;
pub(crate) mod origin;
pub(crate) mod remember;
pub(crate) mod retry;
mod retry_after;
mod retry_budget;
pub(crate) mod trace;

#[cfg(test)]
pub(crate) mod testing;
