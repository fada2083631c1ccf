//! Shared code of the lookups of logical routers, which are in one collection and differ in tier.

use netmgr_types::wire::ManagedObject;

/// Path of the collection.
pub(crate) const COLLECTION: &str = "/api/v1/logical-routers";

/// Checks that `router` has the tier `wanted`. The error names the actual tier.
pub(crate) fn check_tier(router: &ManagedObject, wanted: &str) -> Result<(), String> {
    match router.text("router_type") {
        Some(tier) if tier == wanted => Ok(()),
        Some(tier) => Err(format!(
            "the router with this id is of the wrong tier: its type is {tier}, not {wanted}"
        )),
        None => Err(format!(
            "the router with this id has no type, so it is not of type {wanted}"
        )),
    }
}
