//! Permitted values of the inputs of a cluster.

use std::net::Ipv4Addr;

use pulumi_plugin::components::TextRule;

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

/// Node pools that AWS defines in Auto Mode: for all pods, and for add-ons.
pub(super) const NODE_POOLS: [&str; 2] = ["general-purpose", "system"];

/// Types of load balancers. Only the first one, which is the default, requires no additional controller.
pub(super) const LB_TYPES: [&str; 3] = ["nlb", "nlb-ip", "external"];

/// Versions of the autoscaler that support the objects of node groups.
pub(super) const SUPPORTED_VERSION: TextRule = TextRule::new(
    r"^v?0*[1-9][0-9]*(\.[\s\S]*)?$",
    "must be 1.0 or newer, such as 1.14.1; older versions do not support the objects of AutoscaledNodeGroup",
);

/// Names of entries, which are part of names of children.
pub(super) const ENTRY_NAME: TextRule =
    TextRule::new("^[A-Za-z0-9-]+$", "must be letters, digits and dashes");

/// The owner of a record, as TXT records name it.
pub(super) const DNS_OWNER: TextRule = TextRule::new(
    "^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$",
    "must be letters, digits, dots, dashes, slashes and underscores, such as shop.eu-west-1",
);

/// The id of a hosted zone.
pub(super) const HOSTED_ZONE: TextRule = TextRule::new(
    "^Z[A-Z0-9]{1,31}$",
    "must be the id of a hosted zone, such as Z0123456789ABCDEFGHIJ",
);

/// The address of a repository of charts.
pub(super) const CHART_REPOSITORY: TextRule = TextRule::new(
    "^(https|oci)://[!-~]+$",
    "must be the address of a repository of charts that begins with https:// or oci://",
);

/// An address that the certificate authority accepts as a contact, or none.
pub(super) const EMAIL: TextRule = TextRule::new(
    r"^([^@\s]+@[^\s]*\.[^\s]*)?$",
    "must be an e-mail address, such as ops@example.com",
);

/// The ARN of a KMS key.
pub(super) const KMS_KEY: TextRule = TextRule::new(
    "^arn:[a-z0-9-]+:kms:[a-z0-9-]+:[0-9]{12}:key/[A-Za-z0-9-]+$",
    "must be the ARN of a KMS key, such as arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d",
);

/// ARNs of certificates, separated by commas, or none.
pub(super) const CERTIFICATES: TextRule = TextRule::new(
    "^((^|, ?)arn:[a-z0-9-]+:(acm:[a-z0-9-]+:[0-9]{12}:certificate/[A-Za-z0-9-]+|iam::[0-9]{12}:server-certificate/([!-+.-~]+/)*[A-Za-z0-9_+=.@-]+))*$",
    "must be the ARN of a certificate of ACM or IAM, such as arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d",
);

/// A range that AWS accepts for services: within a private network, and from /12 to /24.
pub(super) const SERVICE_RANGE: TextRule = TextRule::new(
    "^(10([.](25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}/(1[2-9]|2[0-4])|172[.](1[6-9]|2[0-9]|3[01])([.](25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){2}/(1[2-9]|2[0-4])|192[.]168([.](25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){2}/(1[6-9]|2[0-4]))$",
    "must be a range from /12 to /24 within 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, such as 172.20.0.0/16",
);

/// Whether the address of a range is its first one. Other texts break [`SERVICE_RANGE`].
pub(super) fn begins_a_range(range: &str) -> bool {
    let parts = range
        .split_once('/')
        .and_then(|(address, bits)| Some((address.parse::<Ipv4Addr>().ok()?, bits.parse::<u32>().ok()?)));
    parts.is_none_or(|(address, bits)| u32::from(address).trailing_zeros() >= 32_u32.saturating_sub(bits))
}

#[cfg(test)]
mod tests {
    use super::{SERVICE_RANGE, SUPPORTED_VERSION, begins_a_range};

    #[test]
    fn ranges_of_services_are_private_and_of_a_size_that_the_cloud_accepts() {
        for range in [
            "10.100.0.0/16",
            "172.20.0.0/16",
            "172.16.0.0/12",
            "192.168.0.0/24",
        ] {
            assert!(SERVICE_RANGE.matches(range), "{range}");
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
            assert!(!SERVICE_RANGE.matches(range), "{range}");
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
    #[test]
    fn versions_before_one_are_not_supported() {
        for version in ["1.0.0", "v1.14.1", "2.0.0"] {
            assert!(SUPPORTED_VERSION.matches(version), "{version}");
        }
        for version in ["0.36.2", "v0.37.0", "latest", "+1.0", "00.1", ""] {
            assert!(!SUPPORTED_VERSION.matches(version), "{version}");
        }
    }
}
