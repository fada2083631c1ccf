//! The provider inside the real Terraform, or another host with the same commands, against a simulated manager that is
//! reached over TLS.
//!
//! Needs `terraform` on the path; the variable `NETMGR_TERRAFORM` names another binary, such as a published `tofu`.
//! Without one, each test reports that it is skipped; the variable `NETMGR_TERRAFORM_TESTS=required` makes that a
//! failure.

mod adopted;
mod arguments;
mod attached;
mod converted;
mod examples;
mod getting_started;
mod installed;
mod interrupted;
mod lifecycle;
mod lookups;
mod many;
mod nsxt_names;
mod peer;
mod protocol;
mod schema;
mod secrets;
pub(crate) mod support;
mod unknown;
