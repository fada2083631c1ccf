//! `getEdgeUpgradeGroup`: a group of edges that are upgraded together.

use netmgr_types::InvalidProperty;

use crate::lookup::{Invocation, Lookup};
use crate::read::{ObjectKind, Scope};
use crate::reads::FunctionRead;
use crate::request::request;
use crate::spec::LookupSpec;
use crate::upgrade_group::{COLLECTION, UpgradeGroup, check_type, plan};

request! {
    /// Finds an edge upgrade group by id or by its exact name.
    GetEdgeUpgradeGroup(UpgradeGroupInput) -> UpgradeGroup
}

const EDGE_GROUP: ObjectKind = ObjectKind::fixed("edge upgrade group", "UpgradeUnitGroup", COLLECTION)
    .by_id_with(&[("summary", "true")])
    .listed_with(&[("component_type", "EDGE"), ("summary", "true")]);

impl Lookup for GetEdgeUpgradeGroup {
    type Output = UpgradeGroup;
    const SPEC: LookupSpec = LookupSpec::new(
        "getEdgeUpgradeGroup",
        "edge upgrade group",
        "Finds an edge upgrade group by id or display name.",
    )
    .without_effect(&["upgradePrepareId"])
    .example(r#"{"displayName": "edge-cluster-prod-2", "upgradePrepareId": "upgrade-1"}"#);

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(&EDGE_GROUP)]
    }

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let plan = plan(&EDGE_GROUP, |group| check_type(group, "EDGE"), &self.0, scope)?;
        Ok(Invocation::object(plan, move |object| {
            UpgradeGroup::new(&self.0, object)
        }))
    }
}
