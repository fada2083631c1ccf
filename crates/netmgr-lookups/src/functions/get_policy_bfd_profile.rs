//! `getPolicyBfdProfile`: a BFD profile.

use netmgr_types::Deployment;
use netmgr_types::shapes::{ExclusiveInput, PolicyOutput};
use netmgr_types::wire::PolicyObject;

use crate::error::Problem;
use crate::lookup::{ObjectLookup, Plan};
use crate::plan::Selectors;
use crate::read::{ObjectKind, Read, Scope};
use crate::select::NameRule;
use crate::spec::{LookupSpec, Since};

/// Finds a BFD profile by id, or by name or the beginning of its name.
///
/// Source: lookup-provider 4.2 and section 9, manager-api A.1 to A.4.
pub struct GetPolicyBfdProfile;

const BFD_PROFILE: ObjectKind = ObjectKind::infra("BFD profile", "BfdProfile", "bfd-profiles");

impl ObjectLookup for GetPolicyBfdProfile {
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyBfdProfile",
        "BFD profile",
        "Finds a BFD profile by id or display name.",
    )
    .on(&[
        Deployment::GlobalManager,
        Deployment::PolicyManager,
        Deployment::HostedCloud,
    ])
    .since(&[Since::on(Deployment::HostedCloud, "3.0.0")])
    .example(r#"{"displayName": "bfd-fast"}"#)
    .source("lookup-provider 1, 4.2 and 9");
    type Input = ExclusiveInput;
    type Object = PolicyObject;
    type Output = PolicyOutput;

    fn plan(input: &ExclusiveInput, scope: &Scope) -> Result<Plan<PolicyObject>, Vec<Problem>> {
        let selectors = Selectors::from(input);
        Ok(Plan::new(
            Read::new(&BFD_PROFILE, scope, selectors.exclusive()?),
            selectors.choose(NameRule::ExactOrPrefix),
        ))
    }

    fn output(_: ExclusiveInput, object: PolicyObject) -> PolicyOutput {
        object.into()
    }
}
