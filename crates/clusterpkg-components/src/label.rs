//! Rules of Kubernetes for labels and taints of nodes, and for keys of requirements.

use std::collections::BTreeMap;

use pulumi_plugin::components::{InputProblems, Map, Output};
use pulumi_plugin::values::PropertyPath;

use crate::check;

/// Maximum length of the name in a key, and of a value.
pub(crate) const LONGEST: usize = 63;

/// Pattern of [`is_key`].
pub(crate) const KEY: &str = "^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$";
/// Pattern of [`is_value`].
pub(crate) const VALUE: &str = "^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$";
/// Pattern of [`is_value`], without the empty string.
pub(crate) const SOME_VALUE: &str = "^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$";

const KEY_RULE: &str = "must be a name of at most 63 letters, digits, dashes, dots and underscores, with or without a domain before it, such as \
                        team or example.com/team";
const VALUE_RULE: &str =
    "must be letters, digits, dashes, dots and underscores, and begin and end with a letter or digit";

/// Whether a text is a key: a name, or a domain and a name.
pub(crate) fn is_key(key: &str) -> bool {
    let (domain, name) = key
        .rsplit_once('/')
        .map_or((None, key), |(domain, name)| (Some(domain), name));
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(is_inner) && !part.starts_with('-') && !part.ends_with('-')
    };
    !name.is_empty() && is_value(name) && domain.is_none_or(|domain| domain.split('.').all(is_part))
}

/// Whether a text is a value, which can be empty.
fn is_value(value: &str) -> bool {
    let is_outer = |c: char| c.is_ascii_alphanumeric();
    let is_inner = |c: char| is_outer(c) || "-_.".contains(c);
    value.is_empty()
        || (value.len() <= LONGEST
            && value.chars().all(is_inner)
            && value.starts_with(is_outer)
            && value.ends_with(is_outer))
}

/// Checks a key.
pub(crate) fn check_key(path: &str, key: &Output<String>, problems: &mut InputProblems) {
    check::form(path, Some(key), is_key, KEY_RULE, problems);
}

/// Checks a value.
pub(crate) fn check_value(path: &str, value: Option<&Output<String>>, problems: &mut InputProblems) {
    let Some(value) = value else { return };
    check::length(path, value, 0, LONGEST, problems);
    let is_short = |text: &str| text.chars().count() <= LONGEST;
    let keeps = |text: &str| !is_short(text) || is_value(text);
    check::form(path, Some(value), keeps, VALUE_RULE, problems);
}

/// Checks labels.
pub(crate) fn check_map(path: &str, labels: Option<&Map<String>>, problems: &mut InputProblems) {
    for (key, value) in labels.and_then(Output::peek_known).into_iter().flatten() {
        let path = PropertyPath::default().join(path).join(key.clone()).to_string();
        if !is_key(key) {
            problems.add(&path, format!("the key {KEY_RULE}"));
        }
        check_value(&path, Some(value), problems);
    }
}

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
