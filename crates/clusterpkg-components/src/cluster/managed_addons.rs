//! AWS-managed add-ons that the program chooses, beyond those that the cluster configures itself.

use std::collections::BTreeMap;

use pulumi_plugin::components::{
    ChildOptions, InputProblems, Output, Resource, TextRule, properties, record,
};
use pulumi_plugin::values::PropertyPath;
use serde_json::{Value as Json, json};

use crate::check;
use crate::cluster::foundation::{self, ADDONS, InstalledCluster};
use crate::versions::SYSTEM_NODE_KEY;

/// Add-ons by name.
pub(super) type ManagedAddons = BTreeMap<String, ManagedAddon>;

const NAME: TextRule = TextRule::new(
    "^[a-z0-9][a-z0-9_-]*$",
    "must be the name of an add-on, such as metrics-server",
);

/// The schema of the names of add-ons. The cluster has other inputs for its own add-ons.
pub(super) fn names() -> Json {
    let mut schema = NAME.schema();
    schema["not"] = json!({
        "enum": ADDONS, "x-reason": "is installed by the cluster; set its version in addonVersions"
    });
    schema
}

const ON_CREATE: [&str; 2] = ["NONE", "OVERWRITE"];
const ON_UPDATE: [&str; 3] = ["NONE", "OVERWRITE", "PRESERVE"];

record! {
    /// An add-on that AWS manages. Not part of the original specification.
    pub struct ManagedAddon {
        /// Configuration of the add-on as JSON text; its schema is the result of
        /// `aws eks describe-addon-configuration`. Pods only run on the system nodes if they tolerate the
        /// taint `node.clusterpkg.dev/system`. Default: that toleration for `metrics-server` and `snapshot-controller`,
        /// and none for others.
        pub configuration_values: Option<Output<String>>,
        /// How conflicts with existing objects are resolved when the add-on is created: `NONE` fails, `OVERWRITE` adopts
        /// them.
        #[schemars(extend("enum" = ON_CREATE))]
        pub resolve_conflicts_on_create: Option<Output<String>> where default("OVERWRITE"),
        /// How manual changes are handled when the add-on is updated: `NONE` fails, `OVERWRITE` reverts them, `PRESERVE`
        /// keeps them.
        #[schemars(extend("enum" = ON_UPDATE))]
        pub resolve_conflicts_on_update: Option<Output<String>> where default("PRESERVE"),
        /// ARN of the role of its service account, for example of an `IamServiceAccountRole`. Default: the
        /// permissions of the nodes.
        #[schemars(transform = check::ROLE.rule())]
        pub role_arn: Option<Output<String>>,
        /// Exact version, or `latest` or `default`, which follow the version of the control plane. Default:
        /// the version that AWS chooses when it installs the add-on.
        #[schemars(extend("minLength" = 1))]
        pub version: Option<Output<String>>,
    }
}

/// Add-ons whose configuration has the tolerations of their pods at its root.
const TOLERANT: [&str; 2] = ["metrics-server", "snapshot-controller"];
/// Add-ons whose pods run on every node, regardless of its taints.
const EVERYWHERE: [&str; 3] = [
    "aws-guardduty-agent",
    "eks-node-monitoring-agent",
    "eks-pod-identity-agent",
];

/// The configuration of an add-on. AWS keeps the former one if there is none (decision removals).
fn configuration(name: &str, addon: &ManagedAddon) -> Output<Option<String>> {
    match &addon.configuration_values {
        Some(configuration) => configuration.clone().map(Some),
        None if TOLERANT.contains(&name) => {
            foundation::configuration(properties! { "tolerations": foundation::tolerations() })
        }
        None => foundation::configuration(properties! {}),
    }
}

/// Warns if no node of a new cluster may run the pods of an add-on.
fn warn_of_taint(cluster: &InstalledCluster, name: &str, configuration: &Output<Option<String>>) {
    if EVERYWHERE.contains(&name) {
        return;
    }
    let path = path_of(name);
    cluster.base.scope.warn_if(configuration.clone().map(move |configuration| {
        (!configuration.is_some_and(|text| text.contains("toleration"))).then(|| {
            format!(
                "{path}.configurationValues has no tolerations, so the pods do not run on the system nodes, which have the \
                 taint {SYSTEM_NODE_KEY}=true:NoSchedule; without other nodes, the add-on fails the update after 20 minutes"
            )
        })
    }));
}

fn path_of(name: &str) -> String {
    let path = PropertyPath::default().join("addons");
    path.join(name.to_owned()).to_string()
}

/// Registers the add-ons after the system nodes and `before`. AWS may start nodes for them.
pub(super) fn install(
    cluster: &InstalledCluster,
    addons: &ManagedAddons,
    aws_starts_nodes: bool,
    before: &Resource,
) {
    let base = &cluster.base;
    for (name, addon) in addons {
        let configuration = configuration(name, addon);
        if !aws_starts_nodes {
            warn_of_taint(cluster, name, &configuration);
        }
        let version = addon.version.clone();
        let properties = properties! {
            "addonName": name.as_str(),
            "addonVersion": version.map(|version| base.addon_version(name, version)),
            "clusterName": base.cluster_name(),
            "serviceAccountRoleArn": addon.role_arn.clone(),
            "configurationValues": configuration,
            "resolveConflictsOnCreate": addon.resolve_conflicts_on_create(),
            "resolveConflictsOnUpdate": addon.resolve_conflicts_on_update(),
            "tags": base.tags.clone(),
        };
        let options = ChildOptions::below(&base.control_plane).depends_on([&cluster.system_nodes, before]);
        let name = base.name(&format!("addon-{name}"));
        base.scope
            .register("aws:eks/addon:Addon", name, properties, options);
    }
}

/// Checks the add-ons.
pub(super) fn check(addons: &ManagedAddons, problems: &mut InputProblems) {
    for (name, addon) in addons {
        let is_object = |text: &str| serde_json::from_str::<Json>(text).is_ok_and(|value| value.is_object());
        check::form(
            &format!("{}.configurationValues", path_of(name)),
            addon.configuration_values.as_ref(),
            is_object,
            "must be a JSON object",
            problems,
        );
    }
}
