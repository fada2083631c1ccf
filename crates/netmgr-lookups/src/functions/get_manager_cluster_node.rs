//! `getManagerClusterNode`: a node of the manager's own cluster.

use derive_setters::Setters;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::given;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lookup::{Invocation, Lookup};
use crate::plan::{InputSelectors, Plan};
use crate::read::{ObjectKind, Read, Scope};
use crate::reads::FunctionRead;
use crate::request::constructors;
use crate::selection::NameRule;
use crate::spec::LookupSpec;

const CLUSTER_NODE: ObjectKind = ObjectKind::fixed(
    "manager cluster node",
    "ClusterNodeConfig",
    "/api/v1/cluster/nodes",
);

/// Finds a node of the manager's cluster by id or by its exact name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "ManagerClusterNodeInput",
    description = "Input of `getManagerClusterNode`."
)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetManagerClusterNode {
    /// Address that the node's management service must listen on.
    pub appliance_mgmt_listen_address: Option<String>,
    /// Description that the node must have, in addition to its display name.
    pub description: Option<String>,
    /// Display name of the node. Must match exactly.
    pub display_name: Option<String>,
    /// Id of the node. Takes precedence over all other inputs.
    pub id: Option<String>,
}

/// Output of `getManagerClusterNode`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ManagerClusterNode {
    /// Address that the node's management service listens on; empty if it has none.
    pub appliance_mgmt_listen_address: String,
    /// Description; empty if the object has none.
    pub description: String,
    /// Display name.
    pub display_name: String,
    /// Id.
    pub id: String,
}

constructors!(GetManagerClusterNode, exact);

impl Lookup for GetManagerClusterNode {
    type Output = ManagerClusterNode;
    const SPEC: LookupSpec = LookupSpec::new(
        "getManagerClusterNode",
        "manager cluster node",
        "Finds a node of the manager's own cluster by id or display name.",
    )
    .example(r#"{"displayName": "mgr-a"}"#);

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(&CLUSTER_NODE)]
    }

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let selectors = InputSelectors::new(&self.id, &self.display_name, &self.description);
        let mut choose = selectors.choose(NameRule::Exact);
        choose = choose.with_text(
            "applianceMgmtListenAddress",
            given(&self.appliance_mgmt_listen_address),
            "appliance_mgmt_listen_addr",
        );
        let plan = Plan::new(Read::new(&CLUSTER_NODE, scope, selectors.required()?), choose);
        Ok(Invocation::object(plan, move |object| ManagerClusterNode {
            display_name: object.name().to_owned(),
            appliance_mgmt_listen_address: object
                .text("appliance_mgmt_listen_addr")
                .unwrap_or_default()
                .to_owned(),
            description: object.description().to_owned(),
            id: object.id().to_owned(),
        }))
    }
}
