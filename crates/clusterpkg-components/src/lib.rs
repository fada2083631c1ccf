//! Six components that build a managed cluster with add-ons on a public cloud.

mod architecture;
mod attached_node_group;
mod attached_serverless_profile;
mod autoscaled_node_group;
mod aws;
mod check;
mod iam_role_mapping;
mod iam_service_account_role;
mod policy;
mod versions;

pub use attached_node_group::*;
pub use attached_serverless_profile::*;
pub use autoscaled_node_group::*;
pub use iam_role_mapping::*;
pub use iam_service_account_role::*;
