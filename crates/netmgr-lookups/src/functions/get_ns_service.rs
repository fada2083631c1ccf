//! `getNsService`: a service of the manager API.

use netmgr_types::shapes::{NamedInput, NamedOutput};
use netmgr_types::wire::ManagerObject;

use crate::error::Problem;
use crate::lookup::{ObjectLookup, Plan};
use crate::plan::named;
use crate::read::{ObjectKind, Scope};
use crate::select::NameRule;
use crate::spec::LookupSpec;

/// Finds a service by id or by its whole name.
///
/// Source: lookup-provider 4.2, manager-api A.1 to A.3.
pub struct GetNsService;

pub(super) const NS_SERVICE: ObjectKind = ObjectKind::fixed("service", "NSService", "/api/v1/ns-services");

impl ObjectLookup for GetNsService {
    const SPEC: LookupSpec = LookupSpec::new(
        "getNsService",
        "service",
        "Finds a service of the manager API by id or display name.",
    )
    .counterpart("services (`/infra/services`)")
    .example(r#"{"displayName": "HTTPS"}"#);
    type Input = NamedInput;
    type Object = ManagerObject;
    type Output = NamedOutput;

    fn plan(input: &NamedInput, scope: &Scope) -> Result<Plan<ManagerObject>, Vec<Problem>> {
        named(&NS_SERVICE, NameRule::Exact, input, scope)
    }

    fn output(_: NamedInput, object: ManagerObject) -> NamedOutput {
        object.into()
    }
}
