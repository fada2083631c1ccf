//! The cloud's monitoring agent.

use engine_components::{Output, properties};

use crate::aws;
use crate::cluster::foundation::{Addon, Ground, configuration};
use crate::cluster::inputs::{ClusterInputs, is_on};
use crate::policy::{PolicyDocument, Statement};

/// Installs it, if wanted.
pub(super) fn install(ground: &Ground, inputs: &ClusterInputs) {
    if !is_on(inputs.enable_monitoring_agent.as_ref(), false) {
        return;
    }
    let base = &ground.base;
    let role = base.service_account_role("monitoring-role", "amazon-cloudwatch", "cloudwatch-agent");
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
        ground.system_nodes.clone(),
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
    // The agents are on every node whatever its taints; the setting of the whole keeps them there. The controller has
    // an empty list of its own, which counts instead, so it is replaced too.
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
}
