//! Inputs of the ingress controllers, under their current and their former name. `ingress_config` combines them.

use pulumi_plugin::components::{InputProblems, Map, Output, record};

use crate::check;

/// Target types of load balancers.
const TARGET_TYPES: [&str; 2] = ["ip", "instance"];

/// Both types have the same members.
macro_rules! ingress_config {
    ($($(#[$meta:meta])* $Name:ident)+) => {
        record! {$(
            $(#[$meta])*
            pub struct $Name {
                /// Entries of the controllers' ConfigMap.
                pub additional_config: Option<Map<String>>,
                /// Whether ingresses may contain configuration snippets in annotations. Default: `false`.
                #[schemars(extend("x-default" = false))]
                pub allow_snippet_annotations: Option<Output<bool>>,
                /// Number of replicas of each controller. Default: `1`.
                #[schemars(extend("x-default" = 1, "minimum" = 0))]
                pub controller_replicas: Option<Output<i32>>,
                /// Whether to install the external controller. Its load balancer requires public subnets;
                /// without them, the release fails after 600 seconds. Default: `true`.
                #[schemars(extend("x-default" = true))]
                pub enable_external: Option<Output<bool>>,
                /// Whether to install the internal controller. Default: `true`.
                #[schemars(extend("x-default" = true))]
                pub enable_internal: Option<Output<bool>>,
                /// Whether the controllers expose metrics. Default: `false`.
                #[schemars(extend("x-default" = false))]
                pub enable_metrics: Option<Output<bool>>,
                /// Whether to create a service monitor for the metrics. Requires the kind `ServiceMonitor` in
                /// the cluster, and `serviceMonitorCrdsInstalled`. Default: `false`.
                #[schemars(extend("x-default" = false))]
                pub enable_service_monitor: Option<Output<bool>>,
                /// Annotations of the controllers' services. They take precedence over those that this
                /// package sets.
                pub extra_service_annotations: Option<Map<String>>,
                /// Target type of the load balancers: `ip` or `instance`. Only used by a load balancer
                /// controller. Default: `ip`.
                #[schemars(extend("x-default" = "ip", "enum" = TARGET_TYPES))]
                pub nlb_target_type: Option<Output<String>>,
                /// Namespace of the service monitor. Default: the namespace of the controllers.
                pub service_monitor_namespace: Option<Output<String>>,
            }
        )+}

        $(impl $Name {
            /// Checks the members. `path` is the path of the object.
            pub(super) fn check(&self, path: &str, problems: &mut InputProblems) {
                let replicas = self.controller_replicas.as_ref().and_then(Output::peek_known);
                if replicas.is_some_and(|replicas| *replicas < 0) {
                    problems.add(format!("{path}.controllerReplicas"), "must not be negative");
                }
                let target = self.nlb_target_type.as_ref();
                check::one_of(&format!("{path}.nlbTargetType"), target, &TARGET_TYPES, problems);
            }
        })+
    };
}

ingress_config! {
    /// Configuration of the ingress controllers, under its former name.
    IngressConfig
    /// Configuration of the ingress controllers.
    ProxyIngressConfig
}
