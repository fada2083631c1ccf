//! The nodes that run the add-ons, with a taint that excludes other pods.

use pulumi_plugin::components::{ChildOptions, ConstructError, Map, Output, Resource, all};

use crate::attached_node_group::{
    AttachedNodeGroup, AttachedNodeGroupInputs, AttachedNodeGroupOutputs, DEFAULT_DESIRED_SIZE,
    DEFAULT_MAX_SIZE, DEFAULT_MIN_SIZE, NodeGroupTaint, ScalingConfig, image,
};
use crate::cluster::foundation::ControlPlane;
use crate::cluster::inputs::ClusterInputs;
use crate::versions::SYSTEM_NODE_KEY;

/// Name of the child with the launch template of the system nodes.
pub(super) const TEMPLATE: &str = "system-launch-template";

/// Registers the system nodes, which join after the network add-on and the administrator's access. Their role
/// is created independently.
pub(super) fn system_nodes(
    base: &ControlPlane,
    inputs: &ClusterInputs,
    before: &[Resource],
) -> Result<AttachedNodeGroupOutputs, ConstructError> {
    let labels: Map<String> = Output::known([(SYSTEM_NODE_KEY.to_owned(), "system".into())].into());
    let taint = NodeGroupTaint {
        effect: "NO_SCHEDULE".into(),
        key: SYSTEM_NODE_KEY.into(),
        value: Some("true".into()),
    };
    // AWS rejects an upgrade of the control plane while managed nodes have an older version.
    let is_upgraded =
        *inputs.upgrade_system_nodes.get() && !image::is_own(inputs.children.as_ref(), TEMPLATE);
    let inputs = AttachedNodeGroupInputs {
        cluster_name: base.cluster_name(),
        subnet_ids: inputs.system_node_subnet_ids.clone(),
        children: None,
        ami_type: None,
        capacity_type: None,
        disk_size: None,
        force_update_version: inputs.force_update_version.clone(),
        // They are not autoscaled: the autoscaler runs on them and starts other nodes.
        ignore_desired_size: false.into(),
        instance_types: inputs.system_node_instance_types.clone(),
        labels: Some(labels),
        metadata_hop_limit: inputs.system_node_metadata_hop_limit.clone(),
        permissions_boundary: inputs.permissions_boundary.clone(),
        release_version: None,
        repair_nodes: inputs.repair_system_nodes.clone(),
        scaling_config: Some(scaling(inputs).into()),
        tags: inputs.tags.clone(),
        taints: Some(Output::known(vec![taint.into()])),
        use_launch_template: inputs.system_nodes_use_launch_template.clone(),
        version: is_upgraded.then(|| base.control_plane.output("version")),
    };
    let nodes = base.scope.component::<AttachedNodeGroup>(
        base.name("system"),
        inputs,
        ChildOptions::new().after(before),
    )?;
    Ok(nodes.outputs)
}

/// Number of system nodes.
pub(super) fn desired(inputs: &ClusterInputs) -> Output<i32> {
    scaling(inputs).desired_size
}

/// Number of replicas of a controller that the nodes can run, each on its own node.
pub(super) fn replicas(nodes: i32) -> i32 {
    nodes.clamp(1, 2)
}

/// The numbers of nodes. An absent number adapts to the others.
fn scaling(inputs: &ClusterInputs) -> ScalingConfig {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "checked to be whole and within 32 bits"
    )]
    let given = |count: &Option<Output<f64>>| match count {
        Some(count) => count.clone().map(|count| Some(count as i32)),
        None => Output::known(None),
    };
    let counts = (
        given(&inputs.system_node_min_count),
        given(&inputs.system_node_desired_count),
        given(&inputs.system_node_max_count),
    );
    let complete = all(counts).map(|(min, desired, max)| {
        let most = desired.or(max).unwrap_or(DEFAULT_MIN_SIZE);
        let least = min.unwrap_or(DEFAULT_MIN_SIZE.min(most));
        let first = desired.unwrap_or(DEFAULT_DESIRED_SIZE.max(least));
        (least, first, max.unwrap_or(DEFAULT_MAX_SIZE.max(first)))
    });
    ScalingConfig {
        min_size: complete.clone().map(|(min, _, _)| min),
        desired_size: complete.clone().map(|(_, desired, _)| desired),
        max_size: complete.map(|(_, _, max)| max),
    }
}
