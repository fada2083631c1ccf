//! Shared parts of plugins with a gRPC server, which do not depend on the protocol.

mod accepted;
mod codec;
mod core_dumps;
#[cfg(unix)]
mod hangup;
mod serve;

pub use accepted::accepted;
pub use codec::Protobuf;
pub use core_dumps::turn_off_core_dumps;
#[cfg(unix)]
pub use hangup::Hangups;
pub use serve::serve;
