//! `getEdgeCluster`: an edge cluster of the manager API.

use derive_setters::Setters;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::given;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::lookup::{Invocation, Lookup};
use crate::plan::{InputSelectors, Plan};
use crate::read::{ObjectKind, Read, Scope};
use crate::reads::FunctionRead;
use crate::request::constructors;
use crate::selection::{Filter, NameRule};
use crate::spec::LookupSpec;

const EDGE_CLUSTER: ObjectKind = ObjectKind::fixed("edge cluster", "EdgeCluster", "/api/v1/edge-clusters");

/// Finds an edge cluster by id, name or a prefix of its name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "EdgeClusterInput", description = "Input of `getEdgeCluster`.")]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetEdgeCluster {
    /// Deployment type that the cluster must have: `VIRTUAL_MACHINE`, `PHYSICAL_MACHINE` or
    /// `UNKNOWN`.
    pub deployment_type: Option<String>,
    /// Description that the cluster must have.
    pub description: Option<String>,
    /// Display name of the cluster, or a prefix that matches exactly one cluster.
    pub display_name: Option<String>,
    /// Id of the cluster. Takes precedence over all other inputs.
    pub id: Option<String>,
    /// Member node type that the cluster must have, such as `EDGE_NODE`.
    pub member_node_type: Option<String>,
}

/// Output of `getEdgeCluster`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EdgeClusterOutput {
    /// Deployment type: `VIRTUAL_MACHINE`, `PHYSICAL_MACHINE`, or `UNKNOWN` if the cluster has no members.
    /// Empty if the manager does not report one.
    pub deployment_type: String,
    /// Description; empty if the object has none.
    pub description: String,
    /// Display name.
    pub display_name: String,
    /// Id.
    pub id: String,
    /// Type of all transport nodes in the cluster.
    pub member_node_type: String,
}

/// The deployment type of the object, or `UNKNOWN` if the cluster has no members. If the list of members is absent, the
/// cluster may have members.
fn deployment_type(cluster: &ManagedObject) -> String {
    let stated = cluster.text("deployment_type");
    match (cluster.member("members").and_then(Value::as_array), stated) {
        (Some(members), _) if members.is_empty() => "UNKNOWN",
        (_, Some(stated)) => stated,
        (None, None) => "UNKNOWN",
        (Some(_), None) => "",
    }
    .to_owned()
}

constructors!(GetEdgeCluster, prefix);

impl Lookup for GetEdgeCluster {
    type Output = EdgeClusterOutput;
    const SPEC: LookupSpec = LookupSpec::new(
        "getEdgeCluster",
        "edge cluster",
        "Finds an edge cluster of the manager API by id or display name.",
    )
    .removed_in("9.0.0")
    .successors(&["getPolicyEdgeCluster"])
    .example(r#"{"displayName": "edge-cluster-prod"}"#)
    .source("4.2 and 4.3");

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(&EDGE_CLUSTER)]
    }

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let selectors = InputSelectors::new(&self.id, &self.display_name, &self.description);
        let mut choose = selectors.choose(NameRule::ExactOrPrefix);
        let stated = given(&self.deployment_type);
        choose
            .filters
            .extend(stated.map(|wanted| Filter::equal("deploymentType", wanted, deployment_type)));
        choose = choose.with_text(
            "memberNodeType",
            given(&self.member_node_type),
            "member_node_type",
        );
        let plan = Plan::new(Read::new(&EDGE_CLUSTER, scope, selectors.required()?), choose);
        Ok(Invocation::object(plan, move |object| EdgeClusterOutput {
            deployment_type: deployment_type(object),
            display_name: object.name().to_owned(),
            description: object.description().to_owned(),
            id: object.id().to_owned(),
            member_node_type: object.text("member_node_type").unwrap_or_default().to_owned(),
        }))
    }
}
