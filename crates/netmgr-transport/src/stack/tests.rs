//! Tests of all layers together, below a client.

use netmgr_types::Credentials;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::*;
use crate::layers::testing::{Manager, ok, pair, reply};
use crate::testing;
use crate::{Client, ClientBuilder, Error, ErrorKind, Get, Reply};

fn builder() -> (ClientBuilder, Manager) {
    let (leaf, manager) = pair();
    let connection = testing::connection().credentials(Credentials::Certificate);
    (Client::builder(connection).leaf(crate::Stack::new(leaf)), manager)
}

fn ask(client: &Client) -> JoinHandle<Result<Reply, Error>> {
    ask_for(client, "/x")
}

fn ask_for(client: &Client, path: &'static str) -> JoinHandle<Result<Reply, Error>> {
    let client = client.clone();
    tokio::spawn(async move { client.get(&Get::new(path)).await })
}

#[tokio::test(start_paused = true)]
async fn a_failed_attempt_is_repeated_as_it_was() {
    let (builder, mut manager) = builder();
    let answer = ask(&builder.build().unwrap());
    let (first, failing) = manager.next_request().await.unwrap();
    failing.send_response(reply(503, ""));
    let (second, succeeding) = manager.next_request().await.unwrap();
    succeeding.send_response(ok());
    assert_eq!(second.uri(), "https://manager.example/x");
    assert_eq!((first.uri(), first.headers()), (second.uri(), second.headers()));
    assert!(answer.await.unwrap().is_ok());
}

#[tokio::test(start_paused = true)]
async fn waiting_for_the_governor_does_not_use_up_the_attempt() {
    let (builder, mut manager) = builder();
    let client = builder.concurrency(1).build().unwrap();
    let calls = [(); 3].map(|()| ask(&client));
    for _ in 0..3 {
        let (_, reply) = manager.next_request().await.unwrap();
        tokio::time::sleep(Duration::from_secs(50)).await;
        reply.send_response(ok());
    }
    for call in calls {
        assert!(call.await.unwrap().is_ok());
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_retry_holds_no_place() {
    let (builder, mut manager) = builder();
    let client = builder.concurrency(1).build().unwrap();
    let _failing = ask(&client);
    let (_, first) = manager.next_request().await.unwrap();
    let other = ask_for(&client, "/y");
    first.send_error(Error::from(ErrorKind::Connect));
    manager.next_request().await.unwrap().1.send_response(ok());
    assert!(other.await.unwrap().is_ok());
}

#[tokio::test(start_paused = true)]
async fn the_deadline_reports_how_the_last_attempt_ended() {
    let start = Instant::now();
    let (builder, mut manager) = builder();
    let answer = ask(&builder.build().unwrap());
    let mut silent = Vec::new();
    for _ in 0..5 {
        silent.push(manager.next_request().await.unwrap());
    }
    let error = answer.await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Deadline);
    assert_eq!(start.elapsed().as_secs(), 300);
    assert_eq!(error.failure().attempts, 5);
    let cause = error.failure().source.as_ref().unwrap().to_string();
    assert!(
        cause.starts_with("connection failed: GET /x on manager.example: no response within 60.0 s"),
        "{cause}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failure_of_one_path_is_its_own() {
    let (builder, mut manager) = builder();
    let client = builder.build().unwrap();
    let failing: Vec<_> = (0..8).map(|_| ask(&client)).collect();
    let others: Vec<_> = (0..8).map(|_| ask_for(&client, "/y")).collect();
    drop(client);
    while let Some((request, answer)) = manager.next_request().await {
        if request.uri().path() == "/x" {
            let mut reply = reply(503, "<html>no server</html>");
            let retry_after = http::HeaderValue::from_static("3600");
            reply.headers_mut().insert(http::header::RETRY_AFTER, retry_after);
            answer.send_response(reply);
        } else {
            answer.send_response(ok());
        }
    }
    for call in others {
        assert!(call.await.unwrap().is_ok());
    }
    for call in failing {
        let text = call.await.unwrap().unwrap_err().to_string();
        assert!(text.contains("GET /x on manager.example returned 503"), "{text}");
        assert!(!text.contains("is down"), "{text}");
    }
}

/// Sends a request for `/x` to a manager that replies to it with `status` and `body`, and to everything else
/// with a success. Returns the failure and the number of requests of `/x`.
async fn refused_with(
    credentials: Credentials,
    listed: Vec<u16>,
    (status, body): (u16, &'static str),
) -> (Error, u32) {
    let (leaf, mut manager) = pair();
    let mut connection = testing::connection();
    connection.credentials = credentials;
    connection.retry.on_status = Some(listed);
    let client = Client::builder(connection)
        .leaf(crate::Stack::new(leaf))
        .build()
        .unwrap();
    let answer = ask(&client);
    drop(client);
    let mut requests = 0;
    while let Some((request, answer)) = manager.next_request().await {
        if request.uri().path() == "/x" {
            requests += 1;
            answer.send_response(reply(status, body));
            continue;
        }
        let mut reply = ok();
        let session = "JSESSIONID=1".parse().unwrap();
        reply.headers_mut().insert(http::header::SET_COOKIE, session);
        reply.headers_mut().insert("x-xsrf-token", "1".parse().unwrap());
        answer.send_response(reply);
    }
    (answer.await.unwrap().unwrap_err(), requests)
}

#[tokio::test(start_paused = true)]
async fn a_listed_401_403_or_404_is_repeated_below_a_login_too() {
    let role_denied = r#"{"error_code": 401}"#;
    for (status, body) in [(403, role_denied), (404, ""), (400, "")] {
        for credentials in [
            Credentials::Session(testing::login()),
            Credentials::Header(testing::login()),
        ] {
            let (error, requests) = refused_with(credentials, vec![status], (status, body)).await;
            assert_eq!(requests, 5, "{error}");
            assert_eq!(error.failure().attempts, 5, "{error}");
        }
    }
    // Each attempt renews the session and sends the request again.
    let session = Credentials::Session(testing::login());
    let (error, requests) = refused_with(session, vec![401], (401, "")).await;
    assert_eq!(requests, 10, "{error}");
    assert_eq!(error.failure().attempts, 5, "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_refused_password_is_sent_once_though_401_is_listed() {
    let header = Credentials::Header(testing::login());
    let (error, requests) = refused_with(header, vec![401], (401, "")).await;
    assert_eq!(requests, 1, "{error}");
    assert_eq!(error.failure().attempts, 1, "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_waits_for_a_login_holds_no_place() {
    for credentials in [
        Credentials::Session(testing::login()),
        Credentials::Header(testing::login()),
    ] {
        let (leaf, mut manager) = pair();
        let mut connection = testing::connection();
        connection.credentials = credentials;
        let client = Client::builder(connection)
            .leaf(crate::Stack::new(leaf))
            .concurrency(2)
            .build()
            .unwrap();
        let calls = [(); 2].map(|()| {
            let client = client.clone();
            tokio::spawn(async move {
                let place = client.reserve().await;
                // Until both have a slot; there is no login.
                tokio::task::yield_now().await;
                client.get(&Get::new("/x").reserved(place)).await
            })
        });
        drop(client);
        let start = Instant::now();
        while let Some((_, answer)) = manager.next_request().await {
            let mut reply = ok();
            let session = "JSESSIONID=1".parse().unwrap();
            reply.headers_mut().insert(http::header::SET_COOKIE, session);
            reply.headers_mut().insert("x-xsrf-token", "1".parse().unwrap());
            answer.send_response(reply);
        }
        for call in calls {
            assert!(call.await.unwrap().is_ok());
        }
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_that_failed_once_is_one_failed_attempt_of_those_that_reserved_a_place() {
    let (leaf, mut manager) = pair();
    let client = Client::builder(testing::connection())
        .leaf(crate::Stack::new(leaf))
        .build()
        .unwrap();
    let calls: Vec<_> = (0..50)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move {
                let place = client.reserve().await;
                client.get(&Get::new("/x").reserved(place)).await
            })
        })
        .collect();
    drop(client);
    let mut logins = 0;
    while let Some((request, answer)) = manager.next_request().await {
        logins += u32::from(request.method() == http::Method::POST);
        let mut reply = if logins == 1 { reply(502, "") } else { ok() };
        let session = "JSESSIONID=1".parse().unwrap();
        reply.headers_mut().insert(http::header::SET_COOKIE, session);
        reply.headers_mut().insert("x-xsrf-token", "1".parse().unwrap());
        answer.send_response(reply);
    }
    for call in calls {
        assert!(call.await.unwrap().is_ok());
    }
    assert_eq!(logins, 2);
}
