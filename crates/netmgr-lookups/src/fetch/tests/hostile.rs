//! Managers that fail only some requests, and callers that end at a bad moment.

use super::*;

fn server(name: &str) -> Value {
    let path = format!("/infra/dhcp-server-configs/{name}");
    json!({"resource_type": "DhcpServerConfig", "id": name, "display_name": name, "path": path})
}

#[tokio::test(start_paused = true)]
async fn a_combined_search_that_fails_on_its_second_page_finds_no_object_twice() {
    let (lookups, _) = manager(|target| {
        let rows = ["a", "b", "c"].map(server).to_vec();
        match (target.contains("OR"), target.contains("cursor")) {
            (true, true) => (
                400,
                json!({"error_code": 60500, "error_message": "cannot parse the query"}),
            ),
            (true, false) => (200, json!({"results": rows, "result_count": 2000, "cursor": "3"})),
            (false, _) => (200, page(rows)),
        }
    });
    for found in join_all(["a", "b", "c"].map(|name| dhcp(&lookups, name))).await {
        found.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_manager_that_hangs_is_sent_one_search_of_each_lookup_and_named_as_the_cause() {
    let sent = Sent::default();
    let log = Arc::clone(&sent);
    let stack = Stack::new(tower::service_fn(move |request: Request<Bytes>| {
        log.lock().unwrap().push(request.uri().to_string());
        std::future::pending()
    }));
    let lookups = Lookups::new(Client::new(connection(|_| {}), stack));
    for failed in join_all(["a", "b", "c", "d", "e", "f"].map(|name| dhcp(&lookups, name))).await {
        assert_eq!(failed.unwrap_err().kind(), crate::ErrorKind::DeadlineExceeded);
    }
    assert_eq!(count(&sent), 1 + 6);
}

#[tokio::test(start_paused = true)]
async fn failures_of_reads_are_those_of_own_requests() {
    for status in [401, 429, 502, 503, 504] {
        let (lookups, sent) = manager(move |_| (status, json!({"error_code": 1, "error_message": "down"})));
        for failed in join_all(["a", "b", "c", "d", "e", "f"].map(|name| dhcp(&lookups, name))).await {
            failed.unwrap_err();
        }
        assert_eq!(count(&sent), 1 + 6, "{status}: {sent:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn searches_alone_need_no_second_place_for_each_round() {
    let stack = Stack::new(tower::service_fn(|request: Request<Bytes>| async move {
        sleep(LATENCY).await;
        let target = request.uri().path_and_query().unwrap().to_string();
        let (status, body) = match target.contains("OR") {
            true => (
                400,
                json!({"error_code": 60500, "error_message": "cannot parse the query"}),
            ),
            false => (200, page(["a", "b", "c"].map(server).to_vec())),
        };
        let reply = Response::builder()
            .status(status)
            .header("set-cookie", "JSESSIONID=1")
            .header("x-xsrf-token", "1");
        Ok(reply.body(Bytes::from(body.to_string())).unwrap())
    }));
    let client = Client::builder(connection(|_| {}))
        .leaf(stack)
        .concurrency(1)
        .build();
    let lookups = Lookups::new(client.unwrap());
    for _ in 0..2 {
        let started = Instant::now();
        for found in join_all(["a", "b", "c"].map(|name| dhcp(&lookups, name))).await {
            found.unwrap();
        }
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "{:?}",
            started.elapsed()
        );
    }
}

#[test]
fn a_runtime_that_ends_leaves_no_batch_behind() {
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap()
    };
    let (lookups, _) = manager(|_| (200, pools(["a"])));
    runtime().block_on(async {
        tokio::spawn({
            let lookups = lookups.clone();
            async move { pool(&lookups, "a").await }
        });
        sleep(LATENCY / 2).await;
    });
    assert_idle(&lookups);
    runtime().block_on(pool(&lookups, "a")).unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_node_without_an_address_belongs_to_the_address_that_the_manager_found_it_by() {
    let (lookups, sent) = manager(|target| {
        let node = |id: &str, address: &[&str]| json!({"external_id": id, "ip_addresses": address});
        let (first, second, silent) = (
            node("first", &["192.0.2.1"]),
            node("second", &["192.0.2.2"]),
            node("silent", &[]),
        );
        let rows = match target.split_once("ip_address=") {
            Some((_, filter)) if filter.starts_with("192.0.2.1") => vec![first],
            Some((_, filter)) if filter.starts_with("192.0.2.2") => vec![second],
            Some(_) => vec![silent],
            None => vec![first, second, silent],
        };
        (200, page(rows))
    });
    let call = Call::default();
    let found = join_all(["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(|address| {
        let input = json!({"ipAddress": address});
        lookups.invoke("getDiscoveredNode", input, &call)
    }))
    .await;
    let ids: Vec<Value> = found
        .into_iter()
        .map(|found| found.unwrap()["id"].clone())
        .collect();
    assert_eq!(ids, ["first", "second", "silent"]);
    // The list shows two of the addresses; the manager alone knows the third.
    let sent = sent.lock().unwrap();
    assert_eq!(sent.len(), 2, "{sent:?}");
    assert!(sent[1].contains("ip_address=192.0.2.3"), "{sent:?}");
}

#[tokio::test(start_paused = true)]
async fn slow_searches_hold_up_the_next_for_a_second_at_most() {
    let stack = Stack::new(tower::service_fn(|request: Request<Bytes>| async move {
        let is_slow = request.uri().to_string().contains("slow");
        sleep(if is_slow { Duration::from_secs(30) } else { LATENCY }).await;
        let rows = page(["slow", "quick"].map(server).to_vec());
        Ok(Response::new(Bytes::from(rows.to_string())))
    }));
    let lookups = Lookups::new(Client::new(connection(|_| {}), stack));
    for _ in 0..3 {
        let lookups = lookups.clone();
        tokio::spawn(async move { dhcp(&lookups, "slow").await });
        sleep(Duration::from_secs(2)).await;
    }
    let started = Instant::now();
    dhcp(&lookups, "quick").await.unwrap();
    assert!(started.elapsed() <= Duration::from_secs(1) + LATENCY);
}

#[tokio::test(start_paused = true)]
async fn an_object_by_id_does_not_wait_for_the_end_of_two_long_maps() {
    let (lookups, _) = manager(|target| {
        if let Some(id) = target.strip_prefix("/api/v1/ns-groups/") {
            let id = id.split('?').next().unwrap();
            return (
                200,
                json!({"resource_type": "NSGroup", "id": id, "display_name": id}),
            );
        }
        let at = target
            .split_once("cursor=")
            .map_or(0, |(_, at)| at.parse().unwrap());
        let row =
            json!({"resource_type": "NSGroup", "id": format!("g{at}"), "display_name": format!("g{at}")});
        let next = (at < 999).then(|| (at + 1).to_string());
        (
            200,
            json!({"results": [row], "result_count": 1000, "cursor": next}),
        )
    });
    for _ in 0..2 {
        let lookups = lookups.clone();
        tokio::spawn(async move { lookups.invoke("getNsGroups", json!({}), &Call::default()).await });
        sleep(LATENCY * 4).await;
    }
    let started = Instant::now();
    let found = lookups
        .invoke("getNsGroup", json!({"id": "x"}), &Call::default())
        .await;
    assert_eq!(found.unwrap()["id"], "x");
    assert!(
        started.elapsed() <= Duration::from_secs(1) + LATENCY * 2,
        "{:?}",
        started.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn policy_objects_without_a_path_are_left_out_of_lists() {
    let row = |id: &str, path: Value| json!({"resource_type": "Service", "id": id, "display_name": id, "path": path});
    let rows = vec![
        row("a", json!("/infra/services/a")),
        row("b", json!("")),
        row("c", Value::Null),
    ];
    let (lookups, _) = manager(move |_| (200, page(rows.clone())));
    let call = Call::default();
    let services = lookups.invoke("getPolicyServices", json!({}), &call);
    let services = services.await.unwrap();
    assert_eq!(services["items"], json!({"a": "/infra/services/a"}));
    assert_eq!(services["objects"].as_array().unwrap().len(), 1);
}
