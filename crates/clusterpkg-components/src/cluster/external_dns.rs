//! external-dns: records in Route 53 for services and ingresses.

use pulumi_plugin::components::{ChildOptions, ConstructError, Output, object};

use crate::aws;
use crate::cluster::foundation::{Ground, NAMESPACE, Release, ServiceAccount, Toleration, tolerations};
use crate::cluster::inputs::ClusterInputs;
use crate::policy::{PolicyDocument, Statement};
use crate::versions;

const ACCOUNT: &str = "external-dns";

object! {
    /// Values of the chart.
    struct ExternalDnsValues {
        service_account: ServiceAccount,
        // Clusters can share a zone; each only changes its own records.
        txt_owner_id: Output<String>,
        tolerations: Vec<Toleration>,
    }
}

/// Installs it, if enabled.
pub(super) fn install(ground: &Ground, inputs: &ClusterInputs) -> Result<(), ConstructError> {
    if !*inputs.enable_external_dns.get() {
        return Ok(());
    }
    let base = &ground.base;
    let role = base.service_account_role("external-dns-role", NAMESPACE, ACCOUNT)?;
    let document = base.partition.name.clone().map(|partition| rights(&partition));
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
        service_account: ServiceAccount::acting_as(&role, ACCOUNT),
        txt_owner_id: base.cluster_name(),
        tolerations: tolerations(),
    };
    let version = inputs.external_dns_version();
    let release = Release::new("external-dns", versions::EXTERNAL_DNS, version, values);
    let options = ChildOptions::new()
        .depends_on([&right])
        .deleted_with(&base.control_plane);
    ground.release("external-dns", release, options);
    Ok(())
}

fn rights(partition: &str) -> PolicyDocument {
    PolicyDocument::new([
        Statement::allow(["route53:ChangeResourceRecordSets"])
            .on([format!("arn:{partition}:route53:::hostedzone/*")]),
        Statement::allow([
            "route53:ListHostedZones",
            "route53:ListResourceRecordSets",
            "route53:ListTagsForResources",
        ])
        .on(["*"]),
    ])
}
