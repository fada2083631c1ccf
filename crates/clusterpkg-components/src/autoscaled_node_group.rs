//! `AutoscaledNodeGroup`: a node class, which defines machines, and a node pool, which defines when the
//! autoscaler starts them.

mod disruption;
mod image_family;
mod inputs;
mod lenient;
mod machine;
mod node_class;
mod node_pool;
mod requirement;

use std::time::Duration;

use pulumi_plugin::components::{
    Child, ChildOptions, ChildPackage, ChildValues, Component, ConstructError, InputProblems, Map, Output,
    Resource, Scope, properties,
};
use pulumi_plugin::schema::ChildSchemas;

pub use disruption::{BudgetConfig, DisruptionConfig};
pub use inputs::{AutoscaledNodeGroupInputs, AutoscaledNodeGroupOutputs, NodeTaint, Taint};
pub use lenient::{DiskSize, Effects};
pub use machine::{KubeletSettings, NodeMetadataOptions};
pub use requirement::Requirement;

use crate::autoscaled_node_group::image_family::DEFAULT_ROOT_DEVICE;
use crate::check;
use crate::children;
use crate::label;
use crate::versions::{OLD_LINUX, PACKAGES, WINDOWS_ADDRESSES};

/// Maximum length of the name. The name of the node class, followed by a dash and eight random letters, is
/// the value of a label of every node, like that of the node pool.
const LONGEST_NAME: usize = 63 - 9 - "-nodeclass".len();

/// The component.
pub struct AutoscaledNodeGroup;

impl Component for AutoscaledNodeGroup {
    const TOKEN: &'static str = "clusterpkg:index:AutoscaledNodeGroup";
    const DESCRIPTION: &'static str = "Nodes that the node autoscaler starts and removes on demand. Consists of a node class and a node pool.";
    const PACKAGES: &'static [ChildPackage] = PACKAGES;
    const CHILDREN: &'static [Child] = children::AUTOSCALED_NODE_GROUP;
    type Inputs = AutoscaledNodeGroupInputs;
    type Outputs = AutoscaledNodeGroupOutputs;

    fn child_values(inputs: &AutoscaledNodeGroupInputs) -> Option<&ChildValues> {
        inputs.children.as_ref()
    }

    fn child_schemas() -> Option<&'static ChildSchemas> {
        Some(children::schemas())
    }

    fn check(name: &str, inputs: &AutoscaledNodeGroupInputs, problems: &mut InputProblems) {
        check::names_an_object(name, problems);
        if name.len() > LONGEST_NAME {
            let length = name.len();
            problems.add(
                "",
                format!(
                    "the name has {length} characters; at most {LONGEST_NAME} are allowed, because it is part of node labels"
                ),
            );
        }
        inputs.check(problems);
    }

    fn build(
        scope: &Scope,
        inputs: AutoscaledNodeGroupInputs,
    ) -> Result<AutoscaledNodeGroupOutputs, ConstructError> {
        check::warn_without_cluster(scope);
        if let Some(family) = inputs.ami_family.clone() {
            let has_user_data = inputs.user_data.is_some();
            scope.warn_if(family.map(move |family| warning_about(&family, has_user_data)));
        }
        warn_of_latest_image(scope, &inputs);
        warn_of_unknown_root(scope, &inputs);
        warn_of_labels_of_other_nodes(scope, &inputs);
        let class_version = api_version(&inputs.node_class_api_version);
        let pool_version = api_version(&inputs.node_pool_api_version);
        let annotations = inputs.annotations.clone();
        let class = object(
            scope,
            (&class_version, node_class::KIND, "nodeclass"),
            annotations.clone(),
            node_class::NodeClassSpec::from_inputs(&inputs),
            ChildOptions::new(),
        );
        let reference = node_pool::NodeClassReference {
            group: class_version.split('/').next().unwrap_or_default().to_owned(),
            kind: node_class::KIND.to_owned(),
            // The id of an object without a namespace is its name.
            name: class.id(),
        };
        // Nodes are drained before the pool is deleted.
        let options = ChildOptions::below(&class).delete_timeout(Duration::from_secs(30 * 60));
        let spec = node_pool::NodePoolSpec::from_inputs(scope.original_name(), inputs, reference);
        object(
            scope,
            (&pool_version, node_pool::KIND, "nodepool"),
            annotations,
            spec,
            options,
        );
        Ok(AutoscaledNodeGroupOutputs {})
    }
}

/// Warns about a family of images that needs more than this component provides.
fn warning_about(family: &str, has_user_data: bool) -> Option<String> {
    match family {
        "AL2" => Some(OLD_LINUX.to_owned()),
        "Custom" if !has_user_data => Some(
            "nodes of amiFamily Custom only join if userData, or the image itself, configures the kubelet for the cluster \
             and registers the node with the taint karpenter.sh/unregistered:NoExecute; set userData"
                .to_owned(),
        ),
        family if family.starts_with("Windows") => Some(format!(
            "{WINDOWS_ADDRESSES}, and the nodes only join if their role has an access entry of type EC2_WINDOWS, which \
             the nodeAutoscalerNodeRole of the cluster does not have"
        )),
        _ => None,
    }
}

/// Warns about machines that are replaced whenever a new image is published, unless the program chose that.
fn warn_of_latest_image(scope: &Scope, inputs: &AutoscaledNodeGroupInputs) {
    if inputs.ami_id.is_some() || inputs.ami_version.is_some() {
        return;
    }
    scope.warn_if(inputs.ami_family().map(|family| {
        (family != "Custom").then(|| {
            format!(
                "the nodes have the latest image ({}@latest), so the autoscaler replaces them, within the budgets of \
                 disruption, as soon as a new image is published; set amiVersion to a version, or to latest to disable \
                 this warning",
                family.to_lowercase()
            )
        })
    }));
}

/// Warns about requirements that do not select machines: the autoscaler gives nodes any of the values of a label that it
/// does not know.
fn warn_of_labels_of_other_nodes(scope: &Scope, inputs: &AutoscaledNodeGroupInputs) {
    for (index, requirement) in check::known_elements(Some(&inputs.requirements)) {
        if let Some(key) = requirement
            .key
            .peek_known()
            .filter(|key| label::is_of_other_nodes(key))
        {
            scope.warn(format!(
                "requirements[{index}].key: {key} is a label of managed nodes or of Auto Mode; it selects no machines here, \
                 and nodes get it with any of the values; use labels of the autoscaler, such as karpenter.sh/capacity-type"
            ));
        }
    }
}

/// Warns about the disk of a custom image, whose root device the program does not name.
fn warn_of_unknown_root(scope: &Scope, inputs: &AutoscaledNodeGroupInputs) {
    if inputs.root_device_name.is_some() {
        return;
    }
    scope.warn_if(inputs.ami_family().map(|family| {
        (family == "Custom").then(|| {
            format!(
                "diskSize and encryption apply to the device {DEFAULT_ROOT_DEVICE}; if the image has another root device, \
                 nodes get a second disk, and their root disk is not encrypted; set rootDeviceName to the root device of \
                 the image (aws ec2 describe-images --query 'Images[].RootDeviceName')"
            )
        })
    }));
}

/// The version determines the type of the child. It is known, which the check ensures.
fn api_version(version: &Output<String>) -> String {
    version.peek_known().cloned().unwrap_or_default()
}

fn object(
    scope: &Scope,
    (version, kind, suffix): (&str, &str, &str),
    annotations: Option<Map<String>>,
    spec: impl pulumi_plugin::components::IntoProperty,
    options: ChildOptions,
) -> Resource {
    let properties = properties! {
        "apiVersion": version,
        "kind": kind,
        "metadata": properties! { "annotations": annotations },
        "spec": spec,
    };
    scope.register(
        &format!("kubernetes:{version}:{kind}"),
        format!("{}-{suffix}", scope.name()),
        properties,
        options,
    )
}
