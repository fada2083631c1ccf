//! `getPolicyBridgeProfile`: a bridge profile.

use netmgr_types::Deployment;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::PolicyOutput;
use netmgr_types::wire::PolicyObject;

use crate::lookup::ObjectLookup;
use crate::plan::{InputSelectors, Plan};
use crate::read::{ObjectKind, Read, Scope};
use crate::request::request;
use crate::selection::NameRule;
use crate::spec::LookupSpec;

request! {
    /// Finds a bridge profile by id, or by name or a prefix of its name.
    GetPolicyBridgeProfile(ExclusiveInput) -> PolicyOutput
}

const BRIDGE_PROFILE: ObjectKind = ObjectKind::below(
    "bridge profile",
    "L2BridgeEndpointProfile",
    "edge-bridge-profiles",
);

impl ObjectLookup for GetPolicyBridgeProfile {
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyBridgeProfile",
        "bridge profile",
        "Finds a bridge profile by id or display name.",
    )
    .on(&[Deployment::PolicyManager])
    .example(r#"{"displayName": "bridge-prod"}"#)
    .source("1 and 4.2");
    type Object = PolicyObject;
    type Output = PolicyOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<PolicyObject>, Vec<InvalidProperty>> {
        let selectors = InputSelectors::from(&self.0);
        let read = Read::new(&BRIDGE_PROFILE, scope, selectors.exclusive()?);
        Ok(Plan::new(read, selectors.choose(NameRule::ExactOrPrefix)))
    }

    fn output(self, object: PolicyObject) -> PolicyOutput {
        object.into()
    }
}
