//! `getNsGroup`: a group of the manager API.

use netmgr_types::InvalidProperty;
use netmgr_types::shapes::NamedOutput;
use netmgr_types::wire::ManagerObject;

use crate::lookup::ObjectLookup;
use crate::plan::{Plan, named};
use crate::read::{ObjectKind, Scope};
use crate::request::request;
use crate::selection::NameRule;
use crate::spec::LookupSpec;

request! {
    /// Finds a group by id or by its exact name.
    GetNsGroup(NamedInput) -> NamedOutput
}

pub(super) const NS_GROUP: ObjectKind =
    ObjectKind::fixed("group", "NSGroup", "/api/v1/ns-groups").by_id_with(&[("populate_references", "true")]);

impl ObjectLookup for GetNsGroup {
    const SPEC: LookupSpec = LookupSpec::new(
        "getNsGroup",
        "group",
        "Finds a group of the manager API by id or display name.",
    )
    .counterpart("groups (`/infra/domains/{domain}/groups`)")
    .example(r#"{"displayName": "group-web"}"#);
    type Object = ManagerObject;
    type Output = NamedOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<ManagerObject>, Vec<InvalidProperty>> {
        named(&NS_GROUP, NameRule::Exact, &self.0, scope)
    }

    fn output(self, object: ManagerObject) -> NamedOutput {
        object.into()
    }
}
