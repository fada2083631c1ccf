//! Tests of a running simulator through a real client.

use std::net::SocketAddr;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{Method, StatusCode};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};

use super::*;
use crate::api::{ApiRequest, ApiResponse};
use crate::server::accounts::User;
use crate::server::tls::{ClientCertificates, ServerCertificate};

mod cloud;
mod credentials;
mod faults;
mod load;
mod tls;

const VERSION: &str = "/api/v1/node/version";
const CLUSTERS: &str = "/policy/api/v1/infra/edge-clusters";
const FORM: &str = "application/x-www-form-urlencoded";

/// A backend that answers every call with the call itself. Lists have five objects in pages of two.
#[derive(Default)]
struct Echo {
    reachable_at: std::sync::OnceLock<(SocketAddr, Option<String>)>,
}

impl Backend for Echo {
    fn reachable_at(&self, address: SocketAddr, certificate_sha256: Option<&str>) {
        let known = (address, certificate_sha256.map(str::to_owned));
        self.reachable_at.set(known).unwrap();
    }

    fn respond(&self, call: &ApiRequest) -> ApiResponse {
        let body = if call.path == CLUSTERS {
            let cursor = call.query.iter().find(|(name, _)| name == "cursor");
            let start = cursor.map_or(0, |(_, value)| value.parse().unwrap());
            let end = (start + 2).min(5);
            let results: Vec<_> = (start..end)
                .map(|number| json!({ "id": number.to_string() }))
                .collect();
            let mut page = json!({ "results": results, "result_count": 5 });
            if end < 5 {
                page["cursor"] = json!(end.to_string());
            }
            page
        } else {
            json!({ "path": call.path, "query": call.query })
        };
        ApiResponse {
            status: StatusCode::OK,
            body: Some(body),
        }
    }
}

fn echo() -> SimulatorBuilder<Echo> {
    Simulator::serving(Echo::default())
}

fn client() -> reqwest::ClientBuilder {
    // Another test of the process may have installed it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().no_proxy()
}

/// A simulator and a client for it.
struct Pair {
    simulator: Simulator<Echo>,
    client: Client,
}

impl Pair {
    async fn start(builder: SimulatorBuilder<Echo>) -> Self {
        let simulator = builder.start().await.unwrap();
        let mut client = client();
        if let Some(pem) = simulator.ca_pem() {
            client = client.tls_certs_merge([reqwest::Certificate::from_pem(pem.as_bytes()).unwrap()]);
        }
        Self {
            simulator,
            client: client.build().unwrap(),
        }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.simulator.url()))
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    /// A read with the default account's basic credentials.
    async fn basic(&self, path: &str) -> Response {
        self.get(path)
            .basic_auth(DEFAULT_USERNAME, Some(DEFAULT_PASSWORD))
            .send()
            .await
            .unwrap()
    }

    async fn log_in(&self, form: &str) -> Response {
        let request = self.request(Method::POST, "/api/session/create");
        request
            .header("content-type", FORM)
            .body(form.to_owned())
            .send()
            .await
            .unwrap()
    }

    /// Opens a session for the default account.
    async fn session(&self) -> Session {
        let response = self.log_in("j_username=admin&j_password=Demo%2BPass%2541").await;
        assert_eq!(response.status(), 200);
        Session::of(&response)
    }
}

/// The cookie and the token of a session, as a client stores them.
struct Session {
    cookies: Vec<String>,
    xsrf: String,
}

impl Session {
    fn of(response: &Response) -> Self {
        let pair = |value: &http::HeaderValue| value.to_str().unwrap().split(';').next().unwrap().to_owned();
        Self {
            cookies: response
                .headers()
                .get_all("set-cookie")
                .iter()
                .map(pair)
                .collect(),
            xsrf: response.headers()["x-xsrf-token"].to_str().unwrap().to_owned(),
        }
    }

    fn sign(&self, request: RequestBuilder) -> RequestBuilder {
        request
            .header("cookie", self.cookies.join("; "))
            .header("x-xsrf-token", &self.xsrf)
    }

    async fn read(&self, pair: &Pair, path: &str) -> Response {
        self.sign(pair.get(path)).send().await.unwrap()
    }
}

/// Status and `error_code` of an error.
async fn refusal(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    assert_eq!(
        response.headers()["content-type"],
        "application/json;charset=UTF-8"
    );
    let body: Value = response.json().await.unwrap();
    assert!(
        body["error_message"].is_string() && body["module_name"].is_string(),
        "{body}"
    );
    (status, body["error_code"].clone())
}

#[tokio::test]
async fn answers_carry_content_type_and_a_fresh_request_id() {
    let pair = Pair::start(echo()).await;
    let (first, second) = (pair.basic(VERSION).await, pair.basic(VERSION).await);
    assert_eq!(first.headers()["content-type"], "application/json;charset=UTF-8");
    assert_ne!(
        first.headers()["x-nsx-requestid"],
        second.headers()["x-nsx-requestid"]
    );
}

#[tokio::test]
async fn paths_stay_encoded_and_queries_are_decoded_with_plus_kept() {
    let pair = Pair::start(echo()).await;
    let path = "/api/v1/edge-clusters/a%2Fb";
    let echoed: Value = pair
        .basic(&format!("{path}?query=a+b%20c%C3%A9&flag&x=1=2"))
        .await
        .json()
        .await
        .unwrap();
    let query = json!([["query", "a+b cé"], ["flag", ""], ["x", "1=2"]]);
    assert_eq!(echoed, json!({ "path": path, "query": query }));
}

#[tokio::test]
async fn unknown_routes_are_not_found_and_reads_are_all_there_is() {
    let pair = Pair::start(echo()).await;
    assert_eq!(
        refusal(pair.get("/nothing").send().await.unwrap()).await,
        (404, json!(404))
    );
    let create = pair.get("/api/session/create").send().await.unwrap();
    assert_eq!(create.status(), 405);
    let write = pair
        .request(Method::DELETE, VERSION)
        .basic_auth(DEFAULT_USERNAME, Some(DEFAULT_PASSWORD));
    let write = write.send().await.unwrap();
    assert_eq!(
        (write.status().as_u16(), &write.headers()["allow"]),
        (405, &"GET".parse().unwrap())
    );
    assert_eq!(pair.simulator.counters().writes, 1);
}

#[tokio::test]
async fn licences_are_listed_added_once_and_checked() {
    let pair = Pair::start(echo().licenses(["AAAAA-BBBBB-CCCCC-DDDDD-00000".to_owned()])).await;
    let path = "/api/v1/licenses";
    let key = "AAAAA-BBBBB-CCCCC-DDDDD-11111";
    let add = async |body: String| {
        let request = pair
            .request(Method::POST, path)
            .basic_auth(DEFAULT_USERNAME, Some(DEFAULT_PASSWORD));
        request.body(body).send().await.unwrap().status().as_u16()
    };
    assert_eq!(add(json!({ "license_key": key }).to_string()).await, 200);
    assert_eq!(add(json!({ "license_key": key }).to_string()).await, 200);
    assert_eq!(add(json!({ "license_key": "short" }).to_string()).await, 400);
    assert_eq!(add("no json".to_owned()).await, 400);
    let list: Value = pair.basic(path).await.json().await.unwrap();
    assert_eq!(list["result_count"], 2);
    assert_eq!(list["results"][1]["license_key"], key);
    assert_eq!(pair.simulator.license_keys().len(), 2);
    assert_eq!(pair.simulator.counters().writes, 4);
}

#[tokio::test]
async fn counters_and_log_show_what_arrived() {
    let pair = Pair::start(echo()).await;
    pair.basic(&format!("{VERSION}?a=1")).await;
    pair.basic(VERSION).await;
    pair.get(VERSION).send().await.unwrap();
    let counters = pair.simulator.counters();
    assert_eq!(counters.requests_to(&Method::GET, VERSION), 3);
    assert_eq!(counters.total_requests(), 3);
    assert_eq!(counters.responses_with(StatusCode::OK), 2);
    assert_eq!(counters.responses_with(StatusCode::FORBIDDEN), 1);
    assert_eq!(
        (counters.header_logins, counters.logins, counters.connections),
        (2, 0, 1)
    );
    let log = pair.simulator.requests();
    assert_eq!(log[0].query.as_deref(), Some("a=1"));
    assert!(
        log[0].headers["authorization"]
            .to_str()
            .unwrap()
            .starts_with("Basic ")
    );
    assert!(!log[2].headers.contains_key("authorization"));
}

#[tokio::test]
async fn environment_lines_point_a_client_at_the_simulator() {
    let simulator = echo().start().await.unwrap();
    let lines = simulator.env_lines();
    let host = format!("NETMGR_HOST=http://{}", simulator.addr());
    assert_eq!(
        lines,
        [
            host.as_str(),
            "NETMGR_USERNAME=admin",
            "NETMGR_PASSWORD='Demo+Pass%41'"
        ]
    );
}

#[tokio::test]
async fn environment_lines_quote_what_a_shell_would_read() {
    let user = User::local("svc lookup", "it's");
    let simulator = echo()
        .user(user)
        .tls(ServerCertificate::Valid)
        .start()
        .await
        .unwrap();
    let lines = simulator.env_lines();
    assert!(
        lines[0].starts_with("NETMGR_HOST=https://127.0.0.1:"),
        "{lines:?}"
    );
    assert_eq!(
        lines[1..3],
        ["NETMGR_USERNAME='svc lookup'", r#"NETMGR_PASSWORD="it's""#]
    );
    assert!(
        lines[3].starts_with("NETMGR_CA='-----BEGIN CERTIFICATE-----\n"),
        "{lines:?}"
    );
}

#[tokio::test]
async fn the_authority_is_written_to_the_file_asked_for() {
    let path = std::env::temp_dir().join(format!("netmgr-sim-ca-{}.pem", std::process::id()));
    let simulator = echo()
        .tls(ServerCertificate::Valid)
        .ca_file(&path)
        .start()
        .await
        .unwrap();
    let written = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(Some(written.as_str()), simulator.ca_pem());
    assert!(
        simulator
            .env()
            .contains(&("NETMGR_CA_FILE", path.display().to_string()))
    );
}

#[tokio::test]
async fn an_address_that_is_taken_is_named() {
    let first = echo().start().await.unwrap();
    let error = echo().listen(first.addr()).start().await.unwrap_err();
    assert_eq!(error.to_string(), format!("cannot listen on {}", first.addr()));
}

#[tokio::test]
async fn ipv6_hosts_are_written_in_brackets() {
    let listen: SocketAddr = "[::1]:0".parse().unwrap();
    let pair = Pair::start(echo().listen(listen).tls(ServerCertificate::Valid)).await;
    assert!(pair.simulator.url().starts_with("https://[::1]:"));
    assert_eq!(pair.basic(VERSION).await.status(), 200);
}

#[tokio::test]
async fn shutdown_closes_idle_connections_and_the_port() {
    let pair = Pair::start(echo()).await;
    pair.basic(VERSION).await;
    let url = pair.simulator.url();
    pair.simulator.shutdown().await;
    assert!(pair.client.get(url).send().await.unwrap_err().is_connect());
}

#[tokio::test]
async fn shutdown_lets_a_request_in_flight_finish() {
    let pair = Pair::start(echo().latency(Duration::from_millis(50))).await;
    let pending = pair
        .get(VERSION)
        .basic_auth(DEFAULT_USERNAME, Some(DEFAULT_PASSWORD))
        .send();
    let pending = tokio::spawn(pending);
    while pair.simulator.counters().total_requests() == 0 {
        tokio::task::yield_now().await;
    }
    pair.simulator.shutdown().await;
    assert_eq!(pending.await.unwrap().unwrap().status(), 200);
}

#[tokio::test]
async fn a_dropped_simulator_serves_no_more() {
    let Pair { simulator, client } = Pair::start(echo()).await;
    let url = simulator.url();
    drop(simulator);
    tokio::task::yield_now().await;
    assert!(client.get(url).send().await.is_err());
}

#[tokio::test]
async fn the_default_simulator_serves_its_inventory() {
    let simulator = Simulator::builder().start().await.unwrap();
    let read = async |path: &str| -> Value {
        let request = client()
            .build()
            .unwrap()
            .get(format!("{}{path}", simulator.url()));
        let request = request.basic_auth(DEFAULT_USERNAME, Some(DEFAULT_PASSWORD));
        request
            .send()
            .await
            .unwrap()
            .error_for_status()
            .unwrap()
            .json()
            .await
            .unwrap()
    };
    assert_eq!(read(VERSION).await["product_version"], "9.1.1.0.25108400");
    let search = "/policy/api/v1/search/query?query=resource_type:PolicyEdgeCluster";
    assert!(!read(search).await["results"].as_array().unwrap().is_empty());
    let cluster = read("/api/v1/cluster").await.to_string();
    assert!(
        cluster.contains(&simulator.addr().port().to_string()),
        "{cluster}"
    );
}

#[tokio::test]
async fn every_request_is_observed_after_its_answer() {
    let seen = Arc::<std::sync::Mutex<Vec<crate::ServedRequest>>>::default();
    let list = Arc::clone(&seen);
    let builder = echo()
        .fault("GET /api/v1/x status=503 count=1".parse().unwrap())
        .fault("GET /api/v1/y reset".parse().unwrap())
        .on_request(move |request| list.lock().unwrap().push(request.clone()));
    let pair = Pair::start(builder).await;
    pair.basic("/api/v1/x?q=1").await;
    pair.basic("/api/v1/x").await;
    let lost = pair.get("/api/v1/y").send().await;
    assert!(lost.is_err());
    let Pair { simulator, .. } = pair;
    simulator.shutdown().await;
    let seen = seen.lock().unwrap();
    let facts: Vec<_> = seen
        .iter()
        .map(|request| {
            (
                request.path.as_str(),
                request.query.as_deref(),
                request.status.map(|status| status.as_u16()),
                request.fault,
            )
        })
        .collect();
    assert_eq!(
        facts[..2],
        [
            ("/api/v1/x", Some("q=1"), Some(503), true),
            ("/api/v1/x", None, Some(200), false),
        ]
    );
    assert!(
        facts[2..]
            .iter()
            .all(|fact| *fact == ("/api/v1/y", None, None, true))
    );
    assert!(seen[1].bytes > 0);
}

#[tokio::test]
async fn the_settings_of_the_service_show_its_limits() {
    let builder = echo().requests_per_second(7).requests_in_flight(3);
    let pair = Pair::start(builder).await;
    let settings: Value = pair
        .basic("/api/v1/cluster/api-service")
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(settings["client_api_rate_limit"], 7);
    assert_eq!(settings["client_api_concurrency_limit"], 3);
}
