//! `getFailureDomain`: a failure domain of the manager API.

use netmgr_types::shapes::{NamedOutput, PolicyInput};
use netmgr_types::wire::ManagerObject;

use crate::error::Problem;
use crate::lookup::{ObjectLookup, Plan};
use crate::plan::named;
use crate::read::{ObjectKind, Scope};
use crate::select::NameRule;
use crate::spec::LookupSpec;

/// Finds a failure domain by id, name or the beginning of its name.
///
/// Source: lookup-provider 4.2, manager-api A.1 to A.3.
pub struct GetFailureDomain;

/// The list takes no query parameters.
const FAILURE_DOMAIN: ObjectKind =
    ObjectKind::fixed("failure domain", "FailureDomain", "/api/v1/failure-domains").unpaged();

impl ObjectLookup for GetFailureDomain {
    const SPEC: LookupSpec = LookupSpec::new(
        "getFailureDomain",
        "failure domain",
        "Finds a failure domain by id or display name.",
    )
    .example(r#"{"displayName": "fd-rack-1"}"#);
    type Input = PolicyInput;
    type Object = ManagerObject;
    type Output = NamedOutput;

    fn plan(input: &PolicyInput, scope: &Scope) -> Result<Plan<ManagerObject>, Vec<Problem>> {
        named(&FAILURE_DOMAIN, NameRule::ExactOrPrefix, input, scope)
    }

    fn output(_: PolicyInput, object: ManagerObject) -> NamedOutput {
        object.into()
    }
}
