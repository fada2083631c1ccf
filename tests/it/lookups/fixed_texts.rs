//! The two fixed texts of `getPolicyClusterSecurityConfig`.

use netmgr_lookups::{Error, ErrorKind};
use netmgr_sim::{ApiRequest, ApiResponse, Backend, Manager};
use serde_json::json;

use super::harness::{World, chain};

const FUNCTION: &str = "getPolicyClusterSecurityConfig";
const CLUSTER: &str = "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20";

/// A manager that answers all reads of cluster configurations with an error, including the list.
struct Refusing {
    manager: Manager,
    status: u16,
    code: Option<u32>,
}

impl Backend for Refusing {
    fn respond(&self, call: &ApiRequest) -> ApiResponse {
        if !call.path.contains("/cluster-configs") {
            return self.manager.respond(call);
        }
        let mut body = json!({"module_name": "common-services", "error_message": "No."});
        if let Some(code) = self.code {
            body["error_code"] = json!(code);
        }
        ApiResponse {
            status: self.status.try_into().expect("a status"),
            body: Some(body),
        }
    }
}

async fn refused(status: u16, code: Option<u32>) -> Error {
    let front = |manager| Refusing {
        manager,
        status,
        code,
    };
    let bench = World::local().start_behind(front);
    bench.failure(FUNCTION, json!({"clusterId": CLUSTER})).await
}

#[tokio::test(start_paused = true)]
async fn a_cluster_that_is_not_registered_is_cluster_not_found() {
    let bench = World::local().start();
    // The local id instead of the external one is the usual mistake.
    for id in ["domain-c20", "no:such"] {
        let error = bench.failure(FUNCTION, json!({"clusterId": id})).await;
        assert_eq!(error.to_string(), "Cluster not found");
        assert_eq!(error.kind(), ErrorKind::NotFound);
        insta::assert_snapshot!(format!("not_registered_{}", &id[..2]), chain(&error));
    }
}

#[tokio::test(start_paused = true)]
async fn a_missing_read_permission_is_cluster_not_found() {
    let error = refused(403, Some(401)).await;
    assert_eq!(error.to_string(), "Cluster not found");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    insta::assert_snapshot!(chain(&error));
}

#[tokio::test(start_paused = true)]
async fn a_manager_below_the_lowest_version_is_api_not_supported_without_a_read() {
    for version in ["9.0.9.9", "9.0.0.0.24952111", "4.2.3.3.0.25171318"] {
        let bench = World::local().version(version).start();
        let error = bench.failure(FUNCTION, json!({"clusterId": CLUSTER})).await;
        assert_eq!(error.to_string(), "API not supported");
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert_eq!(bench.requests(), ["GET /api/v1/node/version"]);
    }
}

#[tokio::test(start_paused = true)]
async fn versions_from_the_lowest_on_are_asked_whatever_their_number_of_parts() {
    for version in ["9.1", "9.1.0", "9.1.0.0.24952111", "9.2.0.1", "10.0.0"] {
        let bench = World::local().version(version).start();
        let found = bench.answer(FUNCTION, json!({"clusterId": CLUSTER})).await;
        assert_eq!(found["dfwEnabled"], true, "{version}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_api_that_is_not_there_is_api_not_supported() {
    let error = refused(404, None).await;
    assert_eq!(error.to_string(), "API not supported");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    insta::assert_snapshot!(chain(&error));
}

#[tokio::test(start_paused = true)]
async fn anything_else_has_neither_text() {
    for (status, code, kind) in [
        (403, Some(403), ErrorKind::Unauthenticated),
        (403, Some(505), ErrorKind::PermissionDenied),
        (403, None, ErrorKind::PermissionDenied),
        (400, Some(220), ErrorKind::Other),
        (500, Some(1), ErrorKind::Other),
        (429, Some(102), ErrorKind::Throttled),
    ] {
        let error = refused(status, code).await;
        assert!(matches!(error, Error::Manager { .. }), "{}", chain(&error));
        assert_eq!(error.kind(), kind, "{}", chain(&error));
    }
}
