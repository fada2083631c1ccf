//! Warning about add-ons that do not fit on the system nodes. Pods that do not fit stay pending, and an
//! add-on that is not ready fails the update after its timeout (decision clusters).

use pulumi_plugin::components::{Output, Plain, all, all_of};

use crate::attached_node_group::DEFAULT_INSTANCE_TYPE;
use crate::cluster::auto_mode;
use crate::cluster::foundation::Ground;
use crate::cluster::ingress_config::Ingress;
use crate::cluster::inputs::{ClusterInputs, is_ipv6};
use crate::cluster::system_nodes;

/// Maximum number of pods of a machine of the default type, limited by the addresses of its network
/// interfaces.
const PODS: i32 = 17;
/// The same if the first of its three interfaces has no addresses for pods.
const PODS_IN_OTHER_SUBNETS: i32 = 12;
/// The same if interfaces have prefixes instead of addresses: the maximum of AWS for machines of this size.
const PODS_WITH_PREFIXES: i32 = 110;
/// Millicores of a machine of the default type that are available for pods.
const CPU: i32 = 1930;

/// Requests of pods.
#[derive(Clone, Copy, Default)]
struct Requests {
    pods: i32,
    /// Millicores.
    cpu: i32,
}

impl Requests {
    const fn of(pods: i32, cpu: i32) -> Self {
        Self { pods, cpu }
    }

    fn times(self, count: i32) -> Self {
        Self::of(self.pods * count, self.cpu * count)
    }
}

impl std::iter::Sum for Requests {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |a, b| Self::of(a.pods + b.pods, a.cpu + b.cpu))
    }
}

// Requests on every node: the network plugin, the proxy, the volume driver.
const EVERY_NODE: Requests = Requests::of(3, 50 + 100 + 30);
// Requests of the cluster: two replicas of CoreDNS and of the controller of the volume driver.
const ONCE: Requests = Requests::of(4, 2 * 100 + 2 * 50);
const AUTH_CONTROLLER: Requests = Requests::of(1, 10);
const INGRESS: Requests = Requests::of(1, 100);
const EXTERNAL_DNS: Requests = Requests::of(1, 0);
const CERT_MANAGER: Requests = Requests::of(3, 0);
const AUTOSCALER: Requests = Requests::of(1, 1000);
const LOAD_BALANCERS: Requests = Requests::of(1, 0);
const OTEL: Requests = Requests::of(1, 105);
const MONITORING: Requests = Requests::of(1, 100);
const MONITORING_EVERY_NODE: Requests = Requests::of(2, 250 + 50);

/// Warns if the add-ons request more than the system nodes provide. Only for the default instance type,
/// because the sizes of others are unknown. In Auto Mode, AWS starts nodes for pods that do not fit.
pub(super) fn warn_of_shortage(ground: &Ground, inputs: &ClusterInputs) {
    if auto_mode::is_on(inputs) {
        return;
    }
    let types = inputs.system_node_instance_types.clone();
    let types = types.unwrap_or_else(|| Output::known(vec![DEFAULT_INSTANCE_TYPE.into()]));
    let ingress = Ingress::from_inputs(inputs);
    let controllers = i32::from(ingress.external) + i32::from(ingress.internal);
    let on = |flag: &Plain<bool>| i32::from(*flag.get());
    let fixed = [
        ONCE,
        AUTH_CONTROLLER.times(on(&inputs.enable_iam_auth_controller)),
        EXTERNAL_DNS.times(on(&inputs.enable_external_dns)),
        CERT_MANAGER.times(on(&inputs.enable_cert_manager)),
        OTEL.times(on(&inputs.enable_otel)),
        MONITORING.times(on(&inputs.enable_monitoring_agent)),
    ];
    let monitoring = on(&inputs.enable_monitoring_agent);
    let autoscaler = on(&inputs.enable_node_autoscaler());
    let load_balancers = on(&inputs.enable_load_balancer_controller);
    let counts = (
        system_nodes::desired(inputs),
        ingress.config.controller_replicas,
        types.then(all_of),
        pods_of_a_node(inputs),
    );
    let warning = all(counts).map(move |(nodes, replicas, types, pods)| {
        let requested: Requests = fixed
            .into_iter()
            .chain([
                EVERY_NODE.times(nodes),
                MONITORING_EVERY_NODE.times(monitoring * nodes),
                INGRESS.times(controllers * replicas),
                AUTOSCALER.times(autoscaler * system_nodes::replicas(nodes)),
                LOAD_BALANCERS.times(load_balancers * system_nodes::replicas(nodes)),
            ])
            .sum();
        let room = Requests::of(pods, CPU).times(nodes);
        let is_default = types
            .iter()
            .all(|instance_type| instance_type == DEFAULT_INSTANCE_TYPE);
        let is_short = requested.pods > room.pods || requested.cpu > room.cpu;
        (is_default && nodes > 0 && is_short).then(|| shortage(nodes, requested, room))
    });
    ground.base.scope.warn_if(warning);
}

/// Maximum number of pods of a machine of the default type.
fn pods_of_a_node(inputs: &ClusterInputs) -> Output<i32> {
    // Pods with IPv6 addresses always have prefixes.
    if is_ipv6(inputs) {
        return PODS_WITH_PREFIXES.into();
    }
    let Some(config) = &inputs.vpc_cni_config else {
        return PODS.into();
    };
    config.clone().then(|config| {
        let without_prefixes = match config.pod_subnet_ids {
            Some(_) => PODS_IN_OTHER_SUBNETS,
            None => PODS,
        };
        let has_prefixes = config.enable_prefix_delegation.unwrap_or_else(|| false.into());
        has_prefixes.map(move |has| if has { PODS_WITH_PREFIXES } else { without_prefixes })
    })
}

fn shortage(nodes: i32, requested: Requests, room: Requests) -> String {
    format!(
        "the add-ons do not fit on the system nodes: they need {} pods and {}m CPU, but {nodes} x \
         {DEFAULT_INSTANCE_TYPE} provide {} pods and {}m; the remaining pods stay pending and the update fails; \
         increase systemNodeMinCount or choose larger systemNodeInstanceTypes",
        requested.pods, requested.cpu, room.pods, room.cpu
    )
}
