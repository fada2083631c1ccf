//! Auto Mode: AWS runs nodes, their network, volumes and load balancers. The system nodes remain a managed node group,
//! with the network add-ons that managed nodes need.

use pulumi_plugin::components::{
    ChildOptions, InputProblems, Output, Plain, Properties, Resource, Scope, format_output, properties,
};

use crate::aws::{self, Partition};
use crate::cluster::allowed::NODE_POOLS;
use crate::cluster::inputs::ClusterInputs;
use crate::tags::Tags;
use crate::versions;

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
        if inputs.auto_mode_node_pools.is_some() {
            problems.add("autoModeNodePools", "requires autoMode");
        }
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
    /// The node pools of AWS. If there are none, AWS does not know the role of the nodes.
    node_pools: Vec<String>,
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
            node_pools: Vec::new(),
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
    let node_pools = match &inputs.auto_mode_node_pools {
        Some(pools) => pools.get().clone(),
        None => NODE_POOLS.map(str::to_owned).into(),
    };
    Some(AutoMode {
        is_on,
        node_pools,
        rights: of_cluster.into_iter().chain(of_nodes).collect(),
        node_role: Some(node_role),
    })
}

impl AutoMode {
    /// Settings of the nodes. AWS accepts the three settings only if all of them are on, or none.
    pub(super) fn compute(&self) -> Properties {
        // AWS rejects a role without node pools of its own.
        let role = self.node_role.as_ref().filter(|_| !self.node_pools.is_empty());
        properties! {
            "enabled": self.is_on,
            "nodePools": self.is_on.then(|| self.node_pools.clone()),
            "nodeRoleArn": role.map(|role| role.output::<String>("arn")),
        }
    }

    /// Lets the nodes of the program's own node pools join, as AWS does for its node pools. Returns their role, if AWS has no
    /// node pools.
    pub(super) fn own_nodes(
        &self,
        scope: &Scope,
        partition: &Partition,
        control_plane: &Resource,
        tags: &Tags,
    ) -> Option<Resource> {
        let role = self.node_role.as_ref().filter(|_| self.node_pools.is_empty())?;
        let entry = properties! {
            "clusterName": control_plane.output::<String>("name"),
            "principalArn": role.output::<String>("arn"),
            "type": "EC2",
            "tags": tags.clone(),
        };
        let token = "aws:eks/accessEntry:AccessEntry";
        let name = format!("{}-auto-node-access", scope.name());
        let entry = scope.register(token, name, entry, ChildOptions::below(control_plane));
        let policy = format_output!(
            "arn:{partition}:eks::aws:cluster-access-policy/AmazonEKSAutoNodePolicy",
            partition = partition.name.clone()
        );
        let association = properties! {
            "clusterName": control_plane.output::<String>("name"),
            "principalArn": entry.output::<String>("principalArn"),
            "policyArn": policy,
            "accessScope": properties! { "type": "cluster" },
        };
        let token = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation";
        let name = format!("{}-auto-node-access-policy", scope.name());
        scope.register(token, name, association, ChildOptions::below(&entry));
        Some(role.clone())
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
