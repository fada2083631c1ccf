//! Inputs of autoscaled node groups and their rules.

use pulumi_plugin::components::{ChildValues, InputProblems, List, Map, Output, TextRule, object, record};
use pulumi_plugin::values::PropertyPath;

use crate::autoscaled_node_group::disruption::DisruptionConfig;
use crate::autoscaled_node_group::image_family::{
    DEFAULT_FAMILY, DEFAULT_ROOT_DEVICE, ImageFamily, NAMES_OF_FAMILIES,
};
use crate::autoscaled_node_group::lenient::{DEFAULT_DISK_SIZE, DiskSize, Effects};
use crate::autoscaled_node_group::machine::{KubeletSettings, NodeMetadataOptions};
use crate::autoscaled_node_group::requirement::Requirement;
use crate::check;
use crate::label;
use crate::tags::{TagMap, Tags};
use crate::versions::{NODE_CLASS_API_VERSION, NODE_POOL_API_VERSION};

/// Maximums of the node class and the node pool.
const MOST_SELECTED: usize = 30;
const MOST_REQUIREMENTS: usize = 100;
const MOST_WEIGHT: i32 = 100;
const MOST_LABELS: usize = 100;
const GRACE_PERIOD: TextRule =
    TextRule::new("^([0-9]+[smh])+$", "must be a duration such as 30m, 48h or 1h30m");
/// The version that follows all releases of an image.
const LATEST: &str = "latest";
const DEVICE: TextRule = TextRule::new(
    "^/dev/[a-z][a-z0-9]{1,30}$",
    "must be the name of a device, such as /dev/xvda or /dev/sda1",
);
const IMAGE_VERSION: TextRule = TextRule::new(
    "^(latest|v[0-9][0-9.]{0,15})$",
    "must be latest, or a version such as v20260801 or v1.50.0",
);
const ROLE: TextRule = TextRule::new("^[^:/]+$", "must be the name of a role, not its ARN");
/// Keys of tags that the autoscaler sets.
const OWN_TAGS: [&str; 4] = [
    "eks:eks-cluster-name",
    "karpenter.sh/nodepool",
    "karpenter.sh/nodeclaim",
    "karpenter.k8s.aws/ec2nodeclass",
];
const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
/// A group and a version.
const API_VERSION: &str = "^[^/]+/v[0-9]+((alpha|beta)[0-9]+)?$";
const NODE_CLASS_VERSION: TextRule = TextRule::new(
    API_VERSION,
    "must be a group and a version, such as karpenter.k8s.aws/v1",
);
const NODE_POOL_VERSION: TextRule = TextRule::new(
    API_VERSION,
    "must be a group and a version, such as karpenter.sh/v1",
);

record! {
    /// Inputs of `AutoscaledNodeGroup`. The component should depend on the cluster, so that its nodes are
    /// deleted before the autoscaler.
    #[schemars(transform = crate::describe_additions, extend(
        "x-source" = crate::section("2.4"),
        "examples" = [{
            "nodeRole": "main-autoscaler-node-role",
            "diskSize": "50Gi",
            "subnetIds": ["subnet-0a1", "subnet-0b2"],
            "securityGroupIds": ["sg-0c3"],
            "requirements": [
                { "key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"] },
                { "key": "karpenter.k8s.aws/instance-generation", "operator": "Gt", "values": ["5"] },
            ],
            "disruption": {
                "consolidationPolicy": "WhenEmptyOrUnderutilized",
                "budgets": [{ "nodes": "1", "schedule": "0 9 * * mon-fri", "duration": "8h" }],
            },
        }]
    ))]
    pub struct AutoscaledNodeGroupInputs {
        /// Own values for the children of the component, by their names, which its page lists. Properties have the names of
        /// the child's provider. They are merged over those of the component: objects, also into JSON text, member by
        /// member; other values and lists replace; null removes, as do paths in the member `without`. Names must be known in
        /// a preview. Default: none.
        #[schemars(extend("x-addition" = true))]
        pub children: Option<ChildValues>,
        /// Name (not the ARN) of the IAM role of the nodes. Use the name of the cluster's output
        /// `nodeAutoscalerNodeRole`. A change replaces the nodes.
        #[schemars(transform = ROLE.rule())]
        pub node_role: Output<String>,
        /// Size of the disks of the nodes with a unit: `Gi`, `G`, `Ti` or `T`. At least `20Gi` for Amazon Linux and
        /// `50Gi` for Windows. A change replaces the nodes, within the budgets of `disruption`, like that of every input
        /// for which this is stated.
        #[schemars(transform = check::VOLUME_SIZE.rule(), extend("default" = DEFAULT_DISK_SIZE))]
        pub disk_size: DiskSize,
        /// Subnets of the nodes, from 1 to 30. Nodes in a subnet that is removed are replaced.
        #[schemars(extend(
            "minItems" = 1, "maxItems" = MOST_SELECTED, "items" = check::SUBNET.schema()
        ))]
        pub subnet_ids: List<String>,
        /// Security groups of the nodes, from 1 to 30. Use the output `clusterSecurityGroupId` of the cluster. A change
        /// replaces the nodes.
        #[schemars(extend(
            "minItems" = 1, "maxItems" = MOST_SELECTED,
            "items" = check::SECURITY_GROUP.schema(),
            "x-cluster-output" = "clusterSecurityGroupId"
        ))]
        pub security_group_ids: List<String>,
        /// Rules that select the machines to start, at most 100. A machine must match all of them. After a change, nodes
        /// that no longer match are replaced.
        #[schemars(extend("maxItems" = MOST_REQUIREMENTS))]
        pub requirements: List<Requirement>,
        /// Family of machine images: `AL2`, `AL2023`, `Bottlerocket`, `Custom`, `Windows2019`, `Windows2022`
        /// or `Windows2025`. `Custom` requires `amiId`, and `userData` unless the image
        /// configures its nodes itself. Windows requires `vpcCniConfig.enableWindowsIpam` of the cluster, and a
        /// node role with an access entry of type `EC2_WINDOWS`. A change replaces the nodes.
        #[schemars(extend("enum" = NAMES_OF_FAMILIES))]
        pub ami_family: Option<Output<String>> where default(DEFAULT_FAMILY),
        /// Id of the machine image. A change replaces the nodes. Default: the latest image of the family.
        #[schemars(transform = check::IMAGE.rule())]
        pub ami_id: Option<Output<String>>,
        /// Version of the image of the family, such as `v20260801` or `v1.50.0`. With `latest`, nodes are replaced
        /// whenever a new image is published. Windows only has `latest`. Cannot be set together with `amiId`.
        /// The component warns unless this input or `amiId` is set.
        #[schemars(transform = IMAGE_VERSION.rule(), extend("x-addition" = true))]
        pub ami_version: Option<Output<String>> where default(LATEST),
        /// Annotations of the node class and the node pool.
        pub annotations: Option<Map<String>>,
        /// Rules for the removal of nodes. A change of `expireAfter` replaces the nodes. Default: those of the autoscaler.
        pub disruption: Option<Output<DisruptionConfig>>,
        /// Settings of the kubelet. A change replaces the nodes. Default: those of the image.
        #[schemars(extend("x-addition" = true, "deprecated" = true, "x-deprecation" = "use children.nodeclass.spec.kubelet"))]
        pub kubelet: Option<Output<KubeletSettings>>,
        /// Maximum of the resources of all nodes together, such as `cpu: "100"` and `memory: 400Gi`. The autoscaler
        /// starts no more nodes when it is reached. Default: unlimited.
        #[schemars(extend(
            "x-addition" = true, "deprecated" = true, "x-deprecation" = "use children.nodepool.spec.limits", "additionalProperties" = check::AMOUNT.schema()
        ))]
        pub limits: Option<Map<String>>,
        /// Settings of the instance metadata service. A change replaces the nodes. Default: IMDSv2 for the host network only.
        #[schemars(extend("x-addition" = true, "deprecated" = true, "x-deprecation" = "use children.nodeclass.spec.metadataOptions"))]
        pub metadata_options: Option<Output<NodeMetadataOptions>>,
        /// Labels of the nodes. By default, there is one label, `node.clusterpkg.dev/name`, with the name
        /// of the group. If the group is renamed with an alias, the value stays the name of its first alias. A change
        /// replaces the nodes.
        #[schemars(extend(
            "maxProperties" = MOST_LABELS, "propertyNames" = label::KEY.schema(),
            "additionalProperties" = label::VALUE.schema()
        ))]
        pub labels: Option<Map<String>>,
        /// Group and version of the node class. The value must be known during a preview. A change replaces the nodes.
        #[schemars(transform = NODE_CLASS_VERSION.rule())]
        pub node_class_api_version: Output<String> = NODE_CLASS_API_VERSION,
        /// Group and version of the node pool. The value must be known during a preview. A change replaces the nodes.
        #[schemars(transform = NODE_POOL_VERSION.rule())]
        pub node_pool_api_version: Output<String> = NODE_POOL_API_VERSION,
        /// Root device of the image, such as `/dev/xvda` or `/dev/sda1`, for `amiFamily` `Custom`: the disk that has
        /// `diskSize` and is encrypted. With the name of another device, nodes get a second disk, and the root disk
        /// keeps the size and encryption of the image. A change replaces the nodes.
        #[schemars(transform = DEVICE.rule(), extend("x-addition" = true, "x-default" = DEFAULT_ROOT_DEVICE))]
        pub root_device_name: Option<Output<String>>,
        /// Taints with which nodes start, and which another program removes when a node is ready for pods, such as
        /// `node.cilium.io/agent-not-ready`. A change replaces the nodes. Default: none.
        #[schemars(extend("x-addition" = true))]
        pub startup_taints: Option<List<NodeTaint>>,
        /// Tags of the machines, their disks and network interfaces. Keys that the autoscaler sets itself are
        /// rejected. A change replaces the nodes. Default: none.
        #[schemars(extend("x-addition" = true))]
        pub tags: Tags,
        /// Taints of the nodes. A change replaces the nodes.
        pub taints: Option<List<NodeTaint>>,
        /// Time after which the autoscaler terminates a node even if pods still prevent it, such as `48h`. Nodes that need
        /// to be replaced are never blocked for longer. A change replaces the nodes. Default: unlimited.
        #[schemars(transform = GRACE_PERIOD.rule(), extend("x-addition" = true))]
        pub termination_grace_period: Option<Output<String>>,
        /// User data of the machines, which the autoscaler merges with the user data of the family, and passes on
        /// unchanged for `Custom`. A change replaces the nodes. Default: that of the family.
        #[schemars(extend("x-addition" = true, "minLength" = 1))]
        pub user_data: Option<Output<String>>,
        /// Priority of the group, from 1 to 100: the autoscaler prefers groups with a higher weight. Default: the
        /// lowest.
        #[schemars(extend("x-addition" = true, "deprecated" = true, "x-deprecation" = "use children.nodepool.spec.weight", "minimum" = 1, "maximum" = MOST_WEIGHT))]
        pub weight: Option<Output<i32>>,
    }

    /// A taint of the nodes.
    #[schemars(extend("x-external" = "kubernetes:core/v1:Taint"))]
    pub struct NodeTaint {
        /// Effect of the taint: `NoSchedule`, `PreferNoSchedule` or `NoExecute`. A list of effects creates
        /// one taint for each.
        #[schemars(extend("enum" = EFFECTS))]
        pub effect: Effects,
        /// Key.
        #[schemars(transform = label::KEY.rule())]
        pub key: Output<String>,
        /// Time at which the taint was added.
        pub time_added: Option<Output<String>>,
        /// Value. Empty strings are treated as unset.
        #[schemars(transform = label::VALUE.rule())]
        pub value: Option<Output<String>>,
    }

    /// A taint with several effects.
    pub struct Taint {
        /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`, one taint for each.
        #[schemars(extend("items" = { "type": "string", "enum": EFFECTS }))]
        pub effect: Option<List<String>>,
        /// Key.
        pub key: Option<Output<String>>,
        /// Value.
        pub value: Option<Output<String>>,
    }
}

object! {
    /// Outputs of `AutoscaledNodeGroup`: none.
    pub struct AutoscaledNodeGroupOutputs {}
}

impl AutoscaledNodeGroupInputs {
    pub(super) fn check(&self, problems: &mut InputProblems) {
        for (index, requirement) in check::known_elements(Some(&self.requirements)) {
            requirement.check(&format!("requirements[{index}]"), problems);
        }
        self.check_image(problems);
        self.check_additions(problems);
        if let Some(disruption) = self.disruption.as_ref().and_then(Output::peek_known) {
            disruption.check(problems);
        }
        check_api_version(
            "nodeClassApiVersion",
            &self.node_class_api_version,
            NODE_CLASS_API_VERSION,
            problems,
        );
        check_api_version(
            "nodePoolApiVersion",
            &self.node_pool_api_version,
            NODE_POOL_API_VERSION,
            problems,
        );
        check_effects("taints", self.taints.as_ref(), problems);
        check_effects("startupTaints", self.startup_taints.as_ref(), problems);
        let both = [("taints", &self.taints), ("startupTaints", &self.startup_taints)];
        let taints = both.iter().flat_map(|(list, taints)| {
            check::known_elements(taints.as_ref()).flat_map(move |(index, taint)| {
                let effects = taint.effect.0.peek_known().into_iter().flatten();
                effects.map(move |effect| (format!("{list}[{index}]"), &taint.key, effect))
            })
        });
        label::check_distinct_taints(taints, problems);
    }

    fn check_additions(&self, problems: &mut InputProblems) {
        let labels = self.labels.as_ref().and_then(Output::peek_known);
        for key in labels.into_iter().flat_map(|labels| labels.keys()) {
            let path = PropertyPath::default().join("labels").join(key.clone());
            label::check_of_autoscaled_nodes(&path.to_string(), Some(key), problems);
        }
        for key in self.tags.as_ref().map(TagMap::known_keys).into_iter().flatten() {
            if OWN_TAGS.contains(&key.as_str()) || key.starts_with("kubernetes.io/cluster") {
                let path = PropertyPath::default().join("tags").join(key.clone());
                problems.add(path, "is set by the autoscaler");
            }
        }
    }

    fn check_image(&self, problems: &mut InputProblems) {
        let family = self.ami_family.as_ref().and_then(Output::peek_known);
        if family.and_then(|name| ImageFamily::named(name)) == Some(ImageFamily::Custom)
            && self.ami_id.is_none()
        {
            problems.add("amiId", "is required if amiFamily is Custom");
        }
        let device = self.root_device_name.as_ref();
        let is_custom = match &self.ami_family {
            Some(family) => family.peek_known().is_none_or(|family| family == "Custom"),
            None => false,
        };
        if device.is_some() && !is_custom {
            problems.add("rootDeviceName", "can only be set if amiFamily is Custom");
        }
        let version = self.ami_version.as_ref();
        if version.is_some() && self.ami_id.is_some() {
            problems.add("amiVersion", "cannot be set if amiId is set");
        }
        let is_pinned = version
            .and_then(Output::peek_known)
            .is_some_and(|version| version != LATEST);
        if is_pinned && family.and_then(|name| ImageFamily::named(name)) == Some(ImageFamily::Windows) {
            problems.add("amiVersion", "must be latest for images of Windows");
        }
        // The size of a custom image is unknown.
        if self.ami_id.is_none() {
            self.check_disk(family.map_or(DEFAULT_FAMILY, String::as_str), problems);
        }
    }

    /// Checks that the disk is not smaller than its image.
    fn check_disk(&self, family: &str, problems: &mut InputProblems) {
        if self
            .ami_family
            .as_ref()
            .is_some_and(|family| family.peek_known().is_none())
        {
            return;
        }
        let (least, images) = match ImageFamily::named(family) {
            Some(ImageFamily::AmazonLinux) => (20, "Amazon Linux"),
            Some(ImageFamily::Windows) => (50, "Windows"),
            _ => return,
        };
        let size = self
            .disk_size
            .0
            .peek_known()
            .and_then(|size| check::gibibytes(size));
        if size.is_some_and(|size| size < least) {
            problems.add(
                "diskSize",
                format!("must be at least {least}Gi for images of {images}"),
            );
        }
    }
}

/// The group and version determine the registered type, so they must be known.
fn check_api_version(path: &str, version: &Output<String>, default: &str, problems: &mut InputProblems) {
    let Some(known) = version.peek_known() else {
        problems.add(path, "must be known during a preview");
        return;
    };
    let group = |version: &str| version.split_once('/').map(|(group, _)| group.to_owned());
    if NODE_POOL_VERSION.matches(known) && group(known) != group(default) {
        let reason = format!(
            "is not of the autoscaler's group, as in {default}; objects of other groups, such as those of Auto Mode, have \
             other properties"
        );
        problems.add(path, reason);
    }
}

/// Checks lists of effects. The schema only has single ones.
fn check_effects(path: &str, taints: Option<&List<NodeTaint>>, problems: &mut InputProblems) {
    for (index, taint) in check::known_elements(taints) {
        let effects = taint.effect.0.peek_known();
        let is_other = |effect: &Output<String>| {
            effect
                .peek_known()
                .is_some_and(|effect| !EFFECTS.contains(&effect.as_str()))
        };
        if effects.is_some_and(|effects| effects.is_empty() || effects.iter().any(is_other)) {
            problems.add(
                format!("{path}[{index}].effect"),
                format!("must be one of {}", EFFECTS.join(", ")),
            );
        }
    }
}
