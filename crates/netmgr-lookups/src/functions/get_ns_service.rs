//! `getNsService`: a service of the manager API.

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
    /// Finds a service by id or by its exact name.
    GetNsService(NamedInput) -> NamedOutput
}

pub(super) const NS_SERVICE: ObjectKind = ObjectKind::fixed("service", "NSService", "/api/v1/ns-services");

impl ObjectLookup for GetNsService {
    const SPEC: LookupSpec = LookupSpec::new(
        "getNsService",
        "service",
        "Finds a service of the manager API by id or display name.",
    )
    .counterpart("services (`/infra/services`)")
    .example(r#"{"displayName": "HTTPS"}"#);
    type Object = ManagerObject;
    type Output = NamedOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<ManagerObject>, Vec<InvalidProperty>> {
        named(&NS_SERVICE, NameRule::Exact, &self.0, scope)
    }

    fn output(self, object: ManagerObject) -> NamedOutput {
        object.into()
    }
}
