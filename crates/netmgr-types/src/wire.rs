//! The manager's replies: objects with all of their members, and single documents with the fields that lookups read.
//!
//! Tolerant by design: unknown fields are kept or ignored, `null` means absent, ids may be numbers, and enumerations
//! stay text. Only the members that identify an object have to be valid, so no lookup could use a row that cannot be
//! decoded.

mod cluster;
mod edge;
mod error;
mod fabric;
mod head;
mod object;
mod page;
mod tolerant;

pub use cluster::{ClusterConfig, ClusterNode, Endpoint, License, NodeVersion};
pub use edge::{DeploymentState, EdgeTransportNodeState, EdgeTransportNodeStatus};
pub use error::{ApiError, RelatedError};
pub use fabric::{ComputeManagerState, ComputeManagerStatus, StateDetail, StatusError};
pub use head::RowHead;
pub use object::{ManagedObject, MaybeIdentified};
pub use page::Page;
pub use tolerant::number;

#[cfg(test)]
mod tests;
