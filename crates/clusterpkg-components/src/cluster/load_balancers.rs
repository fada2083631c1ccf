//! The AWS Load Balancer Controller: load balancers for services of type `external`, for ingresses and for
//! gateways.

mod permissions;

use pulumi_plugin::components::{ChildOptions, ConstructError, Map, Output, Properties, Resource, object};

use crate::aws;
use crate::cluster::foundation::{
    InstalledCluster, NAMESPACE, Release, ServiceAccount, Toleration, tolerations,
};
use crate::cluster::inputs::{ClusterInputs, has_load_balancer_controller};
use crate::cluster::{auto_mode, gateways, system_nodes};
use crate::tags::Consumer;
use crate::versions;

const ACCOUNT: &str = "aws-load-balancer-controller";

object! {
    /// Values of the chart.
    struct ControllerValues {
        cluster_name: Output<String>,
        default_tags: Option<Map<String>>,
        // Services choose the controller by their annotations; otherwise it would take over all new ones.
        enable_service_mutator_webhook: bool,
        pod_annotations: Option<Properties>,
        region: Output<String>,
        replica_count: Output<i32>,
        service_account: ServiceAccount,
        tolerations: Vec<Toleration>,
        // Pods cannot read it from the metadata service if its hop limit is 1.
        vpc_id: Output<String>,
    }
}

/// Whether the cluster has a controller for load balancers of all types: the component's controller, or the controller
/// of AWS.
pub(super) fn are_supported(inputs: &ClusterInputs) -> bool {
    has_load_balancer_controller(inputs) || auto_mode::is_on(inputs)
}

/// Installs the controller, if enabled. Returns its release.
pub(super) fn install(
    cluster: &InstalledCluster,
    inputs: &ClusterInputs,
    coredns: &Resource,
    object_types: Option<&Resource>,
) -> Result<Option<Resource>, ConstructError> {
    let base = &cluster.base;
    if !has_load_balancer_controller(inputs) {
        if inputs.load_balancer_controller_version.is_some() {
            base.scope.warn(
                "loadBalancerControllerVersion has no effect because enableLoadBalancerController is false",
            );
        }
        return Ok(None);
    }
    let role = base.service_account_role("load-balancers-role", NAMESPACE, ACCOUNT)?;
    let document = base
        .partition
        .name
        .clone()
        .map(|partition| permissions::policy(&partition));
    let name = base.name("load-balancers-policy");
    let description = "Load balancers of services, ingresses and gateways";
    let right = aws::grant(&base.scope, name, &role, description, document, &base.tags);
    cluster.base.warn_of_refused_tags(Consumer::LoadBalancers);
    let values = ControllerValues {
        cluster_name: base.cluster_name(),
        default_tags: base
            .tags
            .as_ref()
            .map(|tags| tags.accepted_by(Consumer::LoadBalancers)),
        enable_service_mutator_webhook: false,
        pod_annotations: gateways::annotations(inputs),
        region: base.region.clone(),
        replica_count: system_nodes::desired(inputs).map(system_nodes::replicas),
        service_account: ServiceAccount::acting_as(&role, ACCOUNT),
        tolerations: tolerations(),
        vpc_id: base.control_plane.output("vpcConfig.vpcId"),
    };
    let version = inputs.load_balancer_controller_version();
    let release = Release::new(ACCOUNT, versions::LOAD_BALANCERS, version, values);
    // Deleted before its permissions and name resolution, so that it can remove load balancers.
    let before = [Some(&right), Some(coredns), object_types];
    let options = ChildOptions::new().depends_on(before.into_iter().flatten());
    let controller = cluster.release("load-balancers", release, options);
    gateways::classes(cluster, inputs, &controller);
    Ok(Some(controller))
}
