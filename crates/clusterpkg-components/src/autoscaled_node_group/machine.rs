//! Settings of the machines of autoscaled nodes: the metadata service and the kubelet.

use pulumi_plugin::components::{InputProblems, Map, Output, record};
use pulumi_plugin::values::PropertyPath;

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
            "additionalProperties" = { "type": "string", "pattern": check::AMOUNT_OR_PERCENTAGE }
        ))]
        pub eviction_hard: Option<Map<String>>,
        /// Resources that are reserved for the kubelet and the container runtime: `cpu`, `memory`,
        /// `ephemeral-storage`, `pid`. Default: computed by the image.
        #[schemars(extend(
            "propertyNames" = { "enum": RESERVABLE },
            "additionalProperties" = { "type": "string", "pattern": check::AMOUNT }
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
            "additionalProperties" = { "type": "string", "pattern": check::AMOUNT }
        ))]
        pub system_reserved: Option<Map<String>>,
    }
}

impl NodeMetadataOptions {
    pub(super) fn check(&self, problems: &mut InputProblems) {
        for (name, value, allowed) in [
            ("httpEndpoint", &self.http_endpoint, &SWITCH),
            ("httpProtocolIPv6", &self.http_protocol_ipv6, &SWITCH),
            ("httpTokens", &self.http_tokens, &TOKENS),
        ] {
            check::one_of(
                &format!("metadataOptions.{name}"),
                value.as_ref(),
                allowed,
                problems,
            );
        }
        let hops = self.http_put_response_hop_limit.as_ref();
        let path = "metadataOptions.httpPutResponseHopLimit";
        check::within(path, hops, 1, MOST_HOPS, problems);
    }
}

impl KubeletSettings {
    pub(super) fn check(&self, problems: &mut InputProblems) {
        check::within("kubelet.maxPods", self.max_pods.as_ref(), 1, i32::MAX, problems);
        check::within(
            "kubelet.podsPerCore",
            self.pods_per_core.as_ref(),
            0,
            i32::MAX,
            problems,
        );
        for (name, amounts) in [
            ("kubeReserved", &self.kube_reserved),
            ("systemReserved", &self.system_reserved),
        ] {
            let rule = "must be an amount, such as 100m or 256Mi";
            check_amounts(
                name,
                amounts.as_ref(),
                &RESERVABLE,
                check::is_amount,
                rule,
                problems,
            );
        }
        let rule = "must be an amount or a percentage, such as 256Mi or 5%";
        let thresholds = self.eviction_hard.as_ref();
        check_amounts(
            "evictionHard",
            thresholds,
            &SIGNALS,
            check::is_amount_or_percentage,
            rule,
            problems,
        );
    }
}

/// Checks the keys and values of a map of amounts.
fn check_amounts(
    name: &str,
    amounts: Option<&Map<String>>,
    keys: &[&str],
    keeps: fn(&str) -> bool,
    rule: &str,
    problems: &mut InputProblems,
) {
    for (key, amount) in amounts.and_then(Output::peek_known).into_iter().flatten() {
        let path = PropertyPath::default()
            .join("kubelet")
            .join(name)
            .join(key.clone())
            .to_string();
        if !keys.contains(&key.as_str()) {
            problems.add(&path, format!("must be one of {}", keys.join(", ")));
        }
        check::form(&path, Some(amount), keeps, rule, problems);
    }
}
