//! Lookups with secret arguments: errors of other lookups must not quote them.

use netmgr_transport::Stack;

use super::*;

const SECRET: &str = "classified";

fn confidential() -> Call {
    Call {
        confidential: true,
        ..Call::default()
    }
}

/// A manager that answers everything with `status` and a message that quotes the request.
fn quoting(status: u16) -> (Lookups, Sent) {
    let sent = Sent::default();
    let log = Arc::clone(&sent);
    let stack = Stack::new(tower::service_fn(move |request: Request<Bytes>| {
        let target = request.uri().path_and_query().unwrap().to_string();
        log.lock().unwrap().push(target.clone());
        async move {
            sleep(LATENCY).await;
            let body = json!({"error_code": 1, "error_message": format!("cannot answer {target}")});
            let reply = Response::builder()
                .status(status)
                .header("content-type", "application/json");
            Ok(reply.body(Bytes::from(body.to_string())).unwrap())
        }
    }));
    (Lookups::new(Client::new(connection(|_| {}), stack)), sent)
}

fn chain(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

/// Each function with the arguments of a public lookup and of a secret lookup.
fn pairs() -> [(&'static str, Value, Value); 4] {
    [
        (
            "getPolicyDhcpServer",
            json!({"displayName": "public"}),
            json!({"displayName": SECRET}),
        ),
        (
            "getDiscoveredNode",
            json!({"ipAddress": "192.0.2.1"}),
            json!({"ipAddress": SECRET}),
        ),
        ("getIpPool", json!({"id": "public"}), json!({"id": SECRET})),
        (
            "getPolicyContextProfile",
            json!({"displayName": "public", "context": {"projectId": "open"}}),
            json!({"displayName": "public", "context": {"projectId": SECRET}}),
        ),
    ]
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_quotes_the_request_shows_no_secret_of_another_lookup() {
    for status in [400, 403, 404, 429, 500, 502, 503, 504] {
        for (function, public, secret) in pairs() {
            let (lookups, _) = quoting(status);
            let (open, call) = (Call::default(), confidential());
            let (first, hidden, last) = tokio::join!(
                lookups.invoke(function, public.clone(), &open),
                lookups.invoke(function, secret, &call),
                lookups.invoke(function, public, &open),
            );
            hidden.unwrap_err();
            for error in [first.unwrap_err(), last.unwrap_err()] {
                let text = chain(&error);
                assert!(!text.contains(SECRET), "{status} {function}: {text}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn confidential_lookups_search_alone() {
    let (lookups, sent) = manager(|_| {
        let row = |name: &str| {
            let path = format!("/infra/dhcp-server-configs/{name}");
            json!({"resource_type": "DhcpServerConfig", "id": name, "display_name": name, "path": path})
        };
        (200, page(["a", "b", "c", "d"].map(row).to_vec()))
    });
    let (open, call) = (Call::default(), confidential());
    let server = |name: &str, call| lookups.invoke("getPolicyDhcpServer", json!({"displayName": name}), call);
    let found = tokio::join!(
        server("a", &open),
        server("b", &call),
        server("c", &open),
        server("d", &call),
        server("d", &call),
    );
    for found in [found.0, found.1, found.2, found.3, found.4] {
        found.unwrap();
    }
    let sent = sent.lock().unwrap();
    let named = |name: &str| {
        sent.iter()
            .filter(|target| target.contains(&format!("display_name%3A{name}")))
            .collect::<Vec<_>>()
    };
    assert_eq!(sent.len(), 3, "{sent:?}");
    assert_eq!(named("a"), named("c"), "lookups without secrets share");
    for name in ["b", "d"] {
        let [target] = &named(name)[..] else {
            panic!("{name}: {sent:?}")
        };
        assert_eq!(target.matches("display_name").count(), 1, "{target}");
    }
}

#[tokio::test(start_paused = true)]
async fn confidential_lookups_share_a_list_that_names_none_of_them() {
    let (lookups, sent) = manager(|_| (200, pools(["a", "b"])));
    let call = confidential();
    let pool = |name: &str| lookups.invoke("getIpPool", json!({"displayName": name}), &call);
    let (first, second) = tokio::join!(pool("a"), pool("b"));
    assert_eq!(
        (first.unwrap()["id"].clone(), second.unwrap()["id"].clone()),
        (json!("id-a"), json!("id-b"))
    );
    assert_eq!(count(&sent), 1);
}
