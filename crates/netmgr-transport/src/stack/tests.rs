//! What the layers do together, below a client.

use netmgr_types::{Connection, Credentials};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::*;
use crate::layers::testing::{Manager, ok, pair, reply};
use crate::testing;
use crate::{Client, ClientBuilder, Error, Get, Reply};

fn builder() -> (ClientBuilder, Manager) {
    let (leaf, manager) = pair();
    let connection = Connection {
        credentials: Credentials::Certificate,
        ..testing::connection()
    };
    (
        Client::builder(connection).leaf(BoxCloneSyncService::new(leaf)),
        manager,
    )
}

fn ask(client: &Client) -> JoinHandle<Result<Reply, Error>> {
    let client = client.clone();
    tokio::spawn(async move { client.get(&Get::new("/x")).await })
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
    let other = ask(&client);
    first.send_error(Error::Connect(Box::default()));
    manager.next_request().await.unwrap().1.send_response(ok());
    assert!(other.await.unwrap().is_ok());
}

#[tokio::test(start_paused = true)]
async fn the_deadline_tells_how_the_last_attempt_ended() {
    let start = Instant::now();
    let (builder, mut manager) = builder();
    let answer = ask(&builder.build().unwrap());
    let mut silent = Vec::new();
    for _ in 0..5 {
        silent.push(manager.next_request().await.unwrap());
    }
    let Err(Error::Deadline(failure)) = answer.await.unwrap() else {
        panic!("not ended by the deadline");
    };
    assert_eq!(start.elapsed().as_secs(), 300);
    assert_eq!(failure.attempts, 5);
    let cause = failure.source.unwrap().to_string();
    assert!(
        cause.starts_with("no connection: GET /x on manager.example: no answer within 60.0 s"),
        "{cause}"
    );
}
