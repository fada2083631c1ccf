//! `getPolicyBridgeProfile`: a bridge profile.

use netmgr_types::Deployment;
use netmgr_types::shapes::{ExclusiveInput, PolicyOutput};
use netmgr_types::wire::PolicyObject;

use crate::error::Problem;
use crate::lookup::{ObjectLookup, Plan};
use crate::plan::Selectors;
use crate::read::{ObjectKind, Read, Scope};
use crate::select::NameRule;
use crate::spec::LookupSpec;

/// Finds a bridge profile by id, or by name or the beginning of its name.
///
/// Source: lookup-provider 4.2, manager-api A.1 to A.4.
pub struct GetPolicyBridgeProfile;

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
    .source("lookup-provider 1 and 4.2");
    type Input = ExclusiveInput;
    type Object = PolicyObject;
    type Output = PolicyOutput;

    fn plan(input: &ExclusiveInput, scope: &Scope) -> Result<Plan<PolicyObject>, Vec<Problem>> {
        let selectors = Selectors::from(input);
        let read = Read::new(&BRIDGE_PROFILE, scope, selectors.exclusive()?);
        Ok(Plan::new(read, selectors.choose(NameRule::ExactOrPrefix)))
    }

    fn output(_: ExclusiveInput, object: PolicyObject) -> PolicyOutput {
        object.into()
    }
}
