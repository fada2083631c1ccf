//! `getHostUpgradeGroup`: a group of hosts that are upgraded together.

use netmgr_types::InvalidProperty;
use netmgr_types::wire::ManagedObject;

use crate::lookup::ObjectLookup;
use crate::plan::Plan;
use crate::read::{ObjectKind, Scope};
use crate::reads::FunctionRead;
use crate::request::request;
use crate::spec::LookupSpec;
use crate::upgrade_group::{COLLECTION, UpgradeGroup, check_type, plan};

request! {
    /// Finds a host upgrade group by id or by its exact name.
    GetHostUpgradeGroup(UpgradeGroupInput) -> UpgradeGroup
}

const HOST_GROUP: ObjectKind = ObjectKind::fixed("host upgrade group", "UpgradeUnitGroup", COLLECTION)
    .by_id_with(&[("summary", "true")])
    .listed_with(&[("component_type", "HOST"), ("summary", "true")]);

impl ObjectLookup for GetHostUpgradeGroup {
    const SPEC: LookupSpec = LookupSpec::new(
        "getHostUpgradeGroup",
        "host upgrade group",
        "Finds a host upgrade group by id or display name.",
    )
    .without_effect(&["upgradePrepareId"])
    .example(r#"{"displayName": "Compute-Cluster-01", "upgradePrepareId": "upgrade-1"}"#);
    type Output = UpgradeGroup;

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(&HOST_GROUP)]
    }

    fn plan(&self, scope: &Scope) -> Result<Plan, Vec<InvalidProperty>> {
        plan(&HOST_GROUP, |group| check_type(group, "HOST"), &self.0, scope)
    }

    fn output(self, object: &ManagedObject) -> UpgradeGroup {
        UpgradeGroup::new(self.0, object)
    }
}
