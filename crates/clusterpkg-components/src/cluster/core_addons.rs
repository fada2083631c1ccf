//! Essential add-ons: name resolution and service addresses.

use pulumi_plugin::components::{Output, Resource, properties};

use crate::cluster::foundation::{Addon, ControlPlane, InstalledCluster, configuration, tolerations};

/// Registers kube-proxy. Nodes join after it.
pub(super) fn kube_proxy(base: &ControlPlane) -> Resource {
    let addon = Addon {
        name: "kube-proxy",
        role: None,
        configuration: Output::known(None),
    };
    base.addon("kube-proxy", addon, &[])
}

/// Registers CoreDNS.
pub(super) fn coredns(cluster: &InstalledCluster) -> Resource {
    let configuration = configuration(properties! { "tolerations": tolerations() });
    let addon = Addon {
        name: "coredns",
        role: None,
        configuration,
    };
    cluster
        .base
        .addon("coredns", addon, std::slice::from_ref(&cluster.system_nodes))
}
