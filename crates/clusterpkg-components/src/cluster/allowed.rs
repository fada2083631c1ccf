//! Permitted values of inputs, for their schemas, their checks and the children.

use std::net::Ipv4Addr;

use crate::check;

/// All types of logs of a control plane.
pub(super) const LOG_TYPES: [&str; 5] = ["api", "audit", "authenticator", "controllerManager", "scheduler"];

/// Numbers of days after which AWS can delete logs.
pub(super) const RETENTIONS: [i32; 22] = [
    1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/// Policies for a cluster whose version leaves standard support.
pub(super) const SUPPORT_TYPES: [&str; 2] = ["STANDARD", DEFAULT_SUPPORT_TYPE];
/// The policy of AWS for new clusters.
pub(super) const DEFAULT_SUPPORT_TYPE: &str = "EXTENDED";

/// How principals get access to a cluster. Nodes and the administrator have access entries, which need the API.
pub(super) const AUTHENTICATION_MODES: [&str; 2] = ["API", "API_AND_CONFIG_MAP"];

/// The default mode, in which role mappings also have an effect.
pub(super) const DEFAULT_AUTHENTICATION_MODE: &str = "API_AND_CONFIG_MAP";

/// Families of the addresses of pods and services.
pub(super) const IP_FAMILIES: [&str; 2] = ["ipv4", "ipv6"];

/// Types of load balancers. Only the first one, which is the default, requires no additional controller.
pub(super) const LB_TYPES: [&str; 3] = ["nlb", "nlb-ip", "external"];

/// Pattern of the versions that `autoscaler::is_supported` accepts.
pub(super) const SUPPORTED_VERSION: &str = r"^v?0*[1-9][0-9]*(\.[\s\S]*)?$";

/// Pattern of the names of entries, which are part of names of children.
pub(super) const ENTRY_NAME: &str = "^[A-Za-z0-9-]+$";

/// Pattern of [`is_dns_owner`].
pub(super) const DNS_OWNER: &str = "^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$";

/// Whether a text can be part of the TXT records that name the owner of a record.
pub(super) fn is_dns_owner(owner: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || "._/-".contains(c);
    owner.len() <= 128
        && owner.starts_with(|c: char| c.is_ascii_alphanumeric())
        && owner.chars().all(is_inner)
}

/// Pattern of [`is_hosted_zone`].
pub(super) const HOSTED_ZONE: &str = "^Z[A-Z0-9]{1,31}$";

/// Whether a text is the id of a hosted zone.
pub(super) fn is_hosted_zone(id: &str) -> bool {
    let is_inner = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    id.strip_prefix('Z')
        .is_some_and(|rest| (1..=31).contains(&rest.len()) && rest.bytes().all(is_inner))
}

/// Pattern of [`is_chart_repository`].
pub(super) const CHART_REPOSITORY: &str = "^(https|oci)://[!-~]+$";

/// Whether a text is the address of a repository of charts.
pub(super) fn is_chart_repository(address: &str) -> bool {
    ["https://", "oci://"]
        .iter()
        .filter_map(|scheme| address.strip_prefix(scheme))
        .any(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic()))
}

/// Pattern of [`is_kms_key`].
pub(super) const KMS_KEY: &str = "^arn:[a-z0-9-]+:kms:[a-z0-9-]+:[0-9]{12}:key/[A-Za-z0-9-]+$";

/// Whether a text is the ARN of a KMS key.
pub(super) fn is_kms_key(arn: &str) -> bool {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let parts: Vec<_> = arn.split(':').collect();
    let ["arn", partition, "kms", region, account, key] = parts[..] else {
        return false;
    };
    let key = key.strip_prefix("key/").unwrap_or_default();
    [partition, region]
        .iter()
        .all(|name| !name.is_empty() && name.chars().all(is_name))
        && account.len() == 12
        && account.bytes().all(|b| b.is_ascii_digit())
        && !key.is_empty()
        && key.chars().all(is_inner)
}

/// Pattern of [`is_service_range`].
pub(super) const SERVICE_RANGE: &str = "^(10([.](25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}/(1[2-9]|2[0-4])|172[.](1[6-9]|2[0-9]|3[01])([.](25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){2}/(1[2-9]|2[0-4])|192[.]168([.](25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){2}/(1[6-9]|2[0-4]))$";

/// Whether a text is a range that AWS accepts for services: within a private network, and from /12 to /24.
pub(super) fn is_service_range(range: &str) -> bool {
    let Some((address, bits)) = parts_of_range(range) else {
        return false;
    };
    let widest = match address.octets() {
        [10, ..] | [172, 16..=31, ..] => 12,
        [192, 168, ..] => 16,
        _ => return false,
    };
    (widest..=24).contains(&bits)
}

/// Whether the address of a range is its first one.
pub(super) fn begins_a_range(range: &str) -> bool {
    parts_of_range(range)
        .is_none_or(|(address, bits)| u32::from(address).trailing_zeros() >= 32 - u32::from(bits))
}

fn parts_of_range(range: &str) -> Option<(Ipv4Addr, u8)> {
    let (address, bits) = range.split_once('/').filter(|_| check::is_ipv4_range(range))?;
    Some((address.parse().ok()?, bits.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{begins_a_range, is_service_range};

    #[test]
    fn ranges_of_services_are_private_and_of_a_size_that_the_cloud_accepts() {
        for range in [
            "10.100.0.0/16",
            "172.20.0.0/16",
            "172.16.0.0/12",
            "192.168.0.0/24",
        ] {
            assert!(is_service_range(range), "{range}");
        }
        for range in [
            "",
            "10.0.0.0",
            "10.0.0.0/8",
            "10.0.0.0/25",
            "172.32.0.0/16",
            "192.168.0.0/12",
            "100.64.0.0/16",
        ] {
            assert!(!is_service_range(range), "{range}");
        }
    }

    #[test]
    fn a_range_begins_with_its_first_address() {
        for range in ["10.0.0.0/16", "172.16.0.0/12", "10.1.2.0/24"] {
            assert!(begins_a_range(range), "{range}");
        }
        for range in ["10.0.1.0/16", "172.31.0.0/12", "10.1.2.3/24"] {
            assert!(!begins_a_range(range), "{range}");
        }
    }
}
