//! The Gateway API: its object types, and the classes of gateways of the load balancer controller.

use pulumi_plugin::components::{ChildOptions, InputProblems, Properties, Resource, properties};

use crate::cluster::auto_mode;
use crate::cluster::foundation::{InstalledCluster, Release};
use crate::cluster::inputs::{ClusterInputs, has_load_balancer_controller};
use crate::versions;

/// Names of the classes, with their controllers.
const CLASSES: [(&str, &str); 2] = [
    ("aws-alb", "gateway.k8s.aws/alb"),
    ("aws-nlb", "gateway.k8s.aws/nlb"),
];

/// Whether the API is installed.
pub(super) fn is_enabled(inputs: &ClusterInputs) -> bool {
    *inputs.enable_gateway_api().get()
}

/// Checks that the component installs the controller that gateways need.
pub(super) fn check(inputs: &ClusterInputs, problems: &mut InputProblems) {
    if is_enabled(inputs) && !has_load_balancer_controller(inputs) {
        let reason = if auto_mode::is_on(inputs) {
            "requires the load balancer controller, which autoMode replaces"
        } else {
            "requires the load balancer controller, but enableLoadBalancerController is false"
        };
        problems.add("enableGatewayApi", reason);
    }
}

/// Installs the object types, unless the program does. They stay when the release is removed, with all gateways
/// and routes, and are deleted with the control plane.
pub(super) fn object_types(cluster: &InstalledCluster, inputs: &ClusterInputs) -> Option<Resource> {
    if !is_enabled(inputs) || is_given(inputs) {
        warn_of_unused(cluster, inputs);
        return None;
    }
    let kept = properties! { "global": properties! { "resourcePolicy": properties! { "keep": true } } };
    let version = inputs.gateway_api_crds_version();
    let mut release = Release::new("gateway-api-crds", versions::GATEWAY_TYPES, version, kept);
    // The types may already exist, for example if they were applied with kubectl.
    release.take_ownership = Some(true);
    if let Some(repository) = &inputs.gateway_api_crds_repository {
        release.take_chart_from(repository);
    }
    let options = ChildOptions::new().deleted_with(&cluster.base.control_plane);
    Some(cluster.release("gateway-api-crds", release, options))
}

/// Warns about inputs for the object types that have no effect.
fn warn_of_unused(cluster: &InstalledCluster, inputs: &ClusterInputs) {
    for (path, input) in [
        ("gatewayApiCrdsRepository", &inputs.gateway_api_crds_repository),
        ("gatewayApiCrdsVersion", &inputs.gateway_api_crds_version),
    ] {
        if input.is_some() {
            let reason =
                "has no effect because the component does not install the object types of the Gateway API";
            cluster.base.scope.warn(format!("{path} {reason}"));
        }
    }
}

/// Annotations of the controller's pods. The controller only looks for the object types when it starts, so a change of
/// them restarts it.
pub(super) fn annotations(inputs: &ClusterInputs) -> Option<Properties> {
    if !is_enabled(inputs) {
        return None;
    }
    let version = match is_given(inputs) {
        true => "given".into(),
        false => inputs.gateway_api_crds_version(),
    };
    Some(properties! { "clusterpkg.dev/gateway-api": version })
}

/// Registers the classes. The controller keeps a class until no gateway uses it, so no load balancer of a gateway
/// outlives the controller.
pub(super) fn classes(cluster: &InstalledCluster, inputs: &ClusterInputs, controller: &Resource) {
    if !is_enabled(inputs) {
        return;
    }
    for (name, controller_name) in CLASSES {
        let properties = properties! {
            "apiVersion": "gateway.networking.k8s.io/v1",
            "kind": "GatewayClass",
            "metadata": properties! { "name": name },
            "spec": properties! { "controllerName": controller_name },
        };
        cluster.base.scope.register(
            "kubernetes:gateway.networking.k8s.io/v1:GatewayClass",
            cluster.base.name(&format!("gateway-class-{name}")),
            properties,
            cluster
                .in_cluster()
                .depends_on([controller])
                .delete_before_replace(true),
        );
    }
}

/// Whether the object types are installed by other means.
fn is_given(inputs: &ClusterInputs) -> bool {
    *inputs.gateway_api_crds_installed().get()
}
