#![doc = include_str!("../README.md")]

mod core_dumps;
mod parent;
mod signals;

pub use core_dumps::turn_off_core_dumps;
pub use parent::parent_ended;
pub use signals::{EndSignal, EndSignals};
