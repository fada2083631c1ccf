//! Checks of the inputs of a cluster.

use pulumi_plugin::components::{InputProblems, Output};

use crate::attached_node_group::{check_instance_types, image};
use crate::check::{self, Counts};
use crate::cluster::ingress_config::check_agreement;
use crate::cluster::inputs::{ClusterInputs, is_ipv6};
use crate::cluster::system_nodes::TEMPLATE;
use crate::cluster::{access_entries, allowed, auto_mode, autoscaler, gateways, managed_addons};

pub(super) fn check(name: &str, inputs: &ClusterInputs, problems: &mut InputProblems) {
    check::name_fits(
        name,
        "the autoscaled nodes' role",
        autoscaler::NODE_ROLE_SUFFIX,
        check::ROLE_NAME,
        problems,
    );
    check::names_a_resource(name, problems);
    check_name_of_logs(inputs, problems);
    auto_mode::check(inputs, problems);
    gateways::check(inputs, problems);
    check::principal(
        "adminAccessPrincipal",
        inputs.admin_access_principal.as_ref(),
        problems,
    );
    if let Some(entries) = &inputs.access_entries {
        access_entries::check(entries.get(), inputs.admin_access_principal.as_ref(), problems);
    }
    if let Some(addons) = &inputs.addons {
        managed_addons::check(addons.get(), problems);
    }
    check_endpoints(inputs, problems);
    check_system_nodes(inputs, problems);
    image::check_template(inputs.children.as_ref(), "system-nodes", TEMPLATE, problems);
    let range = inputs.service_ipv4_cidr.as_ref();
    let rule = "must begin with the first address of the range";
    check::form("serviceIpv4Cidr", range, allowed::begins_a_range, rule, problems);
    check_ip_family(inputs, problems);
    check_agreement(inputs, problems);
    if let Some(config) = inputs.vpc_cni_config.as_ref().and_then(Output::peek_known) {
        config.check(problems);
    }
    if *inputs.enable_otel.get() && !*inputs.enable_cert_manager.get() {
        problems.add(
            "enableOtel",
            "requires the certificate manager, but enableCertManager is false",
        );
    }
}

/// Checks that logs with a retention have a name. The name of the log group contains the name of the cluster; if AWS
/// chooses it, AWS creates both together.
fn check_name_of_logs(inputs: &ClusterInputs, problems: &mut InputProblems) {
    if inputs.log_retention_days.is_some() && inputs.name.is_none() {
        let reason = "requires name, because AWS creates the log group /aws/eks/<name>/cluster together with the cluster";
        problems.add("logRetentionDays", reason);
    }
}

/// Checks inputs that AWS does not support with IPv6 addresses.
fn check_ip_family(inputs: &ClusterInputs, problems: &mut InputProblems) {
    if !is_ipv6(inputs) {
        return;
    }
    let config = inputs.vpc_cni_config.as_ref().and_then(Output::peek_known);
    let windows = config.and_then(|config| config.enable_windows_ipam.as_ref()?.peek_known());
    for (path, is_set) in [
        ("serviceIpv4Cidr", inputs.service_ipv4_cidr.is_some()),
        (
            "vpcCniConfig.enableWindowsIpam",
            windows.is_some_and(|is_on| *is_on),
        ),
        (
            "vpcCniConfig.podSubnetIds",
            config.is_some_and(|config| config.pod_subnet_ids.is_some()),
        ),
    ] {
        if is_set {
            problems.add(path, "is not supported if ipFamily is ipv6");
        }
    }
}

fn check_endpoints(inputs: &ClusterInputs, problems: &mut InputProblems) {
    let is_off = |flag: &Output<bool>| flag.peek_known() == Some(&false);
    let is_private = is_off(&inputs.cluster_endpoint_public_access);
    if is_private && is_off(&inputs.cluster_endpoint_private_access) {
        problems.add(
            "clusterEndpointPublicAccess",
            "cannot be false if clusterEndpointPrivateAccess is false",
        );
    }
    let path = "endpointPublicAccessCidrs";
    let ranges = inputs.endpoint_public_access_cidrs.as_ref();
    if ranges.is_some() && is_private {
        problems.add(path, "has no effect because clusterEndpointPublicAccess is false");
    }
    for (index, range) in check::known_elements(ranges) {
        if check::ADDRESS_RANGE.matches(range) && range.contains(':') && !is_ipv6(inputs) {
            problems.add(format!("{path}[{index}]"), "requires ipFamily ipv6");
        }
    }
}

fn check_system_nodes(inputs: &ClusterInputs, problems: &mut InputProblems) {
    check_instance_types(
        "systemNodeInstanceTypes",
        inputs.system_node_instance_types.as_ref(),
        problems,
    );
    let count = |count: &Option<Output<f64>>| count.as_ref().and_then(Output::peek_known).copied();
    let counts = Counts {
        min: ("systemNodeMinCount", count(&inputs.system_node_min_count)),
        desired: ("systemNodeDesiredCount", count(&inputs.system_node_desired_count)),
        max: ("systemNodeMaxCount", count(&inputs.system_node_max_count)),
    };
    counts.check(problems);
}
