//! Inputs of the ingress controllers, under their current and their former name. `ingress_config` combines them.

use pulumi_plugin::components::{Map, Output, TextRule, record};

/// Target types of load balancers. The first one is the default.
const TARGET_TYPES: [&str; 2] = ["ip", "instance"];

const DIGEST: TextRule = TextRule::new(
    "^sha256:[0-9a-f]{64}$",
    "must be sha256: and 64 hexadecimal digits in lower case",
);

const TAG: TextRule = TextRule::new(
    "^v?[0-9]+[.][0-9]+[.][0-9]+[A-Za-z0-9._-]{0,99}$",
    "must be a version, such as v1.15.1, because the chart rejects other tags",
);

record! {
    /// Image of a controller, for example of a maintained fork. Not part of the original specification.
    pub struct IngressImage {
        /// Digest of the image, such as `sha256:…`. Default: the image is selected only by its tag.
        #[schemars(transform = DIGEST.rule())]
        pub digest: Option<Output<String>>,
        /// Complete repository of the image, such as `registry.example/ingress-nginx/controller`. Default:
        /// that of the retired project in `proxyIngressRegistry`.
        #[schemars(extend("minLength" = 1))]
        pub repository: Option<Output<String>>,
        /// Tag of the image: a version, because the chart rejects others. Default: that of `proxyIngressTag`,
        /// as without this object.
        #[schemars(transform = TAG.rule())]
        pub tag: Option<Output<String>>,
    }
}

/// Both types have the same members.
macro_rules! ingress_config {
    ($($(#[$meta:meta])* $Name:ident)+) => {
        record! {$(
            $(#[$meta])*
            #[derive(Default)]
            #[schemars(transform = crate::describe_additions)]
            pub struct $Name {
                /// Entries of the controllers' ConfigMap.
                pub additional_config: Option<Map<String>>,
                /// Whether ingresses may contain configuration snippets in annotations.
                pub allow_snippet_annotations: Option<Output<bool>> where default(false),
                /// Number of replicas of each controller.
                #[schemars(extend("minimum" = 0, "x-reason" = "must not be negative"))]
                pub controller_replicas: Option<Output<i32>> where default(1),
                /// Whether to install the external controller. The project behind the controllers (ingress-nginx) is
                /// retired and receives no security fixes: set this to false, or set `image` to that of a maintained
                /// fork. Its load balancer requires public subnets; without them, the release fails after 600
                /// seconds.
                pub enable_external: Option<Output<bool>> where default(true),
                /// Whether to install the internal controller. The project behind the controllers (ingress-nginx) is
                /// retired and receives no security fixes: set this to false, or set `image` to that of a maintained
                /// fork.
                pub enable_internal: Option<Output<bool>> where default(true),
                /// Whether the controllers expose metrics.
                pub enable_metrics: Option<Output<bool>> where default(false),
                /// Whether to create a service monitor for the metrics. Requires the kind `ServiceMonitor` in the
                /// cluster; without it, the releases of the controllers fail.
                pub enable_service_monitor: Option<Output<bool>> where default(false),
                /// Annotations of the controllers' services. They take precedence over those that this
                /// package sets.
                pub extra_service_annotations: Option<Map<String>>,
                /// Image of the controllers, for example of a maintained fork. It takes precedence over
                /// `proxyIngressRegistry` and `proxyIngressTag`. Default: the last image of the retired project.
                #[schemars(extend("x-addition" = true))]
                pub image: Option<Output<IngressImage>>,
                /// Target type of the load balancers: `ip` or `instance`. Only used by a load balancer controller.
                #[schemars(extend("enum" = TARGET_TYPES))]
                pub nlb_target_type: Option<Output<String>> where default(TARGET_TYPES[0]),
                /// Namespace of the service monitor. Default: the namespace of the controllers.
                pub service_monitor_namespace: Option<Output<String>>,
            }
        )+}
    };
}

ingress_config! {
    /// Configuration of the ingress controllers, under its former name.
    IngressConfig
    /// Configuration of the ingress controllers.
    ProxyIngressConfig
}
