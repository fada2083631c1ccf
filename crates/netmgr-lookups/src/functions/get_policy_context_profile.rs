//! `getPolicyContextProfile`: a context profile.

use netmgr_types::Deployment;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::ContextOutput;
use netmgr_types::wire::PolicyObject;

use crate::lookup::ObjectLookup;
use crate::plan::{Plan, in_context};
use crate::read::{ObjectKind, Scope};
use crate::request::request;
use crate::spec::LookupSpec;

request! {
    /// Finds a context profile by id, name or a prefix of its name, optionally in a project.
    GetPolicyContextProfile(ContextInput) -> ContextOutput
}

const CONTEXT_PROFILE: ObjectKind =
    ObjectKind::infra("context profile", "PolicyContextProfile", "context-profiles");

impl ObjectLookup for GetPolicyContextProfile {
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyContextProfile",
        "context profile",
        "Finds a context profile by id or display name.",
    )
    .on(&[Deployment::GlobalManager, Deployment::PolicyManager])
    .example(r#"{"displayName": "DIAMETER"}"#);
    type Object = PolicyObject;
    type Output = ContextOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<PolicyObject>, Vec<InvalidProperty>> {
        in_context(&CONTEXT_PROFILE, &self.0, scope)
    }

    fn output(self, object: PolicyObject) -> ContextOutput {
        ContextOutput::new(object, self.0.context)
    }
}
