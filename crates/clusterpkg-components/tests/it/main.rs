//! The components against a recorded engine and the real providers' schemas.

#![allow(clippy::unwrap_used, reason = "all of this is test code, helpers too")]

mod attached_node_group;
mod attached_serverless_profile;
mod autoscaled_node_group;
mod cluster;
mod cluster_documents;
mod cluster_inputs;
mod cluster_order;
mod concurrency;
mod iam_role_mapping;
mod iam_service_account_role;
mod oracle;
mod pairs;
mod picture;
mod schema;
mod schema_agreement;
mod stage;
