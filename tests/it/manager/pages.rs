//! Faulty pages: no object is lost, and an answer that may lack an object has a warning.

use std::sync::{Arc, Mutex};

use netmgr_lookups::{Observer, Progress};
use netmgr_sim::{Inventory, Manager, ManagerSettings};

use super::support::*;
use super::*;

const GROUPS: &str = "/api/v1/ns-groups";
const COUNT: usize = 23;

fn inventory() -> Inventory {
    (0..COUNT).fold(Inventory::empty(), |inventory, number| {
        let certificate = json!({"id": format!("c{number:02}"), "display_name": format!("cert-{number:02}")});
        inventory
            .with(GROUPS, json!({"display_name": format!("group-{number:02}")}))
            .with("/infra/certificates", certificate)
    })
}

async fn with_fault(text: &str) -> Simulator {
    let manager_behind = Manager::new(ManagerSettings::default(), inventory());
    started(manager().manager(manager_behind).fault(fault(text))).await
}

#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Observer for Warnings {
    fn warning(&self, message: &str) {
        self.0.lock().unwrap().push(message.to_owned());
    }

    fn progress(&self, _: &Progress) {}
}

/// The number of groups in the map, and its warnings.
async fn groups(manager: &Simulator) -> (usize, Vec<String>) {
    let warnings = Arc::new(Warnings::default());
    let call = Call::default().observer(warnings.clone());
    let table = lookups(manager, basic())
        .invoke("getNsGroups", json!({}), &call)
        .await;
    let count = table.unwrap()["items"].as_object().unwrap().len();
    (count, std::mem::take(&mut *warnings.0.lock().unwrap()))
}

#[tokio::test]
async fn odd_pages_lose_nothing_and_cost_no_more_than_three_pages() {
    for (odd, pages) in [
        ("page-size=5", 5),
        ("page-size=5 duplicates", 5),
        ("page-size=5 cursor=dangling", 5),
        ("page-size=5 cursor=repeat-last", 5),
        ("page-size=5 result-count=absent", 5),
        ("page-size=5 result-count=absent cursor=dangling duplicates", 6),
        ("page-size=5 result-count=too-small", 5),
        ("page-size=5 result-count=too-small cursor=dangling", 5),
    ] {
        let manager = with_fault(&format!("GET {GROUPS} {odd}")).await;
        assert_eq!(groups(&manager).await.0, COUNT, "{odd}");
        assert_eq!(reads(&manager, GROUPS), pages, "{odd}");
    }
}

#[tokio::test]
async fn a_table_that_lost_pages_is_an_error_and_one_that_may_lack_objects_says_so() {
    let manager = with_fault(&format!("GET {GROUPS} page-size=5 cursor=repeat")).await;
    let error = call(&lookups(&manager, basic()), "getNsGroups", json!({}))
        .await
        .unwrap_err();
    let report = reported(&error);
    assert!(report.contains("announced 23 objects but sent 10"), "{report}");
    let manager = with_fault(&format!("GET {GROUPS} page-size=5 result-count=too-big")).await;
    let (count, warnings) = groups(&manager).await;
    assert_eq!(count, COUNT);
    assert!(!warnings.is_empty());
}

#[tokio::test]
async fn a_list_that_changes_while_it_is_read_is_read_again_and_then_an_error() {
    let manager = with_fault(&format!("GET {GROUPS} page-size=5 result-count=growing count=2")).await;
    manager.faults().add(fault(&format!("GET {GROUPS} page-size=5")));
    assert_eq!(groups(&manager).await, (COUNT, Vec::new()));
    assert_eq!(reads(&manager, GROUPS), 2 + 5);

    let manager = with_fault(&format!("GET {GROUPS} page-size=5 result-count=growing")).await;
    let error = call(&lookups(&manager, basic()), "getNsGroups", json!({}))
        .await
        .unwrap_err();
    let report = reported(&error);
    assert!(
        report.contains("the number of objects changed each time the list was read"),
        "{report}"
    );
}

#[tokio::test]
async fn a_page_that_is_too_large_is_asked_for_in_smaller_ones() {
    let manager = with_fault(&format!("GET {GROUPS} status=503 code=60576 count=3")).await;
    assert_eq!(groups(&manager).await, (COUNT, Vec::new()));
    let queries: Vec<_> = manager
        .requests()
        .into_iter()
        .map(|request| request.query.unwrap())
        .collect();
    assert_eq!(
        queries,
        [
            "page_size=1000",
            "page_size=500",
            "page_size=250",
            "page_size=125"
        ]
    );
}

#[tokio::test]
async fn a_search_reads_all_its_pages_too() {
    for odd in [
        "page-size=4",
        "page-size=4 duplicates result-count=absent",
        "page-size=4 cursor=repeat-last",
    ] {
        let manager = with_fault(&format!("GET {SEARCH} {odd}")).await;
        // The last one in the index, and one of several with the same prefix.
        let one = call(
            &lookups(&manager, basic()),
            "getPolicyCertificate",
            json!({"displayName": "cert-22"}),
        )
        .await;
        assert_eq!(one.unwrap()["id"], "c22", "{odd}");
        let several = call(
            &lookups(&manager, basic()),
            "getPolicyCertificate",
            json!({"displayName": "cert-"}),
        )
        .await;
        let error = several.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Ambiguous);
        assert!(
            reported(&error).contains("and 13 more"),
            "{odd}: {}",
            reported(&error)
        );
    }
}

#[tokio::test]
async fn a_page_in_the_middle_that_fails_is_asked_for_again() {
    for broken in ["status=503", "truncate", "reset"] {
        let manager = with_fault(&format!("GET {GROUPS} after=2 {broken} count=1")).await;
        manager.faults().add(fault(&format!("GET {GROUPS} page-size=5")));
        assert_eq!(groups(&manager).await, (COUNT, Vec::new()), "{broken}");
        assert_eq!(reads(&manager, GROUPS), 6, "{broken}");
    }
}

/// A manager without TLS that replies to each request with this list.
fn lists(body: Vec<u8>) -> std::net::SocketAddr {
    use std::io::{BufRead as _, BufReader, Write as _};

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let _request = lines
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty())
                .count();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream
                .write_all(head.as_bytes())
                .and_then(|()| stream.write_all(&body));
        }
    });
    address
}

#[tokio::test]
async fn a_name_that_is_not_utf8_costs_its_row_alone() {
    let row = |id: u8, name: &[u8]| {
        let id = [b'0' + id];
        [
            b"{\"id\":\"",
            &id[..],
            b"\",\"display_name\":\"",
            name,
            b"\",\"resource_type\":\"NSGroup\"}",
        ]
        .concat()
    };
    let rows = [row(1, b"one"), row(2, b"t\xffo"), row(3, b"three")].join(&b',');
    let address = lists([b"{\"result_count\":3,\"results\":[", &rows[..], b"]}"].concat());
    let settings = with(basic(), json!({"host": format!("http://{address}")}));
    let connection = netmgr_types::ProviderConfig::from_json(settings)
        .unwrap()
        .resolve()
        .unwrap();
    let lookups = Lookups::new(netmgr_transport::Client::builder(connection).build().unwrap());
    let warnings = Arc::new(Warnings::default());
    let call = Call::default().observer(warnings.clone());
    let table = lookups.invoke("getNsGroups", json!({}), &call).await.unwrap();
    assert_eq!(table["items"], json!({"one": "1", "three": "3"}));
    let warnings = warnings.0.lock().unwrap().join("\n");
    assert!(warnings.contains("t\u{fffd}o"), "{warnings}");
}
