//! The ingress controllers: one for traffic from everywhere, one for traffic from the network.

use engine_components::{Map, Options, Output, Properties, Resource, all, object, properties};
use std::collections::BTreeMap;

use crate::cluster::allowed::{DEFAULT_LB_TYPE, LB_TYPES};
use crate::cluster::foundation::{Ground, Release, Toleration, tolerations};
use crate::cluster::ingress_config::{Effective, Ingress};
use crate::cluster::inputs::ClusterInputs;
use crate::versions::{self, minor_of};

/// Port on which a controller answers plain requests when its load balancer ends TLS: with a redirect.
const REDIRECT_PORT: i32 = 2443;

/// The last version of Kubernetes that the controllers were tested with.
const LAST_TESTED: (u32, u32) = (1, 35);

object! {
    /// Values of the controller's chart.
    struct Values {
        controller: Controller,
        default_backend: DefaultBackend,
    }

    /// The controller itself.
    struct Controller {
        admission_webhooks: Properties,
        allow_snippet_annotations: Output<bool>,
        config: Map<String>,
        container_port: Option<Properties>,
        image: Image,
        ingress_class: &'static str,
        ingress_class_resource: IngressClass,
        metrics: Metrics,
        replica_count: Output<i32>,
        service: Service,
        tolerations: Vec<Toleration>,
    }

    /// The controller's image. The chart pins one by its digest, which would win over the tag.
    struct Image {
        digest: &'static str,
        digest_chroot: &'static str,
        registry: Output<String>,
        tag: Output<String>,
    }

    /// What ingresses name to be served by this controller.
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

    /// Who reads the metrics.
    struct ServiceMonitor {
        enabled: Output<bool>,
        namespace: Output<Option<String>>,
    }

    /// The service in front of the controller.
    struct Service {
        annotations: Map<String>,
        target_ports: Option<Properties>,
    }

    /// What answers when no ingress does. Off unless the chart is told otherwise.
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

/// Installs the controllers that are wanted. Only one class is the default one.
pub(super) fn install(ground: &Ground, inputs: &ClusterInputs, after: &[Resource]) {
    let ingress = Ingress::from_inputs(inputs);
    if ingress.external {
        controller(ground, inputs, &ingress, Side::External, after);
    }
    if ingress.internal {
        controller(ground, inputs, &ingress, Side::Internal, after);
    }
    if ingress.external || ingress.internal {
        warn_of_load_balancer_controller(ground, inputs);
        warn_of_public_subnets(ground, inputs, &ingress);
        warn_of_retirement(ground, inputs);
        warn_of_service_monitor(ground, &ingress.config);
    }
}

fn controller(ground: &Ground, inputs: &ClusterInputs, ingress: &Ingress, side: Side, after: &[Resource]) {
    let (suffix, release) = match side {
        Side::External => ("nginx-ext", "ingress-external"),
        Side::Internal => ("nginx-int", "ingress-internal"),
    };
    let values = values(inputs, ingress, side);
    let mut release = Release::new(
        release,
        versions::INGRESS,
        inputs.proxy_ingress_version.as_ref(),
        values,
    );
    // The controller that makes such a load balancer can be installed only after this component, so its address cannot
    // be waited for.
    let is_made_later =
        |lb_type: &Output<String>| lb_type.clone().map(|name| (name != LB_TYPES[0]).then_some(true));
    release.skip_await = inputs.lb_type.as_ref().map(is_made_later);
    ground.release(suffix, release, Options::new().depends_on(after));
}

fn values(inputs: &ClusterInputs, ingress: &Ingress, side: Side) -> Values {
    let config = &ingress.config;
    let name = match side {
        Side::External => "external",
        Side::Internal => "internal",
    };
    let registry = || {
        inputs
            .proxy_ingress_registry
            .clone()
            .unwrap_or_else(|| versions::INGRESS_REGISTRY.into())
    };
    let ends_tls = inputs.certificate_arn.is_some();
    let webhook = properties! {
        "image": properties! { "registry": registry() },
        "tolerations": tolerations(),
    };
    let ports = properties! { "http": 80, "https": 443, "tohttps": REDIRECT_PORT };
    let targets = properties! { "http": "tohttps", "https": "http" };
    Values {
        controller: Controller {
            admission_webhooks: properties! { "patch": webhook },
            allow_snippet_annotations: config.allow_snippet_annotations.clone(),
            config: controller_config(config, ends_tls),
            container_port: ends_tls.then_some(ports),
            image: Image {
                digest: "",
                digest_chroot: "",
                registry: registry(),
                tag: inputs
                    .proxy_ingress_tag
                    .clone()
                    .unwrap_or_else(|| versions::INGRESS_TAG.into()),
            },
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
            service: Service {
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

/// Where the load balancer ends TLS, what it decrypted arrives on the plain port, and what came in plain arrives
/// on a port that redirects it to the encrypted address. So the controller's own redirect is off: it would redirect
/// what was decrypted for ever. A network load balancer adds no forwarded headers, so those that arrive are the
/// client's own and are not used. Snippets that are allowed are not refused for their risk. What the program says wins.
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
    // The controller counts snippets among what is critical, and refuses that unless told otherwise.
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
        (
            "type",
            inputs.lb_type.clone().unwrap_or_else(|| DEFAULT_LB_TYPE.into()),
        ),
        ("nlb-target-type", config.nlb_target_type.clone()),
    ];
    if let Some(certificate) = &inputs.certificate_arn {
        own.extend([("ssl-cert", certificate.clone()), ("ssl-ports", "https".into())]);
    }
    // A load balancer controller reads the scheme, and takes internal for the default; without one, the cloud reads
    // whether it is internal.
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

/// One map over another.
fn overlaid(below: Map<String>, above: &Map<String>) -> Map<String> {
    all((below, above.clone())).map(|(mut below, above)| {
        below.extend(above);
        below
    })
}

fn warn_of_load_balancer_controller(ground: &Ground, inputs: &ClusterInputs) {
    if let Some(lb_type) = &inputs.lb_type {
        ground.base.scope.warn_if(lb_type.clone().map(|lb_type| {
            (lb_type != LB_TYPES[0]).then(|| {
                format!(
                    "lbType {lb_type} needs a load balancer controller, which this package does not install; the \
                     ingress controllers are not waited for, and their load balancers stay pending until it runs"
                )
            })
        }));
    }
}

/// The load balancer of the external controller needs public subnets, which a program that did not choose this
/// controller may not have. Whether a subnet is public is known to the cloud alone.
fn warn_of_public_subnets(ground: &Ground, inputs: &ClusterInputs, ingress: &Ingress) {
    if !ingress.external || ingress.external_is_chosen {
        return;
    }
    let waits = match &inputs.lb_type {
        Some(lb_type) => lb_type.clone().map(|lb_type| lb_type == LB_TYPES[0]),
        None => Output::known(true),
    };
    ground.base.scope.warn_if(waits.map(|waits| {
        waits.then(|| {
            "the external ingress controller is on by default and needs public subnets for its load balancer: in a \
             network without them its release fails after 600 seconds; set proxyIngressConfig.enableExternal to \
             false there, or to true to accept this"
                .to_owned()
        })
    }));
}

/// The project has ended; its last release was tested with Kubernetes up to 1.35.
fn warn_of_retirement(ground: &Ground, inputs: &ClusterInputs) {
    let Some(version) = &inputs.cluster_version else {
        return;
    };
    ground.base.scope.warn_if(version.clone().map(|version| {
        (minor_of(&version)? > LAST_TESTED).then(|| {
            format!(
                "the ingress controllers' project (ingress-nginx) is retired and was tested with Kubernetes up to 1.35, \
                 not with {version}; proxyIngressConfig.enableExternal and enableInternal switch the controllers off"
            )
        })
    }));
}

/// The chart makes a service monitor only for metrics that are served.
fn warn_of_service_monitor(ground: &Ground, config: &Effective) {
    let flags = (
        config.enable_service_monitor.clone(),
        config.enable_metrics.clone(),
    );
    let warning = all(flags).map(|(monitor, metrics)| {
        (monitor && !metrics)
            .then(|| "enableServiceMonitor has no effect, because enableMetrics is false".to_owned())
    });
    ground.base.scope.warn_if(warning);
}
