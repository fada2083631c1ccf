//! Objects that the manager sends, with the fields that lookups read.
//!
//! Tolerant by design: unknown fields are ignored, `null` means absent, ids may be numbers, and enumerations
//! stay text. Only the field that identifies an object is required, so no lookup could use a row that cannot
//! be decoded.

mod cluster;
mod edge;
mod error;
mod fabric;
mod full;
mod head;
mod object;
mod page;
mod tolerant;

pub use cluster::{ClusterConfig, ClusterNode, ClusterNodeConfig, Endpoint, License, NodeVersion};
pub use edge::{
    DeploymentState, EdgeCluster, EdgeClusterMember, EdgeNode, EdgeTransportNodeState,
    EdgeTransportNodeStatus, LogicalRouter,
};
pub use error::{ApiError, RelatedError};
pub use fabric::{
    ClusterSecurityConfig, ComputeCollection, ComputeManager, ComputeManagerState, ComputeManagerStatus,
    DiscoveredNode, SecurityFeature, StateDetail, StatusError, UpgradeUnitGroup,
};
pub use full::FullObject;
pub use head::RowHead;
pub use object::{ManagedObject, ManagerObject, MapRow, PolicyObject};
pub use page::Page;
pub use tolerant::number;

#[cfg(test)]
mod tests;
