//! Every lookup of the specification through its typed call, against a simulated manager.

use std::fmt::Debug;

use netmgr::lookups::*;
use netmgr::{Client, Lookup, Settings};
use netmgr_sim::Simulator;

const POINT: &str = "/infra/sites/default/enforcement-points/default";

/// A client of `simulator`, and the names of the lookups that have run.
struct Bench {
    manager: Client,
    run: Vec<String>,
}

impl Bench {
    fn new(simulator: &Simulator) -> Self {
        let variables = simulator.env();
        let variable = |name: &str| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| value.clone())
        };
        let settings = Settings::default().with_env(variable).expect("valid variables");
        Self {
            manager: Client::new(settings).expect("valid settings"),
            run: Vec::new(),
        }
    }

    /// Runs `lookup` and compares what `read` takes from its output.
    async fn check<L: Lookup, T: Debug + PartialEq>(
        &mut self,
        lookup: L,
        read: impl FnOnce(L::Output) -> T,
        expected: T,
    ) {
        let name = std::any::type_name::<L>().rsplit("::").next().expect("a name");
        // States are read once, so that nothing waits in real time.
        let found = self.manager.run(lookup).without_waiting().await;
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read(found), expected, "{name}");
        self.run.push(name.replacen('G', "g", 1));
    }
}

#[tokio::test]
async fn every_lookup_finds_its_object() {
    let simulator = Simulator::builder().start().await.expect("a free port");
    let mut bench = Bench::new(&simulator);
    manager_api(&mut bench).await;
    policy_api(&mut bench).await;
    let specified = netmgr_lookups::ALL
        .iter()
        .filter(|entry| !entry.spec.source.is_empty());
    let all: Vec<&str> = specified.map(|entry| entry.spec.name).collect();
    bench.run.sort();
    assert_eq!(bench.run, all);
    bench.manager.close().await;
    simulator.shutdown().await;
}

#[tokio::test]
async fn lookups_of_each_context_find_their_objects() {
    let simulator = Simulator::builder().start().await.expect("a free port");
    let mut bench = Bench::new(&simulator);
    let path = |found: ObjectOutput| found.path;
    bench
        .check(
            GetPolicyGroup::named("web-servers"),
            path,
            "/infra/domains/default/groups/web-servers".into(),
        )
        .await;
    bench
        .check(
            GetVpc::named("web").project("dev"),
            |found| found.path,
            "/orgs/default/projects/dev/vpcs/web".into(),
        )
        .await;
    bench
        .check(
            GetVpcGroup::named("frontends").vpc("dev", "web"),
            path,
            "/orgs/default/projects/dev/vpcs/web/groups/frontends".into(),
        )
        .await;
    bench
        .check(
            GetPolicyTier1Gateway::default().path("/infra/tier-1s/t1-web"),
            |found| found.display_name,
            "t1-web".into(),
        )
        .await;
    bench
        .check(
            GetPolicyVms::new().state("running").display_name("^web-01$"),
            |found| found.objects.len(),
            1,
        )
        .await;
    bench
        .check(GetProviderInfo::new(), |found| found.id, "netmgr".into())
        .await;
    bench.manager.close().await;
    simulator.shutdown().await;
}

async fn manager_api(bench: &mut Bench) {
    let name = |found: NamedOutput| found.display_name;
    bench
        .check(GetCertificate::named("portal"), name, "portal".into())
        .await;
    bench
        .check(GetFailureDomain::named("fd-rack-1"), name, "fd-rack-1".into())
        .await;
    bench
        .check(GetFirewallSection::named("block all"), name, "block all".into())
        .await;
    bench
        .check(GetIpPool::named("tep-pool"), name, "tep-pool".into())
        .await;
    bench
        .check(GetMacPool::named("lab-mac-pool"), name, "lab-mac-pool".into())
        .await;
    bench
        .check(GetNsGroup::named("group-web"), name, "group-web".into())
        .await;
    bench
        .check(GetNsService::named("HTTPS"), name, "HTTPS".into())
        .await;

    let has = |name: &'static str| move |found: NameMap| found.items.contains_key(name);
    bench.check(GetNsGroups::new(), has("group-web"), true).await;
    bench.check(GetNsServices::new(), has("HTTPS"), true).await;

    let collection = GetComputeCollection::named("Compute-Cluster-01").origin_type("VC_Cluster");
    bench
        .check(collection, |found| found.origin_type, Some("VC_Cluster".into()))
        .await;
    let compute_manager = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001";
    bench
        .check(
            GetComputeManager::by_id(compute_manager),
            |found| found.id,
            compute_manager.into(),
        )
        .await;
    let realization = GetComputeManagerRealization::of(compute_manager).check_registration(false);
    bench
        .check(realization, |found| found.state, "success".into())
        .await;
    let address = "198.51.100.42";
    bench
        .check(
            GetDiscoveredNode::at(address),
            |found| found.ip_address,
            address.into(),
        )
        .await;
    let cluster = GetEdgeCluster::named("edge-cluster-prod");
    bench
        .check(cluster, |found| found.display_name, "edge-cluster-prod".into())
        .await;
    let group = |found: UpgradeGroup| (found.display_name, found.upgrade_prepare_id);
    let expected = |name: &str| (name.to_owned(), "upgrade-1".to_owned());
    let edges = GetEdgeUpgradeGroup::named("edge-cluster-prod-2").upgrade_prepare_id("upgrade-1");
    bench.check(edges, group, expected("edge-cluster-prod-2")).await;
    let hosts = GetHostUpgradeGroup::named("Compute-Cluster-01").upgrade_prepare_id("upgrade-1");
    bench.check(hosts, group, expected("Compute-Cluster-01")).await;
    let tier0 = GetLogicalTier0Router::named("t0-prod-lab");
    bench
        .check(tier0, |found| found.display_name, "t0-prod-lab".into())
        .await;
    bench
        .check(
            GetLogicalTier1Router::named("t1-dist"),
            |found| found.display_name,
            "t1-dist".into(),
        )
        .await;
    bench
        .check(
            GetManagementCluster::new(),
            |found| found.node_sha256_thumbprint.is_empty(),
            false,
        )
        .await;
    bench
        .check(
            GetManagerClusterNode::named("mgr-a"),
            |found| found.display_name,
            "mgr-a".into(),
        )
        .await;
    bench
        .check(GetManagerInfo::new(), |found| found.version.is_empty(), false)
        .await;
}

async fn policy_api(bench: &mut Bench) {
    let name = |found: PolicyOutput| found.display_name;
    bench
        .check(GetPolicyBfdProfile::named("bfd-fast"), name, "bfd-fast".into())
        .await;
    bench
        .check(
            GetPolicyBridgeProfile::by_id("bridge-prod"),
            name,
            "bridge-prod".into(),
        )
        .await;
    bench
        .check(
            GetPolicyContainerCluster::named("antrea-prod"),
            name,
            "antrea-prod".into(),
        )
        .await;
    let clusters = |found: NameMap| found.items.contains_key("antrea-prod");
    bench
        .check(GetPolicyContainerClusters::new(), clusters, true)
        .await;

    let project = |found: ContextOutput| found.context.map(|context| context.project_id);
    let certificate = GetPolicyCertificate::named("lb-cert-web").project("dev");
    bench.check(certificate, project, Some("dev".into())).await;
    let protection = GetPolicyDistributedFloodProtectionProfile::named("dfpp-proj").project("dev");
    bench.check(protection, project, Some("dev".into())).await;
    bench
        .check(
            GetPolicyContextProfile::named("DIAMETER"),
            |found| found.display_name,
            "DIAMETER".into(),
        )
        .await;
    bench
        .check(
            GetPolicyDhcpServer::named("dhcp-2"),
            |found| found.display_name,
            "dhcp-2".into(),
        )
        .await;

    let connection = GetPolicyDistributedVlanConnection::named("vlan-100");
    bench
        .check(connection, |found| found.display_name, "vlan-100".into())
        .await;
    let cluster = GetPolicyEdgeCluster::named("edge-cluster-prod").site_path("/infra/sites/default");
    bench
        .check(
            cluster,
            |found| found.site_path,
            Some("/infra/sites/default".into()),
        )
        .await;
    let profile = GetPolicyEdgeHighAvailabilityProfile::named("edge-ha-fast");
    bench
        .check(profile, |found| found.display_name, "edge-ha-fast".into())
        .await;
    let cluster = format!("{POINT}/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001");
    bench
        .check(
            GetPolicyEdgeNode::of(cluster).member_index(1u32),
            |found| found.id,
            "1".into(),
        )
        .await;
    bench
        .check(
            GetPolicyEdgeTransportNode::named("edge-01"),
            |found| found.display_name,
            "edge-01".into(),
        )
        .await;
    let path = format!("{POINT}/edge-transport-nodes/edge-01");
    let realization = GetPolicyEdgeTransportNodeRealization::of(path);
    bench.check(realization, |found| found.id, "edge-01".into()).await;
    let cluster = "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20";
    bench
        .check(
            GetPolicyClusterSecurityConfig::of(cluster),
            |found| found.cluster_id,
            cluster.into(),
        )
        .await;
}
