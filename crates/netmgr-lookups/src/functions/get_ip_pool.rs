//! `getIpPool`: an IP pool of the manager API.

use netmgr_types::shapes::{NamedInput, NamedOutput};
use netmgr_types::wire::ManagerObject;

use crate::error::Problem;
use crate::lookup::{ObjectLookup, Plan};
use crate::plan::named;
use crate::read::{ObjectKind, Scope};
use crate::select::NameRule;
use crate::spec::LookupSpec;

/// Finds an IP pool by id or by its whole name.
///
/// Source: lookup-provider 4.2, manager-api A.1 to A.3.
pub struct GetIpPool;

const IP_POOL: ObjectKind = ObjectKind::fixed("IP pool", "IpPool", "/api/v1/pools/ip-pools");

impl ObjectLookup for GetIpPool {
    const SPEC: LookupSpec = LookupSpec::new(
        "getIpPool",
        "IP pool",
        "Finds an IP pool of the manager API by id or display name.",
    )
    .counterpart("IP address pools (`/infra/ip-pools`)")
    .example(r#"{"displayName": "tep-pool"}"#);
    type Input = NamedInput;
    type Object = ManagerObject;
    type Output = NamedOutput;

    fn plan(input: &NamedInput, scope: &Scope) -> Result<Plan<ManagerObject>, Vec<Problem>> {
        named(&IP_POOL, NameRule::Exact, input, scope)
    }

    fn output(_: NamedInput, object: ManagerObject) -> NamedOutput {
        object.into()
    }
}
