//! `getPolicyBfdProfile`: a BFD profile.

use netmgr_types::Deployment;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::PolicyOutput;
use netmgr_types::wire::PolicyObject;

use crate::lookup::ObjectLookup;
use crate::plan::{InputSelectors, Plan};
use crate::read::{ObjectKind, Read, Scope};
use crate::request::request;
use crate::selection::NameRule;
use crate::spec::{LookupSpec, Since};

request! {
    /// Finds a BFD profile by id, or by name or a prefix of its name.
    GetPolicyBfdProfile(ExclusiveInput) -> PolicyOutput
}

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
    .source("1, 4.2 and 9");
    type Object = PolicyObject;
    type Output = PolicyOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<PolicyObject>, Vec<InvalidProperty>> {
        let selectors = InputSelectors::from(&self.0);
        Ok(Plan::new(
            Read::new(&BFD_PROFILE, scope, selectors.exclusive()?),
            selectors.choose(NameRule::ExactOrPrefix),
        ))
    }

    fn output(self, object: PolicyObject) -> PolicyOutput {
        object.into()
    }
}
