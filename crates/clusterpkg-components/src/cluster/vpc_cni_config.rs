//! Inputs of the network plugin, and their checks.

use pulumi_plugin::components::{InputProblems, List, Map, Output, record};

use crate::check;

const PORT: &str = "must be a port, from 1 to 65535";

record! {
    /// Configuration of the network plugin.
    #[schemars(transform = crate::describe_additions)]
    pub struct VpcCniConfig {
        /// Whether network policies are enforced.
        pub enable_network_policy: Option<Output<bool>>,
        /// Whether network interfaces get prefixes of 16 addresses instead of single ones, so that nodes of the AWS
        /// Nitro System run more pods. Only nodes that start later use it.
        #[schemars(extend("x-addition" = true, "x-default" = false))]
        pub enable_prefix_delegation: Option<Output<bool>>,
        /// Whether pods on Windows nodes get addresses. Windows nodes need it.
        #[schemars(extend("x-addition" = true, "x-default" = false))]
        pub enable_windows_ipam: Option<Output<bool>>,
        /// Configuration of the agent that enforces network policies.
        pub node_agent: Option<Output<VpcCniNodeAgentConfig>>,
        /// Security groups of pods in `podSubnetIds`. Default: those of the node.
        #[schemars(extend(
            "x-addition" = true, "minItems" = 1, "items" = check::SECURITY_GROUP.schema()
        ))]
        pub pod_security_group_ids: Option<List<String>>,
        /// Subnets of pods, keyed by availability zone, such as `eu-west-1a: subnet-0a1` (custom networking). Every
        /// zone of the nodes must have one. Only nodes that start later use them. Default: pods have addresses of the
        /// subnet of their node.
        #[schemars(extend(
            "x-addition" = true, "minProperties" = 1,
            "additionalProperties" = check::SUBNET.schema()
        ))]
        pub pod_subnet_ids: Option<Map<String>>,
    }

    /// Configuration of the agent that enforces network policies.
    pub struct VpcCniNodeAgentConfig {
        /// Whether policy decisions are also sent to the AWS log service.
        pub enable_monitoring_logs: Option<Output<bool>>,
        /// Whether policy decisions are logged on the node.
        pub enable_policy_event_logs: Option<Output<bool>>,
        /// Port of the health probe endpoint.
        #[schemars(extend("minimum" = 1, "maximum" = u16::MAX, "x-reason" = PORT))]
        pub health_probe_bind_addr: Option<Output<i32>>,
        /// Port of the metrics endpoint.
        #[schemars(extend("minimum" = 1, "maximum" = u16::MAX, "x-reason" = PORT))]
        pub metrics_bind_addr: Option<Output<i32>>,
    }
}

impl VpcCniConfig {
    pub(super) fn check(&self, problems: &mut InputProblems) {
        if self.pod_security_group_ids.is_some() && self.pod_subnet_ids.is_none() {
            problems.add("vpcCniConfig.podSecurityGroupIds", "requires podSubnetIds");
        }
        let Some(agent) = self.node_agent.as_ref().and_then(Output::peek_known) else {
            return;
        };
        let known = |port: &Option<Output<i32>>| port.as_ref().and_then(Output::peek_known).copied();
        let probe = known(&agent.health_probe_bind_addr);
        if probe.is_some() && probe == known(&agent.metrics_bind_addr) {
            let path = "vpcCniConfig.nodeAgent.metricsBindAddr";
            problems.add(path, "must not be the port of healthProbeBindAddr");
        }
    }
}
