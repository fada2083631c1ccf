//! Auto Mode: AWS runs nodes, their network, volumes and load balancers. The system nodes remain a managed node group,
//! with the network add-ons that managed nodes need.

use pulumi_plugin::components::{InputProblems, Output, Plain, Properties, Resource, Scope, properties};

use crate::aws::{self, Partition};
use crate::cluster::inputs::ClusterInputs;
use crate::versions;

/// Groups of nodes that AWS defines: for all pods, and for add-ons.
const NODE_POOLS: [&str; 2] = ["general-purpose", "system"];

/// Policies of the control plane, by the suffixes of their names.
const POLICIES: [(&str, &str); 4] = [
    ("cluster-policy-compute", "AmazonEKSComputePolicy"),
    ("cluster-policy-storage", "AmazonEKSBlockStoragePolicy"),
    ("cluster-policy-load-balancing", "AmazonEKSLoadBalancingPolicy"),
    ("cluster-policy-networking", "AmazonEKSNetworkingPolicy"),
];

/// Policies of its nodes.
const NODE_POLICIES: [(&str, &str); 2] = [
    ("auto-node-worker-policy", "AmazonEKSWorkerNodeMinimalPolicy"),
    ("auto-node-ecr-policy", "AmazonEC2ContainerRegistryPullOnly"),
];

/// Whether the mode is on.
pub(super) fn is_on(inputs: &ClusterInputs) -> bool {
    inputs.auto_mode.as_ref().is_some_and(|mode| *mode.get())
}

/// Rejects add-ons that the mode replaces, if the program explicitly requests them.
pub(super) fn check(inputs: &ClusterInputs, problems: &mut InputProblems) {
    if !is_on(inputs) {
        return;
    }
    for (path, flag) in [
        ("enableNodeAutoscaler", inputs.enable_node_autoscaler.as_ref()),
        (
            "enableLoadBalancerController",
            Some(&inputs.enable_load_balancer_controller),
        ),
    ] {
        if flag.is_some_and(|flag| *flag.get()) {
            problems.add(path, "cannot be true with autoMode, which replaces it");
        }
    }
    let versions = inputs.addon_versions.as_ref().map(Plain::get);
    if versions.is_some_and(|versions| versions.contains_key("aws-ebs-csi-driver")) {
        let reason = "is not installed, because autoMode replaces it";
        problems.add(r#"addonVersions["aws-ebs-csi-driver"]"#, reason);
    }
}

/// Warns about inputs that have no effect, or less effect, with the mode.
pub(super) fn warn(scope: &Scope, inputs: &ClusterInputs) {
    if !is_on(inputs) {
        return;
    }
    if inputs.vpc_cni_config.is_some() {
        scope.warn("vpcCniConfig only applies to the system nodes, because autoMode replaces the network plugin on others");
    }
    // SDKs fill in the default.
    scope.warn_if(inputs.node_autoscaler_version.clone().map(|version| {
        (version != versions::AUTOSCALER.version).then(|| {
            "nodeAutoscalerVersion has no effect, because autoMode replaces the node autoscaler".to_owned()
        })
    }));
}

/// The mode of a control plane.
pub(super) struct AutoMode {
    is_on: bool,
    /// The role of its nodes.
    node_role: Option<Resource>,
    /// Permissions that the control plane requires before the mode is turned on.
    pub(super) rights: Vec<Resource>,
}

/// Registers the role of the nodes and the permissions of both roles. Returns `None` if the input is absent.
pub(super) fn auto_mode(
    scope: &Scope,
    inputs: &ClusterInputs,
    partition: &Partition,
    role: &Resource,
) -> Option<AutoMode> {
    let is_on = *inputs.auto_mode.as_ref()?.get();
    if !is_on {
        return Some(AutoMode {
            is_on,
            node_role: None,
            rights: Vec::new(),
        });
    }
    let name = format!("{}-auto-node-role", scope.name());
    let node_role = aws::node_role(scope, name, partition, &inputs.permissions_boundary, &inputs.tags);
    let attach = |role: &Resource, (suffix, policy): (&str, &'static str)| {
        let name = format!("{}-{suffix}", scope.name());
        aws::attach(scope, name, role, partition.managed_policy(policy))
    };
    let of_cluster = POLICIES.map(|policy| attach(role, policy));
    let of_nodes = NODE_POLICIES.map(|policy| attach(&node_role, policy));
    Some(AutoMode {
        is_on,
        rights: of_cluster.into_iter().chain(of_nodes).collect(),
        node_role: Some(node_role),
    })
}

impl AutoMode {
    /// Settings of the nodes. AWS accepts the three settings only if all of them are on, or none.
    pub(super) fn compute(&self) -> Properties {
        properties! {
            "enabled": self.is_on,
            "nodePools": self.is_on.then_some(NODE_POOLS),
            "nodeRoleArn": self.node_role.as_ref().map(|role| role.output::<String>("arn")),
        }
    }

    /// Settings of the load balancers.
    pub(super) fn load_balancing(&self) -> Properties {
        properties! { "enabled": self.is_on }
    }

    /// Settings of the volumes.
    pub(super) fn storage(&self) -> Properties {
        properties! { "blockStorage": properties! { "enabled": self.is_on } }
    }

    /// Whether AWS installs its network add-ons on its own when it creates the cluster, which the mode does not
    /// support. The component installs them.
    pub(super) fn installs_addons(&self) -> Option<Output<bool>> {
        self.is_on.then(|| false.into())
    }
}
