//! `getPolicyEdgeNode`: a node of an edge cluster of the policy API.

use derive_setters::Setters;
use netmgr_types::wire::ManagedObject;
use netmgr_types::{InvalidProperty, PolicyPath, number};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::contract::function::{Invocation, Lookup};
use crate::contract::spec::LookupSpec;
use crate::declared::paths::EDGE_CLUSTER;
use crate::declared::{POLICY_AND_GLOBAL, output};
use crate::finding::object_kind::ObjectKind;
use crate::finding::plan::{InputSelectors, Plan, required_text};
use crate::finding::read::{By, KeyField, Read, Scope};
use crate::finding::selection::{Filter, NameRule};

const EDGE_NODE: ObjectKind = ObjectKind::below("edge node", "PolicyEdgeNode", "edge-nodes");

/// Fields that identify the transport node of an edge node. Managers of version 9.x may only have the last
/// two.
const TRANSPORT_NODE: &[KeyField] = &[
    KeyField::Whole("nsx_id"),
    KeyField::Whole("edge_transport_node_uuid"),
    KeyField::LastSegment("edge_transport_node_path"),
];

/// Finds a node of an edge cluster by member index, by the UUID of its transport node, or by name or a prefix
/// of its name. Without any of them, returns the only node of the cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "PolicyEdgeNodeInput", description = "Input of `getPolicyEdgeNode`.")]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetPolicyEdgeNode {
    /// Policy path of the edge cluster that the node belongs to.
    #[schemars(regex(pattern = EDGE_CLUSTER.pattern()))]
    pub edge_cluster_path: String,
    /// Description that the node must have, in addition to its display name.
    pub description: Option<String>,
    /// Display name of the node, or a prefix that matches exactly one node.
    pub display_name: Option<String>,
    /// Member index of the node as a string, or the UUID or policy id of its transport node. Takes precedence
    /// over all other inputs.
    pub id: Option<String>,
    /// Member index of the node in its cluster, starting at 0.
    #[serde(default, deserialize_with = "number::whole")]
    pub member_index: Option<u32>,
}

output! {
    ["Output of `getPolicyEdgeNode`."]
    PolicyEdgeNode {
        bare;
        /// Description; empty if the object has none.
        description: String => output::description,
        /// Display name.
        display_name: String => output::display_name,
        /// Policy path of the edge cluster from the input.
        edge_cluster_path: String,
        /// Id: the member index as a string.
        id: String => output::id,
        /// Member index, if the object has one.
        member_index: Option<i64>,
        /// Policy path.
        path: String,
        /// Identifier of the realization; empty if there is none.
        realization_id: String,
        /// Identifier assigned by the system; empty if there is none.
        unique_id: String,
    }
}

impl GetPolicyEdgeNode {
    /// Selects the only node of the edge cluster with this policy path, unless an input selects another one.
    pub fn of(edge_cluster_path: impl Into<String>) -> Self {
        Self::default().edge_cluster_path(edge_cluster_path)
    }
}

impl Lookup for GetPolicyEdgeNode {
    type Output = PolicyEdgeNode;
    const SPEC: LookupSpec = LookupSpec {
        availability: POLICY_AND_GLOBAL,
        example: r#"{"edgeClusterPath": "/infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001", "memberIndex": 1}"#,
        source: "4.2",
        ..LookupSpec::new(
            "getPolicyEdgeNode",
            "edge node",
            "Finds a node of an edge cluster.",
        )
    };

    const KINDS: &'static [&'static ObjectKind] = &[&EDGE_NODE];

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let cluster = required_text("edgeClusterPath", &self.edge_cluster_path)
            .and_then(|path| {
                let read = EDGE_CLUSTER.read(path);
                read.map_err(|reason| InvalidProperty::new("edgeClusterPath", reason))
            })
            .map_err(|problem| vec![problem])?;
        let selectors = InputSelectors::new(&self.id, &self.display_name, &self.description);
        let by = match (selectors.id, selectors.name) {
            (Some(id), _) if id.bytes().all(|byte| byte.is_ascii_digit()) => By::Id(id.to_owned()),
            (Some(id), _) => By::Key {
                fields: TRANSPORT_NODE,
                value: id.to_owned(),
            },
            (None, Some(name)) => By::Name(name.to_owned()),
            (None, None) => By::All,
        };
        let mut criteria = selectors.criteria(NameRule::ExactOrPrefix);
        let own_index = |node: &ManagedObject| {
            let index = node.number("member_index");
            index.map(|index| index.to_string()).unwrap_or_default()
        };
        let wanted = self.member_index.map(|index| index.to_string());
        criteria
            .filters
            .extend(wanted.map(|wanted| Filter::equal("memberIndex", wanted, own_index)));
        let read = Read::new(&EDGE_NODE, scope, by).below("edge cluster", cluster);
        let plan = Plan {
            key: Some(("id".to_owned(), identifies)),
            ..Plan::new(read, criteria)
        };
        Ok(Invocation::object(plan, move |object| PolicyEdgeNode {
            edge_cluster_path: self.edge_cluster_path.clone(),
            ..PolicyEdgeNode::from(object)
        }))
    }
}

/// Whether `id` is the member index of `node` or identifies its transport node.
fn identifies(node: &ManagedObject, id: &str) -> bool {
    let path = node.text("edge_transport_node_path");
    [
        Some(node.id()),
        node.text("nsx_id"),
        node.text("edge_transport_node_uuid"),
        path.map(|path| PolicyPath::trusted(path).id()),
    ]
    .contains(&Some(id))
}
