//! The components against a recorded engine and the real providers' schemas.

mod attached_node_group;
mod attached_serverless_profile;
mod autoscaled_node_group;
mod iam_role_mapping;
mod iam_service_account_role;
mod oracle;
mod picture;
mod stage;
