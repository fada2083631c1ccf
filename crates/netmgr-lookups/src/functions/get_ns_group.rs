//! `getNsGroup`: a group of the manager API.

use netmgr_types::shapes::{NamedInput, NamedOutput};
use netmgr_types::wire::ManagerObject;

use crate::error::Problem;
use crate::lookup::{ObjectLookup, Plan};
use crate::plan::named;
use crate::read::{ObjectKind, Scope};
use crate::select::NameRule;
use crate::spec::LookupSpec;

/// Finds a group by id or by its whole name.
///
/// Source: lookup-provider 4.2, manager-api A.1 to A.3.
pub struct GetNsGroup;

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
    type Input = NamedInput;
    type Object = ManagerObject;
    type Output = NamedOutput;

    fn plan(input: &NamedInput, scope: &Scope) -> Result<Plan<ManagerObject>, Vec<Problem>> {
        named(&NS_GROUP, NameRule::Exact, input, scope)
    }

    fn output(_: NamedInput, object: ManagerObject) -> NamedOutput {
        object.into()
    }
}
