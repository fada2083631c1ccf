//! `getHostUpgradeGroup`: a group of hosts that are upgraded together.

use netmgr_types::InvalidProperty;

use crate::lookup::{Invocation, Lookup};
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

impl Lookup for GetHostUpgradeGroup {
    type Output = UpgradeGroup;
    const SPEC: LookupSpec = LookupSpec::new(
        "getHostUpgradeGroup",
        "host upgrade group",
        "Finds a host upgrade group by id or display name.",
    )
    .without_effect(&["upgradePrepareId"])
    .example(r#"{"displayName": "Compute-Cluster-01", "upgradePrepareId": "upgrade-1"}"#);

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(&HOST_GROUP)]
    }

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let plan = plan(&HOST_GROUP, |group| check_type(group, "HOST"), &self.0, scope)?;
        Ok(Invocation::object(plan, move |object| {
            UpgradeGroup::new(&self.0, object)
        }))
    }
}
