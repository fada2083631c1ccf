//! What every part of a cluster builds on: the control plane, its identities, access to it, and its nodes; and the
//! few kinds of children that add-ons are made of.

use std::collections::BTreeMap;

use engine_components::{
    IntoProperty, Options, Output, Properties, Resource, Scope, json_text, object, properties,
};

use crate::aws::Partition;
use crate::iam_service_account_role::{IamServiceAccountRole, IamServiceAccountRoleInputs};
use crate::tags::Tags;
use crate::versions::{Chart, SYSTEM_NODE_KEY};

/// Where add-ons live.
pub(super) const NAMESPACE: &str = "kube-system";

/// How long a chart may take to install, in seconds.
const RELEASE_TIMEOUT: i32 = 600;

/// The add-ons that the cloud manages.
pub(super) const ADDONS: [&str; 6] = [
    "vpc-cni",
    "kube-proxy",
    "coredns",
    "aws-ebs-csi-driver",
    "amazon-cloudwatch-observability",
    "adot",
];

/// Versions of add-ons, by name.
pub(super) type AddonVersions = BTreeMap<String, Output<String>>;

/// A control plane with the means to use it.
#[derive(Clone)]
pub(super) struct Foundation {
    pub(super) scope: Scope,
    pub(super) partition: Partition,
    pub(super) region: Output<String>,
    pub(super) account: Output<String>,
    pub(super) tags: Tags,
    /// Versions of the cloud's add-ons that the program chooses.
    pub(super) addon_versions: AddonVersions,
    pub(super) control_plane: Resource,
    pub(super) oidc_provider: Resource,
}

/// A foundation whose cluster can be filled: with access to its objects, and system nodes.
#[derive(Clone)]
pub(super) struct Ground {
    pub(super) base: Foundation,
    /// The provider of the objects in the cluster.
    pub(super) kubernetes: Resource,
    pub(super) system_nodes: Resource,
}

impl Foundation {
    /// The name of a child.
    pub(super) fn name(&self, suffix: &str) -> String {
        format!("{}-{suffix}", self.scope.name())
    }

    /// The cluster's own name.
    pub(super) fn cluster_name(&self) -> Output<String> {
        self.control_plane.output("name")
    }

    /// A role for a service account of the cluster.
    pub(super) fn service_account_role(&self, suffix: &str, namespace: &str, account: &str) -> Resource {
        let inputs = IamServiceAccountRoleInputs {
            oidc_provider_arn: self.oidc_provider.output("arn"),
            oidc_provider_url: self.oidc_provider.output("url"),
            namespace_name: namespace.into(),
            service_account_name: account.into(),
            tags: self.tags.clone(),
        };
        let nested = self
            .scope
            .component::<IamServiceAccountRole>(self.name(suffix), inputs, Options::new());
        nested.outputs.role
    }

    /// An add-on that the cloud installs. What it finds in the cluster it takes over; later changes by hand stay.
    pub(super) fn addon(&self, suffix: &str, addon: Addon, after: &[Resource]) -> Resource {
        let inputs = properties! {
            "addonName": addon.name,
            "addonVersion": self.addon_versions.get(addon.name).cloned(),
            "clusterName": self.cluster_name(),
            "serviceAccountRoleArn": addon.role.map(|role| role.output::<String>("arn")),
            "configurationValues": addon.configuration,
            "resolveConflictsOnCreate": "OVERWRITE",
            "resolveConflictsOnUpdate": "PRESERVE",
            "tags": self.tags.clone(),
        };
        let options = Options::below(&self.control_plane).depends_on(after);
        self.scope
            .register("aws:eks/addon:Addon", self.name(suffix), inputs, options)
    }
}

/// What there is to say about an add-on.
pub(super) struct Addon<'a> {
    pub(super) name: &'static str,
    pub(super) role: Option<&'a Resource>,
    /// Its configuration as JSON text.
    pub(super) configuration: Output<Option<String>>,
}

impl Ground {
    /// Options of an object in the cluster.
    pub(super) fn in_cluster(&self) -> Options {
        Options::new().provider(&self.kubernetes)
    }

    /// A chart, after the system nodes are there to run it. Its release has the same name in every cluster, so it
    /// cannot be there twice while it is replaced.
    pub(super) fn release(&self, suffix: &str, release: Release, options: Options) -> Resource {
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
        pub(super) chart: &'static str,
        /// Name of the release.
        pub(super) name: &'static str,
        /// Namespace of its objects.
        pub(super) namespace: &'static str,
        /// Where the chart comes from.
        pub(super) repository_opts: Option<Repository>,
        /// Whether not to wait until the chart's objects are ready.
        pub(super) skip_await: Option<Output<Option<bool>>>,
        /// Whether to leave out the chart's object types.
        pub(super) skip_crds: Option<bool>,
        /// Seconds it may take.
        pub(super) timeout: i32,
        /// What to change in the chart.
        pub(super) values: Properties,
        /// Version of the chart.
        pub(super) version: Output<String>,
    }

    /// A repository of charts.
    pub(super) struct Repository {
        /// Its address.
        pub(super) repo: &'static str,
    }

    /// The service account that a chart makes for its pods.
    pub(super) struct ServiceAccount {
        /// Its name.
        name: &'static str,
        /// Its annotations.
        annotations: Properties,
    }

    /// What lets pods run on the system nodes.
    pub(super) struct Toleration {
        effect: &'static str,
        key: &'static str,
        operator: &'static str,
        value: &'static str,
    }
}

impl ServiceAccount {
    /// One whose pods act as a role.
    pub(super) fn acting_as(role: &Resource, name: &'static str) -> Self {
        Self {
            name,
            annotations: properties! { "eks.amazonaws.com/role-arn": role.output::<String>("arn") },
        }
    }
}

impl Release {
    pub(super) fn new(
        name: &'static str,
        chart: Chart,
        version: Option<&Output<String>>,
        values: impl Into<Properties>,
    ) -> Self {
        Self {
            chart: chart.chart,
            name,
            namespace: NAMESPACE,
            repository_opts: chart.repository.map(|repo| Repository { repo }),
            skip_await: None,
            skip_crds: None,
            timeout: RELEASE_TIMEOUT,
            values: values.into(),
            version: version.cloned().unwrap_or_else(|| chart.version.into()),
        }
    }
}

/// What every add-on's pods tolerate.
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
