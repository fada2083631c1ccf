//! What plugins with a gRPC server have in common, whatever their protocol is.

mod codec;
mod core_dumps;
mod hangup;

pub use codec::Protobuf;
pub use core_dumps::turn_off_core_dumps;
pub use hangup::hangups_are_ignored;
