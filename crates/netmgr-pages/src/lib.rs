#![doc = include_str!("../README.md")]

mod identity;
mod members;
mod page;
mod progress;
mod row;
mod scan;

pub use page::Page;
pub use progress::{Ending, Progress, ReadSummary, Step};
pub use row::Row;
