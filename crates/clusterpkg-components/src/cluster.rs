//! `Cluster`: a managed cluster with system nodes and add-ons. This file defines the order; each part has its
//! own file.

mod access;
mod access_entries;
mod allowed;
mod auth_controller;
mod auto_mode;
mod autoscaler;
mod capacity;
mod cert_manager;
mod checks;
mod control_plane;
mod core_addons;
mod external_dns;
mod foundation;
mod gateways;
mod ingress;
mod ingress_config;
mod ingress_inputs;
mod inputs;
mod kubeconfig;
mod load_balancers;
mod managed_addons;
mod monitoring;
mod otel;
mod storage;
mod system_nodes;
mod vpc_cni;
mod vpc_cni_config;

use pulumi_plugin::components::{
    Child, ChildPackage, ChildValues, Component, ConstructError, InputProblems, Plain, Resource, Scope,
};
use pulumi_plugin::schema::ChildSchemas;

pub use access_entries::AccessEntry;
pub use ingress_inputs::{IngressConfig, IngressImage, ProxyIngressConfig};
pub use inputs::{AuthControllerImage, ClusterInputs, ClusterOutputs};
pub use kubeconfig::KubeconfigOptions;
pub use managed_addons::ManagedAddon;
pub use vpc_cni_config::{VpcCniConfig, VpcCniNodeAgentConfig};

use crate::aws::{self, CallerIdentity, Partition};
use crate::children;
use crate::cluster::foundation::{ControlPlane, InstalledCluster};
use crate::versions::PACKAGES;

/// The component.
pub struct Cluster;

impl Component for Cluster {
    const TOKEN: &'static str = "clusterpkg:index:Cluster";
    const DESCRIPTION: &'static str =
        "A managed cluster with system nodes, an OIDC provider for its service accounts, and add-ons.";
    const PACKAGES: &'static [ChildPackage] = PACKAGES;
    const CHILDREN: &'static [Child] = children::CLUSTER;
    type Inputs = ClusterInputs;
    type Outputs = ClusterOutputs;

    fn child_values(inputs: &ClusterInputs) -> Option<&ChildValues> {
        inputs.children.as_ref()
    }

    fn child_schemas() -> Option<&'static ChildSchemas> {
        Some(children::schemas())
    }

    fn check(name: &str, inputs: &ClusterInputs, problems: &mut InputProblems) {
        checks::check(name, inputs, problems);
    }

    fn build(scope: &Scope, inputs: ClusterInputs) -> Result<ClusterOutputs, ConstructError> {
        ingress_config::warn_of_deprecated(scope, &inputs);
        auto_mode::warn(scope, &inputs);
        let (partition, region, caller) = (
            Partition::of(scope),
            aws::region(scope),
            CallerIdentity::of(scope),
        );
        let (control_plane, own_node_role) = control_plane::control_plane(scope, &inputs, &partition);
        let administrator = access::administrator(scope, &inputs, &partition, &caller, &control_plane);
        if let Some(entries) = &inputs.access_entries {
            let administrator = administrator.output("principalArn");
            access_entries::register(
                scope,
                entries.get(),
                &inputs.tags,
                &partition,
                &control_plane,
                &administrator,
            );
        }
        let base = ControlPlane {
            oidc_provider: access::oidc_provider(scope, &inputs, &control_plane),
            scope: scope.clone(),
            partition,
            region,
            account: caller.account,
            tags: inputs.tags.clone(),
            permissions_boundary: inputs.permissions_boundary.clone(),
            addon_versions: inputs
                .addon_versions
                .as_ref()
                .map(Plain::get)
                .cloned()
                .unwrap_or_default(),
            control_plane,
        };

        let network = [
            vpc_cni::vpc_cni(&base, &inputs)?,
            core_addons::kube_proxy(&base),
            administrator,
        ];
        let nodes = system_nodes::system_nodes(&base, &inputs, &network)?;
        // Nodes that join by the cluster name are deleted before the network add-on.
        let joined = base.control_plane.clone();
        let joined = network.iter().fold(joined, Resource::along_with);
        let [.., administrator] = network;
        let options = inputs.kubeconfig_options.as_ref();
        let kubeconfig = kubeconfig::kubeconfig(scope, options, &base.region, &base.control_plane);
        let kubernetes = kubeconfig::provider(
            scope,
            &kubeconfig,
            &base.control_plane,
            &administrator,
            &nodes.node_group,
        );
        let cluster = InstalledCluster {
            base,
            kubernetes,
            system_nodes: nodes.node_group,
        };
        let autoscaler = install_addons(&cluster, &inputs)?;

        Ok(ClusterOutputs {
            cluster_name: joined.output("name"),
            cluster_security_group_id: cluster
                .base
                .control_plane
                .output("vpcConfig.clusterSecurityGroupId"),
            kubeconfig,
            node_autoscaler_queue_name: autoscaler.as_ref().map(autoscaler::Autoscaler::queue_name),
            node_autoscaler_node_role: autoscaler
                .as_ref()
                .map(|autoscaler| autoscaler.node_role.clone())
                .or(own_node_role),
            node_autoscaler_role: autoscaler.map(|autoscaler| autoscaler.role),
            control_plane: cluster.base.control_plane,
            oidc_provider: cluster.base.oidc_provider,
            system_nodes: cluster.system_nodes,
        })
    }
}

/// Installs all enabled add-ons.
fn install_addons(
    cluster: &InstalledCluster,
    inputs: &ClusterInputs,
) -> Result<Option<autoscaler::Autoscaler>, ConstructError> {
    capacity::warn_of_shortage(cluster, inputs);
    auth_controller::install(cluster, inputs);
    let coredns = core_addons::coredns(cluster);
    let storage = storage::install(cluster, inputs)?;
    if let Some(addons) = &inputs.addons {
        managed_addons::install(cluster, addons.get(), auto_mode::is_on(inputs), &coredns);
    }
    let object_types = gateways::object_types(cluster, inputs);
    let load_balancers = load_balancers::install(cluster, inputs, &coredns, object_types.as_ref())?;
    let before: Vec<_> = [Some(coredns.clone()), storage, load_balancers]
        .into_iter()
        .flatten()
        .collect();
    ingress::install(cluster, inputs, &before);
    external_dns::install(cluster, inputs, object_types.as_ref())?;
    let cert_manager = cert_manager::install(cluster, inputs)?;
    monitoring::install(cluster, inputs)?;
    otel::install(cluster, inputs, cert_manager.as_ref());
    autoscaler::install(cluster, inputs, coredns)
}
