//! Warning about add-ons that do not fit on the system nodes. Pods that do not fit stay pending, and an
//! add-on that is not ready fails the update after its timeout (decision clusters).

use pulumi_plugin::components::{Output, Plain, all, all_of};

use crate::attached_node_group::DEFAULT_INSTANCE_TYPE;
use crate::cluster::auto_mode;
use crate::cluster::foundation::InstalledCluster;
use crate::cluster::ingress_config::Ingress;
use crate::cluster::inputs::{ClusterInputs, is_ipv6};
use crate::cluster::system_nodes;

/// Maximum number of pods if interfaces have prefixes instead of addresses: the maximum that AWS sets for machines of
/// these sizes.
const PODS_WITH_PREFIXES: i32 = 110;

/// A small machine: its network interfaces, the addresses of each, and its cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Machine {
    interfaces: i32,
    addresses: i32,
    cores: i32,
}

impl Machine {
    /// The machine of an instance type, if it is small. Larger ones have room for all add-ons.
    fn of(instance_type: &str) -> Option<Self> {
        let (family, size) = instance_type.split_once('.')?;
        let (interfaces, addresses, cores) = match (family, size) {
            ("t2", "nano" | "micro") => (2, 2, 1),
            ("t2", "small") => (3, 4, 1),
            ("t3" | "t3a" | "t4g", "nano" | "micro") => (2, 2, 2),
            ("t3a", "small") => (2, 4, 2),
            ("t3" | "t4g", "small") => (3, 4, 2),
            ("t2" | "t3" | "t3a" | "t4g", "medium") => (3, 6, 2),
            ("t2" | "t3" | "t3a" | "t4g", "large") => (3, 12, 2),
            (_, "medium") => (2, 4, 1),
            ("m4", "large") => (2, 10, 2),
            (_, "large") => (3, 10, 2),
            _ => return None,
        };
        Some(Self {
            interfaces,
            addresses,
            cores,
        })
    }

    /// Room of the machine for pods. If pods have subnets of their own, the first interface has no addresses for them.
    fn room(self, network: PodAddresses) -> Requests {
        let interfaces = match network {
            PodAddresses::InOtherSubnets => self.interfaces - 1,
            _ => self.interfaces,
        };
        let pods = match network {
            PodAddresses::Prefixes => PODS_WITH_PREFIXES,
            _ => interfaces * (self.addresses - 1) + 2,
        };
        // The kubelet reserves 6 % of the first core and 1 % of the second.
        Requests::of(pods, if self.cores == 1 { 940 } else { 1930 })
    }
}

/// Source of the addresses of pods, which determines their number.
#[derive(Debug, Clone, Copy)]
enum PodAddresses {
    OfInterfaces,
    InOtherSubnets,
    Prefixes,
}

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
/// At least one pod of each of the further add-ons.
const FURTHER: Requests = Requests::of(1, 0);
const MONITORING: Requests = Requests::of(1, 100);
const MONITORING_EVERY_NODE: Requests = Requests::of(2, 250 + 50);

/// Warns if the add-ons request more than the system nodes provide. Of several instance types, AWS can choose the
/// smallest. In Auto Mode, AWS starts nodes for pods that do not fit.
pub(super) fn warn_of_shortage(cluster: &InstalledCluster, inputs: &ClusterInputs) {
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
        addresses_of_pods(inputs),
    );
    let further =
        i32::try_from(inputs.addons.as_ref().map_or(0, |addons| addons.get().len())).unwrap_or(i32::MAX);
    let warning = all(counts).map(move |(nodes, replicas, types, network)| {
        let machines = types
            .iter()
            .filter_map(|name| Some((name, Machine::of(name)?.room(network))));
        let (smallest, room) = machines.min_by_key(|(_, room)| (room.pods, room.cpu))?;
        let requested: Requests = fixed
            .into_iter()
            .chain([
                EVERY_NODE.times(nodes),
                FURTHER.times(further),
                MONITORING_EVERY_NODE.times(monitoring * nodes),
                INGRESS.times(controllers * replicas),
                AUTOSCALER.times(autoscaler * system_nodes::replicas(nodes)),
                LOAD_BALANCERS.times(load_balancers * system_nodes::replicas(nodes)),
            ])
            .sum();
        let room = room.times(nodes);
        let is_short = requested.pods > room.pods || requested.cpu > room.cpu;
        (nodes > 0 && is_short).then(|| shortage(nodes, smallest, requested, room))
    });
    cluster.base.scope.warn_if(warning);
}

fn addresses_of_pods(inputs: &ClusterInputs) -> Output<PodAddresses> {
    // Pods with IPv6 addresses always have prefixes.
    if is_ipv6(inputs) {
        return Output::known(PodAddresses::Prefixes);
    }
    let Some(config) = &inputs.vpc_cni_config else {
        return Output::known(PodAddresses::OfInterfaces);
    };
    config.clone().then(|config| {
        let without_prefixes = match config.pod_subnet_ids {
            Some(_) => PodAddresses::InOtherSubnets,
            None => PodAddresses::OfInterfaces,
        };
        let has_prefixes = config.enable_prefix_delegation.unwrap_or_else(|| false.into());
        has_prefixes.map(move |has| {
            if has {
                PodAddresses::Prefixes
            } else {
                without_prefixes
            }
        })
    })
}

fn shortage(nodes: i32, instance_type: &str, requested: Requests, room: Requests) -> String {
    format!(
        "the add-ons do not fit on the system nodes: they need {} pods and {}m CPU, but {nodes} x \
         {instance_type} provide {} pods and {}m; the remaining pods stay pending and the update fails; \
         increase systemNodeMinCount or choose larger systemNodeInstanceTypes",
        requested.pods, requested.cpu, room.pods, room.cpu
    )
}

#[cfg(test)]
mod tests {
    use super::{Machine, PodAddresses};

    /// The numbers of `eni-max-pods.txt`, which AWS publishes.
    #[test]
    fn small_machines_have_room_for_as_many_pods_as_aws_says() {
        for (instance_type, pods) in [
            ("t2.micro", 4),
            ("t2.small", 11),
            ("t3.nano", 4),
            ("t3.small", 11),
            ("t3a.small", 8),
            ("t3.medium", 17),
            ("t4g.large", 35),
            ("m7g.medium", 8),
            ("m5.large", 29),
            ("m4.large", 20),
        ] {
            let machine = Machine::of(instance_type).unwrap();
            assert_eq!(
                machine.room(PodAddresses::OfInterfaces).pods,
                pods,
                "{instance_type}"
            );
        }
        assert_eq!(Machine::of("m5.xlarge"), None);
    }
}
