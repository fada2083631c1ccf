//! `getPolicyContainerClusters`: all container clusters as a map.

use netmgr_types::shapes::{MapInput, NameMap};
use netmgr_types::wire::PolicyObject;

use crate::context::Context;
use crate::error::Error;
use crate::functions::get_policy_container_cluster::CONTAINER_CLUSTER;
use crate::lookup::Lookup;
use crate::name_map::name_map;
use crate::spec::{Answer, LookupSpec};

/// Reads the policy paths of all container clusters by display name.
///
/// Source: lookup-provider 4.2 and 4.3, manager-api A.1.
pub struct GetPolicyContainerClusters;

impl Lookup for GetPolicyContainerClusters {
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyContainerClusters",
        "container cluster",
        "Reads the policy paths of all container clusters, by display name.",
    )
    .answers(Answer::Table);
    type Input = MapInput;
    type Output = NameMap;

    async fn run(input: MapInput, cx: &Context<'_>) -> Result<NameMap, Error> {
        name_map(cx, &CONTAINER_CLUSTER, &input, |cluster: PolicyObject| {
            cluster.path.unwrap_or_default()
        })
        .await
    }
}
