//! Everything over TCP, with other people's bindings on the other side.

mod engine;
mod log;
mod monitor;
mod process;
mod provider;
