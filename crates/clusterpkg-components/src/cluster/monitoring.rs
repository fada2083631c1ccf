//! The AWS monitoring agent.

use pulumi_plugin::components::{ConstructError, Output, properties};

use crate::aws;
use crate::cluster::foundation::{Addon, InstalledCluster, configuration};
use crate::cluster::inputs::ClusterInputs;
use crate::policy::{PolicyDocument, Statement};

/// Installs it, if enabled.
pub(super) fn install(cluster: &InstalledCluster, inputs: &ClusterInputs) -> Result<(), ConstructError> {
    if !*inputs.enable_monitoring_agent.get() {
        return Ok(());
    }
    let base = &cluster.base;
    let role = base.service_account_role("monitoring-role", "amazon-cloudwatch", "cloudwatch-agent")?;
    let attach = |suffix, policy| {
        aws::attach(
            &base.scope,
            base.name(suffix),
            &role,
            base.partition.managed_policy(policy),
        )
    };
    let volumes = PolicyDocument::new([Statement::allow(["ec2:DescribeVolumes"]).on(["*"])]);
    let name = base.name("monitoring-volumes-policy");
    let description = "Volumes that the monitoring agent reports on";
    let before = [
        cluster.system_nodes.clone(),
        attach("monitoring-agent-policy", "CloudWatchAgentServerPolicy"),
        attach("monitoring-traces-policy", "AWSXrayWriteOnlyAccess"),
        aws::grant(
            &base.scope,
            name,
            &role,
            description,
            Output::known(volumes),
            &base.tags,
        ),
    ];
    // The agents run on every node regardless of its taints. The controller has its own empty list of
    // tolerations, which takes precedence and is therefore replaced as well.
    let everywhere = || [properties! { "operator": "Exists" }];
    let configuration = configuration(properties! {
        "tolerations": everywhere(),
        "manager": properties! { "tolerations": everywhere() },
    });
    let addon = Addon {
        name: "amazon-cloudwatch-observability",
        role: Some(&role),
        configuration,
    };
    base.addon("monitoring", addon, &before);
    Ok(())
}
