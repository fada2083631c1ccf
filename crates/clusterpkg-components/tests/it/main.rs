//! The components against a recorded engine and the real providers' schemas.

#![allow(clippy::unwrap_used, reason = "all of this is test code, helpers too")]

mod access_and_data;
mod access_entries;
mod additions;
mod attached_node_group;
mod attached_serverless_profile;
mod auto_mode;
mod autoscaled_node_group;
mod charts;
mod children;
mod cluster;
mod cluster_documents;
mod cluster_inputs;
mod cluster_order;
mod concurrency;
mod conditions;
mod features;
mod first_minute;
mod gateways;
mod iam_role_mapping;
mod iam_service_account_role;
mod kubeconfig_identity;
mod narrower;
mod oracle;
mod pairs;
mod picture;
mod refused_late;
mod removals;
mod schema;
mod stage;
mod upgrade;
