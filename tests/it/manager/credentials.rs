//! Every login method, with lookups: which requests are sent, and that they are accepted.

use std::net::Ipv4Addr;

use http::HeaderMap;
use http::header::{AUTHORIZATION, COOKIE};
use netmgr_sim::{ClientCertificates, Inventory, Manager, ManagerKind, ManagerSettings, User};
use netmgr_transport::Client;
use netmgr_types::ProviderConfig;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};

use super::support::*;
use super::*;

/// Runs three functions: by id, by a prefix of a name in a project, and for a whole map.
async fn answers(lookups: &Lookups) {
    let pool = ask(lookups).await.unwrap();
    assert_eq!(pool["displayName"], "tep-pool");
    let input = json!({"displayName": "lb-cert", "context": {"projectId": "dev"}});
    let certificate = call(lookups, "getPolicyCertificate", input).await.unwrap();
    assert_eq!(
        certificate["path"],
        "/orgs/default/projects/dev/infra/certificates/lb-cert-web"
    );
    let groups = call(lookups, "getNsGroups", json!({})).await.unwrap();
    assert!(groups["items"]["group-web"].is_string());
}

fn authorization(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().unwrap();
    value.split(' ').next()
}

/// Asserts that every request except the login has this kind of `Authorization` and no cookie.
fn each_request_has(simulator: &Simulator, word: Option<&str>) {
    let requests = api_requests(simulator);
    assert!(requests.len() >= 3);
    for request in requests {
        assert_eq!(authorization(&request.headers), word);
        assert!(!request.headers.contains_key(COOKIE));
    }
}

fn failures(simulator: &Simulator) -> u64 {
    let counters = simulator.counters();
    counters.failed_logins + counters.failed_token_exchanges + counters.failed_tls_handshakes
}

#[tokio::test]
async fn a_session_is_one_login_and_goes_alone_with_each_request() {
    for (builder, version) in both_protocols()
        .into_iter()
        .zip([http::Version::HTTP_2, http::Version::HTTP_11])
    {
        let manager = started(builder).await;
        answers(&lookups(&manager, session())).await;
        for request in api_requests(&manager) {
            assert_eq!(request.version, version);
            assert!(request.headers.contains_key(COOKIE) && request.headers.contains_key("x-xsrf-token"));
            assert_eq!(authorization(&request.headers), None);
        }
        let counters = manager.counters();
        assert_eq!((counters.logins, counters.header_logins), (1, 0));
        assert_eq!((counters.double_credentials, failures(&manager)), (0, 0));
    }
}

#[tokio::test]
async fn all_cookies_of_the_login_are_kept_so_a_balancer_finds_the_node_again() {
    for builder in both_protocols() {
        let manager = started(builder.affinity_required(true)).await;
        answers(&lookups(&manager, session())).await;
        assert_eq!(manager.counters().logins, 1);
    }
}

/// The port of a load balancer without persistence: each connection goes to the next manager.
async fn balancer(managers: &[Simulator]) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let nodes: Vec<_> = managers.iter().map(Simulator::addr).collect();
    tokio::spawn(async move {
        for node in nodes.into_iter().cycle() {
            let (mut client, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut node = TcpStream::connect(node).await.unwrap();
                let _ = copy_bidirectional(&mut client, &mut node).await;
            });
        }
    });
    port
}

/// A session is only valid on its node. One lookup uses one connection, and so reaches one node; many reach all of them.
#[tokio::test]
async fn behind_a_balancer_without_persistence_sessions_fail_with_a_remedy_that_works() {
    let builder = || started(Simulator::builder());
    let managers: [Simulator; 3] = tokio::join!(builder(), builder(), builder()).into();
    let host = format!("http://127.0.0.1:{}", balancer(&managers).await);
    let client = |more: Value| {
        let settings = with(session(), with(json!({"host": host}), more));
        let connection = ProviderConfig::from_json(settings).unwrap().resolve().unwrap();
        Lookups::new(Client::builder(connection).build().unwrap())
    };
    let reads = async |lookups: Lookups| {
        let functions = [
            "getIpPool",
            "getMacPool",
            "getNsGroup",
            "getNsService",
            "getEdgeCluster",
            "getCertificate",
        ];
        let answers = functions.map(|function| call(&lookups, function, json!({"id": "no-such-object"})));
        let answers = join_all(answers).await;
        answers
            .into_iter()
            .map(|answer| reported(&answer.unwrap_err()))
            .collect::<Vec<_>>()
    };
    ask(&client(json!({}))).await.unwrap();
    let remedy = "with source-address persistence, or set `sessionAuth` to false";
    let refused = reads(client(json!({}))).await;
    assert!(refused.iter().any(|text| text.contains(remedy)), "{refused:#?}");
    for text in reads(client(json!({"sessionAuth": false}))).await {
        assert!(
            text.contains("no-such-object") && !text.contains("rejected"),
            "{text}"
        );
    }
    assert!(managers.iter().all(|manager| failures(manager) == 0));
}

#[tokio::test]
async fn basic_goes_with_each_request_and_makes_no_session() {
    for builder in both_protocols() {
        let manager = started(builder).await;
        answers(&lookups(&manager, basic())).await;
        each_request_has(&manager, Some("Basic"));
        let counters = manager.counters();
        assert_eq!(counters.total_requests(), counters.header_logins);
        assert_eq!((counters.logins, failures(&manager)), (0, 0));
    }
}

#[tokio::test]
async fn a_directory_user_is_remote_with_each_request_or_at_the_login() {
    let user = json!({"username": "reader@corp.example", "password": "se:cret+", "remoteAuth": true});
    let start = || started(manager().user(User::directory("reader@corp.example", "se:cret+")));

    let manager = start().await;
    answers(&lookups(
        &manager,
        with(user.clone(), json!({"sessionAuth": false})),
    ))
    .await;
    each_request_has(&manager, Some("Remote"));
    assert_eq!(failures(&manager), 0);

    let manager = start().await;
    answers(&lookups(&manager, user)).await;
    let login = &manager.requests()[0];
    assert_eq!(
        (login.path.as_str(), authorization(&login.headers)),
        (CREATE, Some("Remote"))
    );
    let counters = manager.counters();
    assert_eq!(
        (counters.logins, counters.double_credentials, failures(&manager)),
        (1, 0, 0)
    );
}

#[tokio::test]
async fn a_client_certificate_as_text_or_file_is_all_there_is_on_a_request() {
    let files = tempfile::tempdir().unwrap();
    for builder in both_protocols() {
        let builder = builder.client_certificates(ClientCertificates::Required);
        let manager = started(builder.principal_identity("reader")).await;
        let identity = manager.client_identity("reader").unwrap();
        let (certificate, key) = (files.path().join("cert.pem"), files.path().join("key.pem"));
        std::fs::write(&certificate, &identity.certificate_pem).unwrap();
        std::fs::write(&key, &identity.key_pem).unwrap();
        let text = json!({"clientAuthCert": identity.certificate_pem, "clientAuthKey": identity.key_pem});
        let file = json!({"clientAuthCertFile": certificate, "clientAuthKeyFile": key});
        for settings in [text, file] {
            answers(&lookups(&manager, settings)).await;
        }
        each_request_has(&manager, None);
        assert_eq!((manager.counters().logins, failures(&manager)), (0, 0));
    }
}

#[tokio::test]
async fn a_certificate_that_is_not_registered_is_reported_after_one_request() {
    let manager = manager()
        .client_certificates(ClientCertificates::Optional)
        .unregistered_identity("stranger");
    let manager = started(manager).await;
    let identity = manager.client_identity("stranger").unwrap();
    let settings = json!({"clientAuthCert": identity.certificate_pem, "clientAuthKey": identity.key_pem});
    let error = ask(&lookups(&manager, settings)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unauthenticated);
    assert!(
        reported(&error).contains("principal identity"),
        "{}",
        reported(&error)
    );
    assert_eq!(manager.counters().total_requests(), 1);
}

const PREFIX: &str = "/vmc/reverse-proxy/api/orgs/o-1/sddcs/s-1/sks-nsxt-manager";

/// A manager of the hosted cloud, behind its proxy.
async fn cloud() -> Simulator {
    let settings = ManagerSettings {
        kind: ManagerKind::HostedCloud,
        ..ManagerSettings::default()
    };
    let manager = manager()
        .manager(Manager::new(settings, Inventory::default()))
        .path_prefix(PREFIX)
        .cloud_api_token("to+ken/with=signs&")
        .cloud_app("app-1", "app:se+cret");
    started(manager).await
}

async fn cloud_answers(lookups: &Lookups) {
    let cluster = call(
        lookups,
        "getPolicyEdgeCluster",
        json!({"displayName": "sddc-edge"}),
    )
    .await
    .unwrap();
    assert!(
        cluster["path"]
            .as_str()
            .unwrap()
            .contains("/vmc-enforcementpoint/")
    );
    let profile = call(lookups, "getPolicyBfdProfile", json!({"id": "fast-bfd"}))
        .await
        .unwrap();
    assert_eq!(profile["displayName"], "bfd-fast");
    let info = call(lookups, "getManagerInfo", json!({})).await.unwrap();
    assert!(info["version"].as_str().unwrap().starts_with("9.1"));
}

#[tokio::test]
async fn a_cloud_token_or_app_is_exchanged_once_and_sent_as_its_mode_says() {
    let token = json!({"cloudToken": "to+ken/with=signs&"});
    let app = json!({"cloudClientId": "app-1", "cloudClientSecret": "app:se+cret"});
    for credentials in [token, app] {
        for (mode, has_cloud_header) in [("Default", true), ("Bearer", false), ("Basic", true)] {
            let manager = cloud().await;
            let exchange = json!({"cloudAuthHost": manager.addr().to_string(), "cloudAuthMode": mode});
            cloud_answers(&lookups(&manager, with(credentials.clone(), exchange))).await;
            each_request_has(&manager, Some("Bearer"));
            for request in api_requests(&manager) {
                assert!(request.path.starts_with(PREFIX));
                assert_eq!(
                    request.headers.contains_key("csp-auth-token"),
                    has_cloud_header,
                    "{mode}"
                );
            }
            assert_eq!((manager.counters().token_exchanges, failures(&manager)), (1, 0));
        }
    }
}

#[tokio::test]
async fn a_user_name_in_cloud_mode_basic_goes_with_each_request() {
    let manager = cloud().await;
    cloud_answers(&lookups(
        &manager,
        with(session(), json!({"cloudAuthMode": "Basic"})),
    ))
    .await;
    each_request_has(&manager, Some("Basic"));
    assert_eq!((manager.counters().logins, failures(&manager)), (0, 0));
}

#[tokio::test]
async fn passwords_arrive_whatever_characters_they_have() {
    let every_sign: String = (' '..='~').filter(|sign| !sign.is_alphanumeric()).collect();
    let passwords = [
        every_sign.as_str(),
        "100%41%2B+ +&x=y",
        " blanks around ",
        "pässwörd-€-日本-🔑",
        "tab\tand:colon:",
    ];
    for (number, password) in passwords.into_iter().enumerate() {
        let name = format!("us er+{number}@corp.example");
        let manager = started(manager().user(User::directory(&name, password))).await;
        for more in [
            json!({}),
            json!({"sessionAuth": false}),
            json!({"remoteAuth": true}),
        ] {
            let settings = with(json!({"username": name, "password": password}), more);
            ask(&lookups(&manager, settings)).await.unwrap();
        }
        assert_eq!(failures(&manager), 0, "{password:?}");
    }
}
