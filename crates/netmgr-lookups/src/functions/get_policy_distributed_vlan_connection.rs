//! `getPolicyDistributedVlanConnection`: a distributed VLAN connection.

use netmgr_types::Deployment;
use netmgr_types::InvalidProperty;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lookup::{Invocation, Lookup};
use crate::plan::{InputSelectors, Plan};
use crate::read::{By, ObjectKind, Read, Scope};
use crate::reads::FunctionRead;
use crate::request::request;
use crate::selection::NameRule;
use crate::spec::LookupSpec;

request! {
    /// Finds a distributed VLAN connection by id, name or a prefix of its name. Without any of them, returns
    /// the only connection.
    GetPolicyDistributedVlanConnection(PolicyInput) -> DistributedVlanConnection
}

const VLAN_CONNECTION: ObjectKind = ObjectKind::infra(
    "distributed VLAN connection",
    "DistributedVlanConnection",
    "distributed-vlan-connections",
);

/// Output of `getPolicyDistributedVlanConnection`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DistributedVlanConnection {
    /// Description, if the object has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Display name.
    pub display_name: String,
    /// Id.
    pub id: String,
    /// Policy path.
    pub path: String,
}

impl Lookup for GetPolicyDistributedVlanConnection {
    type Output = DistributedVlanConnection;
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyDistributedVlanConnection",
        "distributed VLAN connection",
        "Finds a distributed VLAN connection by id or display name, or the only one if neither is set.",
    )
    .on(&[Deployment::PolicyManager])
    .example(r#"{"displayName": "vlan-100"}"#);

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(&VLAN_CONNECTION)]
    }

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let selectors = InputSelectors::from(&self.0);
        let by = selectors.by().unwrap_or(By::All);
        let plan = Plan::new(
            Read::new(&VLAN_CONNECTION, scope, by),
            selectors.choose(NameRule::ExactOrPrefix),
        );
        Ok(Invocation::object(plan, move |object| {
            DistributedVlanConnection {
                display_name: object.name().to_owned(),
                description: object.sent("description").map(str::to_owned),
                id: object.id().to_owned(),
                path: object.path().unwrap_or_default().to_owned(),
            }
        }))
    }
}
