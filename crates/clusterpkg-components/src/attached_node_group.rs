//! `AttachedNodeGroup`: a managed node group of an existing cluster. The system nodes of a cluster are also
//! such a group.

pub(crate) mod image;
mod launch_template;

use pulumi_plugin::components::{
    Child, ChildOptions, ChildPackage, ChildValues, Component, ConstructError, InputProblems, List, Map,
    Output, Plain, Resource, Scope, all_of, object, properties, record,
};
use pulumi_plugin::schema::ChildSchemas;
use pulumi_plugin::values::PropertyPath;

use crate::architecture::{Architecture, architecture_of};
use crate::attached_node_group::image::{AMI_TYPES, CAPACITY_TYPES};
use crate::attached_node_group::launch_template::LaunchTemplate;
use crate::aws::{Partition, node_policies, node_role};
use crate::check::{self, Counts};
use crate::children;
use crate::label;
use crate::tags::Tags;
use crate::versions::PACKAGES;

const DEFAULT_CAPACITY_TYPE: &str = "ON_DEMAND";
const DEFAULT_DISK_SIZE: i32 = 40;
pub(crate) const DEFAULT_INSTANCE_TYPE: &str = "t3.medium";
pub(crate) const DEFAULT_MIN_SIZE: i32 = 1;
pub(crate) const DEFAULT_DESIRED_SIZE: i32 = 1;
pub(crate) const DEFAULT_MAX_SIZE: i32 = 10;
const ROLE_SUFFIX: &str = "-node-role";
/// Maximum of AWS for a group.
const MOST_TAINTS: usize = 50;
const EFFECTS: [&str; 3] = ["NO_SCHEDULE", "NO_EXECUTE", "PREFER_NO_SCHEDULE"];

record! {
    /// Inputs of `AttachedNodeGroup`.
    #[schemars(transform = crate::describe_additions, extend(
        "x-source" = crate::section("2.2"),
        "examples" = [{
            "clusterName": "main",
            "subnetIds": ["subnet-0a1", "subnet-0b2"],
            "capacityType": "SPOT",
            "instanceTypes": ["m7i.large", "m6a.large"],
            "scalingConfig": { "minSize": 2, "desiredSize": 3, "maxSize": 9 },
            "taints": [{ "key": "spot", "value": "true", "effect": "NO_SCHEDULE" }],
        }, {
            "clusterName": "main",
            "subnetIds": ["subnet-0a1", "subnet-0b2"],
            "metadataHopLimit": 1,
            "useLaunchTemplate": true,
        }]
    ))]
    pub struct AttachedNodeGroupInputs {
        /// Own values for the children of the component, by their names, which its page lists. Properties have the names of
        /// the child's provider. They are merged over those of the component: objects, also into JSON text, member by
        /// member; other values and lists replace; null removes, as do paths in the member `without`. Names must be known in
        /// a preview. Default: none.
        #[schemars(extend("x-addition" = true))]
        pub children: Option<ChildValues>,
        /// Name of the cluster that the nodes join. A change replaces the group.
        #[schemars(transform = check::CLUSTER_NAME.rule())]
        pub cluster_name: Output<String>,
        /// Subnets of the nodes. At least one is required. A change replaces the group.
        #[schemars(extend("minItems" = 1, "items" = check::SUBNET.schema()))]
        pub subnet_ids: List<String>,
        /// Type of machine image. Must match the CPU architecture of the instance types, and have a
        /// driver for their accelerators (`…_NVIDIA`, `…_NEURON`). Windows requires
        /// `vpcCniConfig.enableWindowsIpam` of the cluster. A change replaces the group: the new one is created before
        /// the old one is drained. Default: the standard image of Amazon Linux 2023.
        #[schemars(extend("enum" = AMI_TYPES))]
        pub ami_type: Option<Output<String>>,
        /// Purchase option of the machines: `ON_DEMAND` or `SPOT`. A change replaces the group.
        #[schemars(extend("default" = DEFAULT_CAPACITY_TYPE, "enum" = CAPACITY_TYPES))]
        pub capacity_type: Option<Output<String>>,
        /// Size of the disks of the nodes in GiB. At least 20 for Amazon Linux and 50 for Windows. A change replaces the
        /// group or, with a launch template, its nodes one at a time.
        #[schemars(extend("default" = DEFAULT_DISK_SIZE, "minimum" = 1))]
        pub disk_size: Option<Output<i32>>,
        /// Instance types, all of one CPU architecture. A change replaces the group.
        #[schemars(extend(
            "minItems" = 1, "items" = { "type": "string", "minLength": 1 }, "x-default" = [DEFAULT_INSTANCE_TYPE]
        ))]
        pub instance_types: Option<List<String>>,
        /// Labels of the nodes. Keys and values must have 1 to 63 characters.
        #[schemars(extend(
            "propertyNames" = label::KEY.at_most(label::LONGEST).schema(),
            "additionalProperties" = label::SOME_VALUE.schema()
        ))]
        pub labels: Option<Map<String>>,
        /// Maximum number of network hops for responses of the instance metadata service, from 1 to 64. With 1, pods
        /// cannot reach the service unless they use the host network. Setting this input creates a launch template
        /// that requires tokens (IMDSv2). Setting or removing it for an existing group without `useLaunchTemplate`
        /// replaces the group: the new one is created before the old one is drained. A change of the number replaces the
        /// nodes one at a time. Default: chosen by AWS.
        #[schemars(extend("minimum" = 1, "maximum" = image::MOST_HOPS, "x-addition" = true))]
        pub metadata_hop_limit: Option<Output<i32>>,
        /// ARN of an IAM policy that limits the permissions of the role (permissions boundary). Default: none.
        #[schemars(transform = check::POLICY.rule(), extend("x-addition" = true))]
        pub permissions_boundary: Option<Output<String>>,
        /// Version of the machine image of the given type, such as `1.35.1-20260801`, for the Kubernetes version of the group. A change replaces the
        /// nodes one at a time. Default: the latest version when the group is
        /// created or its `version` changes.
        #[schemars(transform = image::RELEASE.rule())]
        pub release_version: Option<Output<String>>,
        /// Whether AWS replaces nodes that are unhealthy. The add-on `eks-node-monitoring-agent` finds more kinds of
        /// failures.
        #[schemars(extend("x-addition" = true, "deprecated" = true, "x-deprecation" = "use children.nodes.nodeRepairConfig"))]
        pub repair_nodes: Option<Output<bool>> where default(false),
        /// Whether an upgrade continues although pods cannot be evicted, for example because of a disruption budget; the
        /// pods are then deleted. Default: the upgrade fails.
        #[schemars(extend("x-addition" = true))]
        pub force_update_version: Option<Output<bool>>,
        /// Whether later changes of `scalingConfig.desiredSize` are ignored, so that an autoscaler controls the size
        /// of the group. Set it to false if no autoscaler scales the group; an update can then raise `minSize` above
        /// the current size.
        #[schemars(extend("x-addition" = true))]
        pub ignore_desired_size: Plain<bool> = true,
        /// Size of the group. Later changes of `desiredSize` are ignored unless `ignoreDesiredSize` is false.
        #[schemars(extend("x-default" = {
            "minSize": DEFAULT_MIN_SIZE, "desiredSize": DEFAULT_DESIRED_SIZE, "maxSize": DEFAULT_MAX_SIZE
        }))]
        pub scaling_config: Option<Output<ScalingConfig>>,
        /// Tags of the node group, its role and its launch template. Machines, disks and network interfaces
        /// are only tagged with `useLaunchTemplate`, because EKS does not propagate the tags of a group; a change then
        /// replaces the nodes one at a time.
        pub tags: Tags,
        /// Taints of the nodes. At most 50.
        #[schemars(extend("maxItems" = MOST_TAINTS))]
        pub taints: Option<List<NodeGroupTaint>>,
        /// Whether the group has a launch template that encrypts its disks, and tags its machines, disks and network
        /// interfaces with `tags`. Changing this input of an existing group replaces the group: the new one is
        /// created before the old one is drained.
        #[schemars(extend("default" = false, "x-addition" = true))]
        pub use_launch_template: Option<Plain<bool>>,
        /// Kubernetes version of the nodes, such as `1.35`: the version of the control plane, or older. A change
        /// replaces the nodes one at a time. AWS rejects an upgrade of a control plane while managed nodes have an
        /// older version. Default: the version of the cluster when the group is created.
        #[schemars(transform = check::KUBERNETES_VERSION.rule(), extend("x-addition" = true))]
        pub version: Option<Output<String>>,
    }

    /// Number of nodes in a group.
    #[schemars(extend("x-external" = "aws:eks/NodeGroupScalingConfig:NodeGroupScalingConfig"))]
    pub struct ScalingConfig {
        /// Initial number of nodes.
        #[schemars(extend("minimum" = 0, "x-reason" = check::NODES))]
        pub desired_size: Output<i32>,
        /// Maximum number of nodes.
        #[schemars(extend("minimum" = 1))]
        pub max_size: Output<i32>,
        /// Minimum number of nodes.
        #[schemars(extend("minimum" = 0, "x-reason" = check::NODES))]
        pub min_size: Output<i32>,
    }

    /// A taint of the nodes in a group, in the notation of AWS.
    #[schemars(extend("x-external" = "aws:eks/NodeGroupTaint:NodeGroupTaint"))]
    pub struct NodeGroupTaint {
        /// `NO_SCHEDULE`, `NO_EXECUTE` or `PREFER_NO_SCHEDULE`.
        #[schemars(extend("enum" = EFFECTS))]
        pub effect: Output<String>,
        /// Key of the taint, with 1 to 63 characters.
        #[schemars(transform = label::KEY.at_most(label::LONGEST).rule())]
        pub key: Output<String>,
        /// Value of the taint, with at most 63 characters.
        #[schemars(transform = label::VALUE.rule())]
        pub value: Option<Output<String>>,
    }
}

object! {
    /// Outputs of `AttachedNodeGroup`.
    pub struct AttachedNodeGroupOutputs {
        /// The node group.
        #[schemars(extend("x-resource" = "aws:eks/nodeGroup:NodeGroup"))]
        pub node_group: Resource,
        /// The IAM role of the nodes.
        #[schemars(extend("x-resource" = "aws:iam/role:Role"))]
        pub node_role: Resource,
    }
}

/// The component.
pub struct AttachedNodeGroup;

impl Component for AttachedNodeGroup {
    const TOKEN: &'static str = "clusterpkg:index:AttachedNodeGroup";
    const DESCRIPTION: &'static str = "A managed node group of an existing cluster.";
    const PACKAGES: &'static [ChildPackage] = PACKAGES;
    const CHILDREN: &'static [Child] = children::ATTACHED_NODE_GROUP;
    type Inputs = AttachedNodeGroupInputs;
    type Outputs = AttachedNodeGroupOutputs;

    fn child_values(inputs: &AttachedNodeGroupInputs) -> Option<&ChildValues> {
        inputs.children.as_ref()
    }

    fn child_schemas() -> Option<&'static ChildSchemas> {
        Some(children::schemas())
    }

    fn check(name: &str, inputs: &AttachedNodeGroupInputs, problems: &mut InputProblems) {
        check::name_fits(name, "the nodes' role", ROLE_SUFFIX, check::ROLE_NAME, problems);
        check::names_a_resource(name, problems);
        check_instance_types("instanceTypes", inputs.instance_types.as_ref(), problems);
        image::check(inputs, problems);
        image::check_template(inputs.children.as_ref(), "nodes", "launch-template", problems);
        check_labels(inputs.labels.as_ref(), problems);
        if let Some(scaling) = inputs.scaling_config.as_ref().and_then(Output::peek_known) {
            scaling.check(problems);
        }
        let taints = check::known_elements(inputs.taints.as_ref());
        let taints = taints.map(|(index, taint)| (format!("taints[{index}]"), &taint.key, &taint.effect));
        label::check_distinct_taints(taints, problems);
    }

    /// Registers the role, and the nodes after the resources that the parent component requires.
    fn build(
        scope: &Scope,
        inputs: AttachedNodeGroupInputs,
    ) -> Result<AttachedNodeGroupOutputs, ConstructError> {
        image::warn_of_old_linux(scope, inputs.ami_type.as_ref());
        image::warn_of_windows(scope, inputs.ami_type.as_ref());
        let partition = Partition::of(scope);
        let role = node_role(
            scope,
            format!("{}{ROLE_SUFFIX}", scope.name()),
            &partition,
            &inputs.permissions_boundary,
            &inputs.tags,
        );
        let policies = node_policies(scope, &format!("{}-node", scope.name()), &role, &partition);
        Ok(AttachedNodeGroupOutputs {
            node_group: node_group(scope, inputs, &role, &policies),
            node_role: role,
        })
    }
}

/// Registers the group, with dependencies on the permissions of its role.
fn node_group(
    scope: &Scope,
    inputs: AttachedNodeGroupInputs,
    role: &Resource,
    policies: &[Resource],
) -> Resource {
    let repair_nodes = inputs.repair_nodes();
    let instance_types = inputs
        .instance_types
        .unwrap_or_else(|| Output::known(vec![DEFAULT_INSTANCE_TYPE.into()]));
    let ami_type = inputs.ami_type.unwrap_or_else(|| ami_type_for(&instance_types));
    image::warn_of_missing_driver(scope, &ami_type, &instance_types);
    let disk_size = inputs.disk_size.unwrap_or(DEFAULT_DISK_SIZE.into());
    let is_complete = inputs.use_launch_template.is_some_and(|uses| *uses.get());
    let template = (is_complete || inputs.metadata_hop_limit.is_some()).then(|| {
        let template = LaunchTemplate {
            ami_type: &ami_type,
            disk_size: disk_size.clone(),
            hops: inputs.metadata_hop_limit,
            is_complete,
            tags: &inputs.tags,
        };
        template.register(scope)
    });
    let properties = properties! {
        "clusterName": inputs.cluster_name,
        "subnetIds": inputs.subnet_ids,
        "nodeRoleArn": role.output::<String>("arn"),
        "amiType": ami_type,
        "capacityType": inputs.capacity_type.unwrap_or_else(|| DEFAULT_CAPACITY_TYPE.into()),
        // With a template, the disk is part of the template.
        "diskSize": template.is_none().then_some(disk_size),
        "forceUpdateVersion": inputs.force_update_version,
        "instanceTypes": instance_types,
        "labels": inputs.labels,
        "launchTemplate": template.as_ref().map(launch_template::reference),
        "nodeRepairConfig": properties! { "enabled": repair_nodes },
        "releaseVersion": inputs.release_version,
        "scalingConfig": inputs.scaling_config.unwrap_or_else(|| ScalingConfig::default().into()),
        "taints": inputs.taints,
        "updateConfig": properties! { "maxUnavailable": 1 },
        "version": inputs.version,
        "tags": inputs.tags,
    };
    // An autoscaler outside of the package may have changed the size; the program's size would terminate its
    // machines.
    let is_scaled = *inputs.ignore_desired_size.get();
    let options = ChildOptions::new()
        .depends_on(policies)
        .depends_on([scope.after()])
        .ignore_changes(is_scaled.then_some("scalingConfig.desiredSize"));
    scope.register(
        "aws:eks/nodeGroup:NodeGroup",
        format!("{}-nodes", scope.name()),
        properties,
        options,
    )
}

/// The image type for the architecture of the instance types.
fn ami_type_for(instance_types: &List<String>) -> Output<String> {
    instance_types.clone().then(|types| {
        all_of(types).map(|types| {
            let arm = types
                .iter()
                .any(|instance_type| architecture_of(instance_type) == Architecture::Arm64);
            if arm {
                "AL2023_ARM_64_STANDARD"
            } else {
                "AL2023_x86_64_STANDARD"
            }
            .to_owned()
        })
    })
}

/// All instance types must have the same architecture, because a group has one image.
pub(crate) fn check_instance_types(path: &str, types: Option<&List<String>>, problems: &mut InputProblems) {
    let mut known = check::known_elements(types).map(|(_, instance_type)| architecture_of(instance_type));
    if let Some(first) = known.next()
        && known.any(|other| other != first)
    {
        problems.add(
            path,
            "must not mix CPU architectures; all instance types must have the same one",
        );
    }
}

fn check_labels(labels: Option<&Map<String>>, problems: &mut InputProblems) {
    for key in labels
        .and_then(Output::peek_known)
        .into_iter()
        .flatten()
        .map(|(key, _)| key)
    {
        let path = PropertyPath::default().join("labels").join(key.clone());
        label::check_of_managed_nodes(&path.to_string(), key, problems);
    }
}

impl Default for ScalingConfig {
    fn default() -> Self {
        Self {
            min_size: DEFAULT_MIN_SIZE.into(),
            desired_size: DEFAULT_DESIRED_SIZE.into(),
            max_size: DEFAULT_MAX_SIZE.into(),
        }
    }
}

impl ScalingConfig {
    fn check(&self, problems: &mut InputProblems) {
        let size = |size: &Output<i32>| size.peek_known().copied().map(f64::from);
        let counts = Counts {
            min: ("scalingConfig.minSize", size(&self.min_size)),
            desired: ("scalingConfig.desiredSize", size(&self.desired_size)),
            max: ("scalingConfig.maxSize", size(&self.max_size)),
        };
        counts.check(problems);
    }
}
