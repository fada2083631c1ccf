//! `getCertificate`: a certificate of the manager API.

use netmgr_types::Deployment;
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
    /// Finds a certificate by id or by its exact name.
    GetCertificate(NamedInput) -> NamedOutput
}

/// Certificates have different resource types, so the collection identifies the kind.
const CERTIFICATE: ObjectKind = ObjectKind::fixed("certificate", "", "/api/v1/trust-management/certificates");

impl ObjectLookup for GetCertificate {
    const SPEC: LookupSpec = LookupSpec::new(
        "getCertificate",
        "certificate",
        "Finds a certificate of the manager API by id or display name.",
    )
    .on(&[Deployment::PolicyManager])
    .successor("getPolicyCertificate")
    .example(r#"{"displayName": "portal"}"#);
    type Object = ManagerObject;
    type Output = NamedOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<ManagerObject>, Vec<InvalidProperty>> {
        named(&CERTIFICATE, NameRule::Exact, &self.0, scope)
    }

    fn output(self, object: ManagerObject) -> NamedOutput {
        object.into()
    }
}
