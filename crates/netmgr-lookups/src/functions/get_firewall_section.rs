//! `getFirewallSection`: a firewall section of the manager API.

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
    /// Finds a firewall section by id or by its exact name.
    GetFirewallSection(NamedInput) -> NamedOutput
}

const FIREWALL_SECTION: ObjectKind =
    ObjectKind::fixed("firewall section", "FirewallSection", "/api/v1/firewall/sections");

impl ObjectLookup for GetFirewallSection {
    const SPEC: LookupSpec = LookupSpec::new(
        "getFirewallSection",
        "firewall section",
        "Finds a firewall section of the manager API by id or display name.",
    )
    .counterpart("security policies (`/infra/domains/{domain}/security-policies`) and gateway policies (`/infra/domains/{domain}/gateway-policies`)")
    .example(r#"{"displayName": "block all"}"#);
    type Object = ManagerObject;
    type Output = NamedOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<ManagerObject>, Vec<InvalidProperty>> {
        named(&FIREWALL_SECTION, NameRule::Exact, &self.0, scope)
    }

    fn output(self, object: ManagerObject) -> NamedOutput {
        object.into()
    }
}
