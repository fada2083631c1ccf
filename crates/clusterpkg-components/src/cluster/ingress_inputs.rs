//! Inputs of the ingress controllers, under their current and their former name. `ingress_config` combines them.

use pulumi_plugin::components::{InputProblems, Map, Output, record};

use crate::check;

/// Target types of load balancers. The first one is the default.
const TARGET_TYPES: [&str; 2] = ["ip", "instance"];

/// Pattern of a digest.
const DIGEST: &str = "^sha256:[0-9a-f]{64}$";

/// Pattern of a tag. The chart rejects tags that are not versions.
const TAG: &str = "^v?[0-9]+[.][0-9]+[.][0-9]+[A-Za-z0-9._-]{0,99}$";

record! {
    /// Image of a controller, for example of a maintained fork. Not part of the original specification.
    pub struct IngressImage {
        /// Digest of the image, such as `sha256:…`. Default: the image is selected only by its tag.
        #[schemars(extend("pattern" = DIGEST))]
        pub digest: Option<Output<String>>,
        /// Complete repository of the image, such as `registry.example/ingress-nginx/controller`. Default:
        /// that of the retired project in `proxyIngressRegistry`.
        #[schemars(extend("minLength" = 1))]
        pub repository: Option<Output<String>>,
        /// Tag of the image: a version, because the chart rejects others. Default: that of `proxyIngressTag`,
        /// as without this object.
        #[schemars(extend("pattern" = TAG))]
        pub tag: Option<Output<String>>,
    }
}

impl IngressImage {
    fn check(&self, path: &str, problems: &mut InputProblems) {
        let rule = "must be sha256: and 64 hexadecimal digits in lower case";
        let digest = self.digest.as_ref();
        check::form(&format!("{path}.digest"), digest, is_digest, rule, problems);
        if let Some(repository) = &self.repository {
            check::length(format!("{path}.repository"), repository, 1, usize::MAX, problems);
        }
        let rule = "must be a version, such as v1.15.1, because the chart rejects other tags";
        check::form(
            &format!("{path}.tag"),
            self.tag.as_ref(),
            is_version,
            rule,
            problems,
        );
    }
}

fn is_digest(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    text.strip_prefix("sha256:")
        .is_some_and(|digits| digits.len() == 64 && digits.chars().all(is_digit))
}

/// Whether a tag consists of three numbers and, at most, a suffix.
fn is_version(tag: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let tag = tag.strip_prefix('v').unwrap_or(tag);
    let mut parts = tag.splitn(3, '.');
    let (major, minor) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let rest = parts.next().unwrap_or_default();
    let suffix = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    is_number(major)
        && is_number(minor)
        && suffix.len() < rest.len()
        && suffix.len() <= 99
        && suffix
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
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
                #[schemars(extend("minimum" = 0))]
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

        $(impl $Name {
            /// Checks the members. `path` is the path of the object.
            pub(super) fn check(&self, path: &str, problems: &mut InputProblems) {
                let replicas = self.controller_replicas.as_ref().and_then(Output::peek_known);
                if replicas.is_some_and(|replicas| *replicas < 0) {
                    problems.add(format!("{path}.controllerReplicas"), "must not be negative");
                }
                let target = self.nlb_target_type.as_ref();
                check::one_of(&format!("{path}.nlbTargetType"), target, &TARGET_TYPES, problems);
                if let Some(image) = self.image.as_ref().and_then(Output::peek_known) {
                    image.check(&format!("{path}.image"), problems);
                }
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
