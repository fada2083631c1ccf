//! `getPolicyContainerCluster`: a container cluster.

use netmgr_types::Deployment;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::PolicyOutput;
use netmgr_types::wire::PolicyObject;

use crate::lookup::ObjectLookup;
use crate::plan::{InputSelectors, Plan};
use crate::read::{ObjectKind, Read, Scope};
use crate::request::request;
use crate::selection::NameRule;
use crate::spec::LookupSpec;

request! {
    /// Finds a container cluster by id, or by name or a prefix of its name.
    GetPolicyContainerCluster(ExclusiveInput) -> PolicyOutput
}

/// Container clusters. Their site and enforcement point are always `default`, regardless of the configuration.
pub(super) const CONTAINER_CLUSTER: ObjectKind = ObjectKind::fixed(
    "container cluster",
    "ClusterControlPlane",
    "/policy/api/v1/infra/sites/default/enforcement-points/default/cluster-control-planes",
);

impl ObjectLookup for GetPolicyContainerCluster {
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyContainerCluster",
        "container cluster",
        "Finds a container cluster by id or display name.",
    )
    .on(&[Deployment::PolicyManager])
    .example(r#"{"displayName": "antrea-prod"}"#)
    .source("1 and 4.2");
    type Object = PolicyObject;
    type Output = PolicyOutput;

    fn plan(&self, scope: &Scope) -> Result<Plan<PolicyObject>, Vec<InvalidProperty>> {
        let selectors = InputSelectors::from(&self.0);
        let read = Read::new(&CONTAINER_CLUSTER, scope, selectors.exclusive()?);
        Ok(Plan::new(read, selectors.choose(NameRule::ExactOrPrefix)))
    }

    fn output(self, object: PolicyObject) -> PolicyOutput {
        object.into()
    }
}
