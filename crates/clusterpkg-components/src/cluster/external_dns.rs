//! external-dns: records in Route 53 for services, ingresses and routes of gateways.

use pulumi_plugin::components::{
    ChildOptions, ConstructError, List, Output, Resource, all, all_of, format_output, object,
};

use crate::aws;
use crate::cluster::foundation::{
    InstalledCluster, NAMESPACE, Release, ServiceAccount, Toleration, tolerations,
};
use crate::cluster::gateways;
use crate::cluster::inputs::ClusterInputs;
use crate::policy::{PolicyDocument, Statement};
use crate::versions;

const ACCOUNT: &str = "external-dns";

object! {
    /// Values of the chart.
    struct ExternalDnsValues {
        extra_args: Option<Output<Vec<String>>>,
        service_account: ServiceAccount,
        sources: Option<[&'static str; 4]>,
        // Clusters can share a zone; each only changes its own records.
        txt_owner_id: Output<String>,
        tolerations: Vec<Toleration>,
    }
}

/// Kinds of objects that get DNS records in a cluster with the Gateway API. By default, the chart reads services and
/// ingresses.
const SOURCES: [&str; 4] = ["service", "ingress", "gateway-httproute", "gateway-grpcroute"];

/// Installs it, if enabled, after the object types of its sources.
pub(super) fn install(
    cluster: &InstalledCluster,
    inputs: &ClusterInputs,
    object_types: Option<&Resource>,
) -> Result<(), ConstructError> {
    if !*inputs.enable_external_dns.get() {
        return Ok(());
    }
    let base = &cluster.base;
    let role = base.service_account_role("external-dns-role", NAMESPACE, ACCOUNT)?;
    let zones = hosted_zones(&base.partition.name, inputs);
    let document = zones.map(rights);
    let name = base.name("external-dns-policy");
    let right = aws::grant(
        &base.scope,
        name,
        &role,
        "Records for external DNS",
        document,
        &base.tags,
    );
    let values = ExternalDnsValues {
        extra_args: inputs.hosted_zone_ids.clone().map(zone_filters),
        service_account: ServiceAccount::acting_as(&role, ACCOUNT),
        sources: gateways::is_enabled(inputs).then_some(SOURCES),
        txt_owner_id: owner(cluster, inputs),
        tolerations: tolerations(),
    };
    let version = inputs.external_dns_version();
    let release = Release::new("external-dns", versions::EXTERNAL_DNS, version, values);
    let options = ChildOptions::new()
        .depends_on([&right])
        .depends_on(object_types)
        .deleted_with(&base.control_plane)
        // The owner of existing records stays.
        .ignore_changes(inputs.dns_owner_id.is_none().then_some("values.txtOwnerId"));
    cluster.release("external-dns", release, options);
    Ok(())
}

/// The owner of the cluster's records. Names that the program chooses are only unique in a region.
fn owner(cluster: &InstalledCluster, inputs: &ClusterInputs) -> Output<String> {
    match (&inputs.dns_owner_id, &inputs.name) {
        (Some(owner), _) => owner.clone(),
        (None, Some(name)) => format_output!(
            "{name}.{region}",
            name = name.clone(),
            region = cluster.base.region.clone()
        ),
        (None, None) => cluster.base.cluster_name(),
    }
}

/// Without a filter, it tries to change all zones that it finds.
fn zone_filters(zones: List<String>) -> Output<Vec<String>> {
    let filter = |zone: String| format!("--zone-id-filter={zone}");
    zones
        .then(all_of)
        .map(move |zones| zones.into_iter().map(filter).collect())
}

/// ARNs of the hosted zones that the controllers of the cluster may change: the zones in the inputs, or all.
pub(super) fn hosted_zones(partition: &Output<String>, inputs: &ClusterInputs) -> Output<Vec<String>> {
    let ids = match &inputs.hosted_zone_ids {
        Some(zones) => zones.clone().then(all_of),
        None => Output::known(vec!["*".to_owned()]),
    };
    all((partition.clone(), ids)).map(|(partition, ids)| {
        let arn = |id| format!("arn:{partition}:route53:::hostedzone/{id}");
        ids.into_iter().map(arn).collect()
    })
}

fn rights(zones: Vec<String>) -> PolicyDocument {
    PolicyDocument::new([
        Statement::allow(["route53:ChangeResourceRecordSets"]).on(zones),
        Statement::allow([
            "route53:ListHostedZones",
            "route53:ListResourceRecordSets",
            "route53:ListTagsForResources",
        ])
        .on(["*"]),
    ])
}
