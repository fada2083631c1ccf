//! `getFailureDomain`: a failure domain of the manager API.

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
    /// Finds a failure domain by id, name or a prefix of its name.
    GetFailureDomain(PolicyInput) -> NamedOutput
}

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
    type Object = ManagerObject;
    type Output = NamedOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<ManagerObject>, Vec<InvalidProperty>> {
        named(&FAILURE_DOMAIN, NameRule::ExactOrPrefix, &self.0, scope)
    }

    fn output(self, object: ManagerObject) -> NamedOutput {
        object.into()
    }
}
