//! Names that a list answers instead of searches.

use super::*;

fn server(name: &str) -> Value {
    let path = format!("/infra/dhcp-server-configs/{name}");
    json!({"resource_type": "DhcpServerConfig", "id": name, "display_name": name, "path": path})
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("server-{number:02}-x")).collect()
}

fn is_list(target: &str) -> bool {
    target.starts_with("/policy/api/v1/infra/dhcp-server-configs?")
}

#[tokio::test(start_paused = true)]
async fn many_names_of_one_kind_are_one_list_that_answers_prefixes_as_well() {
    let all = names(50);
    let rows = all.clone();
    let (lookups, sent) = manager(move |_| (200, page(rows.iter().map(|name| server(name)).collect())));
    let prefixes = all.iter().map(|name| name.trim_end_matches("-x"));
    let asked: Vec<&str> = all
        .iter()
        .map(String::as_str)
        .chain(prefixes)
        .chain(["server-99"])
        .collect();
    let mut found = join_all(asked.iter().map(|name| dhcp(&lookups, name))).await;
    assert!(matches!(found.pop(), Some(Err(Error::NotFound { .. }))));
    for (asked, found) in asked.iter().zip(found) {
        assert!(found.unwrap()["id"].as_str().unwrap().starts_with(asked));
    }
    let sent = sent.lock().unwrap();
    assert!(matches!(&sent[..], [only] if is_list(only)), "{sent:?}");
}

#[tokio::test(start_paused = true)]
async fn few_names_of_a_kind_are_searched_unless_its_list_is_read_anyway() {
    let all = names(3);
    let rows = all.clone();
    let (lookups, sent) = manager(move |_| (200, page(rows.iter().map(|name| server(name)).collect())));
    for found in join_all(all.iter().map(|name| dhcp(&lookups, name))).await {
        found.unwrap();
    }
    assert!(!is_list(&sent.lock().unwrap()[0]), "{sent:?}");
    sent.lock().unwrap().clear();
    let call = Call::default();
    let by_id = all
        .iter()
        .map(|id| lookups.invoke("getPolicyDhcpServer", json!({"id": id}), &call));
    // The first round of the collection is under way; the second has an object and a name.
    let (objects, named) = tokio::join!(
        join_all(by_id),
        join_all(all.iter().map(|name| dhcp(&lookups, name)))
    );
    for found in objects.into_iter().chain(named) {
        found.unwrap();
    }
    assert!(count(&sent) <= 2, "{sent:?}");
}

#[tokio::test(start_paused = true)]
async fn names_are_searched_where_the_list_fails_or_is_too_long() {
    let failures = [403, 404, 500, 502, 503, 504].map(|status| (status, json!({"error_code": 1})));
    let long = json!({"results": [server("other")], "result_count": 90_000, "cursor": "1"});
    for (status, list) in failures.into_iter().chain([(200, json!("no page")), (200, long)]) {
        let all = names(12);
        let rows = all.clone();
        let list_body = list.clone();
        let (lookups, sent) = manager(move |target| match is_list(target) {
            true => (status, list_body.clone()),
            false => (200, page(rows.iter().map(|name| server(name)).collect())),
        });
        for found in join_all(all.iter().map(|name| dhcp(&lookups, name))).await {
            assert!(found.is_ok(), "{status} {list}: {found:?}");
        }
        // After a failure, each name has its own search.
        let searches = if status == 200 && list["result_count"] == 90_000 {
            1
        } else {
            12
        };
        assert_eq!(count(&sent), 1 + searches, "{status}: {sent:?}");
        sleep(Duration::from_millis(1)).await;
        assert_idle(&lookups);
    }
}

#[tokio::test(start_paused = true)]
async fn a_name_that_moves_to_a_list_is_still_given_up_with_its_lookup() {
    let stack = Stack::new(tower::service_fn(|_: Request<Bytes>| async {
        std::future::pending::<()>().await;
        unreachable!()
    }));
    let lookups = Lookups::new(Client::new(connection(|_| {}), stack));
    let waiting: Vec<_> = names(20)
        .into_iter()
        .map(|name| {
            let lookups = lookups.clone();
            tokio::spawn(async move { dhcp(&lookups, &name).await })
        })
        .collect();
    sleep(LATENCY).await;
    waiting.iter().for_each(tokio::task::JoinHandle::abort);
    sleep(LATENCY).await;
    assert_idle(&lookups);
}

/// A manager with a list of five pages of one pool each, whose description is the number of the request.
fn long_list() -> (Lookups, Sent) {
    let requests = AtomicU64::new(0);
    manager(move |target| {
        let number = requests.fetch_add(1, Ordering::Relaxed);
        let at = target
            .split_once("cursor=")
            .map_or(0, |(_, at)| at.parse().unwrap());
        let pool = |id: u32| json!({"resource_type": "IpPool", "id": id.to_string(), "display_name": format!("p{id}"), "description": number.to_string()});
        let next = (at < 4).then(|| (at + 1).to_string());
        let rows = vec![pool(at)];
        (
            200,
            json!({"results": rows, "result_count": 5000, "cursor": next}),
        )
    })
}

/// Returns the number of the request that answers a lookup for a pool on the first page.
async fn first_pool(lookups: Lookups) -> u64 {
    let found = pool(&lookups, "p0").await.unwrap();
    found["description"].as_str().unwrap().parse().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_long_list_goes_on_when_few_lookups_arrive_during_its_first_page() {
    let (lookups, sent) = long_list();
    let early: Vec<_> = (0..3)
        .map(|_| tokio::spawn(first_pool(lookups.clone())))
        .collect();
    sleep(LATENCY / 2).await;
    let late = tokio::spawn(first_pool(lookups.clone()));
    for found in early {
        assert_eq!(found.await.unwrap(), 0);
    }
    assert!(late.await.unwrap() > 0);
    assert_eq!(count(&sent), 5 + 5, "{sent:?}");
}
