//! The certificate manager, and an issuer of public certificates if there is a contact address.

use pulumi_plugin::components::{ChildOptions, ConstructError, Output, Resource, all, object, properties};

use crate::aws;
use crate::cluster::external_dns::hosted_zones;
use crate::cluster::foundation::{
    InstalledCluster, NAMESPACE, Release, ServiceAccount, Toleration, tolerations,
};
use crate::cluster::inputs::ClusterInputs;
use crate::policy::{PolicyDocument, Statement};
use crate::versions;

const ACCOUNT: &str = "cert-manager";

object! {
    /// Values of the chart.
    struct CertManagerValues {
        crds: ObjectTypes,
        service_account: ServiceAccount,
        security_context: SecurityContext,
        tolerations: Vec<Toleration>,
        cainjector: Pods,
        startupapicheck: Pods,
        webhook: Pods,
    }

    /// The object types.
    struct ObjectTypes {
        enabled: bool,
        keep: bool,
    }

    /// Security context of the controller.
    struct SecurityContext {
        fs_group: i32,
    }

    /// Pods other than the controller.
    struct Pods {
        tolerations: Vec<Toleration>,
    }
}

/// Installs it, if enabled. Returns its release.
pub(super) fn install(
    cluster: &InstalledCluster,
    inputs: &ClusterInputs,
) -> Result<Option<Resource>, ConstructError> {
    let base = &cluster.base;
    if !*inputs.enable_cert_manager.get() {
        if inputs.lets_encrypt_email.is_some() {
            base.scope
                .warn("letsEncryptEmail has no effect because enableCertManager is false");
        }
        return Ok(None);
    }
    let role = base.service_account_role("cert-manager-role", NAMESPACE, ACCOUNT)?;
    let zones = hosted_zones(&base.partition.name, inputs);
    let document =
        all((base.partition.name.clone(), zones)).map(|(partition, zones)| rights(&partition, &zones));
    let name = base.name("cert-manager-policy");
    let description = "Records that prove the ownership of names";
    let right = aws::grant(&base.scope, name, &role, description, document, &base.tags);
    let release = release(cluster, inputs, &role, &right);
    let email = inputs
        .lets_encrypt_email
        .as_ref()
        .filter(|email| !email.get().is_empty());
    if let Some(email) = email {
        issuer(cluster, &release, email.output());
    }
    Ok(Some(release))
}

/// The chart installs its object types and keeps them when it is removed, so that certificates survive a
/// reinstallation.
fn release(
    cluster: &InstalledCluster,
    inputs: &ClusterInputs,
    role: &Resource,
    right: &Resource,
) -> Resource {
    let pods = || Pods {
        tolerations: tolerations(),
    };
    let values = CertManagerValues {
        crds: ObjectTypes {
            enabled: true,
            keep: true,
        },
        service_account: ServiceAccount::acting_as(role, ACCOUNT),
        security_context: SecurityContext { fs_group: 1001 },
        tolerations: tolerations(),
        cainjector: pods(),
        startupapicheck: pods(),
        webhook: pods(),
    };
    let version = inputs.cert_manager_version();
    let release = Release::new("cert-manager", versions::CERT_MANAGER, version, values);
    let options = ChildOptions::new()
        .depends_on([right])
        .deleted_with(&cluster.base.control_plane);
    cluster.release("cert-manager", release, options)
}

/// Registers an issuer of public certificates for names in Route 53.
fn issuer(cluster: &InstalledCluster, release: &Resource, email: Output<String>) {
    let base = &cluster.base;
    let acme = properties! {
        "email": email,
        "server": "https://acme-v02.api.letsencrypt.org/directory",
        "privateKeySecretRef": properties! { "name": "letsencrypt" },
        "solvers": [properties! {
            "dns01": properties! { "route53": properties! { "region": base.region.clone() } },
        }],
    };
    let inputs = properties! {
        "apiVersion": "cert-manager.io/v1",
        "kind": "ClusterIssuer",
        "metadata": properties! { "name": "letsencrypt-prod" },
        "spec": properties! { "acme": acme },
    };
    let options = ChildOptions::below(release)
        .provider(&cluster.kubernetes)
        .depends_on([release])
        .deleted_with(&base.control_plane)
        .delete_before_replace(true);
    base.scope.register(
        "kubernetes:cert-manager.io/v1:ClusterIssuer",
        base.name("cluster-issuer"),
        inputs,
        options,
    );
}

fn rights(partition: &str, zones: &[String]) -> PolicyDocument {
    PolicyDocument::new([
        Statement::allow(["route53:GetChange"]).on([format!("arn:{partition}:route53:::change/*")]),
        // Only TXT records, which prove the ownership of names.
        Statement::allow(["route53:ChangeResourceRecordSets"])
            .on(zones)
            .when(
                "ForAllValues:StringEquals",
                "route53:ChangeResourceRecordSetsRecordTypes",
                ["TXT"],
            ),
        Statement::allow(["route53:ListResourceRecordSets"]).on(zones),
        Statement::allow(["route53:ListHostedZonesByName"]).on(["*"]),
    ])
}
