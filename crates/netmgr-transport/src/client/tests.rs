//! What a caller of the client sees.

use std::sync::Mutex;

use netmgr_types::{Credentials, Host};
use tokio::sync::oneshot;

use super::*;
use crate::layers::testing::{Manager, ok, pair, reply};
use crate::testing;

fn connection() -> Connection {
    Connection {
        host: Host {
            scheme: "https",
            name: "2001:db8::1".to_owned(),
            port: Some(8443),
            prefix: "/prefix".to_owned(),
        },
        credentials: Credentials::Certificate,
        ..testing::connection()
    }
}

fn client() -> (Client, Manager) {
    let (leaf, manager) = pair();
    let client = Client::builder(connection())
        .leaf(BoxCloneSyncService::new(leaf))
        .build()
        .unwrap();
    (client, manager)
}

fn ask(client: &Client) -> tokio::task::JoinHandle<Result<Reply, Error>> {
    let client = client.clone();
    tokio::spawn(async move { client.get(&Get::new("/api/v1/x").query("q", "hunter2")).await })
}

#[tokio::test(start_paused = true)]
async fn a_200_is_the_reply() {
    let (client, mut manager) = client();
    let answer = ask(&client);
    let (request, reply) = manager.next_request().await.unwrap();
    assert_eq!(
        request.uri(),
        "https://[2001:db8::1]:8443/prefix/api/v1/x?q=hunter2"
    );
    reply.send_response(ok());
    let reply = answer.await.unwrap().unwrap();
    assert_eq!(reply.body, "{}");
    assert_eq!(
        reply.exchange.to_string(),
        "GET /prefix/api/v1/x on [2001:db8::1]:8443"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failure_tells_request_attempts_and_time_but_not_the_query() {
    let (client, mut manager) = client();
    let answer = ask(&client);
    for _ in 0..5 {
        let (_, answer) = manager.next_request().await.unwrap();
        tokio::time::sleep(Duration::from_secs(10)).await;
        answer.send_response(reply(502, "<html><title>Bad Gateway</title></html>"));
    }
    let error = answer.await.unwrap().unwrap_err();
    let failure = error.failure().unwrap();
    assert_eq!(failure.attempts, 5);
    assert!(failure.elapsed >= Duration::from_secs(50));
    let message = error.to_string();
    assert!(
        message.starts_with(
            "manager unavailable: GET /prefix/api/v1/x on [2001:db8::1]:8443 answered 502 Bad Gateway: \
             HTML page \"Bad Gateway\" after 5 attempts in 5"
        ),
        "{message}"
    );
    assert!(!message.contains("hunter2"));
}

#[tokio::test(start_paused = true)]
async fn another_success_than_200_is_no_usable_answer() {
    let (client, mut manager) = client();
    let answer = ask(&client);
    manager
        .next_request()
        .await
        .unwrap()
        .1
        .send_response(reply(204, ""));
    assert!(matches!(answer.await.unwrap(), Err(Error::BadReply(_))));
}

#[tokio::test(start_paused = true)]
async fn the_builders_deadline_bounds_a_request_without_one() {
    let (leaf, mut manager) = pair();
    let client = Client::builder(connection())
        .lookup_deadline(Duration::from_secs(5))
        .leaf(BoxCloneSyncService::new(leaf))
        .build()
        .unwrap();
    let answer = ask(&client);
    let _unanswered = manager.next_request().await.unwrap();
    let error = answer.await.unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "deadline exceeded: GET /prefix/api/v1/x on [2001:db8::1]:8443: no usable answer within 5.0 s; \
         try again later or allow more time"
    );
    assert_eq!(error.failure().unwrap().elapsed, Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_future_drops_its_request() {
    let (sent, is_sent) = oneshot::channel::<()>();
    let (held, is_dropped) = oneshot::channel::<()>();
    let ends = Arc::new(Mutex::new(Some((sent, held))));
    let silent = tower::service_fn(move |_| {
        let (sent, held) = ends.lock().unwrap().take().unwrap();
        sent.send(()).unwrap();
        async move {
            std::future::pending::<()>().await;
            drop(held);
            Ok(ok())
        }
    });
    let client = Client::builder(connection())
        .leaf(BoxCloneSyncService::new(silent))
        .build()
        .unwrap();
    let answer = ask(&client);
    is_sent.await.unwrap();
    answer.abort();
    assert!(is_dropped.await.is_err());
}
