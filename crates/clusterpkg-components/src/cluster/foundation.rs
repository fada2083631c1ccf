//! The foundation of a cluster: the control plane, identities, access and nodes, and helpers to register
//! add-ons.

use std::collections::BTreeMap;

use pulumi_plugin::components::{
    ChildOptions, ConstructError, IntoProperty, Output, Properties, Resource, Scope, all, json_text, object,
    properties,
};

use crate::aws::{Boundary, Partition};
use crate::iam_service_account_role::{IamServiceAccountRole, IamServiceAccountRoleInputs};
use crate::tags::{Consumer, Tags};
use crate::versions::{Chart, SYSTEM_NODE_KEY};

/// Namespace of add-ons.
pub(super) const NAMESPACE: &str = "kube-system";

/// Timeout of the installation of a chart in seconds.
const RELEASE_TIMEOUT: i32 = 600;

/// Add-ons that AWS manages.
pub(super) const ADDONS: [&str; 6] = [
    "vpc-cni",
    "kube-proxy",
    "coredns",
    "aws-ebs-csi-driver",
    "amazon-cloudwatch-observability",
    "adot",
];

/// Names of versions that follow the version of the control plane.
const LATEST: &str = "latest";
const DEFAULT: &str = "default";

/// Versions of add-ons, by name.
pub(super) type AddonVersions = BTreeMap<String, Output<String>>;

/// A control plane with its identities.
#[derive(Clone)]
pub(super) struct ControlPlane {
    pub(super) scope: Scope,
    pub(super) partition: Partition,
    pub(super) region: Output<String>,
    pub(super) account: Output<String>,
    pub(super) tags: Tags,
    pub(super) permissions_boundary: Boundary,
    /// Explicit versions of AWS-managed add-ons.
    pub(super) addon_versions: AddonVersions,
    pub(super) control_plane: Resource,
    pub(super) oidc_provider: Resource,
}

/// A foundation with a Kubernetes provider and system nodes, in which add-ons can be installed.
#[derive(Clone)]
pub(super) struct InstalledCluster {
    pub(super) base: ControlPlane,
    /// The provider of the objects in the cluster.
    pub(super) kubernetes: Resource,
    pub(super) system_nodes: Resource,
}

impl ControlPlane {
    /// The name of a child.
    pub(super) fn name(&self, suffix: &str) -> String {
        format!("{}-{suffix}", self.scope.name())
    }

    /// The cluster's own name.
    pub(super) fn cluster_name(&self) -> Output<String> {
        self.control_plane.output("name")
    }

    /// A role for a service account of the cluster.
    pub(super) fn service_account_role(
        &self,
        suffix: &str,
        namespace: &str,
        account: &str,
    ) -> Result<Resource, ConstructError> {
        let inputs = IamServiceAccountRoleInputs {
            oidc_provider_arn: self.oidc_provider.output("arn"),
            oidc_provider_url: self.oidc_provider.output("url"),
            namespace_name: namespace.into(),
            service_account_name: account.into(),
            children: None,
            cluster_name: None,
            permissions_boundary: self.permissions_boundary.clone(),
            tags: self.tags.clone(),
        };
        let nested =
            self.scope
                .component::<IamServiceAccountRole>(self.name(suffix), inputs, ChildOptions::new())?;
        Ok(nested.outputs.role)
    }

    /// Warns about tags that a consumer inside the cluster does not accept, and therefore does not get.
    pub(super) fn warn_of_refused_tags(&self, consumer: Consumer) {
        let Some(tags) = &self.tags else { return };
        self.scope.warn_if(tags.refused_by(consumer).map(move |keys| {
            (!keys.is_empty()).then(|| {
                format!(
                    "{} the tags {}: {}",
                    consumer.lacks(),
                    keys.join(", "),
                    consumer.rule()
                )
            })
        }));
    }

    /// Registers an AWS-managed add-on. It adopts existing objects and preserves later manual changes.
    pub(super) fn addon(&self, suffix: &str, addon: Addon, after: &[Resource]) -> Resource {
        let version = self.addon_versions.get(addon.name).cloned();
        let inputs = properties! {
            "addonName": addon.name,
            "addonVersion": version.map(|version| self.addon_version(addon.name, version)),
            "clusterName": self.cluster_name(),
            "serviceAccountRoleArn": addon.role.map(|role| role.output::<String>("arn")),
            "configurationValues": addon.configuration,
            "resolveConflictsOnCreate": "OVERWRITE",
            "resolveConflictsOnUpdate": "PRESERVE",
            "tags": self.tags.clone(),
        };
        let options = ChildOptions::below(&self.control_plane).depends_on(after);
        self.scope
            .register("aws:eks/addon:Addon", self.name(suffix), inputs, options)
    }
}

impl ControlPlane {
    /// The version of an add-on: an exact version, or the version that fits the control plane.
    pub(super) fn addon_version(&self, name: &str, version: Output<String>) -> Output<String> {
        let arguments = properties! {
            "addonName": name,
            "kubernetesVersion": self.control_plane.output::<String>("version"),
            "mostRecent": version.clone().map(|version| version == LATEST),
        };
        // Only sent if the version below needs it.
        let found = self
            .scope
            .call("aws:eks/getAddonVersion:getAddonVersion", arguments);
        version.then(move |version| match version.as_str() {
            LATEST | DEFAULT => found.output("version"),
            _ => Output::known(version),
        })
    }
}

/// Properties of an add-on.
pub(super) struct Addon<'a> {
    pub(super) name: &'static str,
    pub(super) role: Option<&'a Resource>,
    /// Its configuration as JSON text.
    pub(super) configuration: Output<Option<String>>,
}

impl InstalledCluster {
    /// Options of an object in the cluster.
    pub(super) fn in_cluster(&self) -> ChildOptions {
        ChildOptions::new().provider(&self.kubernetes)
    }

    /// Registers a chart after the system nodes. Its release has the same name in every cluster, so the old
    /// release is deleted before its replacement is created.
    pub(super) fn release(&self, suffix: &str, release: Release, options: ChildOptions) -> Resource {
        let options = options
            .provider(&self.kubernetes)
            .depends_on([&self.system_nodes])
            .delete_before_replace(true);
        self.base.scope.register(
            "kubernetes:helm.sh/v3:Release",
            self.base.name(suffix),
            release,
            options,
        )
    }
}

object! {
    /// A chart to be installed.
    pub(super) struct Release {
        /// Name or address of the chart.
        pub(super) chart: Output<String>,
        /// Name of the release.
        pub(super) name: &'static str,
        /// Namespace of its objects.
        pub(super) namespace: &'static str,
        /// Repository of the chart.
        pub(super) repository_opts: Output<Option<Repository>>,
        /// Whether to skip waiting until the objects of the chart are ready.
        pub(super) skip_await: Option<Output<Option<bool>>>,
        /// Whether to skip the object types of the chart.
        pub(super) skip_crds: Option<bool>,
        /// Whether to adopt objects that exist.
        pub(super) take_ownership: Option<bool>,
        /// Timeout in seconds.
        pub(super) timeout: i32,
        /// Values of the chart.
        pub(super) values: Properties,
        /// Version of the chart.
        pub(super) version: Output<String>,
    }

    /// A repository of charts.
    pub(super) struct Repository {
        /// Its address.
        pub(super) repo: String,
    }

    /// The service account of the pods of a chart.
    pub(super) struct ServiceAccount {
        /// Its name.
        name: &'static str,
        /// Its annotations.
        annotations: Properties,
    }

    /// A toleration of the taint of system nodes.
    pub(super) struct Toleration {
        effect: &'static str,
        key: &'static str,
        operator: &'static str,
        value: &'static str,
    }
}

impl ServiceAccount {
    /// Creates a service account whose pods assume a role.
    pub(super) fn acting_as(role: &Resource, name: &'static str) -> Self {
        Self {
            name,
            annotations: properties! { "eks.amazonaws.com/role-arn": role.output::<String>("arn") },
        }
    }
}

impl Release {
    /// Creates a release of a version of the chart.
    pub(super) fn new(
        name: &'static str,
        chart: Chart,
        version: Output<String>,
        values: impl Into<Properties>,
    ) -> Self {
        Self {
            chart: chart.chart.into(),
            name,
            namespace: NAMESPACE,
            repository_opts: chart.repository.map(Repository::at).into(),
            skip_await: None,
            skip_crds: None,
            take_ownership: None,
            timeout: RELEASE_TIMEOUT,
            values: values.into(),
            version,
        }
    }

    /// Replaces the repository of the chart. An OCI registry is a part of the name of the chart.
    pub(super) fn take_chart_from(&mut self, repository: &Output<String>) {
        let is_registry = |address: &str| address.starts_with("oci://");
        let names = (self.chart.clone(), repository.clone());
        self.chart = all(names).map(move |(chart, address)| match is_registry(&address) {
            true => format!("{}/{chart}", address.trim_end_matches('/')),
            false => chart,
        });
        let address = repository.clone();
        self.repository_opts =
            address.map(move |address| (!is_registry(&address)).then(|| Repository::at(&address)));
    }
}

impl Repository {
    fn at(address: &str) -> Self {
        Self {
            repo: address.to_owned(),
        }
    }
}

/// Tolerations of the pods of all add-ons.
pub(super) fn tolerations() -> Vec<Toleration> {
    vec![Toleration {
        key: SYSTEM_NODE_KEY,
        operator: "Equal",
        value: "true",
        effect: "NoSchedule",
    }]
}

/// Configuration of an add-on as JSON text.
pub(super) fn configuration(values: impl IntoProperty) -> Output<Option<String>> {
    json_text(values).map(Some)
}
