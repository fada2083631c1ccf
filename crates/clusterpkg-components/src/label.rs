//! Rules of Kubernetes for labels and taints of nodes, and for keys of requirements.

use std::collections::BTreeMap;

use pulumi_plugin::components::{InputProblems, Output, TextRule};

/// Maximum length of a value, and of a whole key on managed nodes.
pub(crate) const LONGEST: usize = 63;

/// A key: a name, or a domain and a name.
pub(crate) const KEY: TextRule = TextRule::new(
    "^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$",
    "must be a name of at most 63 letters, digits, dashes, dots and underscores, with or without a domain before it, such as \
     team or example.com/team",
);

/// A value, which can be empty.
pub(crate) const VALUE: TextRule =
    TextRule::new("^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$", VALUE_REASON).at_most(LONGEST);
/// A value that is not empty.
pub(crate) const SOME_VALUE: TextRule =
    TextRule::new("^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$", VALUE_REASON).at_most(LONGEST);
const VALUE_REASON: &str =
    "must be letters, digits, dashes, dots and underscores, and begin and end with a letter or digit";

/// Checks that no two taints have the same key and effect, with which a kubelet does not start and the autoscaler does not
/// use a node pool. Each taint has its path.
pub(crate) fn check_distinct_taints<'a>(
    taints: impl Iterator<Item = (String, &'a Output<String>, &'a Output<String>)>,
    problems: &mut InputProblems,
) {
    let mut seen = BTreeMap::new();
    for (path, key, effect) in taints {
        let Some(taint) = key.peek_known().zip(effect.peek_known()) else {
            continue;
        };
        match seen.get(&taint) {
            Some(first) => problems.add(path, format!("has the key and the effect of {first}")),
            None => _ = seen.insert(taint, path),
        }
    }
}

/// Labels of Kubernetes that a kubelet may set on its own node, apart from the domains below.
const KUBELET_LABELS: [&str; 10] = [
    "beta.kubernetes.io/arch",
    "beta.kubernetes.io/instance-type",
    "beta.kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone",
    "kubernetes.io/arch",
    "kubernetes.io/hostname",
    "kubernetes.io/os",
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone",
];
const KUBELET_DOMAINS: [&str; 2] = ["kubelet.kubernetes.io", "node.kubernetes.io"];

/// Names of labels in the domain `karpenter.k8s.aws` that the autoscaler knows (`pkg/apis/v1/labels.go` of its AWS
/// provider). The node pool also accepts `ec2nodeclass`, with which the autoscaler then does not use it.
const MACHINE_LABELS: [&str; 27] = [
    "capacity-reservation-id",
    "capacity-reservation-interruptible",
    "capacity-reservation-type",
    "instance-accelerator-count",
    "instance-accelerator-manufacturer",
    "instance-accelerator-name",
    "instance-capability-flex",
    "instance-category",
    "instance-cpu",
    "instance-cpu-manufacturer",
    "instance-cpu-sustained-clock-speed-mhz",
    "instance-ebs-bandwidth",
    "instance-encryption-in-transit-supported",
    "instance-family",
    "instance-generation",
    "instance-gpu-count",
    "instance-gpu-manufacturer",
    "instance-gpu-memory",
    "instance-gpu-name",
    "instance-hypervisor",
    "instance-local-nvme",
    "instance-memory",
    "instance-network-bandwidth",
    "instance-size",
    "instance-tenancy",
    "placement-group-id",
    "placement-group-partition",
];

/// Labels with all values that machines have. For the first two, the autoscaler does not use a node pool with others;
/// for the rest, it finds no machine.
const KNOWN_VALUES: [(&str, &[&str]); 4] = [
    ("karpenter.k8s.aws/instance-tenancy", &["dedicated", "default"]),
    ("karpenter.sh/capacity-type", &["on-demand", "reserved", "spot"]),
    ("kubernetes.io/arch", &["amd64", "arm64"]),
    ("kubernetes.io/os", &["linux", "windows"]),
];

/// All values of a label, if they are known.
pub(crate) fn known_values(key: &str) -> Option<&'static [&'static str]> {
    KNOWN_VALUES
        .iter()
        .find_map(|(label, values)| (*label == key).then_some(*values))
}

/// Whether managed nodes and nodes of Auto Mode have a label, but autoscaled nodes do not.
pub(crate) fn is_of_other_nodes(key: &str) -> bool {
    key.rsplit_once('/')
        .is_some_and(|(domain, _)| is_within(domain, "eks.amazonaws.com"))
}

/// Whether a domain is another one or below it.
fn is_within(domain: &str, other: &str) -> bool {
    domain
        .strip_suffix(other)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

fn is_of_kubernetes(domain: &str) -> bool {
    is_within(domain, "kubernetes.io") || is_within(domain, "k8s.io")
}

/// Checks that a managed node can have a label: EKS rejects reserved domains, and a kubelet with another label of
/// Kubernetes does not start.
pub(crate) fn check_of_managed_nodes(path: &str, key: &str, problems: &mut InputProblems) {
    let Some((domain, _)) = key.rsplit_once('/') else {
        return;
    };
    if ["kubernetes.io", "k8s.io"].contains(&domain) || is_within(domain, "eks.amazonaws.com") {
        let reason = "is reserved by EKS: labels of managed nodes must not be of the domains kubernetes.io, k8s.io and \
                      eks.amazonaws.com";
        problems.add(path, reason);
    } else if is_of_kubernetes(domain)
        && !KUBELET_LABELS.contains(&key)
        && !KUBELET_DOMAINS.iter().any(|own| is_within(domain, own))
    {
        let reason = "is reserved by Kubernetes: below kubernetes.io and k8s.io, nodes can only have labels of the domains \
                      node.kubernetes.io and kubelet.kubernetes.io";
        problems.add(path, reason);
    }
}

/// Checks that autoscaled nodes can have a label, by the rules of the node pool and of the autoscaler. Since version 1.9
/// of the autoscaler, they allow labels of Kubernetes (`RestrictedLabelDomains` in its `pkg/apis/v1/labels.go`).
pub(crate) fn check_of_autoscaled_nodes(path: &str, key: Option<&String>, problems: &mut InputProblems) {
    let Some(key) = key else { return };
    // The rules of the node pool compare the end of the first part, even of keys without a domain.
    let first = key.split('/').next().unwrap_or_default();
    let is_known = key == "karpenter.sh/capacity-type"
        || key
            .strip_prefix("karpenter.k8s.aws/")
            .is_some_and(|name| MACHINE_LABELS.contains(&name));
    let is_restricted = key == "kubernetes.io/hostname"
        || first.ends_with("karpenter.sh")
        || first.ends_with("karpenter.k8s.aws");
    if is_restricted && !is_known {
        let reason = "is reserved by the autoscaler: it accepts its own labels, such as karpenter.k8s.aws/instance-family, and \
                      labels of domains other than karpenter.sh and karpenter.k8s.aws, except kubernetes.io/hostname";
        problems.add(path, reason);
    }
}
