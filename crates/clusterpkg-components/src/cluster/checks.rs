//! Checks of the inputs of a cluster.

use pulumi_plugin::components::{InputProblems, Output, Plain};
use pulumi_plugin::values::PropertyPath;

use crate::attached_node_group::check_instance_types;
use crate::attached_node_group::image::MOST_HOPS;
use crate::check::{self, Counts};
use crate::cluster::foundation::ADDONS;
use crate::cluster::ingress_config::check_agreement;
use crate::cluster::inputs::{ClusterInputs, is_ipv6};
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
    check_subnets(inputs, problems);
    check_name_and_logs(inputs, problems);
    check::kubernetes_version("clusterVersion", inputs.cluster_version.as_ref(), problems);
    auto_mode::check(inputs, problems);
    gateways::check(inputs, problems);
    let path = "systemNodeSubnetIds";
    check::not_empty(path, &inputs.system_node_subnet_ids, problems);
    check::ids(path, "subnet-", Some(&inputs.system_node_subnet_ids), problems);
    check::principal(
        "adminAccessPrincipal",
        inputs.admin_access_principal.as_ref(),
        problems,
    );
    if let Some(entries) = &inputs.access_entries {
        access_entries::check(entries.get(), inputs.admin_access_principal.as_ref(), problems);
    }
    if let Some(options) = inputs.kubeconfig_options.as_ref().and_then(Output::peek_known) {
        options.check(problems);
    }
    if let Some(image) = inputs
        .iam_auth_controller_image
        .as_ref()
        .and_then(Output::peek_known)
    {
        image.check(problems);
    }
    if let Some(addons) = &inputs.addons {
        managed_addons::check(addons.get(), problems);
    }
    check::permissions_boundary(inputs.permissions_boundary.as_ref(), problems);
    check_endpoints(inputs, problems);
    check_addon_versions(inputs, problems);
    check_dns(inputs, problems);
    let policy = inputs.upgrade_policy.as_ref();
    check::one_of("upgradePolicy", policy, &allowed::SUPPORT_TYPES, problems);
    for (index, log_type) in check::known_elements(inputs.enabled_cluster_log_types.as_ref()) {
        let path = format!("enabledClusterLogTypes[{index}]");
        check::one_of(
            &path,
            Some(&log_type.clone().into()),
            &allowed::LOG_TYPES,
            problems,
        );
    }
    check_system_nodes(inputs, problems);
    let groups = inputs.additional_security_group_ids.as_ref();
    if let Some(groups) = groups {
        check::not_empty("additionalSecurityGroupIds", groups, problems);
    }
    check::ids("additionalSecurityGroupIds", "sg-", groups, problems);
    let key = inputs.secrets_kms_key_arn.as_ref();
    let rule = "must be the ARN of a KMS key, such as arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d";
    check::form("secretsKmsKeyArn", key, allowed::is_kms_key, rule, problems);
    let range = inputs.service_ipv4_cidr.as_ref();
    let rule = "must be a range from /12 to /24 within 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, such as 172.20.0.0/16";
    check::form(
        "serviceIpv4Cidr",
        range,
        allowed::is_service_range,
        rule,
        problems,
    );
    let rule = "must begin with the first address of the range";
    check::form("serviceIpv4Cidr", range, allowed::begins_a_range, rule, problems);
    check_ip_family(inputs, problems);
    let mode = Some(&inputs.authentication_mode);
    check::one_of(
        "authenticationMode",
        mode,
        &allowed::AUTHENTICATION_MODES,
        problems,
    );
    check::one_of("lbType", Some(&inputs.lb_type), &allowed::LB_TYPES, problems);
    if let Some(config) = inputs.ingress_config.as_ref().and_then(Output::peek_known) {
        config.check("ingressConfig", problems);
    }
    if let Some(config) = inputs.proxy_ingress_config.as_ref().and_then(Output::peek_known) {
        config.check("proxyIngressConfig", problems);
    }
    check_agreement(inputs, problems);
    let email = inputs.lets_encrypt_email.as_ref().map(Plain::get);
    if email.is_some_and(|email| !email.is_empty() && !is_email(email)) {
        problems.add(
            "letsEncryptEmail",
            "must be an e-mail address, such as ops@example.com",
        );
    }
    if let Some(config) = inputs.vpc_cni_config.as_ref().and_then(Output::peek_known) {
        config.check(problems);
    }
    let rule = "must be 1.0 or newer, such as 1.14.1; older versions do not support the objects of AutoscaledNodeGroup";
    let version = Some(&inputs.node_autoscaler_version);
    check::form(
        "nodeAutoscalerVersion",
        version,
        autoscaler::is_supported,
        rule,
        problems,
    );
    if *inputs.enable_otel.get() && !*inputs.enable_cert_manager.get() {
        problems.add(
            "enableOtel",
            "requires the certificate manager, but enableCertManager is false",
        );
    }
}

/// Whether a text looks like an address that the certificate authority accepts as a contact.
fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, domain)| {
        !user.is_empty() && domain.contains('.') && !text.contains(char::is_whitespace)
    })
}

/// Checks the subnets of the control plane. AWS requires two availability zones; the zones are unknown here, but a single
/// subnet is not enough.
fn check_subnets(inputs: &ClusterInputs, problems: &mut InputProblems) {
    let path = "clusterSubnetIds";
    check::not_empty(path, &inputs.cluster_subnet_ids, problems);
    check::ids(path, "subnet-", Some(&inputs.cluster_subnet_ids), problems);
    check::no_duplicates(path, Some(&inputs.cluster_subnet_ids), problems);
    if inputs
        .cluster_subnet_ids
        .peek_known()
        .is_some_and(|subnets| subnets.len() == 1)
    {
        problems.add(
            path,
            "must have at least 2 elements, in different availability zones",
        );
    }
}

/// Checks the name and the retention of logs. The name of the log group contains the name of the cluster; if AWS chooses
/// the name, it creates both together.
fn check_name_and_logs(inputs: &ClusterInputs, problems: &mut InputProblems) {
    if let Some(name) = &inputs.name {
        check::cluster_name("name", name, problems);
    }
    let path = "logRetentionDays";
    let Some(days) = &inputs.log_retention_days else {
        return;
    };
    if days
        .peek_known()
        .is_some_and(|days| !allowed::RETENTIONS.contains(days))
    {
        let allowed = allowed::RETENTIONS.map(|days| days.to_string()).join(", ");
        problems.add(path, format!("must be one of {allowed}"));
    }
    if inputs.name.is_none() {
        let reason = "requires name, because AWS creates the log group /aws/eks/<name>/cluster together with the cluster";
        problems.add(path, reason);
    }
}

/// Checks the family, and inputs that AWS does not support with IPv6 addresses.
fn check_ip_family(inputs: &ClusterInputs, problems: &mut InputProblems) {
    let family = inputs
        .ip_family
        .as_ref()
        .map(|family| family.get().clone().into());
    check::one_of("ipFamily", family.as_ref(), &allowed::IP_FAMILIES, problems);
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

fn check_addon_versions(inputs: &ClusterInputs, problems: &mut InputProblems) {
    let versions = inputs.addon_versions.as_ref().map(Plain::get);
    for (name, version) in versions.into_iter().flatten() {
        let path = PropertyPath::default().join("addonVersions").join(name.clone());
        if !ADDONS.contains(&name.as_str()) {
            problems.add(
                &path,
                format!(
                    "is not an add-on of a cluster; the add-ons are {}",
                    ADDONS.join(", ")
                ),
            );
        }
        check::length(&path, version, 1, usize::MAX, problems);
    }
}

fn check_dns(inputs: &ClusterInputs, problems: &mut InputProblems) {
    let rule = "must be letters, digits, dots, dashes, slashes and underscores, such as shop.eu-west-1";
    check::form(
        "dnsOwnerId",
        inputs.dns_owner_id.as_ref(),
        allowed::is_dns_owner,
        rule,
        problems,
    );
    if let Some(zones) = &inputs.hosted_zone_ids {
        check::not_empty("hostedZoneIds", zones, problems);
    }
    check::no_duplicates("hostedZoneIds", inputs.hosted_zone_ids.as_ref(), problems);
    for (index, zone) in check::known_elements(inputs.hosted_zone_ids.as_ref()) {
        if !allowed::is_hosted_zone(zone) {
            let rule = "must be the id of a hosted zone, such as Z0123456789ABCDEFGHIJ";
            problems.add(format!("hostedZoneIds[{index}]"), rule);
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
    if let Some(ranges) = ranges {
        check::not_empty(path, ranges, problems);
        if is_private {
            problems.add(path, "has no effect because clusterEndpointPublicAccess is false");
        }
    }
    for (index, range) in check::known_elements(ranges) {
        if !check::is_address_range(range) {
            let rule = "must be an address range, such as 203.0.113.0/24";
            problems.add(format!("{path}[{index}]"), rule);
        } else if range.contains(':') && !is_ipv6(inputs) {
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
    let hops = inputs.system_node_metadata_hop_limit.as_ref();
    check::within("systemNodeMetadataHopLimit", hops, 1, MOST_HOPS, problems);
}
