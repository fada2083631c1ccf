//! The ingress controllers: an external one for the internet, and an internal one for the network.

use pulumi_plugin::components::{ChildOptions, Map, Output, Properties, Resource, all, object, properties};
use std::collections::BTreeMap;

use crate::cluster::allowed::LB_TYPES;
use crate::cluster::foundation::{InstalledCluster, Release, Toleration, tolerations};
use crate::cluster::ingress_config::{Effective, Ingress};
use crate::cluster::ingress_inputs::IngressImage;
use crate::cluster::inputs::{ClusterInputs, certificate, is_ipv6};
use crate::cluster::{auto_mode, load_balancers};
use crate::tags::Consumer;
use crate::versions::{self, minor_of};

/// Port on which a controller redirects HTTP requests if its load balancer terminates TLS.
const REDIRECT_PORT: i32 = 2443;

/// The last version of Kubernetes that the controllers were tested with.
const LAST_TESTED: (u32, u32) = (1, 35);

object! {
    /// Values of the controller's chart.
    struct IngressValues {
        controller: IngressController,
        default_backend: DefaultBackend,
    }

    /// The controller itself.
    struct IngressController {
        admission_webhooks: Properties,
        allow_snippet_annotations: Output<bool>,
        config: Map<String>,
        container_port: Option<Properties>,
        image: Image,
        ingress_class: &'static str,
        ingress_class_resource: IngressClass,
        metrics: Metrics,
        replica_count: Output<i32>,
        service: IngressService,
        tolerations: Vec<Toleration>,
    }

    /// Image of the controller. The digest in the chart is replaced because it would take precedence over the
    /// tag. The chart uses the registry only without a repository.
    struct Image {
        digest: Output<String>,
        digest_chroot: &'static str,
        registry: Output<String>,
        repository: Output<Option<String>>,
        tag: Output<String>,
    }

    /// Ingress class of the controller.
    struct IngressClass {
        controller_value: String,
        default: bool,
        name: &'static str,
    }

    /// Metrics of the controller.
    struct Metrics {
        enabled: Output<bool>,
        service_monitor: ServiceMonitor,
    }

    /// Service monitor of the metrics.
    struct ServiceMonitor {
        enabled: Output<bool>,
        namespace: Output<Option<String>>,
    }

    /// The service in front of the controller.
    struct IngressService {
        annotations: Map<String>,
        target_ports: Option<Properties>,
    }

    /// The default backend for requests without an ingress. Disabled by default.
    struct DefaultBackend {
        tolerations: Vec<Toleration>,
    }
}

/// A controller.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    External,
    Internal,
}

/// Installs the enabled controllers. Only one class is the default.
pub(super) fn install(cluster: &InstalledCluster, inputs: &ClusterInputs, after: &[Resource]) {
    let ingress = Ingress::from_inputs(inputs);
    if ingress.external {
        controller(cluster, inputs, &ingress, Side::External, after);
    }
    if ingress.internal {
        controller(cluster, inputs, &ingress, Side::Internal, after);
    }
    if ingress.external || ingress.internal {
        warn_of_load_balancer_controller(cluster, inputs);
        warn_of_ipv6(cluster, inputs);
        warn_of_public_subnets(cluster, inputs, &ingress);
        if !load_balancers::are_supported(inputs) {
            cluster.base.warn_of_refused_tags(Consumer::LoadBalancers);
        }
        warn_of_retired_defaults(cluster, &ingress);
        warn_of_untested_version(cluster);
        warn_of_service_monitor(cluster, inputs, &ingress.config);
    }
}

fn controller(
    cluster: &InstalledCluster,
    inputs: &ClusterInputs,
    ingress: &Ingress,
    side: Side,
    after: &[Resource],
) {
    let (suffix, release) = match side {
        Side::External => ("nginx-ext", "ingress-external"),
        Side::Internal => ("nginx-int", "ingress-internal"),
    };
    let values = values(inputs, ingress, side);
    let mut release = Release::new(release, versions::INGRESS, inputs.proxy_ingress_version(), values);
    // Without a controller for such load balancers in the cluster, the program can only install one after this
    // component, which therefore does not wait for the addresses of load balancers.
    if !load_balancers::are_supported(inputs) {
        let lb_type = inputs.lb_type.clone();
        release.skip_await = Some(lb_type.map(|name| (name != LB_TYPES[0]).then_some(true)));
    }
    cluster.release(suffix, release, ChildOptions::new().depends_on(after));
}

fn values(inputs: &ClusterInputs, ingress: &Ingress, side: Side) -> IngressValues {
    let config = &ingress.config;
    let name = match side {
        Side::External => "external",
        Side::Internal => "internal",
    };
    let registry = || inputs.proxy_ingress_registry.clone();
    let ends_tls = certificate(inputs).is_some();
    let webhook = properties! {
        "image": properties! { "registry": registry() },
        "tolerations": tolerations(),
    };
    let ports = properties! { "http": 80, "https": 443, "tohttps": REDIRECT_PORT };
    let targets = properties! { "http": "tohttps", "https": "http" };
    IngressValues {
        controller: IngressController {
            admission_webhooks: properties! { "patch": webhook },
            allow_snippet_annotations: config.allow_snippet_annotations.clone(),
            config: controller_config(config, ends_tls),
            container_port: ends_tls.then_some(ports),
            image: image(inputs, config, registry()),
            ingress_class: name,
            ingress_class_resource: IngressClass {
                controller_value: format!("k8s.io/ingress-nginx/{name}"),
                default: side == Side::External || !ingress.external,
                name,
            },
            metrics: Metrics {
                enabled: config.enable_metrics.clone(),
                service_monitor: ServiceMonitor {
                    enabled: config.enable_service_monitor.clone(),
                    namespace: config.service_monitor_namespace.clone(),
                },
            },
            replica_count: config.controller_replicas.clone(),
            service: IngressService {
                annotations: service_annotations(inputs, config, side),
                target_ports: ends_tls.then_some(targets),
            },
            tolerations: tolerations(),
        },
        default_backend: DefaultBackend {
            tolerations: tolerations(),
        },
    }
}

/// The configured image; by default, the last image of the retired project.
fn image(inputs: &ClusterInputs, config: &Effective, registry: Output<String>) -> Image {
    let chosen = |member: fn(IngressImage) -> Option<Output<String>>| {
        let image = config.image.clone();
        image.then(move |image| match image.and_then(member) {
            Some(value) => value.map(Some),
            None => Output::known(None),
        })
    };
    let default_tag = inputs.proxy_ingress_tag.clone();
    Image {
        digest: chosen(|image| image.digest).map(Option::unwrap_or_default),
        digest_chroot: "",
        registry,
        repository: chosen(|image| image.repository),
        tag: chosen(|image| image.tag).then(|tag| tag.map_or(default_tag, Output::known)),
    }
}

/// If the load balancer terminates TLS, decrypted requests arrive on the HTTP port, and plain requests on a
/// port that redirects them to HTTPS. The redirect of the controller is disabled, because it would redirect
/// decrypted requests indefinitely. A network load balancer sets no forwarded headers, so such headers come
/// from clients and are ignored. Allowed snippets are not rejected because of their risk. Settings of the
/// program take precedence.
fn controller_config(config: &Effective, ends_tls: bool) -> Map<String> {
    let redirect =
        format!("server {{\n  listen {REDIRECT_PORT};\n  return 308 https://$host$request_uri;\n}}\n");
    let own = if ends_tls {
        BTreeMap::from([
            ("http-snippet", redirect),
            ("ssl-redirect", "false".to_owned()),
            ("use-forwarded-headers", "false".to_owned()),
        ])
    } else {
        BTreeMap::new()
    };
    let own = own
        .into_iter()
        .map(|(key, value)| (key.to_owned(), Output::known(value)));
    let own: BTreeMap<_, _> = own.collect();
    // The controller classifies snippets as critical and rejects them by default.
    let own = config.allow_snippet_annotations.clone().map(|allowed| {
        let mut own = own;
        if allowed {
            own.insert("annotations-risk-level".to_owned(), "Critical".into());
        }
        own
    });
    overlaid(own, &config.additional_config)
}

fn service_annotations(inputs: &ClusterInputs, config: &Effective, side: Side) -> Map<String> {
    let mut own: Vec<(&str, Output<String>)> = vec![
        ("backend-protocol", "tcp".into()),
        ("type", inputs.lb_type.clone()),
        ("nlb-target-type", config.nlb_target_type.clone()),
    ];
    if let Some(certificate) = certificate(inputs) {
        own.extend([("ssl-cert", certificate.clone()), ("ssl-ports", "https".into())]);
    }
    // The managed policies of Auto Mode do not permit tags of the program.
    if let Some(tags) = inputs.tags.as_ref().filter(|_| !auto_mode::is_on(inputs)) {
        own.push((
            "additional-resource-tags",
            tags.listed_for(Consumer::LoadBalancers),
        ));
    }
    // A load balancer without IPv6 addresses cannot have IPv6 targets.
    if is_ipv6(inputs) {
        own.push(("ip-address-type", "dualstack".into()));
    }
    // A load balancer controller reads the scheme, which is internal by default. Without it, AWS reads the
    // other annotation.
    match side {
        Side::External => own.push(("scheme", "internet-facing".into())),
        Side::Internal => own.extend([("scheme", "internal".into()), ("internal", "true".into())]),
    }
    let prefix = "service.beta.kubernetes.io/aws-load-balancer-";
    let own = own
        .into_iter()
        .map(|(key, value)| (format!("{prefix}{key}"), value))
        .collect();
    overlaid(Output::known(own), &config.extra_service_annotations)
}

/// Merges two maps. Entries of the second take precedence.
fn overlaid(below: Map<String>, above: &Map<String>) -> Map<String> {
    all((below, above.clone())).map(|(mut below, above)| {
        below.extend(above);
        below
    })
}

fn warn_of_load_balancer_controller(cluster: &InstalledCluster, inputs: &ClusterInputs) {
    if load_balancers::are_supported(inputs) {
        return;
    }
    cluster.base.scope.warn_if(inputs.lb_type.clone().map(|lb_type| {
        (lb_type != LB_TYPES[0]).then(|| {
            format!(
                "lbType {lb_type} requires a load balancer controller; set enableLoadBalancerController; otherwise, the \
                 program does not wait for the ingress controllers, and their load balancers stay pending until such a \
                 controller runs"
            )
        })
    }));
}

/// Warns about load balancers that cannot reach pods with IPv6 addresses.
fn warn_of_ipv6(cluster: &InstalledCluster, inputs: &ClusterInputs) {
    if !is_ipv6(inputs) || auto_mode::is_on(inputs) {
        return;
    }
    cluster.base.scope.warn_if(inputs.lb_type.clone().map(|lb_type| {
        (lb_type == LB_TYPES[0]).then(|| {
            format!(
                "load balancers of the type {lb_type} cannot reach pods while ipFamily is ipv6; set lbType to external and \
                 enableLoadBalancerController to true, or disable the ingress controllers"
            )
        })
    }));
}

/// Warns if the program did not explicitly enable the external controller, whose load balancer requires
/// public subnets. Whether subnets are public is unknown here.
fn warn_of_public_subnets(cluster: &InstalledCluster, inputs: &ClusterInputs, ingress: &Ingress) {
    if !ingress.external || ingress.external_is_chosen {
        return;
    }
    let waits = match load_balancers::are_supported(inputs) {
        true => Output::known(true),
        false => inputs.lb_type.clone().map(|lb_type| lb_type == LB_TYPES[0]),
    };
    cluster.base.scope.warn_if(waits.map(|waits| {
        waits.then(|| {
            "the external ingress controller is enabled by default and requires public subnets for its load \
             balancer; without them, its release fails after 600 seconds; set proxyIngressConfig.enableExternal to \
             false to disable the controller, or to true to disable this warning"
                .to_owned()
        })
    }));
}

/// Warns about controllers of the retired project that the program did not explicitly enable.
fn warn_of_retired_defaults(cluster: &InstalledCluster, ingress: &Ingress) {
    let by_default = [
        (ingress.external && !ingress.external_is_chosen, "enableExternal"),
        (ingress.internal && !ingress.internal_is_chosen, "enableInternal"),
    ];
    let flags: Vec<_> = by_default
        .iter()
        .filter(|(is_on, _)| *is_on)
        .map(|(_, flag)| *flag)
        .collect();
    if flags.is_empty() {
        return;
    }
    let flags = flags.join(" and ");
    let warning = ingress.config.image.clone().map(move |image| {
        image.is_none().then(|| {
            format!(
                "ingress controllers of a retired project (ingress-nginx) are enabled by default; their last image, of \
                 March 2026, lacks the fixes for CVE-2026-42945 and CVE-2026-42533; set {flags} of proxyIngressConfig to \
                 false to disable them or to true to disable this warning, or set image to that of a maintained fork"
            )
        })
    });
    cluster.base.scope.warn_if(warning);
}

/// Warns about versions of Kubernetes with which the retired project was not tested.
fn warn_of_untested_version(cluster: &InstalledCluster) {
    let version = cluster.base.control_plane.output::<String>("version");
    cluster.base.scope.warn_if(version.map(|version| {
        (minor_of(&version)? > LAST_TESTED).then(|| {
            format!(
                "the ingress controllers' project (ingress-nginx) is retired and was tested with Kubernetes up to 1.35, \
                 not with {version}; to disable the controllers, set proxyIngressConfig.enableExternal and enableInternal \
                 to false"
            )
        })
    }));
}

/// Warns about a service monitor without metrics, which the chart ignores, and about one whose kind may be
/// missing, with which the chart fails as a whole. New clusters do not have the kind.
fn warn_of_service_monitor(cluster: &InstalledCluster, inputs: &ClusterInputs, config: &Effective) {
    let flags = (
        config.enable_service_monitor.clone(),
        config.enable_metrics.clone(),
        inputs.service_monitor_crds_installed.clone(),
    );
    let warning = all(flags).map(|flags| match flags {
        (true, false, _) => Some("enableServiceMonitor has no effect because enableMetrics is false".to_owned()),
        (true, true, false) => Some(
            "enableServiceMonitor requires the kind ServiceMonitor (monitoring.coreos.com/v1), which a new cluster does \
             not have; without it, the releases of the ingress controllers fail; install its CRDs first, and set \
             serviceMonitorCrdsInstalled to disable this warning"
                .to_owned(),
        ),
        _ => None,
    });
    cluster.base.scope.warn_if(warning);
}
