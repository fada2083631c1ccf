//! `getPolicyEdgeTransportNode`: an edge transport node.

use netmgr_types::Deployment;
use netmgr_types::InvalidProperty;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lookup::{Invocation, Lookup};
use crate::plan::named;
use crate::read::{ObjectKind, Scope};
use crate::reads::FunctionRead;
use crate::request::request;
use crate::selection::NameRule;
use crate::spec::{LookupSpec, Since};

request! {
    /// Finds an edge transport node by id, name or a prefix of its name.
    GetPolicyEdgeTransportNode(PolicyInput) -> EdgeTransportNode
}

/// Edge transport nodes.
pub(crate) const EDGE_TRANSPORT_NODE: ObjectKind = ObjectKind::below(
    "edge transport node",
    "PolicyEdgeTransportNode",
    "edge-transport-nodes",
);

/// Output of `getPolicyEdgeTransportNode`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EdgeTransportNode {
    /// Description; empty if the object has none.
    pub description: String,
    /// Display name.
    pub display_name: String,
    /// Id.
    pub id: String,
    /// Policy path.
    pub path: String,
    /// Identifier assigned by the system, which is the UUID of the transport node.
    pub unique_id: String,
}

impl Lookup for GetPolicyEdgeTransportNode {
    type Output = EdgeTransportNode;
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyEdgeTransportNode",
        "edge transport node",
        "Finds an edge transport node by id or display name.",
    )
    .on(&[Deployment::PolicyManager])
    .since(&[Since::version("9.0.0")])
    .example(r#"{"displayName": "edge-01"}"#)
    .source("4.2 and 9");

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(&EDGE_TRANSPORT_NODE)]
    }

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let plan = named(&EDGE_TRANSPORT_NODE, NameRule::ExactOrPrefix, &self.0, scope)?;
        Ok(Invocation::object(plan, move |object| EdgeTransportNode {
            display_name: object.name().to_owned(),
            description: object.description().to_owned(),
            id: object.id().to_owned(),
            path: object.path().unwrap_or_default().to_owned(),
            unique_id: object.text("unique_id").unwrap_or_default().to_owned(),
        }))
    }
}
