//! Faults in the bytes, over real sockets and both protocols: the outcomes and numbers of requests are the same as in
//! the process.

use netmgr_lookups::{FunctionEntry, Lookups};
use netmgr_sim::ServerCertificate;
use netmgr_transport::Client;
use netmgr_types::ProviderConfig;
use serde_json::json;

use super::bench::{Login, Normal, Shared, course, ending, normal, simulator, with};
use super::faults::rows;
use super::outcome::{Outcome, Right, UNEXPECTED};

const BYTES: [&str; 8] = [
    "reset before the response",
    "reset in the body",
    "truncated body, with a length",
    "truncated body, without a length",
    "200, corrupt gzip",
    "20 long headers",
    "a cookie with a changing value",
    "302, to a login page",
];

/// A list and a search.
const FUNCTIONS: [&str; 2] = ["getIpPool", "getPolicyCertificate"];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Protocol {
    Http1,
    Http2,
}

/// The outcome of one call over a socket, the number of its requests, and its error.
async fn over_a_socket(
    manager: &Shared,
    entry: &'static FunctionEntry,
    faults: &[String],
    protocol: Protocol,
    normal: &Normal,
) -> (Outcome, u64, String) {
    let builder = simulator(manager, faults).tls(ServerCertificate::Valid);
    let builder = match protocol {
        Protocol::Http1 => builder.http1_only(),
        Protocol::Http2 => builder,
    };
    let simulator = builder.start().await.unwrap();
    let reach = json!({ "host": simulator.url(), "ca": simulator.ca_pem(), "retryMaxDelay": 1 });
    let connection = ProviderConfig::from_json(with(Login::Session.settings(), reach)).unwrap();
    let client = Client::builder(connection.resolve().unwrap()).build().unwrap();
    let (outcome, text) = ending(Lookups::new(client), entry, None, &normal.answer).await;
    (outcome, simulator.counters().total_requests(), text)
}

#[tokio::test]
async fn faults_of_the_bytes_end_over_sockets_as_in_the_process() {
    let manager = Shared::new();
    let rows = rows();
    for function in FUNCTIONS {
        let entry = Lookups::entry(function).unwrap();
        let normal = normal(&manager, entry, Login::Session).await;
        for name in BYTES {
            let row = rows
                .iter()
                .find(|row| row.name == name)
                .expect("a row of this name");
            for phase in row.phases() {
                let faults = row.faults(phase);
                let inside = course(&manager, entry, Login::Session, &faults, None, &normal.answer).await;
                for protocol in [Protocol::Http1, Protocol::Http2] {
                    let (outcome, requests, text) =
                        over_a_socket(&manager, entry, &faults, protocol, &normal).await;
                    assert_eq!(
                        (&outcome, requests),
                        (&inside.outcome, inside.requests.into()),
                        "{name} ({phase:?}), {function}, {protocol:?}: {text}; in the process: {}",
                        inside.text
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn more_headers_than_http_1_clients_read_are_an_unexpected_answer() {
    let manager = Shared::new();
    let entry = Lookups::entry("getIpPool").unwrap();
    let normal = normal(&manager, entry, Login::Session).await;
    let faults = ["GET * padding=150x10".to_owned()];
    let (outcome, requests, text) = over_a_socket(&manager, entry, &faults, Protocol::Http1, &normal).await;
    assert_eq!((outcome, requests), (UNEXPECTED, 2), "{text}");
    assert!(text.contains("headers"), "{text}");
    let (outcome, _, text) = over_a_socket(&manager, entry, &faults, Protocol::Http2, &normal).await;
    assert_eq!(outcome, Right, "{text}");
}
