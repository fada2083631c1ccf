//! The Gateway API: its object types, and the classes of gateways of the load balancer controller.

use pulumi_plugin::components::{ChildOptions, InputProblems, Output, Properties, Resource, properties};

use crate::cluster::auto_mode;
use crate::cluster::foundation::{Ground, Release};
use crate::cluster::inputs::{ClusterInputs, is_on};
use crate::cluster::load_balancers;
use crate::versions;

/// Names of the classes, with their controllers.
const CLASSES: [(&str, &str); 2] = [
    ("aws-alb", "gateway.k8s.aws/alb"),
    ("aws-nlb", "gateway.k8s.aws/nlb"),
];

/// Whether the API is installed.
fn is_enabled(inputs: &ClusterInputs) -> bool {
    is_on(inputs.enable_gateway_api.as_ref(), false)
}

/// Gateways need the controller of the component.
pub(super) fn check(inputs: &ClusterInputs, problems: &mut InputProblems) {
    if is_enabled(inputs) && !load_balancers::is_installed(inputs) {
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
pub(super) fn object_types(ground: &Ground, inputs: &ClusterInputs) -> Option<Resource> {
    let version = inputs.gateway_api_crds_version.as_ref();
    if !is_enabled(inputs) || is_given(inputs) {
        if version.is_some() {
            let reason =
                "has no effect because the component does not install the object types of the Gateway API";
            ground.base.scope.warn(format!("gatewayApiCrdsVersion {reason}"));
        }
        return None;
    }
    let kept = properties! { "global": properties! { "resourcePolicy": properties! { "keep": true } } };
    let mut release = Release::new("gateway-api-crds", versions::GATEWAY_TYPES, version, kept);
    // The types may be there already, applied with kubectl.
    release.take_ownership = Some(true);
    let options = ChildOptions::new().deleted_with(&ground.base.control_plane);
    Some(ground.release("gateway-api-crds", release, options))
}

/// Annotations of the controller's pods. It looks for the object types when it starts, so other types restart it.
pub(super) fn annotations(inputs: &ClusterInputs) -> Option<Properties> {
    if !is_enabled(inputs) {
        return None;
    }
    let chosen = inputs.gateway_api_crds_version.clone();
    let version: Output<String> = match is_given(inputs) {
        true => "given".into(),
        false => chosen.unwrap_or_else(|| versions::GATEWAY_TYPES.version.into()),
    };
    Some(properties! { "clusterpkg.dev/gateway-api": version })
}

/// Registers the classes. The controller does not let a class go that gateways use, so their load balancers do not
/// outlive the controller.
pub(super) fn classes(ground: &Ground, inputs: &ClusterInputs, controller: &Resource) {
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
        ground.base.scope.register(
            "kubernetes:gateway.networking.k8s.io/v1:GatewayClass",
            ground.base.name(&format!("gateway-class-{name}")),
            properties,
            ground
                .in_cluster()
                .depends_on([controller])
                .delete_before_replace(true),
        );
    }
}

/// Whether the program installs the object types.
fn is_given(inputs: &ClusterInputs) -> bool {
    is_on(inputs.gateway_api_crds_installed.as_ref(), false)
}
