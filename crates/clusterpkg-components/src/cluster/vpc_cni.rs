//! The network plugin and its configuration. Nodes join after it, so that its pods have their permissions.

use pulumi_plugin::components::{
    InputProblems, IntoProperty, Output, Properties, Resource, json_text, properties, record,
};
use pulumi_plugin::values::Value;

use crate::aws;
use crate::cluster::foundation::{Addon, Foundation, NAMESPACE};
use crate::policy::{PolicyDocument, Statement};

record! {
    /// Configuration of the network plugin.
    pub struct VpcCniConfig {
        /// Whether network policies are enforced.
        pub enable_network_policy: Option<Output<bool>>,
        /// Whether pods on Windows nodes get addresses. Windows nodes need it. Default: `false`. Not part of
        /// the original specification.
        #[schemars(extend("x-addition" = true))]
        pub enable_windows_ipam: Option<Output<bool>>,
        /// Configuration of the agent that enforces network policies.
        pub node_agent: Option<Output<VpcCniNodeAgentConfig>>,
    }

    /// Configuration of the agent that enforces network policies.
    pub struct VpcCniNodeAgentConfig {
        /// Whether policy decisions are also sent to the AWS log service.
        pub enable_monitoring_logs: Option<Output<bool>>,
        /// Whether policy decisions are logged on the node.
        pub enable_policy_event_logs: Option<Output<bool>>,
        /// Port of the health probe endpoint.
        #[schemars(extend("minimum" = 1, "maximum" = u16::MAX))]
        pub health_probe_bind_addr: Option<Output<i32>>,
        /// Port of the metrics endpoint.
        #[schemars(extend("minimum" = 1, "maximum" = u16::MAX))]
        pub metrics_bind_addr: Option<Output<i32>>,
    }
}

impl VpcCniConfig {
    pub(super) fn check(&self, problems: &mut InputProblems) {
        let Some(agent) = self.node_agent.as_ref().and_then(Output::peek_known) else {
            return;
        };
        for (name, port) in [
            ("healthProbeBindAddr", &agent.health_probe_bind_addr),
            ("metricsBindAddr", &agent.metrics_bind_addr),
        ] {
            let port = port.as_ref().and_then(Output::peek_known);
            if port.is_some_and(|port| !(1..=65535).contains(port)) {
                let path = format!("vpcCniConfig.nodeAgent.{name}");
                problems.add(path, "must be a port, from 1 to 65535");
            }
        }
    }
}

/// Registers the network plugin with its role.
pub(super) fn vpc_cni(base: &Foundation, config: Option<&Output<VpcCniConfig>>) -> Resource {
    let role = base.service_account_role("vpc-cni-role", NAMESPACE, "aws-node");
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
    let addon = Addon {
        name: "vpc-cni",
        role: Some(&role),
        configuration: configuration(config),
    };
    base.addon("vpc-cni", addon, &rights)
}

/// Whether logs are sent to the log service. Unknown counts as false.
fn sends_logs(config: &Output<VpcCniConfig>) -> bool {
    let agent = config
        .peek_known()
        .and_then(|config| config.node_agent.as_ref()?.peek_known());
    agent.and_then(|agent| agent.enable_monitoring_logs.as_ref()?.peek_known()) == Some(&true)
}

fn use_of_logs(base: &Foundation, role: &Resource) -> Resource {
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

/// The configured values as text, which the schema of the add-on requires. `None` if nothing is set.
fn configuration(config: Option<&Output<VpcCniConfig>>) -> Output<Option<String>> {
    let Some(config) = config else {
        return Output::known(None);
    };
    config.clone().then(|config| {
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
        let members = properties! {
            "enableNetworkPolicy": text(config.enable_network_policy),
            "enableWindowsIpam": text(config.enable_windows_ipam),
            "nodeAgent": agent,
        };
        unless_empty(members).then(|value| match value {
            Value::Null => Output::known(None),
            value => json_text(value).map(Some),
        })
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
