//! `getPolicyContainerCluster`: a container cluster.

use netmgr_types::Deployment;
use netmgr_types::shapes::{ExclusiveInput, PolicyOutput};
use netmgr_types::wire::PolicyObject;

use crate::error::Problem;
use crate::lookup::{ObjectLookup, Plan};
use crate::plan::Selectors;
use crate::read::{ObjectKind, Read, Scope};
use crate::select::NameRule;
use crate::spec::LookupSpec;

/// Finds a container cluster by id, or by name or the beginning of its name.
///
/// Source: lookup-provider 4.2, manager-api A.1 to A.4.
pub struct GetPolicyContainerCluster;

/// Container clusters. Their site and enforcement point are always `default`, whatever enforcement
/// point is configured (manager-api A.4).
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
    .source("lookup-provider 1 and 4.2");
    type Input = ExclusiveInput;
    type Object = PolicyObject;
    type Output = PolicyOutput;

    fn plan(input: &ExclusiveInput, scope: &Scope) -> Result<Plan<PolicyObject>, Vec<Problem>> {
        let selectors = Selectors::from(input);
        let read = Read::new(&CONTAINER_CLUSTER, scope, selectors.exclusive()?);
        Ok(Plan::new(read, selectors.choose(NameRule::ExactOrPrefix)))
    }

    fn output(_: ExclusiveInput, object: PolicyObject) -> PolicyOutput {
        object.into()
    }
}
