//! `getPolicyCertificate`: a certificate of the policy API.

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
    /// Finds a certificate by id, name or a prefix of its name, optionally in a project.
    GetPolicyCertificate(ContextInput) -> ContextOutput
}

const CERTIFICATE: ObjectKind = ObjectKind::infra("certificate", "TlsCertificate", "certificates");

impl ObjectLookup for GetPolicyCertificate {
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyCertificate",
        "certificate",
        "Finds a certificate by id or display name.",
    )
    .on(&[Deployment::GlobalManager, Deployment::PolicyManager])
    .example(r#"{"context": {"projectId": "dev"}, "displayName": "lb-cert-web"}"#);
    type Object = PolicyObject;
    type Output = ContextOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<PolicyObject>, Vec<InvalidProperty>> {
        in_context(&CERTIFICATE, &self.0, scope)
    }

    fn output(self, object: PolicyObject) -> ContextOutput {
        ContextOutput::new(object, self.0.context)
    }
}
