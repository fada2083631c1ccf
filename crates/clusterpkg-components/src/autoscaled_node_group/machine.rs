//! Settings of the machines of autoscaled nodes: the metadata service and the kubelet.

use pulumi_plugin::components::{Map, Output, record};

use crate::check;

const SWITCH: [&str; 2] = ["enabled", "disabled"];
const TOKENS: [&str; 2] = ["required", "optional"];
/// Resources that can be reserved on a node.
const RESERVABLE: [&str; 4] = ["cpu", "memory", "ephemeral-storage", "pid"];
/// Signals by which the kubelet evicts pods.
const SIGNALS: [&str; 6] = [
    "memory.available",
    "nodefs.available",
    "nodefs.inodesFree",
    "imagefs.available",
    "imagefs.inodesFree",
    "pid.available",
];
/// Maximum of AWS.
const MOST_HOPS: i32 = 64;

record! {
    /// Settings of the instance metadata service. Not part of the original specification.
    pub struct NodeMetadataOptions {
        /// Whether the service is available: `enabled` or `disabled`.
        #[schemars(extend("x-default" = "enabled", "enum" = SWITCH))]
        pub http_endpoint: Option<Output<String>>,
        /// Whether the service has an IPv6 address: `enabled` or `disabled`.
        #[schemars(extend("x-default" = "disabled", "enum" = SWITCH))]
        pub http_protocol_ipv6 as "httpProtocolIPv6": Option<Output<String>>,
        /// Maximum number of network hops for responses, from 1 to 64. With 1, pods cannot reach the service
        /// unless they use the host network.
        #[schemars(extend("x-default" = 1, "minimum" = 1, "maximum" = MOST_HOPS))]
        pub http_put_response_hop_limit: Option<Output<i32>>,
        /// Whether requests need a token (IMDSv2): `required` or `optional`.
        #[schemars(extend("x-default" = "required", "enum" = TOKENS))]
        pub http_tokens: Option<Output<String>>,
    }

    /// Settings of the kubelet. Not part of the original specification.
    pub struct KubeletSettings {
        /// Thresholds below which pods are evicted immediately, keyed by signal, such as
        /// `memory.available: 5%`. Default: those of the image.
        #[schemars(extend(
            "propertyNames" = { "enum": SIGNALS },
            "additionalProperties" = check::AMOUNT_OR_PERCENTAGE.schema()
        ))]
        pub eviction_hard: Option<Map<String>>,
        /// Resources that are reserved for the kubelet and the container runtime: `cpu`, `memory`,
        /// `ephemeral-storage`, `pid`. Default: computed by the image.
        #[schemars(extend(
            "propertyNames" = { "enum": RESERVABLE },
            "additionalProperties" = check::AMOUNT.schema()
        ))]
        pub kube_reserved: Option<Map<String>>,
        /// Maximum number of pods of a node. Default: the number of addresses of its network interfaces.
        #[schemars(extend("minimum" = 1))]
        pub max_pods: Option<Output<i32>>,
        /// Maximum number of pods for each core. Default: unlimited.
        #[schemars(extend("minimum" = 0))]
        pub pods_per_core: Option<Output<i32>>,
        /// Resources that are reserved for the operating system: `cpu`, `memory`, `ephemeral-storage`, `pid`.
        /// Default: none.
        #[schemars(extend(
            "propertyNames" = { "enum": RESERVABLE },
            "additionalProperties" = check::AMOUNT.schema()
        ))]
        pub system_reserved: Option<Map<String>>,
    }
}
