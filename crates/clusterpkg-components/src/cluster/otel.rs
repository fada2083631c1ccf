//! The OpenTelemetry distribution. Its webhook's certificates come from the certificate manager.

use pulumi_plugin::components::{Resource, properties};

use crate::cluster::foundation::{Addon, InstalledCluster, configuration, tolerations};
use crate::cluster::inputs::ClusterInputs;

/// Installs it, if enabled, after the certificate manager.
pub(super) fn install(cluster: &InstalledCluster, inputs: &ClusterInputs, cert_manager: Option<&Resource>) {
    if !*inputs.enable_otel.get() {
        return;
    }
    let before: Vec<_> = [Some(&cluster.system_nodes), cert_manager]
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    let configuration = configuration(properties! { "tolerations": tolerations() });
    cluster.base.addon(
        "otel",
        Addon {
            name: "adot",
            role: None,
            configuration,
        },
        &before,
    );
}
