//! `getIpPool`: an IP pool of the manager API.

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
    /// Finds an IP pool by id or by its exact name.
    GetIpPool(NamedInput) -> NamedOutput
}

const IP_POOL: ObjectKind = ObjectKind::fixed("IP pool", "IpPool", "/api/v1/pools/ip-pools");

impl ObjectLookup for GetIpPool {
    const SPEC: LookupSpec = LookupSpec::new(
        "getIpPool",
        "IP pool",
        "Finds an IP pool of the manager API by id or display name.",
    )
    .counterpart("IP address pools (`/infra/ip-pools`)")
    .example(r#"{"displayName": "tep-pool"}"#);
    type Object = ManagerObject;
    type Output = NamedOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<ManagerObject>, Vec<InvalidProperty>> {
        named(&IP_POOL, NameRule::Exact, &self.0, scope)
    }

    fn output(self, object: ManagerObject) -> NamedOutput {
        object.into()
    }
}
