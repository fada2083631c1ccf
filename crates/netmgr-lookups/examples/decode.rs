//! Measures how fast list pages are decoded, in megabytes per second of processor time on one core, without a
//! network: `cargo run --release -p netmgr-lookups --example decode`. The pages contain small
//! groups, and certificates with long strings. An argument names a file to write the figures to as JSON.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "it prints figures")]

use std::sync::Arc;

use bytes::Bytes;
use netmgr_lookups::{Call, Lookups};
use netmgr_transport::{Client, Error, Get, Stack};
use netmgr_types::wire::ManagedObject;
use netmgr_types::{Connection, Credentials, Host};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Rows per page: the maximum that managers accept.
const ROWS: usize = 1000;
/// Pages per list.
const PAGES: usize = 20;
/// Minimum CPU time of a measurement in seconds.
const LEAST: f64 = 2.0;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let groups = PageServer::of(group);
    let certificates = PageServer::of(certificate);
    let figures = [
        ("pages of groups", measure(&groups, read::<()>).await),
        ("groups, decoded", measure(&groups, read::<ManagedObject>).await),
        ("groups, map of the function", measure(&groups, map).await),
        ("pages of certificates", measure(&certificates, read::<()>).await),
        (
            "certificates, decoded",
            measure(&certificates, read::<ManagedObject>).await,
        ),
    ];
    println!("{:<40}{:>8}", "", "MB/s");
    for (what, speed) in figures {
        println!("{what:<40}{speed:>8.0}");
    }
    if let Some(file) = std::env::args().nth(1) {
        let figures: Vec<Value> = figures
            .iter()
            .map(|(what, speed)| json!({"scenario": "f", "what": what, "megabytesPerSecond": speed}))
            .collect();
        std::fs::write(file, json!(figures).to_string()).unwrap();
    }
}

/// The function that returns all groups, as the plugin calls it.
async fn map(client: Client) {
    let lookups = Lookups::new(client);
    let groups = lookups
        .invoke("getNsGroups", json!({}), &Call::default())
        .await
        .unwrap();
    assert_eq!(
        groups["items"].as_object().map(serde_json::Map::len),
        Some(ROWS * PAGES)
    );
}

/// Reads a whole list and decodes its rows; `()` leaves them undecoded.
async fn read<T: DeserializeOwned + 'static>(client: Client) {
    let decodes = std::any::TypeId::of::<T>() != std::any::TypeId::of::<()>();
    let mut pages = client.pages(Get::new("/api/v1/ns-groups"));
    let mut count = 0;
    while let Some(rows) = pages.next().await.unwrap() {
        for row in rows {
            count += 1;
            if decodes {
                std::hint::black_box(row.decode::<T>().unwrap());
            }
        }
    }
    assert_eq!(count, ROWS * PAGES);
}

/// Megabytes per second of CPU time.
async fn measure(server: &PageServer, once: impl AsyncFn(Client)) -> f64 {
    once(server.client()).await;
    let start = processor_seconds();
    let mut bytes = 0;
    let mut spent = 0.0;
    while spent < LEAST {
        once(server.client()).await;
        bytes += server.pages.iter().map(Bytes::len).sum::<usize>();
        spent = processor_seconds() - start;
    }
    bytes as f64 / spent / 1e6
}

/// CPU time of this process with all its threads.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // Skip the name of the program, which may contain spaces. User and system time are the 12th and 13th
    // fields.
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let ticks = fields.split(' ').skip(11).take(2);
    let ticks: f64 = ticks.map(|field| field.parse::<f64>().unwrap()).sum();
    // Linux reports 100 ticks per second.
    ticks / 100.0
}

/// A server that responds with pages from memory.
struct PageServer {
    pages: Arc<[Bytes]>,
}

impl PageServer {
    fn of(row: fn(usize) -> Value) -> Self {
        let page = |page: usize| {
            let rows: Vec<Value> = (page * ROWS..(page + 1) * ROWS).map(row).collect();
            let mut body = json!({"results": rows, "result_count": ROWS * PAGES, "sort_by": "display_name"});
            if page + 1 < PAGES {
                body["cursor"] = json!((page + 1).to_string());
            }
            Bytes::from(body.to_string())
        };
        Self {
            pages: (0..PAGES).map(page).collect(),
        }
    }

    fn client(&self) -> Client {
        let pages = Arc::clone(&self.pages);
        let stack = Stack::new(tower::service_fn(move |request: http::Request<Bytes>| {
            let query = request.uri().query().unwrap_or_default();
            let cursor = query.split('&').find_map(|pair| pair.strip_prefix("cursor="));
            let page: usize = cursor.map_or(0, |cursor| cursor.parse().unwrap());
            let page = pages[page].clone();
            async move { Ok::<_, Error>(http::Response::new(page)) }
        }));
        Client::new(connection(), stack)
    }
}

fn common(number: usize, resource_type: &str) -> Value {
    json!({
        "id": format!("6f1d9c3e-2b4a-4c5d-8e6f-{number:012}"), "display_name": format!("object {number:06} amber"),
        "description": format!("Generated as number {number}"), "resource_type": resource_type,
        "tags": [{"scope": "rack", "tag": (number % 16).to_string()}, {"scope": "owner", "tag": "network"}],
        "_create_user": "admin", "_create_time": 1_754_300_000_000_u64, "_last_modified_user": "admin",
        "_last_modified_time": 1_754_386_400_000_u64, "_system_owned": false, "_protection": "NOT_PROTECTED",
        "_revision": 3,
    })
}

fn group(number: usize) -> Value {
    let mut row = common(number, "NSGroup");
    row["member_count"] = json!(1);
    row["membership_criteria"] = json!([]);
    row["members"] = json!([{
        "resource_type": "NSGroupSimpleExpression", "target_type": "LogicalSwitch", "target_property": "id",
        "op": "EQUALS", "value": format!("5a4b3c2d-1e0f-4a9b-8c7d-{number:012}"),
    }]);
    row
}

fn certificate(number: usize) -> Value {
    let path = format!("/infra/certificates/certificate-{number}");
    let mut row = common(number, "TlsCertificate");
    row["path"] = json!(path);
    row["parent_path"] = json!("/infra");
    row["relative_path"] = json!(format!("certificate-{number}"));
    row["unique_id"] = json!(format!("0c9b8a7d-6e5f-4d3c-8b2a-{number:012}"));
    row["marked_for_delete"] = json!(false);
    row["overridden"] = json!(false);
    row["pem_encoded"] = json!(format!(
        "-----BEGIN CERTIFICATE-----\n{}-----END CERTIFICATE-----\n",
        "MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n".repeat(20)
    ));
    row
}

fn connection() -> Connection {
    let host = Host::parse("manager.example").expect("a valid host");
    Connection::new(host, Credentials::Certificate).on_demand(true)
}
