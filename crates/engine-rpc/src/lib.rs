//! engine-rpc
