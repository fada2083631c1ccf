//! The network plugin and its configuration. Nodes join after it, so that its pods have their permissions.

use pulumi_plugin::components::{
    ConstructError, IntoProperty, List, Map, Output, Properties, Resource, object, properties,
};
use pulumi_plugin::values::Value;

use crate::aws;
use crate::cluster::foundation::{self, Addon, ControlPlane, NAMESPACE};
use crate::cluster::inputs::{ClusterInputs, is_ipv6};
use crate::cluster::vpc_cni_config::VpcCniConfig;
use crate::policy::{PolicyDocument, Statement};

/// Registers the network plugin with its role.
pub(super) fn vpc_cni(base: &ControlPlane, inputs: &ClusterInputs) -> Result<Resource, ConstructError> {
    let config = inputs.vpc_cni_config.as_ref();
    let role = base.service_account_role("vpc-cni-role", NAMESPACE, "aws-node")?;
    let policy = base.partition.managed_policy("AmazonEKS_CNI_Policy");
    let mut rights = vec![aws::attach(
        &base.scope,
        base.name("vpc-cni-policy"),
        &role,
        policy,
    )];
    if config.is_some_and(sends_logs) {
        rights.push(use_of_logs(base, &role));
    }
    if is_ipv6(inputs) {
        rights.push(use_of_ipv6(base, &role));
    }
    let addon = Addon {
        name: "vpc-cni",
        role: Some(&role),
        configuration: configuration(config, &base.region),
    };
    Ok(base.addon("vpc-cni", addon, &rights))
}

/// Number of network interfaces of each node that pods cannot use, from which the autoscaler computes how many
/// pods fit. With subnets of pods, the first interface is in the subnet of the node.
pub(super) fn reserved_interfaces(config: Option<&Output<VpcCniConfig>>) -> Option<Output<Option<String>>> {
    let count = |config: VpcCniConfig| config.pod_subnet_ids.map(|_| "1".to_owned());
    Some(config?.clone().map(count))
}

/// Whether logs are sent to the log service. Unknown counts as false.
fn sends_logs(config: &Output<VpcCniConfig>) -> bool {
    let agent = config
        .peek_known()
        .and_then(|config| config.node_agent.as_ref()?.peek_known());
    agent.and_then(|agent| agent.enable_monitoring_logs.as_ref()?.peek_known()) == Some(&true)
}

fn use_of_logs(base: &ControlPlane, role: &Resource) -> Resource {
    let actions = [
        "logs:DescribeLogGroups",
        "logs:CreateLogGroup",
        "logs:CreateLogStream",
        "logs:PutLogEvents",
    ];
    let document = Output::known(PolicyDocument::new([Statement::allow(actions).on(["*"])]));
    let description = "Logs of the network policy agent";
    aws::grant(
        &base.scope,
        base.name("vpc-cni-logs-policy"),
        role,
        description,
        document,
        &base.tags,
    )
}

/// Permits the assignment of IPv6 addresses, which the policy of AWS does not include.
fn use_of_ipv6(base: &ControlPlane, role: &Resource) -> Resource {
    let document = base.partition.name.clone().map(|partition| {
        let actions = [
            "ec2:AssignIpv6Addresses",
            "ec2:DescribeInstances",
            "ec2:DescribeInstanceTypes",
            "ec2:DescribeNetworkInterfaces",
            "ec2:DescribeTags",
        ];
        let interfaces = format!("arn:{partition}:ec2:*:*:network-interface/*");
        PolicyDocument::new([
            Statement::allow(actions).on(["*"]),
            Statement::allow(["ec2:CreateTags"]).on([interfaces]),
        ])
    });
    let description = "IPv6 addresses of pods";
    let name = base.name("vpc-cni-ipv6-policy");
    aws::grant(&base.scope, name, role, description, document, &base.tags)
}

/// The configuration as JSON text. Its values are strings, as the schema of the add-on requires. It is an empty object if
/// no value is set, because AWS keeps the former configuration if there is none.
fn configuration(config: Option<&Output<VpcCniConfig>>, region: &Output<String>) -> Output<Option<String>> {
    let Some(config) = config else {
        return foundation::configuration(properties! {});
    };
    let region = region.clone();
    config.clone().then(move |config| {
        let agent = config.node_agent.map(|agent| {
            agent.then(|agent| {
                let members = properties! {
                    "enableCloudWatchLogs": text(agent.enable_monitoring_logs),
                    "enablePolicyEventLogs": text(agent.enable_policy_event_logs),
                    "healthProbeBindAddr": text(agent.health_probe_bind_addr),
                    "metricsBindAddr": text(agent.metrics_bind_addr),
                };
                unless_empty(members)
            })
        });
        let has_pod_subnets = config.pod_subnet_ids.is_some();
        let environment = unless_empty(properties! {
            "AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG": has_pod_subnets.then_some("true"),
            "ENABLE_PREFIX_DELEGATION": text(config.enable_prefix_delegation),
            // Nodes find the configuration of their zone by this label.
            "ENI_CONFIG_LABEL_DEF": has_pod_subnets.then_some("topology.kubernetes.io/zone"),
        });
        let groups = config.pod_security_group_ids;
        let networks = config.pod_subnet_ids.map(|subnets| {
            properties! { "create": true, "region": region, "subnets": networks_of(subnets, groups) }
        });
        foundation::configuration(properties! {
            "enableNetworkPolicy": text(config.enable_network_policy),
            "enableWindowsIpam": text(config.enable_windows_ipam),
            "env": environment,
            "eniConfig": networks,
            "nodeAgent": agent,
        })
    })
}

object! {
    /// The network of pods in a zone.
    struct PodNetwork {
        id: Output<String>,
        security_groups: Option<List<String>>,
    }
}

fn networks_of(subnets: Map<String>, security_groups: Option<List<String>>) -> Map<PodNetwork> {
    subnets.map(move |subnets| {
        let network = |id| PodNetwork {
            id,
            security_groups: security_groups.clone(),
        };
        subnets
            .into_iter()
            .map(|(zone, id)| (zone, Output::known(network(id))))
            .collect()
    })
}

fn text<T: pulumi_plugin::components::Deferrable + ToString>(
    value: Option<Output<T>>,
) -> Option<Output<String>> {
    value.map(|value| value.map(|value| value.to_string()))
}

fn unless_empty(members: Properties) -> Output<Value> {
    members.into_property().map(|value| match value {
        Value::Object(members) if members.is_empty() => Value::Null,
        value => value,
    })
}
