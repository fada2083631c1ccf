//! `getEdgeUpgradeGroup`: a group of edges that are upgraded together.

use netmgr_types::wire::UpgradeUnitGroup;

use crate::error::Problem;
use crate::lookup::{ObjectLookup, Plan};
use crate::read::{ObjectKind, Scope};
use crate::spec::LookupSpec;
use crate::upgrade_group::{COLLECTION, UpgradeGroup, UpgradeGroupInput, check_type, plan};

/// Finds an edge upgrade group by id or by its whole name.
///
/// Source: lookup-provider 4.2, manager-api A.1 to A.4 and B.3.
pub struct GetEdgeUpgradeGroup;

const EDGE_GROUP: ObjectKind = ObjectKind::fixed("edge upgrade group", "UpgradeUnitGroup", COLLECTION)
    .by_id_with(&[("summary", "true")])
    .listed_with(&[("component_type", "EDGE"), ("summary", "true")]);

impl ObjectLookup for GetEdgeUpgradeGroup {
    const SPEC: LookupSpec = LookupSpec::new(
        "getEdgeUpgradeGroup",
        "edge upgrade group",
        "Finds an edge upgrade group by id or display name.",
    )
    .example(r#"{"displayName": "edge-cluster-prod-2", "upgradePrepareId": "upgrade-1"}"#);
    type Input = UpgradeGroupInput;
    type Object = UpgradeUnitGroup;
    type Output = UpgradeGroup;

    fn plan(input: &UpgradeGroupInput, scope: &Scope) -> Result<Plan<UpgradeUnitGroup>, Vec<Problem>> {
        plan(&EDGE_GROUP, |group| check_type(group, "EDGE"), input, scope)
    }

    fn output(input: UpgradeGroupInput, object: UpgradeUnitGroup) -> UpgradeGroup {
        UpgradeGroup::new(input, object)
    }
}
