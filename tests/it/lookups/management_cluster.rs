//! The node of the manager's cluster that the configured host names.

use netmgr_lookups::ErrorKind;
use netmgr_sim::{ApiRequest, ApiResponse, Backend, Manager};
use serde_json::json;

use super::harness::{World, chain};

const FUNCTION: &str = "getManagementCluster";
const FIRST: &str = "6a1f0c3e9b7d42588f10c6d2a4e3b5f7081929304a5b6c7d8e9fa0b1c2d3e4f5";
const SECOND: &str = "0d5e8a7b6c4f3e2d1c0b9a8f7e6d5c4b3a291807f6e5d4c3b2a1908f7e6d5c4b";

/// The cluster of the inventory, with `host` as the configured host.
fn asked_under(host: &str) -> World {
    let mut world = World::local();
    world.settings.endpoint = None;
    world.config.host = Some(host.to_owned());
    world
}

#[tokio::test(start_paused = true)]
async fn the_node_is_found_by_address_and_by_name() {
    for (host, thumbprint) in [
        ("192.0.2.11", FIRST),
        ("192.0.2.12", SECOND),
        ("https://192.0.2.12:8443", SECOND),
        ("192.0.2.12/some/proxy/path", SECOND),
        ("mgr-b.lab.example", SECOND),
        ("https://MGR-B.lab.example:443/", SECOND),
    ] {
        let bench = asked_under(host).start();
        assert_eq!(
            bench.answer(FUNCTION, json!({})).await,
            json!({"id": "b7c2d9b6-1f53-4a7e-8d0c-9f3a52c10001", "nodeSha256Thumbprint": thumbprint}),
            "{host}"
        );
        assert_eq!(bench.requests().len(), 1);
    }
}

/// A manager that answers with another cluster.
struct Cluster {
    manager: Manager,
    nodes: serde_json::Value,
}

impl Backend for Cluster {
    fn respond(&self, call: &ApiRequest) -> ApiResponse {
        let mut answer = self.manager.respond(call);
        if call.path == "/api/v1/cluster" {
            answer.body = Some(json!({"cluster_id": "c", "nodes": self.nodes}));
        }
        answer
    }
}

#[tokio::test(start_paused = true)]
async fn an_ipv6_address_is_found_however_it_is_written() {
    for host in ["[2001:db8::12]", "https://[2001:0DB8:0:0::12]:8443"] {
        let nodes = json!([
            {"display_name": "a", "api_listen_addr": {"ip_address": "192.0.2.11", "certificate_sha256_thumbprint": "aa"}},
            {"display_name": "b", "api_listen_addr": {"ip_address": "2001:db8:0::12", "certificate_sha256_thumbprint": "bb"}},
        ]);
        let bench = asked_under(host).start_behind(|manager| Cluster { manager, nodes });
        let output = bench.answer(FUNCTION, json!({})).await;
        assert_eq!(output, json!({"id": "c", "nodeSha256Thumbprint": "bb"}));
    }
}

#[tokio::test]
async fn a_host_is_found_by_every_address_that_it_resolves_to() {
    for address in ["127.0.0.1", "::1"] {
        let nodes = json!([
            {"api_listen_addr": null},
            {"api_listen_addr": {"ip_address": address, "certificate_sha256_thumbprint": "bb"}},
        ]);
        let bench = asked_under("localhost").start_behind(|manager| Cluster { manager, nodes });
        match bench.invoke(FUNCTION, json!({})).await {
            Ok(output) => assert_eq!(output["nodeSha256Thumbprint"], "bb"),
            // A machine without IPv6 does not resolve its own name to it.
            Err(error) => assert_eq!((address, error.kind()), ("::1", ErrorKind::NotFound)),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_virtual_address_or_an_alias_is_refused_with_the_nodes_there_are() {
    let error = asked_under("192.0.2.10")
        .start()
        .failure(FUNCTION, json!({}))
        .await;
    assert_eq!(error.kind(), ErrorKind::NotFound);
    insta::assert_snapshot!(chain(&error));
}

#[tokio::test(start_paused = true)]
async fn a_node_without_a_thumbprint_is_named() {
    for thumbprint in [json!(""), json!(null)] {
        let nodes = json!([{
            "display_name": "a",
            "api_listen_addr": {"ip_address": "192.0.2.11", "certificate_sha256_thumbprint": thumbprint},
        }]);
        let bench = asked_under("192.0.2.11").start_behind(|manager| Cluster { manager, nodes });
        let error = bench.failure(FUNCTION, json!({})).await;
        assert_eq!(
            error.to_string(),
            "getManagementCluster: the cluster's node a (192.0.2.11) has no certificate thumbprint"
        );
    }
}
