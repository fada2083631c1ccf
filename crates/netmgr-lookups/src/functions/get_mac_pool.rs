//! `getMacPool`: a MAC pool of the manager API.

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
    /// Finds a MAC pool by id or by its exact name.
    GetMacPool(NamedInput) -> NamedOutput
}

const MAC_POOL: ObjectKind = ObjectKind::fixed("MAC pool", "MacPool", "/api/v1/pools/mac-pools");

impl ObjectLookup for GetMacPool {
    const SPEC: LookupSpec = LookupSpec::new(
        "getMacPool",
        "MAC pool",
        "Finds a MAC pool of the manager API by id or display name.",
    )
    .example(r#"{"displayName": "lab-mac-pool"}"#);
    type Object = ManagerObject;
    type Output = NamedOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<ManagerObject>, Vec<InvalidProperty>> {
        named(&MAC_POOL, NameRule::Exact, &self.0, scope)
    }

    fn output(self, object: ManagerObject) -> NamedOutput {
        object.into()
    }
}
