//! `getPolicyEdgeCluster`: an edge cluster of the policy API.

use derive_setters::Setters;
use netmgr_types::Deployment;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::given;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::contract::function::{Invocation, Lookup};
use crate::contract::spec::LookupSpec;
use crate::declared::output;
use crate::declared::paths::{site_path, site_pattern};
use crate::finding::plan::{InputSelectors, Plan};
use crate::finding::read::{By, ObjectKind, Read, Scope};
use crate::finding::selection::NameRule;

const EDGE_CLUSTER: ObjectKind = ObjectKind::below("edge cluster", "PolicyEdgeCluster", "edge-clusters");

/// Finds an edge cluster by id, name or a prefix of its name. On a global manager, searches one site and,
/// without any of them, returns the only cluster of the site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "PolicyEdgeClusterInput",
    description = "Input of `getPolicyEdgeCluster`."
)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetPolicyEdgeCluster {
    /// Description that the cluster must have.
    pub description: Option<String>,
    /// Display name of the cluster, or a prefix that matches exactly one cluster.
    pub display_name: Option<String>,
    /// Id of the cluster. Takes precedence over all other inputs.
    pub id: Option<String>,
    /// Path of the site that the cluster belongs to, such as `/global-infra/sites/paris`. Required on a
    /// global manager. If the site has a single edge cluster, `id` and `displayName` can be omitted.
    #[schemars(regex(pattern = site_pattern()))]
    pub site_path: Option<String>,
}

output! {
    ["Output of `getPolicyEdgeCluster`."]
    PolicyEdgeClusterOutput {
        named;
        /// Policy path.
        path: String,
        /// Site path from the input.
        #[serde(skip_serializing_if = "Option::is_none")]
        site_path: Option<String>,
    }
}

impl GetPolicyEdgeCluster {
    /// Selects the cluster with this display name, or the only one whose display name begins with it.
    pub fn named(display_name: impl Into<String>) -> Self {
        Self::default().display_name(display_name)
    }

    /// Selects the cluster with this id.
    pub fn by_id(id: impl Into<String>) -> Self {
        Self::default().id(id)
    }
}

impl Lookup for GetPolicyEdgeCluster {
    type Output = PolicyEdgeClusterOutput;
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyEdgeCluster",
        "edge cluster",
        "Finds an edge cluster by id or display name.",
    )
    .on(&[
        Deployment::GlobalManager,
        Deployment::PolicyManager,
        Deployment::HostedCloud,
    ])
    .example(r#"{"displayName": "edge-cluster-prod", "sitePath": "/infra/sites/default"}"#);

    const KINDS: &'static [&'static ObjectKind] = &[&EDGE_CLUSTER];

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let selectors = InputSelectors::new(&self.id, &self.display_name, &self.description);
        let site = site_path(given(&self.site_path), scope)?;
        let by = match (site, selectors.by()) {
            (None, _) if scope.deployment == Deployment::GlobalManager => {
                return Err(vec![InvalidProperty::new(
                    "sitePath",
                    "is required on a global manager",
                )]);
            }
            (Some(_), Err(_)) => By::All,
            (_, by) => by?,
        };
        let mut read = Read::new(&EDGE_CLUSTER, scope, by);
        if let Some(site) = site {
            let point = format!("{site}/enforcement-points/{}", scope.enforcement_point);
            read = read.below("site or its enforcement point", point);
        }
        let plan = Plan::new(read, selectors.criteria(NameRule::ExactOrPrefix));
        Ok(Invocation::object(plan, move |object| PolicyEdgeClusterOutput {
            site_path: given(&self.site_path).map(str::to_owned),
            ..PolicyEdgeClusterOutput::from(object)
        }))
    }
}
