//! The node autoscaler: its permissions, the permissions of its nodes, interruption events, and the release.

mod interruption;
mod permissions;

use pulumi_plugin::components::{ChildOptions, ConstructError, Output, Resource, all, object, properties};

use crate::aws;
use crate::cluster::foundation::{
    ControlPlane, InstalledCluster, NAMESPACE, Release, ServiceAccount, Toleration, tolerations,
};
use crate::cluster::inputs::ClusterInputs;
use crate::cluster::{auto_mode, system_nodes, vpc_cni};
use crate::versions::{self, minor_of};

/// The role of the autoscaled nodes has the longest name of all roles of a cluster.
pub(super) const NODE_ROLE_SUFFIX: &str = "-autoscaler-node-role";

const ACCOUNT: &str = "karpenter";

object! {
    /// Values of the chart.
    struct AutoscalerValues {
        controller: AutoscalerController,
        // Replicas run on different nodes; a second replica would wait for a second node.
        replicas: Output<i32>,
        service_account: ServiceAccount,
        settings: AutoscalerSettings,
        tolerations: Vec<Toleration>,
    }

    /// The controller itself.
    struct AutoscalerController {
        resources: Resources,
    }

    /// Resources of a pod.
    struct Resources {
        requests: Amounts,
        limits: Amounts,
    }

    /// CPU and memory.
    struct Amounts {
        cpu: &'static str,
        memory: &'static str,
    }

    /// Settings of the controller.
    struct AutoscalerSettings {
        cluster_name: Output<String>,
        enable_zonal_shift: Option<Output<bool>>,
        interruption_queue: Output<String>,
        reserved_enis as "reservedENIs": Option<Output<Option<String>>>,
    }
}

/// Outputs of the autoscaler.
pub(super) struct Autoscaler {
    pub(super) role: Resource,
    pub(super) node_role: Resource,
    pub(super) queue: Resource,
}

/// Installs the autoscaler, if enabled. Its dependencies are created before and deleted after it, including
/// name resolution, so that it can remove its nodes when the cluster is destroyed.
pub(super) fn install(
    cluster: &InstalledCluster,
    inputs: &ClusterInputs,
    coredns: Resource,
) -> Result<Option<Autoscaler>, ConstructError> {
    if auto_mode::is_on(inputs) || !*inputs.enable_node_autoscaler().get() {
        return Ok(None);
    }
    let base = &cluster.base;
    let (queue, events) = interruption::events(base);
    let node_role = aws::node_role(
        &base.scope,
        format!("{}{NODE_ROLE_SUFFIX}", base.scope.name()),
        &base.partition,
        &base.permissions_boundary,
        &base.tags,
    );
    let node_rights = aws::node_policies(
        &base.scope,
        &base.name("autoscaler-node"),
        &node_role,
        &base.partition,
    );
    let entry = node_access(base, &node_role);
    let role = base.service_account_role("autoscaler-role", NAMESPACE, ACCOUNT)?;
    let rights = permissions::grant(base, &role, &node_role, &queue);
    let before = [events, node_rights, vec![entry, coredns], rights].concat();
    let release = release(cluster, inputs, &role, &queue, &before);
    Ok(Some(Autoscaler {
        role,
        // Nodes with this role are deleted before the autoscaler, which removes them.
        node_role: node_role.along_with(&release),
        queue,
    }))
}

/// Registers the access entry of autoscaled nodes. AWS only creates entries for managed node groups.
fn node_access(base: &ControlPlane, node_role: &Resource) -> Resource {
    let inputs = properties! {
        "clusterName": base.cluster_name(),
        "principalArn": node_role.output::<String>("arn"),
        "type": "EC2_LINUX",
        "tags": base.tags.clone(),
    };
    let name = base.name("autoscaler-node-access");
    base.scope.register(
        "aws:eks/accessEntry:AccessEntry",
        name,
        inputs,
        ChildOptions::below(&base.control_plane),
    )
}

fn release(
    cluster: &InstalledCluster,
    inputs: &ClusterInputs,
    role: &Resource,
    queue: &Resource,
    before: &[Resource],
) -> Resource {
    warn_of_old_version(cluster, inputs);
    // The versions of the charts are those of the program, without the leading letter.
    let version = inputs
        .node_autoscaler_version
        .clone()
        .map(|version| version.trim_start_matches('v').to_owned());
    // A node claim is deleted with its object type, and its machine is then never terminated. The types are
    // therefore kept when the autoscaler is removed, and deleted with the control plane.
    let kept = properties! { "additionalAnnotations": properties! { "helm.sh/resource-policy": "keep" } };
    let object_types = Release::new("karpenter-crds", versions::AUTOSCALER_CRDS, version.clone(), kept);
    let options = ChildOptions::new().deleted_with(&cluster.base.control_plane);
    let object_types = cluster.release("autoscaler-crds", object_types, options);
    let amounts = || Amounts {
        cpu: "1",
        memory: "1Gi",
    };
    let values = AutoscalerValues {
        controller: AutoscalerController {
            resources: Resources {
                requests: amounts(),
                limits: amounts(),
            },
        },
        replicas: system_nodes::desired(inputs).map(system_nodes::replicas),
        service_account: ServiceAccount::acting_as(role, ACCOUNT),
        settings: AutoscalerSettings {
            cluster_name: cluster.base.cluster_name(),
            enable_zonal_shift: inputs.enable_zonal_shift.clone(),
            interruption_queue: queue.output("name"),
            reserved_enis: vpc_cni::reserved_interfaces(inputs.vpc_cni_config.as_ref()),
        },
        tolerations: tolerations(),
    };
    let mut release = Release::new("karpenter", versions::AUTOSCALER, version, values);
    release.skip_crds = Some(true);
    cluster.release(
        "autoscaler",
        release,
        ChildOptions::new().depends_on(before).depends_on([&object_types]),
    )
}

/// Warns if the version does not support the version of the cluster, even if both are defaults.
fn warn_of_old_version(cluster: &InstalledCluster, inputs: &ClusterInputs) {
    let version = cluster.base.control_plane.output::<String>("version");
    let warning = all((version, inputs.node_autoscaler_version.clone())).map(|(version, autoscaler)| {
        let needed = needed_for(&version)?;
        (minor_of(&autoscaler)? < minor_of(needed)?).then(|| {
            format!(
                "nodeAutoscalerVersion {autoscaler} is too old for Kubernetes {version}, which requires {needed} or newer"
            )
        })
    });
    cluster.base.scope.warn_if(warning);
}

/// The first version that supports a version of the cluster, if known. All versions support 1.30 and older.
fn needed_for(cluster: &str) -> Option<&'static str> {
    Some(match minor_of(cluster)? {
        (1, 31) => "1.0",
        (1, 32) => "1.2",
        (1, 33) => "1.5",
        (1, 34) => "1.6",
        (1, 35) => "1.9",
        (1, 36) => "1.13",
        _ => return None,
    })
}

/// The name of the queue, for the output.
impl Autoscaler {
    pub(super) fn queue_name(&self) -> Output<String> {
        self.queue.output("name")
    }
}
