//! `getPolicyDistributedFloodProtectionProfile`: a distributed flood protection profile.

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
    /// Finds a distributed flood protection profile by id, name or a prefix of its name, optionally in a
    /// project.
    GetPolicyDistributedFloodProtectionProfile(ContextInput) -> ContextOutput
}

/// Gateway profiles are in the same collection; the resource type distinguishes them.
const DISTRIBUTED_FLOOD_PROTECTION_PROFILE: ObjectKind = ObjectKind::infra(
    "distributed flood protection profile",
    "DistributedFloodProtectionProfile",
    "flood-protection-profiles",
);

impl ObjectLookup for GetPolicyDistributedFloodProtectionProfile {
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyDistributedFloodProtectionProfile",
        "distributed flood protection profile",
        "Finds a distributed flood protection profile by id or display name.",
    )
    .on(&[Deployment::GlobalManager, Deployment::PolicyManager])
    .example(r#"{"context": {"projectId": "dev"}, "displayName": "dfpp-proj"}"#);
    type Object = PolicyObject;
    type Output = ContextOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<PolicyObject>, Vec<InvalidProperty>> {
        in_context(&DISTRIBUTED_FLOOD_PROTECTION_PROFILE, &self.0, scope)
    }

    fn output(self, object: PolicyObject) -> ContextOutput {
        ContextOutput::new(object, self.0.context)
    }
}
