//! `getPolicyDhcpServer`: a DHCP server.

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
    /// Finds a DHCP server by id, name or a prefix of its name, optionally in a project.
    GetPolicyDhcpServer(ContextInput) -> ContextOutput
}

const DHCP_SERVER: ObjectKind = ObjectKind::infra("DHCP server", "DhcpServerConfig", "dhcp-server-configs");

impl ObjectLookup for GetPolicyDhcpServer {
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyDhcpServer",
        "DHCP server",
        "Finds a DHCP server by id or display name.",
    )
    .on(&[
        Deployment::PolicyManager,
        Deployment::GlobalManager,
        Deployment::HostedCloud,
    ])
    .example(r#"{"displayName": "dhcp-2"}"#);
    type Object = PolicyObject;
    type Output = ContextOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<PolicyObject>, Vec<InvalidProperty>> {
        in_context(&DHCP_SERVER, &self.0, scope)
    }

    fn output(self, object: PolicyObject) -> ContextOutput {
        ContextOutput::new(object, self.0.context)
    }
}
