//! Attributes that `nsxt_*` has in another shape than `nsxt`. The guide on migrating lists them.

/// Data source without prefix and attribute; difference.
pub(crate) const DIFFERENCES: &[(&str, &str)] = &[
    (
        "compute_collection.display_name",
        "is required, as in versions of `nsxt` up to 3.12.2",
    ),
    (
        "policy_host_transport_node_collection_realization.path",
        "is required; without it, the read of `nsxt` fails",
    ),
];
