//! The node pool: labels and taints of nodes, permitted machines, and disruption.

use std::collections::BTreeMap;

use pulumi_plugin::components::{List, Map, Output, object};

use super::disruption::{BudgetConfig, DisruptionConfig, WHEN_EMPTY};
use super::inputs::{AutoscaledNodeGroupInputs, NodeTaint};
use super::requirement::Requirement;
use crate::versions::NODE_GROUP_NAME_KEY;

/// Kind of the object.
pub(super) const KIND: &str = "NodePool";

object! {
    /// `spec` of the node pool.
    pub(super) struct NodePoolSpec {
        disruption: Option<Output<Disruption>>,
        limits: Option<Map<String>>,
        template: NodeTemplate,
        weight: Option<Output<i32>>,
    }

    /// Rules for the removal of nodes.
    pub(super) struct Disruption {
        budgets: Option<List<BudgetConfig>>,
        consolidate_after: Output<String>,
        consolidation_policy: Output<String>,
    }

    /// Template of nodes.
    pub(super) struct NodeTemplate {
        metadata: NodeMetadata,
        spec: NodeSpec,
    }

    /// Metadata of nodes.
    pub(super) struct NodeMetadata {
        labels: Map<String>,
    }

    /// Specification of nodes.
    pub(super) struct NodeSpec {
        expire_after: Option<Output<Option<String>>>,
        node_class_ref: NodeClassReference,
        requirements: List<Requirement>,
        startup_taints: Option<Output<Vec<SingleTaint>>>,
        taints: Option<Output<Vec<SingleTaint>>>,
        termination_grace_period: Option<Output<String>>,
    }

    /// The node class of the nodes.
    pub(super) struct NodeClassReference {
        pub(super) group: String,
        pub(super) kind: String,
        pub(super) name: Output<String>,
    }

    /// A taint with one effect.
    pub(super) struct SingleTaint {
        effect: Output<String>,
        key: Output<String>,
        time_added: Option<Output<String>>,
        value: Output<Option<String>>,
    }
}

impl NodePoolSpec {
    pub(super) fn from_inputs(
        name: &str,
        inputs: AutoscaledNodeGroupInputs,
        node_class_ref: NodeClassReference,
    ) -> Self {
        let own_label = BTreeMap::from([(NODE_GROUP_NAME_KEY.to_owned(), name.into())]);
        let expire_after = inputs.disruption.clone().map(|disruption| {
            disruption.then(|d| {
                d.expire_after
                    .map_or_else(|| Output::known(None), |after| after.map(Some))
            })
        });
        Self {
            disruption: inputs
                .disruption
                .map(|disruption| disruption.map(Disruption::from)),
            limits: inputs.limits,
            weight: inputs.weight,
            template: NodeTemplate {
                metadata: NodeMetadata {
                    labels: inputs.labels.unwrap_or_else(|| own_label.into()),
                },
                spec: NodeSpec {
                    expire_after,
                    node_class_ref,
                    requirements: inputs.requirements,
                    startup_taints: inputs.startup_taints.map(single_effects),
                    taints: inputs.taints.map(single_effects),
                    termination_grace_period: inputs.termination_grace_period,
                },
            },
        }
    }
}

impl From<DisruptionConfig> for Disruption {
    fn from(config: DisruptionConfig) -> Self {
        let when_empty = config.consolidate_after();
        let policy = config.consolidation_policy;
        let consolidate_after = match config.consolidate_after {
            Some(chosen) => chosen,
            None => policy.clone().then(|policy| match policy.as_str() {
                WHEN_EMPTY => when_empty,
                _ => "0s".into(),
            }),
        };
        let with_nodes = |budget: BudgetConfig| BudgetConfig {
            nodes: Some(budget.nodes()),
            ..budget
        };
        Self {
            budgets: config.budgets.map(|budgets| {
                budgets.map(move |budgets| budgets.into_iter().map(|budget| budget.map(with_nodes)).collect())
            }),
            consolidate_after,
            consolidation_policy: policy,
        }
    }
}

/// One taint for each effect.
fn single_effects(taints: List<NodeTaint>) -> Output<Vec<SingleTaint>> {
    let single = |NodeTaint {
                      effect,
                      key,
                      time_added,
                      value,
                  }: NodeTaint| {
        effect.0.map(move |effects| {
            let taint = |effect| SingleTaint {
                effect,
                key: key.clone(),
                time_added: time_added.clone(),
                // The API server rejects an empty value.
                value: value.clone().map_or_else(
                    || Output::known(None),
                    |value| value.map(|value| Some(value).filter(|value| !value.is_empty())),
                ),
            };
            effects.into_iter().map(taint).collect::<Vec<_>>()
        })
    };
    taints.then(move |taints| {
        let parts = taints.into_iter().map(|taint| taint.then(single)).collect();
        pulumi_plugin::components::all_of(parts).map(|parts| parts.concat())
    })
}
